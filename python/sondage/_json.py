"""JSON without loss of digits."""

from __future__ import annotations

from decimal import Decimal
from json import JSONDecoder


def _number(text: str) -> float | Decimal:
    value = float(text)
    if len(text) < 16:
        return value
    exact = Decimal(text)
    return value if Decimal(repr(value)) == exact else exact


def _integer(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:  # Python refuses to read more than 4,300 digits
        return Decimal(text)


loads = JSONDecoder(parse_float=_number, parse_int=_integer).decode
"""Parses JSON: integers of any size, floats if they hold every digit, otherwise `Decimal`."""
