"""Processes and threads: Ctrl-C, the GIL, forks, and exiting while a call is in progress."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sondage
from conftest import DEADLINE, wait_until

Run = Callable[..., Any]


@pytest.fixture
def heard() -> Iterator[None]:
    """Enables Ctrl-C: a shell's background job, such as a CI run, starts with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_ends_a_wait(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)
    # The answer comes long after the test would have failed.
    box.fault("ReadPanel", delay=2 * DEADLINE, times=None)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        client.read_panel(panel_id=box.panel_id)
    assert time.monotonic() - start < DEADLINE
    box.clear_faults()
    assert client.read_panel(panel_id=box.panel_id).panel, "the client still works"


@pytest.mark.usefixtures("heard")
def test_a_write_outlives_ctrl_c(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("CreateMembers", delay=1)
    threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(Email="ada@example.org")])
    assert [write.operation for write in client.pending_writes()] == ["CreateMembers"]
    client.close()
    assert len(box.ledger.effects("CreateMembers")) == 1


def test_the_gil_is_released(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", delay=0.5)
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    client.read_panel(panel_id=box.panel_id)
    done.set()
    thread.join()
    assert ticks[0] > 100


def test_threads_share_a_client(box: sondage.Sandbox, client: sondage.Client) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: client.read_panel(panel_id=box.panel_id), range(200)))
    assert all(answer.panel for answer in answers) and len(box.ledger.token_requests()) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_after_a_fork(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)

    def child() -> int:
        for one in (client, box.client()):  # the parent's, and a new one
            assert one.read_panel(panel_id=box.panel_id).panel
            assert len(list(one.members(box.panel_id, page_size=50))) == 200
        return 0

    assert in_a_child(child) == 0
    assert client.read_panel(panel_id=box.panel_id).panel, "the parent still works"


DAEMON = """
import os, sys
import sondage

settings = dict(zip(["base_url", "auth_url", "tenant", "client_secret"], sys.argv[1:]))
client = sondage.Client(**settings)
client.read_workspace_list()
reader, writer = os.pipe()
if os.fork() == 0:
    for file in range(3, 1024):
        if file != writer:
            try:
                os.close(file)
            except OSError:
                pass
    try:
        told = [len(one.read_workspace_list().workspaces) for one in (client, sondage.Client(**settings))]
    except BaseException as error:
        told = repr(error)
    os.write(writer, repr(told).encode())
    os._exit(0)
os.close(writer)
print(os.read(reader, 4096).decode())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_daemon_closes_the_files_of_its_parent(shared_box: sondage.Sandbox, run: Run) -> None:
    box = shared_box
    done = run(DAEMON, box.base_url, box.auth_url, box.tenant, box.client_secret)
    assert done.stdout.strip() == "[1, 1]", done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forks_while_calls_are_under_way(box: sondage.Sandbox, client: sondage.Client) -> None:
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            client.read_panel(panel_id=box.panel_id)

    with ThreadPoolExecutor(4) as pool:
        for _ in range(4):
            pool.submit(work)
        try:
            for _ in range(10):
                assert in_a_child(lambda: 0 if client.read_panel(panel_id=box.panel_id).panel else 1) == 0
        finally:
            done.set()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_does_not_wait_for_its_parents_writes(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("CreateMembers", delay=3)
    member = sondage.NewMember.of(Email="slow@example.com")
    with ThreadPoolExecutor(1) as pool:
        write = pool.submit(client.create_members, panel_id=box.panel_id, members=[member])
        wait_until(client.pending_writes)

        def child() -> int:
            assert client.pending_writes() == [], "the write belongs to the parent"
            assert client.close(30) == [], "it never ends in this process"
            return 0

        assert in_a_child(child) == 0
        assert len(write.result().members_ids) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_in_a_callback_on_a_thread_of_the_library(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("CreateMembers", delay=3)
    member = sondage.NewMember.of(Email="slow@example.com")
    threads, codes = [], []

    def child() -> int:
        assert client.read_panel(panel_id=box.panel_id).panel
        return len(client.pending_writes())

    def provider() -> str:
        threads.append(threading.get_ident())
        codes.append(in_a_child(child))
        return "refused by the service"

    settings = {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant}
    forking = sondage.Client(**settings, token_provider=provider, retry_attempts=1)
    with ThreadPoolExecutor(1) as pool:
        write = pool.submit(client.create_members, panel_id=box.panel_id, members=[member])
        wait_until(client.pending_writes)
        with pytest.raises(sondage.SondageError):
            forking.read_panel(panel_id=box.panel_id)
        assert len(write.result().members_ids) == 1
    assert set(codes) == {0}, "a child has calls of its own, and none of its parent's writes"
    assert threading.get_ident() not in threads


def in_a_child(body: Callable[[], int]) -> int:
    child = os.fork()
    if child == 0:
        try:
            code = body()
        except BaseException as error:
            os.write(2, f"in the child: {error!r}\n".encode())
            code = 1
        os._exit(code)
    ended: list[int] = []

    def has_ended() -> bool:
        process, status = os.waitpid(child, os.WNOHANG)
        ended.extend([os.waitstatus_to_exitcode(status)] if process else [])
        return bool(ended)

    try:
        wait_until(has_ended)
    finally:
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return ended[0]


def in_a_pool(settings: dict[str, Any]) -> bool:
    panel = settings.pop("panel_id")
    return sondage.Client(**settings).read_panel(panel_id=panel).panel is not None


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_multiprocessing(box: sondage.Sandbox, client: sondage.Client, method: str) -> None:
    client.read_panel(panel_id=box.panel_id)
    settings = {
        "base_url": box.base_url,
        "auth_url": box.auth_url,
        "tenant": box.tenant,
        "client_id": box.client_id,
        "client_secret": box.client_secret,
    }
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(in_a_pool, [{**settings, "panel_id": box.panel_id} for _ in range(4)]) == [True] * 4


LEAVE = """
import asyncio, sys, threading, time
import sondage

