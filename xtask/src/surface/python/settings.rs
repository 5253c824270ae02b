//! The settings of a client, as keyword arguments with their documentation.

use super::method;
use crate::surface::prelude::*;

const HEAD: &str = r#""""The settings of a client. Each can also stand in the environment or in a profile file."""

from __future__ import annotations

from ._convert import connect, refuse_unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from os import PathLike
    from typing import Literal, TypedDict

    from typing_extensions import Unpack as Unpack

    from ._credentials import Credentials
    from ._native import Handle
    from ._stores import TokenStore
    from ._tokens import TokenProvider

    class LoginSettings(TypedDict, total=False):
{login}
    class ClientSettings(LoginSettings, total=False):
{client}
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
    // The keywords of a login, and those that only a client has.
    let (mut login, mut client) = (String::new(), String::new());
    let (mut parameters, mut names) = (Vec::new(), Vec::new());
    let mut add = |name: &str, ty: &str, about: &str| {
        let typed = format!("{name}: {ty} | None");
        let of_clients =
            ["account", "identity"].contains(&name) || OTHERS.iter().any(|(other, ..)| *other == name);
        put!(if of_clients { &mut client } else { &mut login }, "        {typed}\n");
        parameters.push((typed + " = None", format!("{name}: {about}")));
        names.push(name.to_owned());
    };
    for row in SETTINGS {
        let default = row.default.map(|value| format!(" Default: {value}.")).unwrap_or_default();
        let about = format!("{}{default} Environment: `{}`.", line(row.docs), row.variable);
        add(row.name, &types::of_setting(row, PYTHON), &about);
    }
    for (name, ty, about) in OTHERS {
        add(name, ty, about);
    }
    // The account's address is the only positional argument.
    let keywords = parameters.split_off(1);
    let docs = vec!["Reads and checks the settings. Nothing is sent.".into()];
    let body = replaced(HEAD, &[("{login}", &login), ("{client}", &client)])
        + &method("@refuse_unknown\n    def __init__", [parameters, keywords], "None", docs, vec![]);
    // Crash reporters record the variables of every frame that an exception has passed through, and any setting may
    // contain a misplaced secret.
    let names = lines(&names, "                ");
    let forgotten = format!(
        "        try:\n            self._native = connect(locals())\n        finally:\n            del (\n{names}            )\n"
    );
    generated("python/sondage/_settings.py", "crates/sondage/src/config/table.rs", &(body + &forgotten))
}
