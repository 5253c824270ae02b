//! Rules against traces of one machine or its network.

use super::{File, Problems};

/// Folders of a personal machine. Split in two, so that this list does not match itself.
const FOLDERS: [(&str, &str); 5] =
    [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/"), ("/Us", "ers/"), ("../sha", "red")];

/// Hosts that a file may name: the project's, and those of standards, licences and sources. Registries are configured on
/// each machine.
const HOSTS: [&str; 15] = [
    "arrow.apache.org",
    "datatracker.ietf.org",
    "docs.rs",
    "electionstudies.org",
    "github.com",
    "json-schema.org",
    "keepachangelog.com",
    "maven.apache.org",
    "mozilla.org",
    "rust-lang.github.io",
    "schemas.android.com",
    "semver.org",
    "www.apache.org",
    "www.apple.com",
    "www.w3.org",
];

/// The service's own hosts, their imitations in tests, and names reserved for examples.
const FAMILIES: [&str; 5] = ["survalyzer", ".example", ".test", ".invalid", "example.com"];

pub fn rules(file: &File) -> Problems {
    let locked = ["lock", "csv", "tsv"].contains(&file.extension()) || file.path.starts_with("LICENSE");
    if locked {
        return Problems::new();
    }
    let mut problems = Problems::new();
    for (number, line) in file.lines() {
        if let Some((a, b)) = FOLDERS.iter().find(|(a, b)| line.contains(&format!("{a}{b}"))) {
            problems.push(format!("{}:{number}: {a}{b} is a folder of one machine", file.path));
        }
        for host in hosts(line).filter(|host| !is_allowed(host)) {
            problems
                .push(format!("{}:{number}: {host} is not among the hosts that a file may name", file.path));
        }
    }
    problems
}

/// The hosts of the addresses in a line: literal ones, with a dot in their name.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let authority = rest.split(|c: char| !(c.is_ascii_alphanumeric() || ".-_@:%".contains(c))).next()?;
        let host = authority.rsplit('@').next()?.split(':').next()?;
        let named = host.contains('.') && host.contains(|c: char| c.is_ascii_alphabetic());
        // The host contains a placeholder: `https://api.{center}.app`, `https://{tenant}.example`.
        let whole = !rest[authority.len()..].starts_with(['{', '<', '$']) && !host.starts_with('.');
        (named && whole).then_some(host)
    })
}

fn is_allowed(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    let of =
        |family: &&str| if family.starts_with('.') { host.ends_with(family) } else { host.contains(family) };
    HOSTS.contains(&host.as_str()) || FAMILIES.iter().any(of)
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn finds_folders_of_a_machine() {
        for (a, b) in FOLDERS {
            assert_eq!(rules(&file("a.md", &format!("see {a}{b}x"))).len(), 1, "{a}{b}");
        }
        assert!(rules(&file("a.md", "see crates/sondage/src")).is_empty());
    }

    #[test]
    fn knows_the_hosts_that_a_file_may_name() {
        let registry = format!("index-url = https://user:pass@{}.{}/simple", "packages", "somewhere.net");
        assert_eq!(rules(&file("a.toml", &registry)).len(), 1);
        for fine in [
            "http://127.0.0.1:8080/x",
            "https://api.survalyzer-eu.app",
            "https://evil.example/x",
            "http://localhost:1",
            "https://{tenant}.survalyzer-eu.app",
            "http://[::1]:80/",
        ] {
            assert!(rules(&file("a.rs", fine)).is_empty(), "{fine}");
        }
    }
}
