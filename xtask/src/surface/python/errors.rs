//! An exception for every kind of error.

use crate::surface::prelude::*;
use crate::surface::structs::DETAILS;

const HEAD: &str = r#""""What can go wrong, one exception for each thing that a caller can do next."""

from __future__ import annotations

from ._error import SondageError
"#;

/// The exception that Python's own `TimeoutError` includes. `OutcomeUnknown` is not included, because code that catches a
/// timeout calls again.
const TIMEOUT: &str = r#"

class NetworkTimeout(NetworkError, TimeoutError):
    """The deadline, or another time limit, ended the call, and nothing was changed: call again later."""
"#;

const FAILURE: &str = r#""""What every exception tells."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class Failure(Exception):
    """What is known about a failure."""

"#;

/// The exceptions, and the attributes of all.
pub fn files() -> [Generated; 2] {
    let mut body = String::from(HEAD);
    let (mut by_kind, mut all) = (String::new(), String::new());
    for (kind, docs) in ErrorKind::ALL {
        let also = if *kind == ErrorKind::InvalidArgument { ", ValueError" } else { "" };
        let (name, docs) = (name(*kind), docstring(&paragraphs(docs), 4));
        put!(body, "\n\nclass {name}(SondageError{also}):\n{docs}\n    kind = \"{kind}\"\n");
        put!(by_kind, "    \"{kind}\": {name},\n");
        put!(all, "    \"{name}\",\n");
    }
    put!(
        body,
        "{TIMEOUT}\n\nBY_KIND: dict[str, type[SondageError]] = {{\n{by_kind}}}\n\nfor _kind in (*BY_KIND.values(), NetworkTimeout):\n    \
         _kind.__module__ = \"sondage\"\n\n__all__ = [\n{all}    \"NetworkTimeout\",\n]\n"
    );
    let mut details = String::from(FAILURE);
    let mut keys = Vec::new();
    for field in DETAILS.iter().skip(1) {
        let (ty, default) = match field.ty {
            ReportType::Bool => ("bool", "False"),
            ReportType::Count => ("int", "0"),
            ty @ ReportType::Word(words) => {
                (&types::of_report(ty, PYTHON) as &str, &format!("\"{}\"", words.texts[0]) as &str)
            }
            ReportType::Text => ("str", "\"\""),
            ty => (&types::of_report(ty, PYTHON) as &str, "None"),
        };
        let unit = if field.name == "retry_after" { " In seconds." } else { "" };
        details += &super::attribute(field.name, &format!("{ty} = {default}"), &(line(field.docs) + unit));
        keys.push(format!("\"{}\": \"{}\"", field.name, camel(field.name)));
    }
    put!(details, "\n\nATTRIBUTES = {{\n{}}}\n", lines(&keys, "    "));
    [
        generated("python/sondage/_errors.py", "crates/sondage/src/error/kind.rs", &body),
        generated("python/sondage/_failure.py", "bindings/uniffi/src/error.rs", &details),
    ]
}

/// The exception's name: that of its kind in every other language, with `Error` where it alone would not sound like an exception.
pub fn name(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::Configuration
        | ErrorKind::Authentication
        | ErrorKind::Api
        | ErrorKind::Network
        | ErrorKind::Internal => format!("{kind}Error"),
        _ => kind.to_string(),
    }
}
