"""Events of webhooks, and what they are about."""

from __future__ import annotations

from json import dumps, loads

from ._given import several
from ._model import Model, _restore, _time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, Literal, TypeAlias

    from ._models.panel import MemberField
    from ._native import Handle, Work


class Interview(Model):
    """An interview, as far as its shape is known."""

    __match_args__ = (
        "id", "survey_id", "state", "panel_id", "panel_member_id", "start_date", "end_date", "updated_at",
    )  # fmt: skip
    __slots__ = __match_args__
    kind: Literal["interview"] = "interview"
    id: str | None
    """GUID."""
    survey_id: int | None
    """The survey."""
    state: str | None
    """The state of the interview: `Completed`, or another word."""
    panel_id: int | None
    """The panel of the member who was invited."""
    panel_member_id: int | None
    """That member."""
    start_date: datetime | None
    """When it was begun."""
    end_date: datetime | None
    """When it was finished."""
    updated_at: datetime | None
    """When it last changed."""


class Member(Model):
    """A member of a panel, as far as its shape is known."""

    __match_args__ = ("id", "panel_id", "fields", "created_at", "updated_at")
    __slots__ = __match_args__
    kind: Literal["member"] = "member"
    id: int | None
    """Number of the member."""
    panel_id: int | None
    """The panel, where it is named."""
    fields: dict[str, MemberField] | None
    """The fields by name."""
    created_at: datetime | None
    """When it was created."""
    updated_at: datetime | None
    """When it last changed."""


class Bounce(Model):
    """A message that came back."""

    __match_args__ = (
        "interview_id", "panel_id", "panel_member_id", "distributor_id", "bounce_type", "timestamp", "reason", "email", "phone",
    )  # fmt: skip
    __slots__ = __match_args__
    kind: Literal["bounce"] = "bounce"
    interview_id: str | None
    """The interview of the invitation: GUID."""
    panel_id: int | None
    """The panel."""
    panel_member_id: int | None
    """The member."""
    distributor_id: int | None
    """The distributor that carried the message."""
    bounce_type: str | None
    """`Hard`, `Soft`, `Spam` or another word."""
    timestamp: datetime | None
    """When it came back."""
    reason: str | None
    """Why, in the words of the other side."""
    email: str | None
    """The address that it was sent to."""
    phone: int | None
    """The number that it was sent to."""


class OptOut(Model):
    """Somebody who wants no more messages, or wants them again."""

    __match_args__ = ("email", "phone", "panel_id", "panel_member_id", "opt_out_at", "opt_out_by")
    __slots__ = __match_args__
    kind: Literal["optOut"] = "optOut"
    email: str | None
    """The address that wants no messages."""
    phone: int | None
    """The number that wants no messages."""
    panel_id: int | None
    """The panel, where it is named."""
    panel_member_id: int | None
    """The member, where it is named."""
    opt_out_at: datetime | None
    """Since when."""
    opt_out_by: str | None
    """Who said so."""


class Survey(Model):
    """A survey, as far as its shape is known."""

    __match_args__ = ("id", "workspace_id", "name", "status", "updated_at")
    __slots__ = __match_args__
    kind: Literal["survey"] = "survey"
    id: int | None
    """Number of the survey."""
    workspace_id: int | None
    """Its workspace, where it is named."""
    name: str | None
    """Its name."""
    status: str | None
    """How far it is."""
    updated_at: datetime | None
    """When it last changed."""


class Unknown(Model):
    """Something that this version cannot read: see the event's `raw`."""

    __slots__ = ()
    kind: Literal["unknown"] = "unknown"


if TYPE_CHECKING:
    Entity: TypeAlias = Interview | Member | Bounce | OptOut | Survey | Unknown
else:
    Entity = (Interview, Member, Bounce, OptOut, Survey, Unknown)


class Event(Model):
    """Something that happened at the service. It is a hint: nothing signs its content."""

    __match_args__ = (
        "event_type", "entity_identifier", "entity", "key", "also", "source", "credential_ends", "credential_ends_soon", "raw",
    )  # fmt: skip
    __slots__ = __match_args__
    event_type: str | None
    """The type of the event; `None` when the body does not say and `Hook.for_event` was not called."""
    entity_identifier: str | None
    """What the registration watches, where the body repeats it: a survey's number or `*`."""
    entity: Entity
    """The entity of the event, as far as its shape is known. `match` tells the kinds apart."""
    key: str
    """Identical for every delivery of the same event."""
    also: str | None
    """Another key under which the same event may have come before."""
    source: str
    """`delivered` by the service, or `reconciled`: found by asking."""
    credential_ends: datetime | None
    """When the credential that came with it ends."""
    credential_ends_soon: bool
    """The credential ends within 30 days: register the webhook again."""
    raw: Any
    """Everything that came, as JSON values."""


class Confirmation(Model):
    """What the API says about the entity of an event."""

    __match_args__ = ("holds", "current")
    __slots__ = __match_args__
    holds: bool
    """Whether the API agrees: a completed interview is completed, a removed member is gone, anything else is there."""
    current: Any
    """The entity as it is now, as JSON values; `None` if it does not exist."""


class MissedEvents(Model):
    """What was found by asking."""

    __match_args__ = ("events", "seen", "until")
    __slots__ = __match_args__
    events: list[Event]
    """The events, each once, the oldest first."""
    seen: int
    """How many completed interviews were looked at."""
    until: datetime
    """The time to begin with when the job runs again. Keep it only after the events were handled."""


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


_ENTITIES: tuple[type[Model], ...] = (Interview, Member, Bounce, OptOut, Survey, Unknown)
_ALL: tuple[type[Model], ...] = (*_ENTITIES, Event, Confirmation, MissedEvents)
for _class in _ALL:
    _class._wire = tuple(_camel(name) for name in _class.__match_args__)
    _class.__module__ = "sondage.webhooks"

_TIMES = {"start_date", "end_date", "created_at", "updated_at", "timestamp", "opt_out_at", "credential_ends", "until"}


def _made(cls: type[Model], data: dict[str, Any]) -> Any:
    values = (data.get(wire) for wire in cls._wire)
    read = (_time(v) if name in _TIMES and v is not None else v for name, v in zip(cls.__match_args__, values))
    return _restore(cls, tuple(read), None)


def event_of(data: dict[str, Any]) -> Event:
    """The event that the core has read."""
    by_kind = {cls.kind: cls for cls in _ENTITIES}  # type: ignore[attr-defined]
    entity = data["entity"]
    if entity.get("fields"):
        from ._models.panel import MemberField

        entity["fields"] = {name: MemberField.from_dict(field) for name, field in entity["fields"].items()}
    event: Event = _made(Event, {**data, "entity": _made(by_kind[entity["kind"]], entity)})
    return event


def confirmation_of(told: str) -> Confirmation:
    """The input of the core."""
    confirmation: Confirmation = _made(Confirmation, loads(told))
    return confirmation


def caught_of(told: str) -> MissedEvents:
    """The result of the core."""
    data: dict[str, Any] = loads(told)
    caught: MissedEvents = _made(MissedEvents, {**data, "events": [event_of(event) for event in data["events"]]})
    return caught


def confirm(native: Handle, event: Event, columns: Any) -> Work:
    """The work of reading the entity of an event again."""
    asked = {"json": dumps(event.raw), "name": event.event_type, "columns": several(columns)}
    work: Work = native.method("confirm_event", asked)
    return work
