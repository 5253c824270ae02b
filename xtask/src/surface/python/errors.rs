//! An exception for every kind of error.

use super::super::Generated;
use super::super::prose;
use super::super::structs::DETAILS;
use super::reports::written;
use super::{docstring, generated};
use sondage::ErrorKind;
use sondage::reports::ReportType;
use std::fmt::Write;

/// The exception that Python's own `TimeoutError` includes. `OutcomeUnknown` is not included, because code that catches a
/// timeout calls again.
const TIMEOUT: &str = r#"

class NetworkTimeout(NetworkError, TimeoutError):
    """The deadline, or another time limit, ended the call, and nothing was changed: call again later."""
"#;

/// The exceptions. Each is named like its kind in every other language, with `Error` appended where the name alone would
/// not sound like an exception.
pub fn file() -> Generated {
    let mut body = String::from(
        "\"\"\"What can go wrong, one exception for each thing that a caller can do next.\"\"\"\n\n\
         from __future__ import annotations\n\nfrom ._error import SondageError\n",
    );
    for (kind, docs) in ErrorKind::ALL {
        let bases =
            if *kind == ErrorKind::InvalidArgument { "SondageError, ValueError" } else { "SondageError" };
        let _ = write!(body, "\n\nclass {}({bases}):\n", name(*kind));
        body.push_str(&docstring(&prose::paragraphs(docs), 4));
        let _ = write!(body, "\n    kind = \"{kind}\"\n");
    }
    body.push_str(TIMEOUT);
    body.push_str("\n\nBY_KIND: dict[str, type[SondageError]] = {\n");
    for (kind, _) in ErrorKind::ALL {
        let _ = writeln!(body, "    \"{kind}\": {},", name(*kind));
    }
    body.push_str("}\n\nfor _kind in (*BY_KIND.values(), NetworkTimeout):\n    _kind.__module__ = \"sondage\"\n\n__all__ = [\n");
    for (kind, _) in ErrorKind::ALL {
        let _ = writeln!(body, "    \"{}\",", name(*kind));
    }
    body.push_str("    \"NetworkTimeout\",\n]\n");
    generated("python/sondage/_errors.py", "crates/sondage/src/error/kind.rs", &body)
}

/// The attributes of every exception.
pub fn details() -> Generated {
    let mut body = String::from(
        "\"\"\"What every exception tells.\"\"\"\n\nfrom __future__ import annotations\n\n\n\
         class Failure(Exception):\n    \"\"\"What is known about a failure.\"\"\"\n\n",
    );
    let mut keys = Vec::new();
    for field in DETAILS.iter().skip(1) {
        let (ty, default) = match field.ty {
            ReportType::Bool => ("bool".to_owned(), "False"),
            ReportType::Count => ("int".to_owned(), "0"),
            ReportType::Word(_) => ("str".to_owned(), "\"no\""),
            ReportType::Text => ("str".to_owned(), "\"\""),
            ty => (written(ty), "None"),
        };
        let unit = if field.name == "retry_after" { " In seconds." } else { "" };
        let docs = docstring(&[prose::line(field.docs) + unit], 4);
        let _ = write!(body, "    {}: {ty} = {default}\n{docs}", field.name);
        keys.push(format!("\"{}\": \"{}\"", field.name, sondage::error::camel(field.name)));
    }
    let _ = write!(body, "\n\nATTRIBUTES = {{\n{}}}\n", prose::lines(&keys, "    "));
    generated("python/sondage/_failure.py", "bindings/uniffi/src/error.rs", &body)
}

/// The exception's name.
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
