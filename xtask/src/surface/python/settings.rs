//! The settings of a client, as keyword arguments with their documentation.

use super::super::Generated;
use super::super::prose;
use super::{docstring, generated};
use sondage::config::{SETTINGS, SettingInfo};
use std::fmt::Write as _;

const HEAD: &str = r#""""The settings of a client. Each can also stand in the environment or in a profile file."""

from __future__ import annotations

from ._convert import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from os import PathLike
    from typing import TypedDict

    from typing_extensions import Unpack as Unpack

    from ._credentials import Credentials
    from ._native import Handle
    from ._stores import TokenStore
    from ._tokens import TokenProvider

{typed}

class Settings:
    """Takes the settings. What is given here beats the environment, which beats the profile file."""

    __slots__ = ("_native",)
    _native: Handle

"#;

const OTHERS: [(&str, &str, &str); 3] = [
    (
        "credentials",
        "Credentials",
        "How to get tokens, instead of deriving that from the settings: `sondage.Password(...)`.",
    ),
    (
        "token_provider",
        "TokenProvider",
        "A function that gives tokens, blocking or async. It may be called from any thread.",
    ),
    (
        "token_store",
        "TokenStore",
        "Keeps tokens between runs and for several processes, in place of `token_file`: an object with `load`, `save` and `forget`, \
         blocking or async. When it fails, calls go on with the tokens in memory.",
    ),
];

/// `python/sondage/_settings.py`.
pub fn file() -> Generated {
    let mut parameters = vec!["self".to_owned()];
    let mut lines = vec!["Args:".to_owned()];
    let mut add = |name: &str, ty: &str, docs: &str| {
        parameters.push(format!("{name}: {ty} | None = None"));
        let text = format!("{name}: {docs}");
        lines.extend(prose::wrap(&text, 4 + 8, 4).into_iter().map(|line| line[8..].to_owned()));
    };
    for row in SETTINGS {
        let default = row.default.map(|value| format!(" Default: {value}.")).unwrap_or_default();
        let docs = format!("{}{default} Environment: `{}`.", prose::line(row.docs), row.variable);
        add(row.name, kind(row), &docs);
    }
    for (name, ty, docs) in OTHERS {
        add(name, ty, docs);
    }
    // The account's address is the only positional argument.
    parameters.insert(2, "*".to_owned());
    let mut body = format!(
        "{}{}",
        HEAD.replace("{typed}\n", &typed()),
        super::operations::signature("def __init__", &parameters, "None")
    );
    body.push_str(&docstring(
        &["Reads and checks the settings. Nothing is sent.".into(), lines.join("\n")],
        8,
    ));
    // Crash reporters record the variables of every frame that an exception has passed through, and any setting may
    // contain a misplaced secret.
    let names = SETTINGS.iter().map(|row| row.name).chain(OTHERS.map(|(name, ..)| name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    body.push_str("        try:\n            self._native = connect(locals())\n        finally:\n");
    let _ = write!(body, "            del (\n{}            )\n", prose::lines(&names, "                "));
    generated("python/sondage/_settings.py", "crates/sondage/src/config/table.rs", &body)
}

/// The settings as keywords of other functions, for type checkers only: those of a login, and all.
fn typed() -> String {
    let mut out = "    class LoginSettings(TypedDict, total=False):\n".to_owned();
    let is_own = |row: &&SettingInfo| matches!(row.name, "account" | "identity");
    for row in SETTINGS.iter().filter(|row| !is_own(row)) {
        let _ = writeln!(out, "        {}: {} | None", row.name, kind(row));
    }
    out.push_str("\n    class ClientSettings(LoginSettings, total=False):\n");
    for row in SETTINGS.iter().filter(is_own) {
        let _ = writeln!(out, "        {}: {} | None", row.name, kind(row));
    }
    for (name, ty, _) in OTHERS {
        let _ = writeln!(out, "        {name}: {ty} | None");
    }
    out
}

/// The Python type of a setting, derived from the description of its values.
fn kind(row: &SettingInfo) -> &'static str {
    match row.shape {
        shape if shape.starts_with("an integer") => "int",
        shape if shape.starts_with("a number") => "float",
        // Seconds or bytes, or text with a unit.
        shape if shape.starts_with("a time") => "float | timedelta | str",
        shape if shape.starts_with("a size") => "int | str",
        shape if shape.contains("true") => "bool",
        shape if shape.starts_with("the path") => "str | PathLike[str]",
        _ => "str",
    }
}
