"""Reads webhook events, and confirms them."""

from __future__ import annotations

from json import dumps, loads

from ._entities import Confirmation, Entity, Event, MissedEvents
from ._convert import several
from ._model import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._native import Handle, Work


_ENTITIES: Any = Entity
_BY_KIND = {cls.kind: cls for cls in _ENTITIES}
for _class in (*_ENTITIES, Event, Confirmation, MissedEvents):
    _class.__module__ = "sondage.webhooks"


def event_of(data: dict[str, Any]) -> Event:
    """The event as the core has read it."""
    entity = data["entity"]
    if entity.get("fields"):
        from ._models.panel import MemberField

        entity["fields"] = {name: MemberField.from_dict(field) for name, field in entity["fields"].items()}
    event: Event = told(Event, {**data, "entity": told(_BY_KIND[entity["kind"]], entity)})
    return event


def confirmation_of(text: str) -> Confirmation:
    """The input of the core."""
    confirmation: Confirmation = told(Confirmation, loads(text))
    return confirmation


def missed_events_of(text: str) -> MissedEvents:
    """The result of the core."""
    data: dict[str, Any] = loads(text)
    caught: MissedEvents = told(MissedEvents, {**data, "events": [event_of(event) for event in data["events"]]})
    return caught


def confirm(native: Handle, event: Event, columns: Any) -> Work:
    """The work of reading the entity of an event from the API."""
    asked = {"json": dumps(event.raw), "name": event.event_type, "columns": several(columns)}
    work: Work = native.method("confirm_event", asked)
    return work
