"""Progress of a download, as a bar in a terminal or notebook, or for a callback."""

from __future__ import annotations

import sys
from time import monotonic

from ._native import make
from ._reports import RowProgress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO, TypeVar, Union

    from ._native import Handle, Work

    P = TypeVar("P")
    Reporter = Union[bool, Callable[[P], None], None]

_EVERY = 0.1
"""The polling interval of an asyncio download, in seconds."""
_PATIENCE = 1.0
"""Seconds before a bar appears, so that short downloads show none."""
_LONG = 2.0
"""Seconds without a byte before the bar says what it waits for."""


class Progress(RowProgress):
    """The progress of a download, as a line of text too."""

    __slots__ = ()

    @property
    def seconds_left(self) -> float | None:
        """The estimated remaining time, if the service's count can be trusted."""
        if not self.total or not self.rows or self.rows > self.total:
            return None
        return self.seconds * (self.total - self.rows) / self.rows

    def _line(self) -> str:
        words = [f"{self.rows:,} rows", f"{self.calls} calls", f"{self.bytes / 1e6:,.1f} MB"]
        if self.total and self.total >= self.rows:
            done = self.rows / self.total
            words.insert(0, f"[{'#' * int(done * 20):<20}] {done:4.0%}")
            left = self.seconds_left
            if left:
                words.append(f"{left:,.0f} s left")
        return "  ".join(words)


class Observer:
    """Calls a function, or updates a progress bar, on every change. An exception of the function ends the download.

    A bar is for people: without a terminal or notebook, nothing is written.
    """

    def __init__(self, reporter: Any, shape: Callable[..., Any] = Progress, native: Handle | None = None) -> None:
        self._shape, self._native = shape, native
        self.watch: Handle = make("watch")
        self._bar: Bar | None = None
        self._begun = monotonic()
        self._last: dict[str, Any] | None = None
        self._tell: Callable[[Any], None] | None = None
        if callable(reporter):
            self._tell = reporter
        elif reporter is not False and (reporter or _is_notebook() or sys.stderr.isatty()):
            self._tell = self._bar = NotebookBar() if _is_notebook() else Bar(sys.stderr)

    def __enter__(self) -> Observer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.tick()
        if self._bar is not None:
            self._bar.close()

    def tick(self) -> None:
        """Polls the progress."""
        now = self.watch.method("now")
        if self._tell is not None and now is not None and now != self._last:
            self._last = now
            self._tell(self._shape(**now, seconds=self.seconds))
        elif self._bar is not None and self._native is not None:
            waits = [call for call in self._native.method("pending_calls") if _waits(call)]
            self._bar.wait(max(waits, key=lambda call: call["idle"])["text"] if waits else "")

    def wait(self, work: Work) -> Any:
        """Waits for work."""
        return self._timed(work.wait(None if self._tell is None else self.tick))

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return monotonic() - self._begun

    def _timed(self, told: Any) -> Any:
        """Adds the elapsed time to a report of a download."""
        if isinstance(told, dict) and isinstance(told.get("progress"), dict):
            told["progress"]["seconds"] = self.seconds
        return told

    async def finish(self, work: Work) -> Any:
        """Awaits work. The progress callback runs on the event loop."""
        if self._tell is None:
            return self._timed(await work.start())
        import asyncio

        from ._tokens import awaited

        future = asyncio.ensure_future(awaited(work.start()))
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=_EVERY)
                self.tick()
            return self._timed(future.result())
        finally:
            future.cancel()


def _waits(call: dict[str, Any]) -> bool:
    return bool(max(call["idle"], call["wait"] or 0) >= _LONG)


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


def _line(progress: Any) -> str:
    """`12 kept 3 stored`: everything that has started and has no line of its own."""
    if hasattr(progress, "_line"):
        return str(progress._line())
    numbers = progress._asdict()
    numbers.pop("seconds")
    size = numbers.pop("bytes", 0)
    words = [f"{number:,} {name.replace('_', ' ')}" for name, number in numbers.items() if number]
    return "  ".join([*words, f"{size / 1e6:,.1f} MB"] if size else words)


class Bar:
    """A line that is rewritten in place."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown = 0
        self._progress = self._wait = ""

    def __call__(self, progress: Any) -> None:
        self._progress, self._wait = _line(progress), ""
        if progress.seconds >= _PATIENCE:
            self.show(self._progress)

    def wait(self, text: str) -> None:
        """Says what the download waits for."""
        if text != self._wait:
            self._wait = text
            self.show("  ".join(part for part in (self._progress, text) if part))

    def show(self, text: str) -> None:
        self._out.write("\r" + text.ljust(self._shown))
        self._out.flush()
        self._shown = len(text)

    def close(self) -> None:
        if self._shown:
            self._out.write("\n")
            self._out.flush()


class NotebookBar(Bar):
    """The same line as the output of a cell."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._handle: Any = None

    def show(self, text: str) -> None:
        from importlib import import_module

        if self._handle is None:
            self._handle = import_module("IPython.display").display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": text}, raw=True)

    def close(self) -> None:
        self._handle = None
