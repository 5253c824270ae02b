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
    from . import questionnaire as questionnaire
    from . import types as types
    from . import webhooks as webhooks
    from ._response import Response as Response
    from ._archive import ArchiveProgress as ArchiveProgress
    from ._reports import ArchiveReport as ArchiveReport
    from ._reports import Cost as Cost
    from ._reports import FailedDocument as FailedDocument
    from ._reports import FieldReport as FieldReport
    from ._reports import LeftOut as LeftOut
    from ._reports import MessageReport as MessageReport
    from ._reports import PendingWrite as PendingWrite
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
    from ._delta import Removed as Removed
    from ._error import SondageError as SondageError
    from ._errors import *
    from ._files import Estimate as Estimate
    from ._files import ExportReport as ExportReport
    from ._import import ImportReport as ImportReport
    from ._login import Login as Login
    from ._login import login as login
    from ._message import AsyncMessagePlan as AsyncMessagePlan
    from ._message import MessagePlan as MessagePlan
    from ._model import Model as Model
    from ._native import __version__ as __version__
    from ._models import *
    from ._progress import Progress as Progress
    from ._queries import AsyncInterviews as AsyncInterviews
    from ._queries import AsyncMembers as AsyncMembers
    from ._queries import Interviews as Interviews
    from ._queries import Members as Members
    from ._table import Codebook as Codebook
    from ._table import Table as Table
    from ._update import AsyncUpdatePlan as AsyncUpdatePlan
    from ._reports import SkippedRow as SkippedRow
    from ._update import UpdatePlan as UpdatePlan
    from ._reports import UpdateReport as UpdateReport
    from .sandbox import Sandbox as Sandbox

# Nothing is imported before it is asked for: `import sondage` costs next to nothing.
_HOME = {
    "Response": "_response",
    "ArchiveProgress": "_archive",
    "ArchiveReport": "_reports",
    "AsyncClient": "_client",
    "AsyncInterviews": "_queries",
    "AsyncDeltaLoad": "_delta",
    "AsyncMembers": "_queries",
    "AsyncMessagePlan": "_message",
    "AsyncUpdatePlan": "_update",
    "Changes": "_delta",
    "Client": "_client",
    "ClientCredentials": "_credentials",
    "Config": "_config",
    "Cost": "_reports",
    "Credentials": "_credentials",
    "Estimate": "_files",
    "Explanation": "_config",
    "ExportReport": "_files",
    "FailedDocument": "_reports",
    "FieldReport": "_reports",
    "DeltaLoad": "_delta",
    "ImportReport": "_import",
    "LeftOut": "_reports",
    "Login": "_login",
    "MessagePlan": "_message",
    "MessageReport": "_reports",
    "Password": "_credentials",
    "RefreshToken": "_credentials",
    "Token": "_credentials",
    "login": "_login",
    "Codebook": "_table",
    "Expression": "_condition",
    "Interviews": "_queries",
    "Members": "_queries",
    "Model": "_model",
    "PendingWrite": "_reports",
    "Progress": "_progress",
    "Removed": "_delta",
    "Sandbox": "sandbox",
    "SkippedRow": "_reports",
    "SondageError": "_error",
    "Table": "_table",
    "UpdatePlan": "_update",
    "UpdateReport": "_reports",
    "Variable": "_condition",
    "field": "_condition",
    "__version__": "_native",
}


if not TYPE_CHECKING:  # a type checker is to see the names above and no others

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in ("_errors", "_models", "questionnaire", "sandbox", "types", "webhooks"):
            return import_module(f"{__name__}.{name}")
        home = _HOME.get(name)
        if home is None:
            home = "_errors" if name in import_module("._errors", __name__).__all__ else "_models"
        try:
            found: object = getattr(import_module(f".{home}", __name__), name)
        except AttributeError:
            raise AttributeError(f"module 'sondage' has no attribute {name!r}") from None
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    from . import _errors, _models

    return sorted({*globals(), *_HOME, *_errors.__all__, *_models.HOME})
