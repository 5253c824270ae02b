//! An exception for every kind of error.

use super::super::Generated;
use super::super::prose;
use super::{docstring, generated};
use sondage::ErrorKind;
use std::fmt::Write;

/// The exceptions. Each is named like its kind in every other language; where the word alone would not read as
/// something that is raised, `Error` follows it.
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
    body.push_str("\n\nBY_KIND: dict[str, type[SondageError]] = {\n");
    for (kind, _) in ErrorKind::ALL {
        let _ = writeln!(body, "    \"{kind}\": {},", name(*kind));
    }
    body.push_str("}\n\n__all__ = [\n");
    for (kind, _) in ErrorKind::ALL {
        let _ = writeln!(body, "    \"{}\",", name(*kind));
    }
    body.push_str("]\n");
    generated("python/sondage/_errors.py", "crates/sondage/src/error/kind.rs", &body)
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
