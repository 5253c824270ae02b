"""Secrets and personal data are sent through every operation and every kind of failure, and must not appear in anything that may
reach a log: log lines, errors, crash reports, pickles. The campaign (`testing/campaign/src/canaries`) does the same to the
core."""

from __future__ import annotations

import asyncio
import base64
import json
import pickle
import re
import socketserver
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
import sondage
from conftest import ROOT
from test_cases import arguments

CORE = "QzvxKw"
NUMBER = 49_170_555_019_283
ACCESS = f"{CORE}.access~1{CORE}"
SECRET = f"{CORE}/client+2 ü&={CORE}"
PASSWORD = f'{CORE} pass?3 "x\\{CORE}'
SECRETS = {"password", "securityToken", "webHookUrl", "headers"}
PERSONAL = {"value", "email", "cellPhone", "subject", "body", "from", "fromName", "to", "toName", "replyTo", "replyToName"}


def marked(value: Any, name: str = "") -> Any:
    """A call of a case, with a marker in place of each secret and all personal data."""
    if isinstance(value, dict):
        return {key: marked(inner, key if key in SECRETS | PERSONAL else name) for key, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner, name) for inner in value]
    if name == "webHookUrl":
        return f"https://app.example/hooks/{CORE}0123456789{CORE}?sig={CORE}abcdef%2F{CORE}"
    if name in SECRETS and isinstance(value, str):
        return f'{CORE}%2F{name} "&{CORE}'
    if name in PERSONAL and isinstance(value, str):
        return f"{CORE} Adä/{name} <O'Hara>, \"{CORE}"
    return NUMBER if name in PERSONAL and type(value) is int else value


CALLS = {
    file.stem: marked(json.loads(file.read_text())["cases"][0]["call"])
    for file in sorted((ROOT / "tests" / "cases").glob("*/*.json"))
    if file.name != "vectors.json"
}


def said(head: str, body: str) -> str:
    """The text of a request, with characters encoded that need no encoding."""
    sent = [line.partition(": ")[2] for line in head.splitlines()]
    sent += [value for _, value in parse_qsl(head.split(" ")[1].partition("?")[2])]

    def leaves(value: Any) -> Iterator[str]:
        if isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                yield from leaves(inner)
        else:
            yield str(value)

    try:
        sent += leaves(json.loads(body))
    except ValueError:
        sent += [value for _, value in parse_qsl(body)]
    words = sorted({text for text in sent if CORE in text or str(NUMBER) in text})
    offset = len(body) % max(len(words), 1)
    encoded = ["".join(sign if sign.isalnum() and at % 3 else quoted(sign) for at, sign in enumerate(text)) for text in words]
    return ", ".join((encoded[offset:] + encoded)[:3])


def quoted(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode())


def refused(status: int) -> Callable[[str], str]:
    def answer(words: str) -> str:
        body = json.dumps({"isSuccess": False, "errorCode": words, "errorMessage": words, "error": words, "error_description": words})
        headers = f"x-request-id: {words}\r\nlocation: http://127.0.0.1:1/{words}\r\n"
        return f"HTTP/1.1 {status} Said\r\n{headers}connection: close\r\ncontent-length: {len(body)}\r\n\r\n{body}"

    return answer


def ok(body: str, missing: int = 0) -> str:
    return f"HTTP/1.1 200 Said\r\nconnection: close\r\ncontent-length: {len(body) + missing}\r\n\r\n{body}"


FAULTS: dict[str, Callable[[str], str]] = {
    "302": refused(302),
    "400": refused(400),
    "401": refused(401),
    "500": refused(500),
    "not a success": refused(200),
    "broken JSON": lambda words: ok(f'{{"isSuccess": true, {words}: "{words}"'),
    "wrong types": lambda words: ok(json.dumps({"isSuccess": words, words: words})),
    "cut": lambda words: ok(f'{{"isSuccess": true, "a": "{words}', missing=9),
    "no HTTP": lambda words: f"{words}\r\n\r\n{words}",
    "reset": lambda _: "",
}


