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
    from ._async_client import AsyncClient as AsyncClient
    from ._blocking_client import Client as Client
    from ._condition import Expression as Expression, Variable as Variable, field as field
    from ._config import Config as Config, Explanation as Explanation
    from ._create import Csv as Csv
    from ._create import Workbook as Workbook
    from ._credentials import (
        ClientCredentials as ClientCredentials,
        Credentials as Credentials,
        Password as Password,
        RefreshToken as RefreshToken,
        Token as Token,
    )
    from ._delta import AsyncDeltaLoad as AsyncDeltaLoad, Changes as Changes, DeltaLoad as DeltaLoad
    from ._error import SondageError as SondageError
    from ._keyring import KeyringStore as KeyringStore
    from ._login import Login as Login, login as login
    from ._model import Model as Model
    from ._native import __version__ as __version__
    from ._response import Response as Response
    from ._errors import *
    from ._models import *
    from ._objects import *

    # After the models: pyright counts their module of the same name among the names of `*`.
    from . import questionnaire as questionnaire
    from ._parquet import concat as concat, read_parquet as read_parquet
    from ._progress import Progress as Progress
    from ._queries import AsyncInterviews as AsyncInterviews, AsyncMembers as AsyncMembers
    from ._queries import Interviews as Interviews, Members as Members
    from ._stores import JournalStore as JournalStore, TokenStore as TokenStore
    from ._table import Codebook as Codebook, Table as Table
    from ._warned import DataWarning as DataWarning
    from ._sync import erase_from_store as erase_from_store
    from ._waves import compare as compare, stack as stack
    from .sandbox import Sandbox as Sandbox
    from ._reports import *

# Names are imported on first use, so that `import sondage` is fast.
_NAMES = {
    "_async_client": "AsyncClient",
    "_blocking_client": "Client",
    "_condition": "Expression Variable field",
    "_config": "Config Explanation",
    "_create": "Csv Workbook",
    "_credentials": "ClientCredentials Credentials Password RefreshToken Token",
    "_delta": "AsyncDeltaLoad Changes DeltaLoad",
    "_error": "SondageError",
    "_keyring": "KeyringStore",
    "_login": "Login login",
    "_model": "Model",
    "_native": "__version__",
    "_parquet": "concat read_parquet",
    "_progress": "Progress",
    "_queries": "AsyncInterviews AsyncMembers Interviews Members",
    "_response": "Response",
    "_stores": "JournalStore TokenStore",
    "_sync": "erase_from_store",
    "_table": "Codebook Table",
    "_warned": "DataWarning",
    "_waves": "compare stack",
    "sandbox": "Sandbox",
}
_HOME = {name: home for home, names in _NAMES.items() for name in names.split()}
_MODULES = ("questionnaire", "sandbox", "types", "webhooks")
# Modules that list their public names in `__all__`. The models are looked up last.
_LISTED = ("_errors", "_reports", "_objects")


def _listed(home: str) -> list[str]:
    from importlib import import_module

    names: list[str] = import_module(f".{home}", __name__).__all__
    return names


if not TYPE_CHECKING:  # type checkers must see only the names above

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in ("_errors", "_models", *_MODULES):
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

    names = {*globals(), *_HOME, *_models.HOME, *(name for home in _LISTED for name in _listed(home)), *_MODULES}
    names -= {"TYPE_CHECKING", "annotations"}
    return sorted(name for name in names if not name.startswith("_") or name.startswith("__"))
