"""The conformance cases of `tests/cases`, run by the Python clients. They are data, shared by all languages."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
import sondage
from conftest import ROOT

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

# vectors.json holds received requests, not calls.
FILES = [file for file in sorted((ROOT / "tests" / "cases").glob("*/*.json")) if file.name != "vectors.json"]
CASES = [
    pytest.param(file.stem, case, id=f"{file.parent.name}/{file.stem}: {case['name']}")
    for file in FILES
    for case in json.loads(file.read_text())["cases"]
]


class Service(ThreadingHTTPServer):
    """A service that gives the response of a case, and records the request."""

    answer: Any
    path: str | None
    body: Any


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        self.server.path = self.path
        self.server.body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = json.dumps(self.server.answer).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def snake(name: str) -> str:
    words = re.sub("([A-Z])", lambda upper: "_" + upper[1].lower(), name)
    return "from_" if words == "from" else words


def bare(value: Any) -> Any:
    """Removes fields without a value: absent, null and an empty list mean the same in a response."""
    if isinstance(value, dict):
        kept = {key: bare(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner is not None and inner != [] and inner != {}}
    return [bare(inner) for inner in value] if isinstance(value, list) else value


def arguments(call: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the call as keyword arguments, with times as datetime objects."""
    return {snake(name): timed(value) for name, value in call.items()}


def timed(value: Any) -> Any:
    """The same value with each time as a datetime."""
    if isinstance(value, str) and TIME.fullmatch(value):
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, dict):
        return {key: timed(inner) for key, inner in value.items()}
    return [timed(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("asynchronous", [False, True], ids=["blocking", "async"])
@pytest.mark.parametrize(("method", "case"), CASES)
def test_case(service: Service, method: str, case: dict[str, Any], asynchronous: bool) -> None:
    service.answer = case["answer"]
    service.path = service.body = None
    address = f"http://127.0.0.1:{service.server_port}"
    settings: dict[str, Any] = {"base_url": address, "auth_url": address, "tenant": "acme", "token": "a-token"}
    given = arguments(case["call"])

    def call() -> sondage.Model:
        if asynchronous:
            answer: sondage.Model = asyncio.run(getattr(sondage.AsyncClient(**settings), method)(**given))
        else:
            answer = getattr(sondage.Client(**settings), method)(**given)
        return answer

    if "error" in case:
        with pytest.raises(sondage.SondageError) as caught:
            call()
        found = {snake(name): getattr(caught.value, snake(name)) for name in case["error"]}
        assert found == {snake(name): value for name, value in case["error"].items()}
    else:
        answer = call()
        assert bare(answer.to_dict()) == bare(case["result"])
        assert type(answer).from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    if "sent" in case and case["sent"] is None:
        assert service.path is None, "the call is refused on this machine"
    elif "sent" in case:
        assert service.path == case["sent"]["path"]
        assert service.body == case["sent"]["body"]


def test_there_are_cases() -> None:
    assert len(CASES) > 50


def test_what_nobody_counts_with_goes_back_as_it_came(service: Service) -> None:
    service.answer = {"isSuccess": True, "later": [2**100, -(2**127), {"deep": 10**30}]}
    address = f"http://127.0.0.1:{service.server_port}"
    with sondage.Client(base_url=address, auth_url=address, tenant="acme", token="a-token") as client:
        came = client.read_workspace_list().extra
        client.with_options(extra=came).read_workspace_list()
        assert service.body["later"] == service.answer["later"]
        with pytest.raises(sondage.InvalidArgument, match="extra.later does not fit into 128 bits"):
            client.with_options(extra={"later": 2**200})
