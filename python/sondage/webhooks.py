"""Webhooks on the receiving side: what to register, how to verify requests, and how to miss no event.

    hook = sondage.webhooks.bearer(key=os.environ["HOOK_KEY"], audience="https://acme.example/hooks")
    client.create_web_hook(**hook.registration("https://acme.example/hooks", "InterviewComplete", 7))

    event = hook.verify(url=str(request.url), headers=request.headers, body=await hook.read(request.stream()))

The service signs no body and sends no event id, so a callback is not proof: verify it, handle it once (`Guard`), read
the entity from the API where it matters (`client.confirm_event`), and poll for missed events from time to time
(`client.missed_events`).
"""

from __future__ import annotations

from json import dumps, loads

from ._bases import HookMethods
from ._error import SondageError
from ._entities import Bounce, Confirmation, Entity, Event, Interview, Member, MissedEvents, OptOut, Survey, Unknown
from ._event_stores import SqliteStore
from ._events import event_of
from ._guard import Claim, Guard
from ._native import make
from ._receivers import router
from ._stores import EventStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Mapping
    from datetime import datetime
    from typing import Any, TypeAlias

    from .types import EventType

    Header: TypeAlias = tuple[str | bytes, str | bytes]


class Refused(SondageError):
    """A request that is not a genuine event.

    Respond with `Refused.STATUS` and an empty body, whatever the reason, so that a stranger learns nothing. The reason has
    been logged.
    """

    STATUS = 401
    kind = "Refused"
    reason: str
    """The reason as a code, the same in every language."""
    explanation: str
    """The meaning, and what to do about it."""

    def __init__(self, reason: str, explanation: str) -> None:
        super().__init__(f"The request was refused ({reason}). {explanation}")
        self.reason = reason
        self.explanation = explanation

    def __reduce__(self) -> tuple[type[Refused], tuple[str, str]]:
        return type(self), (self.reason, self.explanation)


class Hook(HookMethods):
    """A webhook: what is registered, and which requests are accepted. Made by `obscure_url`, `basic`,
    `bearer` or `signed_url`."""

    __slots__ = ()

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Hook:
        """A webhook from stored data: the result of `to_dict`, which `sondage webhooks listen --hook` reads
        as well."""
        # Crash reporters record the variables of every frame that an exception has passed through: no frame of this
        # library may hold a secret then.
        try:
            return cls(make("hook", _json(dict(settings))))
        finally:
            del settings

    def to_dict(self) -> dict[str, Any]:
        """The webhook as data. It contains the secrets in plain text: store it where secrets are stored."""
        settings: dict[str, Any] = loads(self._native.method("settings"))
        return settings

    def registration(self, base: str, event_type: EventType, entity: int | str = "*") -> dict[str, str]:
        """The arguments of the registration: `client.create_web_hook(**hook.registration(...))`.

        Args:
            base: The address at which the receiver is reached.
            event_type: The event to subscribe to.
            entity: The survey to watch, or `*` for all.
        """
        options = {"base": base, "event_type": str(event_type), "entity": str(entity)}
        arguments: dict[str, str] = self._native.method("registration", options)
        return arguments

    def accepting(self, previous: Hook) -> Hook:
        """Accepts the previous secret as well, while the registration is being changed to this one."""
        return Hook(self._native.method("accepting", None, previous._native))

    async def read(self, stream: AsyncIterable[bytes]) -> bytes:
        """Reads the body of a request while it arrives: `await hook.read(request.stream())` in FastAPI and
        Starlette.

        It stops at the end or at one byte more than `largest_body`, which `verify` refuses: `await request.body()` would read any amount
        of data into memory. Answer a refusal with `Connection: close`, so that the server does not read the rest.

        Args:
            stream: The chunks of the body.
        """
        body, most = bytearray(), self.largest_body
        async for piece in stream:
            body += piece
            if len(body) > most:
                break
        return bytes(body[: most + 1])

    def verify(
        self,
        *,
        url: object,
        headers: Mapping[str, Any] | Iterable[Header],
        body: bytes | bytearray | memoryview,
        now: datetime | None = None,
    ) -> Event:
        """Verifies a request, and returns its event or raises `Refused`.

        Args:
            url: Its address: complete, or path and query. A text, or a URL object of a framework.
            headers: Its headers: a mapping (a value may be a list), pairs, or the `environ` of WSGI.
            body: The bytes received, before any parser.
            now: The current time, for tests.
        """
        try:
            if not isinstance(body, (bytes, bytearray, memoryview)):
                raise _parsed(body)
            time = None if now is None else now.astimezone()
            arrived = {"url": _string(url), "headers": _pairs(headers), "body": bytes(body), "now": time}
            verdict = loads(self._native.method("judge", arrived))
        finally:
            arrived = {}
            del url, headers, body
        if verdict["verdict"] != "accepted":
            raise Refused(verdict["reason"], verdict["explanation"])
        return event_of(verdict["event"])

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Hook) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._native.method("settings"))

    def __repr__(self) -> str:
        return f"Hook({self.strategy})"


def obscure_url(secret: str | None = None) -> Hook:
    """An unguessable address. The simplest strategy; but addresses end up in logs.

    Args:
        secret: The end of an address in use, 32 characters or more. Default: a new one, see `hook.to_dict()`.
    """
    if secret is None:
        return Hook(make("obscure_hook"))
    given = {"secret": secret}
    del secret
    return _hook("obscureUrl", given)


