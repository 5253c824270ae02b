"""Reads webhook events, and confirms them."""

from __future__ import annotations

from json import dumps, loads

from ._entities import (
    Bounce,
    Confirmation,
    Event,
    Interview,
    Member,
    MissedEvents,
    OptOut,
    Survey,
    Unknown,
)
from ._given import several
from ._model import Model, _restore, _time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._native import Handle, Work


_ENTITIES: tuple[type[Model], ...] = (Interview, Member, Bounce, OptOut, Survey, Unknown)
_ALL: tuple[type[Model], ...] = (*_ENTITIES, Event, Confirmation, MissedEvents)
for _class in _ALL:
    _class.__module__ = "sondage.webhooks"

_TIMES = {"start_date", "end_date", "created_at", "updated_at", "timestamp", "opt_out_at", "credential_ends", "until"}


def _made(cls: type[Model], data: dict[str, Any]) -> Any:
    values = (data.get(wire) for wire in cls._wire)
    read = (_time(v) if name in _TIMES and v is not None else v for name, v in zip(cls._names(), values))
    return _restore(cls, tuple(read), None)


def event_of(data: dict[str, Any]) -> Event:
    """The event as the core has read it."""
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


def missed_events_of(told: str) -> MissedEvents:
    """The result of the core."""
    data: dict[str, Any] = loads(told)
    caught: MissedEvents = _made(MissedEvents, {**data, "events": [event_of(event) for event in data["events"]]})
    return caught


def confirm(native: Handle, event: Event, columns: Any) -> Work:
    """The work of reading the entity of an event from the API."""
    asked = {"json": dumps(event.raw), "name": event.event_type, "columns": several(columns)}
    work: Work = native.method("confirm_event", asked)
    return work