class Echo(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    fault = "400"


class Handler(socketserver.StreamRequestHandler):
    server: Echo

    def handle(self) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        length = re.search(rb"(?i)content-length: (\d+)", head)
        body = self.rfile.read(int(length[1]) if length else 0)
        words = said(head.decode("latin-1"), body.decode())
        self.wfile.write(FAULTS[self.server.fault](words).encode())


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    with Echo(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def settings(echo: Echo, **more: Any) -> dict[str, Any]:
    address = f"http://127.0.0.1:{echo.server_address[1]}"
    known = {"tenant": "acme", "base_url": address, "auth_url": address, "client_secret": SECRET}
    return known | {"retry_attempts": 1, "retry_base": 0.01} | more


def find(text: str) -> str | None:
    """Where a text contains a marker, in any encoding."""
    for _ in range(3):
        small = text.lower()
        forms = ["qzvxk", "zvxkw", CORE.encode().hex(), str(NUMBER)[:-2]]
        forms += [base64.b64encode(b"\0" * before + CORE.encode())[-8:-2].decode().lower() for before in (0, 1, 2)]
        for form in forms:
            at = small.find(form)
            if at >= 0:
                return text[max(at - 80, 0) : at + 80]
        text = unquote(re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text))
    return None


def texts(error: BaseException) -> Iterator[tuple[str, str]]:
    """The forms in which crash reporters, loggers and queues write an error."""
    yield "text", f"{error} {error!r} {error.args!r} {getattr(error, '__notes__', [])}"
    yield "attributes", repr(vars(error)) if hasattr(error, "__dict__") else ""
    names = ("error_code", "error_message", "request_id", "hint", "reconcile", "operation")
    yield "attributes", repr([getattr(error, name, None) for name in names])
    yield "pickle", pickle.dumps(error).decode("utf-8", "replace")
    for cause in (error, error.__cause__, error.__context__):
        if cause is not None:
            report = traceback.TracebackException.from_exception(cause, capture_locals=True)
            for frame in report.stack:
                file = Path(frame.filename)
                # The methods of operations hold what their callers gave, without secrets: see test_crash_reports.py.
                if file.parent.name == "sondage" and not file.name.endswith("_operations.py"):
                    yield f"{frame.filename}:{frame.name}", repr(frame.locals)


def clean(error: BaseException) -> None:
    for where, text in texts(error):
        assert find(text) is None, f"{where} shows {find(text)}"


def failure(call: Callable[[], object]) -> sondage.SondageError | None:
    try:
        call()
    except sondage.SondageError as error:
        return error
    return None


@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_shows_what_was_sent(echo: Echo, fault: str, caplog: pytest.LogCaptureFixture) -> None:
    """Every operation, in the blocking client."""
    caplog.set_level(1)
    caplog.set_level(1, "sondage")
    echo.fault = fault
    failed = 0
    with sondage.Client(**settings(echo, token=ACCESS)) as client:
        assert find(repr(client)) is None
        for method, call in CALLS.items():
            error = failure(lambda method=method, call=call: getattr(client, method)(**arguments(call)))  # type: ignore[misc]
            if error is not None:
                failed += 1
                clean(error)
    assert failed >= len(CALLS) - 2
    assert caplog.records, "the log is kept"
    assert find("\n".join(record.getMessage() + repr(vars(record)) for record in caplog.records)) is None


def test_nothing_shows_what_was_awaited(echo: Echo) -> None:
    """The same with asyncio, where the stack frames differ."""
    echo.fault = "400"

    async def every() -> list[Any]:
        async with sondage.AsyncClient(**settings(echo, token=ACCESS)) as client:
            calls = [getattr(client, method)(**arguments(call)) for method, call in CALLS.items()]
            return await asyncio.gather(*calls, return_exceptions=True)

    errors = asyncio.run(every())
    assert len(errors) == len(CALLS)
    for error in errors:
        assert isinstance(error, sondage.SondageError)
        clean(error)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_token_request_shows_a_secret(echo: Echo, fault: str) -> None:
    """Every grant against a token endpoint that fails."""
    echo.fault = fault
    for grant in ({}, {"username": "somebody", "password": PASSWORD}, {"refresh_token": f"{CORE}~refresh{CORE}"}):
        with sondage.Client(**settings(echo, **grant)) as client:
            error = failure(client.read_workspace_list)
            assert error is not None
            clean(error)
