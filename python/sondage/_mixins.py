"""Additional methods of some models."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView
    from typing import Any

    from ._models.panel import MemberField, NewMember
    from ._models.panel_change import MemberChange
    from .types import FieldValue


class MemberMixin:
    """A member's values by field name."""

    __slots__ = ()
    fields: dict[str, MemberField]

    def __getitem__(self, field: str) -> FieldValue:
        """The value of a field: `member["Email"]`."""
        return self.fields[field].value

    def __contains__(self, field: object) -> bool:
        return field in self.fields

    def __iter__(self) -> Iterator[str]:
        """The names of the fields, so that `dict(member)` is a flat dictionary of values."""
        return iter(self.fields)

    def keys(self) -> KeysView[str]:
        """The names of the fields."""
        return self.fields.keys()

    def items(self) -> list[tuple[str, FieldValue]]:
        """The names of the fields with their values."""
        return [(name, field.value) for name, field in self.fields.items()]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.fields)

    def get(self, field: str, default: Any = None) -> Any:
        """The value of a field, or `default` if the member does not have the field."""
        found = self.fields.get(field)
        return default if found is None else found.value


class NewMemberMixin:
    """A shorter way to create a member."""

    __slots__ = ()

    @staticmethod
    def of(**values: FieldValue) -> NewMember:
        """A member with these values: `NewMember.of(Email="ada@example.org", Age=36)`.

        A number becomes a field of type `Number`, everything else a field of type `String`. For other types, write out
        the fields: `NewMember(fields={"Born": MemberField(name="Born", field_type="Date", value="1815-12-10")})`.
        """
        from ._models.panel import NewMember

        return NewMember(fields=_fields(values))


class MemberChangeMixin:
    """A shorter way to write a change."""

    __slots__ = ()

    @staticmethod
    def of(id: int, **values: FieldValue) -> MemberChange:
        """Changes the member with this id to these values: `MemberChange.of(500_001, Division="Sales")`.

        A number becomes a field of type `Number`, everything else a field of type `String`.
        """
        from ._models.panel_change import MemberChange

        return MemberChange(id=id, fields=_fields(values))


def _fields(values: dict[str, FieldValue]) -> dict[str, MemberField]:
    from ._models.panel import MemberField

    def field(name: str, value: FieldValue) -> MemberField:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return MemberField(name=name, field_type="Number" if number else "String", value=value)

    return {name: field(name, value) for name, value in values.items()}