def basic(user: str, password: str) -> Hook:
    """User name and password."""
    given = {"user": user, "password": password}
    del password
    return _hook("basic", given)


def bearer(
    key: str, audience: str, *, days: int = 365, issuer: str = "sondage", issued_at: datetime | None = None
) -> Hook:
    """A long-lived token, signed with HS256.

    Args:
        key: The key, 32 bytes or more: `secrets.token_hex(32)`.
        audience: Who accepts the token, for example the address of your receiver.
        days: How many days the token is valid. Each event warns before it expires.
        issuer: The issuer of the token.
        issued_at: When it is issued. Default: now.
    """
    given = {"key": key, "audience": audience, "days": days, "issuer": issuer}
    del key
    return _hook("bearer", given, issued_at)


def signed_url(
    key: str,
    *,
    days: int = 365,
    resource: str = "webhook",
    permission: str | None = None,
    issued_at: datetime | None = None,
) -> Hook:
    """A signed address, with `sv`, `se`, `sr`, `sp` and `sig`.

    Args:
        key: The key, 32 bytes or more: `secrets.token_hex(32)`.
        days: How many days the address is valid.
        resource: A name for this receiver, so that one key can sign for several.
        permission: The permission. Default: `d` (deliver).
        issued_at: When it is signed. Default: now.
    """
    given = {"key": key, "days": days, "resource": resource, "permission": permission}
    del key
    return _hook("signedUrl", given, issued_at)


def azure_signed_url(
    key: str, resource: str, *, days: int = 365, permission: str | None = None, issued_at: datetime | None = None
) -> Hook:
    """An address that is signed by the rules of Azure for a blob.

    Args:
        key: The account's key, in base64.
        resource: `/blob/account/container/name`.
        days: How many days the address is valid.
        permission: The permission. Default: `w`.
        issued_at: When it is signed. Default: now.
    """
    given = {"profile": "azure", "key": key, "days": days, "resource": resource, "permission": permission}
    del key
    return _hook("signedUrl", given, issued_at)


def _hook(strategy: str, given: dict[str, Any], issued_at: datetime | None = None) -> Hook:
    try:
        given |= {"strategy": strategy, "issuedAt": _text(issued_at)}
        return Hook.from_dict({"strategy": {name: value for name, value in given.items() if value is not None}})
    finally:
        given.clear()


def _json(settings: dict[str, Any]) -> str:
    from ._errors import InvalidArgument

    try:
        return dumps(settings)
    except (TypeError, ValueError) as error:
        what = str(error)
    finally:
        del settings
    # Not raised from the original exception: the frames of the encoder contain the values.
    raise InvalidArgument(f"the webhook cannot be written as JSON ({what}). Nothing was made. Give texts and numbers.")


def _text(time: datetime | None) -> str | None:
    from ._errors import InvalidArgument

    if time is None:
        return None
    if time.tzinfo is None:
        raise InvalidArgument("issued_at has no time zone. Nothing was made. Say which it is in: datetime(..., tzinfo=...).")
    return time.isoformat()


def _pairs(headers: Mapping[str, str] | Iterable[Header]) -> list[tuple[str, bytes]]:
    """Names and values, including duplicate names: mappings of web frameworks return them as well, and gateways a list of
    values."""
    pairs: list[tuple[str, bytes]] = []
    items: Any = ()
    values: Any = None
    each: Any = None
    try:
        try:
            items = getattr(headers, "items", lambda: headers)()
            items = [(name, values) for name, values in items]
        except (TypeError, ValueError):
            items = None
        if items is None:  # outside of the exception, whose frames contain the headers
            raise _unusable("headers must be those of the request: a mapping, or pairs of names and values")
        # The environ of WSGI contains the environment of the process, too.
        is_environ = any(name == "REQUEST_METHOD" for name, _ in items)
        for name, values in items:
            if not is_environ or str(name).startswith(("HTTP_", "CONTENT_")):
                each = values if isinstance(values, (list, tuple)) else [values]
                pairs += [(_string(name), _bytes(value)) for value in each if value is not None]
        return pairs
    finally:
        # Crash reporters record the variables of a frame.
        items, values, each = (), None, ()
        del headers


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def _string(name: object) -> str:
    """A text, bytes, or an object that prints itself, such as the URLs of Starlette and yarl."""
    return name.decode("latin-1") if isinstance(name, bytes) else str(name).encode("utf-8", "replace").decode()


def _unusable(what: str) -> SondageError:
    from ._errors import InvalidArgument

    return InvalidArgument(what)


def _parsed(body: object) -> SondageError:
    from ._errors import InvalidArgument

    return InvalidArgument(
        f"body is a {type(body).__name__}, not the bytes that arrived: something has parsed it first. Hand over "
        "`await hook.read(request.stream())` in FastAPI, `request.get_data()` in Flask, `request.body` in Django; in AWS Lambda "
        "`base64.b64decode(event[\"body\"])` if `event[\"isBase64Encoded\"]`, and `event[\"body\"].encode()` otherwise."
    )


__all__ = [
    "Bounce",
    "MissedEvents",
    "Claim",
    "Confirmation",
    "Entity",
    "Event",
    "EventStore",
    "Guard",
    "Hook",
    "Interview",
    "Member",
    "OptOut",
    "Refused",
    "SqliteStore",
    "Survey",
    "Unknown",
    "azure_signed_url",
    "basic",
    "bearer",
    "obscure_url",
    "router",
    "signed_url",
]
