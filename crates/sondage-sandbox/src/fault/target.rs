//! What a fault can hit. A misspelt name would never be hit, and a test that relies on the fault would prove nothing.

use serde::{Deserialize, Deserializer, de::Error};
use sondage::internals::spelling::distance;
use sondage::operations::ALL;

/// What can be named in addition to operations and paths.
const OTHERS: [&str; 6] = ["token", "authorize", "jwks", "link", "connection", "*"];

/// Reads what a fault hits.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let on = String::deserialize(deserializer)?;
    check(&on).map_err(D::Error::custom)?;
    Ok(on)
}

/// Whether it can be hit; otherwise the reason, with the name that was probably meant.
pub(crate) fn check(on: &str) -> Result<(), String> {
    if on.starts_with('/') || names().any(|name| name == on) {
        return Ok(());
    }
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let near = names().map(|name| (distance(&plain(name), &plain(on)), name)).min_by_key(|(away, _)| *away);
    let suggestion = match near {
        Some((away, name)) if away <= name.len() / 3 => format!(": did you mean `{name}`?"),
        _ => ".".to_owned(),
    };
    Err(format!(
        "no call is named `{on}`{suggestion} A fault hits an operation, such as `ReadPanel`, a path that begins with `/`, or one of \
         {}",
        OTHERS.map(|name| format!("`{name}`")).join(", ")
    ))
}

fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|row| row.name).chain(OTHERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_refused_with_the_one_that_was_meant() {
        for (slip, meant) in [
            ("ReadPanle", "ReadPanel"),
            ("read_panel", "ReadPanel"),
            ("createMembers", "CreateMembers"),
            ("tokens", "token"),
        ] {
            let why = check(slip).unwrap_err();
            assert!(why.contains(&format!("did you mean `{meant}`?")), "{why}");
        }
        let why = check("Weather").unwrap_err();
        assert!(why.starts_with("no call is named `Weather`. A fault hits"), "{why}");
    }

    #[test]
    fn every_operation_and_every_other_target_can_be_hit() {
        for name in names().chain(["/publicapi/Panel/v3/ReadPanel"]) {
            assert_eq!(check(name), Ok(()));
        }
    }
}
