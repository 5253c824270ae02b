"""Schemathesis over the sandbox's own document: every operation, with valid and hostile requests; never a
500, never a response that violates the schema.

The run is reproducible. `SONDAGE_FUZZ_EXAMPLES=200` makes it longer, `SONDAGE_FUZZ_SEED=7` changes its seed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from conftest import ROOT
from fuzzing import Likely, World, narrowed
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

EXAMPLES = int(os.environ.get("SONDAGE_FUZZ_EXAMPLES", "8"))
SEED = int(os.environ.get("SONDAGE_FUZZ_SEED", "46"))
PATHS: list[str] = list(json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"])
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
Operations: TypeAlias = "dict[str, APIOperation[Any, Any, Any, Any]]"
REFUSED = {400, 401, 403, 404}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """A sandbox for calls that change nothing."""
    with World() as world:
        yield world


@pytest.fixture(scope="module")
def likely(world: World) -> Likely:
    return Likely(world)


@pytest.fixture(scope="module")
def operations(world: World) -> Operations:
    """Operations by path, from the sandbox's document."""
    return by_path(world.document())


@pytest.fixture(scope="module")
def known(world: World) -> Operations:
    """The same, with known enumeration values and fields only."""
    return by_path(narrowed(world.document()))


def by_path(document: dict[str, Any]) -> Operations:
    schema = schemathesis.openapi.from_dict(document)
    found = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    return {operation.path: operation for operation in found}


def each(cases: st.SearchStrategy[Any], call: Callable[[schemathesis.Case[Any]], None]) -> None:
    """Makes the call with a fixed sample of the cases."""

    @hypothesis.seed(SEED)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=cases)
    def attempt(case: schemathesis.Case[Any]) -> None:
        call(case)

    attempt()


@pytest.mark.parametrize("path", PATHS)
def test_valid_requests_get_somewhere(
    operations: Operations, known: Operations, likely: Likely, path: str
) -> None:
    valid = known[path].as_strategy(generation_mode=GenerationMode.POSITIVE)
    statuses: Counter[int] = Counter()

    def call(made: schemathesis.Case[Any]) -> None:
        case = operations[path].Case(method=made.method, body=made.body, query=made.query)
        # A sandbox per call, so that deletions do not affect the next one.
        with World() as world:
            answer = world.send(case)
        case.validate_response(answer, checks=CHECKS)
        statuses[answer.status_code] += 1

    each(likely.of(path, valid), call)
    assert statuses[200], f"no request got to where something happens: {statuses}"
    assert statuses.keys() <= {200, *REFUSED}


@pytest.mark.parametrize("path", PATHS)
def test_hostile_requests_are_refused_and_change_nothing(
    operations: Operations, world: World, path: str
) -> None:
    def call(case: schemathesis.Case[Any]) -> None:
        answer = world.send(case)
        case.validate_response(answer, checks=CHECKS)
        assert answer.status_code in REFUSED

    before = world.box.ledger.effects()
    each(operations[path].as_strategy(generation_mode=GenerationMode.NEGATIVE), call)
    assert world.box.ledger.effects() == before
    assert world.box.ledger.requests(path.rpartition("/")[2]), "it was tried"
