"""`sondage.webhooks` as an application uses it, and receivers in FastAPI and Flask that lose no event."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import io
import json
import logging
import os
import pickle
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sondage
from conftest import DEADLINE, ROOT, wait_until
from sondage import webhooks

KEY = "worthless-key-for-tests-of-webhooks-0123456789"
BODY = b'{"eventType": "HardBounce", "entity": {"interviewId": "5f0c", "bounceType": "Hard", "timestamp": "2026-11-21T11:00:00Z"}}'


def hooks() -> dict[str, webhooks.Hook]:
    return {
        "obscure": webhooks.obscure_url(),
        "basic": webhooks.basic("survalyzer", "pass: wörd"),
        "bearer": webhooks.bearer(KEY, "receiver"),
        "signed": webhooks.signed_url(KEY, resource="orders/7"),
        "azure": webhooks.azure_signed_url("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg==", "/blob/a/b/c"),
    }


@pytest.mark.parametrize("name", hooks())
def test_what_is_made_is_accepted(name: str) -> None:
    hook = hooks()[name]
    registered = hook.registration("https://acme.example/hooks", "HardBounce", 7)
    assert registered["entity_identifier"] == "7"
    token = registered.get("security_token")
    event = hook.verify(url=registered["web_hook_url"], headers={"authorization": token} if token else {}, body=BODY)
    assert event.event_type == "HardBounce"
    match event.entity:
        case webhooks.Bounce(bounce_type="Hard", timestamp=datetime() as when):
            assert when == datetime(2026, 11, 21, 11, tzinfo=timezone.utc)
        case other:
            pytest.fail(repr(other))
    assert (event.credential_ends is None) == (hook.ends is None)
    assert pickle.loads(pickle.dumps(event)) == event
    assert event.to_dict()["entity"]["bounceType"] == "Hard"
    with pytest.raises(webhooks.Refused):
        hook.verify(url="https://acme.example/hooks", headers={}, body=BODY)


def test_a_refusal_says_why_in_the_log_and_not_more(caplog: pytest.LogCaptureFixture) -> None:
    hook = webhooks.basic("survalyzer", "a-very-secret-password")
    with caplog.at_level(logging.WARNING, logger="sondage"), pytest.raises(webhooks.Refused) as refused:
        hook.verify(url="/hooks", headers={"Authorization": "Basic eA=="}, body=BODY)
    assert refused.value.reason == "credentials_wrong"
    assert isinstance(refused.value, sondage.SondageError)
    assert pickle.loads(pickle.dumps(refused.value)).reason == "credentials_wrong"
    assert "credentials_wrong" in caplog.text
    assert "secret" not in caplog.text + repr(hook) + repr(refused.value)


@pytest.mark.parametrize("body", [{"eventType": "HardBounce"}, [1], "text", None], ids=type)
def test_a_parsed_body_is_an_error_that_says_so(body: Any) -> None:
    hook = webhooks.basic("a", "b")
    with pytest.raises(sondage.InvalidArgument, match="parsed it first.*request.body"):
        hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)


def test_headers_and_bodies_of_every_kind() -> None:
    starlette = pytest.importorskip("starlette", reason="FastAPI is missing")
    importlib.import_module("starlette.datastructures")
    hook = webhooks.basic("a", "b")
    token = hook.security_token
    headers: list[Any] = [{"AUTHORIZATION": token}, [("authorization", token)], [(b"authorization", token.encode())]]
    for given in headers:
        for body in (BODY, bytearray(BODY), memoryview(BODY)):
            assert hook.verify(url="/", headers=given, body=body).entity.kind == "bounce"
    twice = [("authorization", token), ("Authorization", token)]
    with pytest.raises(webhooks.Refused, match="authorization_doubled"):
        hook.verify(url="/", headers=twice, body=BODY)
    for address in (b"/hooks", starlette.datastructures.URL("https://acme.example/hooks?a=1")):
        assert hook.verify(url=address, headers={"authorization": token}, body=BODY).event_type == "HardBounce"
    for url in ("\udcff", "/\ud83d", ""):
        with pytest.raises(webhooks.Refused):
            webhooks.obscure_url().verify(url=url, headers={}, body=BODY)
    with pytest.raises(webhooks.Refused):
        hook.verify(url="/", headers={"Authorization": "Basic \udcff", "x\ud83d": "\ud83d"}, body=BODY)


def test_secrets_are_changed_and_end() -> None:
    old, new = webhooks.basic("a", "old"), webhooks.bearer(KEY, "receiver", days=20)
    both = new.accepting(old)
    for token in (old.security_token, new.security_token):
        assert both.verify(url="/", headers={"Authorization": token}, body=BODY)
    assert both.security_token == new.security_token
    event = both.verify(url="/", headers={"Authorization": new.security_token}, body=BODY)
    assert event.credential_ends_soon and event.credential_ends == new.ends
    later = datetime.now(timezone.utc) + timedelta(days=21)
    with pytest.raises(webhooks.Refused, match="expired"):
        both.verify(url="/", headers={"Authorization": new.security_token}, body=BODY, now=later)
    with pytest.raises(sondage.InvalidArgument, match="32"):
        webhooks.bearer("short", "receiver")
    with pytest.raises(sondage.InvalidArgument, match="time zone"):
        webhooks.bearer(KEY, "receiver", issued_at=datetime(2026, 1, 1))


def test_a_hook_can_be_told_what_a_body_does_not_say() -> None:
    hook = webhooks.basic("a", "b").for_event("SurveyClosed").max_body(40)
    headers = {"Authorization": hook.security_token}
    event = hook.verify(url="/", headers=headers, body=b'{"id": 9007199254740993, "status": "x"}')
    assert isinstance(event.entity, webhooks.Survey) and event.entity.id == 9007199254740993
    assert event.event_type == "SurveyClosed"
    with pytest.raises(webhooks.Refused, match="body_too_large"):
        hook.verify(url="/", headers=headers, body=BODY)


def test_a_failed_handler_gives_the_event_back() -> None:
    hook = webhooks.basic("a", "b")
    event = hook.verify(url="/", headers={"Authorization": hook.security_token}, body=BODY)
    guard = webhooks.Guard()
    with pytest.raises(ZeroDivisionError), guard.claim(event) as claim:
        assert claim.is_new
        1 / 0  # noqa: B018
    with guard.claim(event) as claim:
        assert claim.is_new and claim.status == 204
        with guard.claim(event) as second:
            assert (second.state, second.status) == ("busy", 503)
    assert guard.claim(event).state == "done" and guard.keys() == [event.key]
    other = webhooks.Guard(1)
    other.remember(["a", "b"])
    assert other.keys() == ["b"]
    for capacity in (0, -1):
        with pytest.raises(sondage.InvalidArgument, match="capacity"):
            webhooks.Guard(capacity)


def test_an_event_is_confirmed(box: sondage.Sandbox, client: sondage.Client) -> None:
    caught = complete(box, client, 1)
    confirmed = client.confirm_event(caught.events[0], columns=["Language"])
    assert confirmed.holds and confirmed.current["State"] == "Completed"

    async def again() -> webhooks.Confirmation:
        async with box.async_client() as other:
            await other.missed_events(box.feedback_survey_id, since=datetime.now(timezone.utc))
            return await other.confirm_event(caught.events[0])

    assert asyncio.run(again()).holds
    with pytest.raises(sondage.InvalidArgument, match="time zone"):
        client.missed_events(1, since=datetime(2026, 1, 1))


def complete(box: sondage.Sandbox, client: sondage.Client, count: int) -> webhooks.MissedEvents:
    since = box.clock.now()
    ids = client.interviews(box.feedback_survey_id, fields=["Id"], code_plan=False).to_arrow()["Id"].to_pylist()
    for identity in ids[:count]:
        assert box.emit("complete", id=identity)
    caught = client.missed_events(box.feedback_survey_id, since=since)
    events = [event for event in caught.events if getattr(event.entity, "id", None) in ids[:count]]
    assert len(events) == count
    return caught


def load(name: str, hook: webhooks.Hook, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Loads an app of `examples/webhooks` as its server would."""
    monkeypatch.setenv("SONDAGE_WEBHOOK", json.dumps(hook.to_dict()))
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "webhooks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def fastapi(module: ModuleType) -> Iterator[int]:
    import uvicorn

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(module.app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def flask(module: ModuleType) -> Iterator[int]:
    from werkzeug import serving

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = serving.make_server("127.0.0.1", 0, module.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.port
    finally:
        server.shutdown()
        thread.join()


def flood(port: int) -> int:
    """Sends a body of 64 MiB as fast as it is taken, and returns how much was taken before the connection ended."""
    chunk, sent = b"10000\r\n" + b" " * 65536 + b"\r\n", 0
    with socket.create_connection(("127.0.0.1", port), timeout=60) as sending:
        try:
            sending.sendall(b"POST /hooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            while sent < 64 << 20:
                sending.sendall(chunk)
                sent += len(chunk)
            sending.recv(12)
        except OSError:
            pass
    return sent


@pytest.mark.parametrize("app", ["fastapi_app", "first_fastapi"])
def test_a_receiver_reads_no_more_than_the_hook_allows(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_PASSWORD", "a long password for this test")
    with fastapi(load(app, webhooks.basic("survalyzer", "a long password"), monkeypatch)) as port:
        assert flood(port) < 32 << 20


def test_a_receiver_in_flask_reads_no_more_than_the_hook_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its development server reads the rest of any request and throws it away, so the stream itself counts."""
    taken = 0

    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, place: Any) -> int:
            nonlocal taken
            taken += len(place)
            assert taken < 32 << 20
            place[:] = b" " * len(place)
            return len(place)

    app = load("flask_app", webhooks.basic("survalyzer", "a long password"), monkeypatch).app
    environment = {"REQUEST_METHOD": "POST", "PATH_INFO": "/hooks", "SERVER_NAME": "x", "SERVER_PORT": "80"}
    arrived = {"wsgi.input": Endless(), "wsgi.input_terminated": True, "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO()}
    statuses: list[str] = []
    app({**environment, **arrived}, lambda status, *_: statuses.append(status))
    assert statuses[0][:3] in ("401", "413") and taken


SERVERS: dict[str, Callable[[ModuleType], Any]] = {"fastapi_app": fastapi, "flask_app": flask}


def test_the_smallest_receiver(
    box: sondage.Sandbox, client: sondage.Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hook = webhooks.basic("survalyzer", "a long password for this test")
    monkeypatch.setenv("WEBHOOK_PASSWORD", "a long password for this test")
    with fastapi(load("first_fastapi", hook, monkeypatch)) as port:
        base = f"http://127.0.0.1:{port}/hooks"
        client.create_web_hook(**hook.registration(base, "HardBounce"))
        client.create_web_hook(**webhooks.basic("survalyzer", "another").registration(base, "OptOutAdded"))
        assert box.emit("bounce", member_id=500_001) and box.emit("optOut", member_id=500_001)
        assert box.deliveries.settle()
    assert sorted((attempt.event_type, attempt.status) for attempt in box.deliveries.log()) == [("HardBounce", 204), ("OptOutAdded", 401)]
    printed = capfd.readouterr().out
    assert "HardBounce Bounce\n" in printed and "The mailbox does not exist." in printed


@pytest.mark.parametrize("app", SERVERS)
@pytest.mark.parametrize("name", hooks())
def test_a_receiver_takes_every_strategy(
    app: str, name: str, box: sondage.Sandbox, client: sondage.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hooks()[name]
    module = load(app, hook, monkeypatch)
    handled: list[webhooks.Event] = []
    monkeypatch.setattr(module, "handle", handled.append)
    with SERVERS[app](module) as port:
        client.create_web_hook(**hook.registration(f"http://127.0.0.1:{port}/hooks", "HardBounce"))
        stranger = webhooks.obscure_url()
        client.create_web_hook(**stranger.registration(f"http://127.0.0.1:{port}/hooks", "OptOutAdded"))
        assert box.emit("bounce", member_id=500_001) and box.emit("optOut", member_id=500_001)
        assert box.deliveries.settle()
    assert [event.event_type for event in handled] == ["HardBounce"]
    assert sorted((attempt.event_type, attempt.status) for attempt in box.deliveries.log()) == [("HardBounce", 204), ("OptOutAdded", 401)]


@pytest.mark.parametrize("app", SERVERS)
def test_a_thousand_events_are_handled_once_each_after_reconciling(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 1000
    with sondage.Sandbox(generated_interviews=count, generated_questions=2) as box, box.client() as client:
        survey = box.generated_survey_id
        assert survey is not None
        hook = webhooks.bearer(KEY, "receiver")
        module = load(app, hook, monkeypatch)
        handled: Counter[str] = Counter()
        calls, lock = iter(range(10_000)), threading.Lock()

        def handle(event: webhooks.Event) -> None:
            assert isinstance(event.entity, webhooks.Interview) and event.entity.id is not None
            with lock:
                # Every seventh call fails, and some interviews never succeed.
                if next(calls) % 7 == 0 or event.entity.id.startswith("0") and event.source == "delivered":
                    raise RuntimeError("not now")
                handled[event.entity.id] += 1

        monkeypatch.setattr(module, "handle", handle)
        if app == "flask_app":
            module.app.logger.disabled = True
        box.deliveries.fault("silence", every=13)
        box.deliveries.fault("duplicate", every=5, copies=2)
        box.deliveries.fault("reorder", every=11)
        since = box.clock.now()
        with SERVERS[app](module) as port:
            client.create_web_hook(**hook.registration(f"http://127.0.0.1:{port}/hooks", "InterviewComplete", survey))
            logging.getLogger("uvicorn.error").disabled = True
            for identity in client.interviews(survey, fields=["Id"], code_plan=False).to_arrow()["Id"].to_pylist():
                assert box.emit("complete", id=identity)
            assert box.deliveries.drain(120)
        assert 0 < len(handled) < count
        caught = client.missed_events(survey, since=since, columns=["Q1"], unknown_to=module.guard)
        assert (caught.seen, len(caught.events)) == (count, count - len(handled))
        for event in caught.events:
            done = False
            while not done:
                with suppress(RuntimeError), module.guard.claim(event) as claim:
                    if claim.is_new:
                        handle(event)
                    done = True
        assert len(handled) == count and set(handled.values()) == {1}


def test_deliveries_are_tried_five_times(box: sondage.Sandbox, client: sondage.Client) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{closed.getsockname()[1]}/hooks"
    client.create_web_hook(**webhooks.obscure_url().registration(base, "SurveyClosed"))
    box.deliveries.fault("delay", times=1, seconds=600)
    assert box.emit("closeSurvey", survey_id=box.survey_id) and not box.emit("closeSurvey", survey_id=1)
    assert box.deliveries.settle() and box.deliveries.pending == 1
    assert box.deliveries.drain() and box.deliveries.pending == 0
    assert [attempt.attempt for attempt in box.deliveries.log()] == [1, 2, 3, 4, 5]
    assert {attempt.outcome for attempt in box.deliveries.log()} == {"failed"}
    box.deliveries.clear()
    assert not box.deliveries.log()
    assert [hook.event_type for hook in client.read_web_hook_list().web_hooks] == ["SurveyClosed"]


def test_a_body_is_read_no_further_than_the_hook_allows() -> None:
    """SECURITY.md: a stranger cannot exhaust the memory of a receiver."""
    hook = webhooks.basic("a", "b").max_body(100)
    headers = {"Authorization": hook.security_token}
    pulled = 0

    async def endless(piece: bytes, times: int) -> Any:
        nonlocal pulled
        for _ in range(times):
            pulled += 1
            yield piece

    body = asyncio.run(hook.read(endless(b"x" * 40, 1_000_000)))
    assert (len(body), pulled, hook.largest_body) == (101, 3, 100)
    with pytest.raises(webhooks.Refused, match="body_too_large"):
        hook.verify(url="/", headers=headers, body=body)
    whole = asyncio.run(hook.read(endless(b'{"x": 1} ', 1)))
    assert hook.verify(url="/", headers=headers, body=whole).raw == {"x": 1}


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("app", SERVERS)
def test_a_receiver_takes_no_more_than_it_may(app: str, chunked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """SECURITY.md: a stranger's body of 300 MiB used to be read into memory."""
    module = load(app, webhooks.basic("survalyzer", "a long password"), monkeypatch)
    taken: list[int] = []

    class Spy:
        def __init__(self, hook: webhooks.Hook) -> None:
            self.read = hook.read
            self.hook = hook

        def verify(self, *, body: bytes, **more: Any) -> webhooks.Event:
            taken.append(len(body))
            return self.hook.verify(body=body, **more)

    monkeypatch.setattr(module, "hook", Spy(module.hook))
    piece = b"x" * 65_536
    head = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: 33554432"
    with SERVERS[app](module) as port, socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as stranger:
        stranger.sendall(b"POST /hooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + head + b"\r\n\r\n")
        with suppress(OSError):  # the server may close the connection as soon as the limit is exceeded
            for _ in range(512):
                stranger.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            stranger.sendall(b"0\r\n\r\n" if chunked else b"")
        with suppress(OSError):
            assert stranger.recv(4096).split()[1:2] in ([b"401"], [b"413"], [])
    assert max(taken, default=0) <= (1 << 20) + (1 << 18), taken


WORKER = """
import json, os, sys
import sondage
SqliteStore = sondage.webhooks.SqliteStore
hook = sondage.webhooks.basic("a", "b")
guard = sondage.webhooks.Guard(PLACE, lease=1)
for number in range(60):
    body = json.dumps({"eventType": "X", "entity": {"id": number}}).encode()
    event = hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)
    with guard.claim(event) as claim:
        if claim.is_new:
            if number == int(sys.argv[3]):
                os.kill(os.getpid(), 9)  # before it was handled
            with open(sys.argv[2], "a") as handled:
                handled.write(f"{number}\\n")
"""


@pytest.mark.parametrize("place", ["folder=sys.argv[1]", "store=SqliteStore(sys.argv[1])"])
def test_events_are_remembered_over_processes(tmp_path: Path, place: str) -> None:
    """Four workers share a folder or a file while some of them are killed: each event is handled once, whoever handles it."""
    events, handled = tmp_path / "events", tmp_path / "handled"
    run = [sys.executable, "-P", "-c", WORKER.replace("PLACE", place), str(events), str(handled)]
    workers = [subprocess.Popen([*run, victim]) for victim in ("10", "20", "-1", "-1")]
    ends = [process.wait(120) for process in workers]
    assert ends[2:] == [0, 0] and set(ends[:2]) <= {0, -9}
    time.sleep(1.1)  # the leases of the killed ones end
    assert subprocess.run([*run, "-1"], timeout=120).returncode == 0
    assert Counter(handled.read_text().split()) == Counter(str(number) for number in range(60))
    guard = webhooks.Guard(folder=events) if events.is_dir() else webhooks.Guard(store=webhooks.SqliteStore(events))
    assert len(guard.keys()) == 60 and guard.prune(30) == 0
    assert guard.prune(0) == 60 and guard.keys() == []
    assert os.name == "nt" or stat.S_IMODE(events.stat().st_mode) & 0o077 == 0


def test_a_guard_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(sondage.SondageError, match=r"folder of events .*file cannot be used"):
        webhooks.Guard(folder=tmp_path / "file")
    for mistaken, why in [({"lease": 5}, "`folder`"), ({"capacity": 5, "folder": tmp_path}, "`capacity`"), ({"folder": tmp_path, "lease": 0}, "one second")]:
        with pytest.raises(sondage.InvalidArgument, match=why):
            webhooks.Guard(**mistaken)  # type: ignore[arg-type]


def test_a_receiver_whose_folder_is_gone_refuses_the_delivery(
    box: sondage.Sandbox, client: sondage.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook = webhooks.basic("a", "b")
    monkeypatch.setenv("WEBHOOK_EVENTS", str(tmp_path / "events"))
    module = load("fastapi_app", hook, monkeypatch)
    handled: list[webhooks.Event] = []
    monkeypatch.setattr(module, "handle", handled.append)
    logging.getLogger("uvicorn.error").disabled = True
    with fastapi(module) as port:
        client.create_web_hook(**hook.registration(f"http://127.0.0.1:{port}/hooks", "HardBounce"))
        (tmp_path / "events").rename(tmp_path / "gone")
        (tmp_path / "events").touch()
        assert box.emit("bounce", member_id=500_001)
        wait_until(lambda: len(box.deliveries.log()) == 1)
        (tmp_path / "events").unlink()
        assert box.deliveries.drain(60)
    assert [attempt.status for attempt in box.deliveries.log()] == [503, 204] and len(handled) == 1
