"""A client of the public API of Survalyzer accounts: panels and samples, invitations, interviews, webhooks.

    import sondage

    client = sondage.Client()                       # settings from the environment or a profile
    for member in client.members(123):
        print(member.id, member["Email"])

Without an account, `sondage.Sandbox.demo()` runs a whole survey platform inside this process.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import types as types
    from . import webhooks as webhooks
    from ._response import Response as Response
    from ._client import AsyncClient as AsyncClient
    from ._client import Client as Client
    from ._condition import Expression as Expression
    from ._condition import Variable as Variable
    from ._condition import field as field
    from ._config import Config as Config
    from ._config import Explanation as Explanation
    from ._credentials import ClientCredentials as ClientCredentials
    from ._credentials import Credentials as Credentials
    from ._credentials import Password as Password
    from ._credentials import RefreshToken as RefreshToken
    from ._credentials import Token as Token
    from ._delta import AsyncDeltaLoad as AsyncDeltaLoad
    from ._delta import Changes as Changes
    from ._delta import DeltaLoad as DeltaLoad
    from ._error import SondageError as SondageError
    from ._errors import *
    from ._login import Login as Login
    from ._login import login as login
    from ._model import Model as Model
    from ._native import __version__ as __version__
    from ._models import *
    from ._objects import *

    # After the models: pyright counts their module of the same name among the names of `*`.
    from . import questionnaire as questionnaire
    from ._progress import Progress as Progress
    from ._queries import AsyncInterviews as AsyncInterviews
    from ._queries import AsyncMembers as AsyncMembers
    from ._queries import Interviews as Interviews
    from ._queries import Members as Members
    from ._reports import *
    from ._table import Codebook as Codebook
    from ._table import Table as Table
    from .sandbox import Sandbox as Sandbox

# Nothing is imported before its first use: `import sondage` costs next to nothing.
_HOME = {
    "Response": "_response",
    "AsyncClient": "_client",
    "AsyncInterviews": "_queries",
    "AsyncDeltaLoad": "_delta",
    "AsyncMembers": "_queries",
    "Changes": "_delta",
    "Client": "_client",
    "ClientCredentials": "_credentials",
    "Config": "_config",
    "Credentials": "_credentials",
    "Explanation": "_config",
    "DeltaLoad": "_delta",
    "Login": "_login",
    "Password": "_credentials",
    "RefreshToken": "_credentials",
    "Token": "_credentials",
    "login": "_login",
    "Codebook": "_table",
    "Expression": "_condition",
    "Interviews": "_queries",
    "Members": "_queries",
    "Model": "_model",
    "Progress": "_progress",
    "Sandbox": "sandbox",
    "SondageError": "_error",
    "Table": "_table",
    "Variable": "_condition",
    "field": "_condition",
    "__version__": "_native",
}
# `dir` and attribute access agree. The names of models come last.
_LISTED = ("_errors", "_reports", "_objects")


def _listed(home: str) -> list[str]:
    from importlib import import_module

    names: list[str] = import_module(f".{home}", __name__).__all__
    return names


if not TYPE_CHECKING:  # type checkers must see only the names above

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in ("_errors", "_models", "questionnaire", "sandbox", "types", "webhooks"):
            return import_module(f"{__name__}.{name}")
        home = _HOME.get(name) or next((home for home in _LISTED if name in _listed(home)), "_models")
        try:
            found: object = getattr(import_module(f".{home}", __name__), name)
        except AttributeError:
            raise AttributeError(f"module 'sondage' has no attribute {name!r}") from None
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    from . import _models

    return sorted({*globals(), *_HOME, *_models.HOME, *(name for home in _LISTED for name in _listed(home))})