mode, base_url, auth_url, tenant, client_id, secret, panel = sys.argv[1:]
settings = dict(base_url=base_url, auth_url=auth_url, tenant=tenant, client_id=client_id, client_secret=secret)
if mode == "provider":
    settings = dict(base_url=base_url, auth_url=auth_url, tenant=tenant, token_provider=lambda: "no token")

def ask(client):
    try:
        while True:
            client.read_panel(panel_id=int(panel))
    except sondage.SondageError:
        pass

if mode == "daemon":
    client = sondage.Client(**settings)
    for _ in range(4):
        threading.Thread(target=ask, args=(client,), daemon=True).start()
    time.sleep(0.1)
else:
    client = sondage.AsyncClient(**settings)
    async def main():
        for _ in range(20):
            asyncio.ensure_future(client.read_panel(panel_id=int(panel)))
        await asyncio.sleep(0.02)
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)
    loop.run_until_complete(main())
"""


def test_leaving_while_calls_are_under_way(shared_box: sondage.Sandbox, run: Run) -> None:
    box = shared_box
    known = [box.base_url, box.auth_url, box.tenant, box.client_id, box.client_secret, str(box.panel_id)]

    def leave(n: int) -> tuple[int, str]:
        mode = ("async", "daemon", "provider")[n % 3]
        ended = run(LEAVE, mode, *known)
        return ended.returncode, mode

    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(leave, range(120)))
    assert [one for one in ended if one[0] != 0] == []


def test_importing_is_cheap_and_starts_nothing(run: Run) -> None:
    program = """
import sys, threading
before = set(sys.modules)
import sondage
loaded = set(sys.modules) - before
heavy = [name for name in ("typing", "asyncio", "dataclasses", "inspect", "logging", "sondage._native") if name in loaded]
print(threading.active_count(), len(loaded), *heavy)
"""
    threads, loaded, *heavy = run(program).stdout.split()
    assert (threads, heavy) == ("1", [])
    assert int(loaded) <= 12, "modules"


def test_a_first_call_loads_nothing_that_it_does_not_need(box: sondage.Sandbox, run: Run) -> None:
    settings = {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant}
    settings |= {"client_id": box.client_id, "client_secret": box.client_secret}
    program = f"""
import sys, sondage
sondage.Client(**{settings!r}).read_panel(panel_id={box.panel_id})
heavy = [name for name in ("typing", "asyncio", "dataclasses", "inspect", "logging", "json", "decimal", "sondage._reports") if name in sys.modules]
print(",".join(heavy) or "nothing")
"""
    assert run(program).stdout.strip() == "nothing"


def test_the_package_is_the_installed_one() -> None:
    assert sondage._models and sys.modules["sondage"].__doc__
