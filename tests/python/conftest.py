"""Shared fixtures: a sandbox for each test, and clients of it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sondage

ROOT = Path(__file__).parents[2]

DEADLINE = 300.0
"""Seconds after which a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed."""


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "the condition was not met"
        time.sleep(0.01)


@pytest.fixture
def box(sondage_sandbox: sondage.Sandbox) -> sondage.Sandbox:
    """A sandbox of the test's own."""
    return sondage_sandbox


@pytest.fixture(scope="session")
def shared_box() -> Iterator[sondage.Sandbox]:
    """A sandbox for tests that only read."""
    with sondage.Sandbox.demo() as sandbox:
        yield sandbox


@pytest.fixture
def client(box: sondage.Sandbox) -> sondage.Client:
    """A client of the test's own sandbox."""
    return box.client(retry_base=0.01)


@pytest.fixture(scope="session")
def reader(shared_box: sondage.Sandbox) -> sondage.Client:
    """A client of the shared sandbox."""
    return shared_box.client()


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program in a process of its own."""

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE)

    return run
