"""For pytest: the fixture `sondage_sandbox`, a survey platform of its own for each test.

pytest loads this module whenever sondage is installed, so it imports nothing of sondage before the fixture is used.
"""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .sandbox import Sandbox


@pytest.fixture
def sondage_sandbox() -> Iterator[Sandbox]:
    """A sandbox with the demo seed, fresh for this test."""
    from .sandbox import Sandbox

    with Sandbox.demo() as sandbox:
        yield sandbox
