"""Tokens from the caller's own provider function, blocking or async."""

from __future__ import annotations

import asyncio
import contextvars
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import DEADLINE

who: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


def fetch(box: sondage.Sandbox) -> str:
    """A token, as an application's backend would get it."""
    form = {"grant_type": "client_credentials", "client_id": box.client_id, "client_secret": box.client_secret}
    body = urllib.parse.urlencode({**form, "tenant": box.tenant}).encode()
    with urllib.request.urlopen(f"{box.auth_url}/openid/token", body) as answer:
        token: str = json.load(answer)["access_token"]
        return token


def settings(box: sondage.Sandbox) -> dict[str, Any]:
    return {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant}


def test_a_function(box: sondage.Sandbox) -> None:
    seen: list[tuple[str, str]] = []

    def provider() -> str:
        seen.append((who.get(), threading.current_thread().name))
        time.sleep(0.05)  # it may block
        return fetch(box)

    client = sondage.Client(**settings(box), token_provider=provider)
    who.set("ada")
    for _ in range(3):
        assert client.read_panel(panel_id=box.panel_id).panel
    assert [name for name, _ in seen] == ["ada"], "called once, with the caller's context variables"


def test_an_async_function_for_a_blocking_client(box: sondage.Sandbox) -> None:
    async def provider() -> str:
        await asyncio.sleep(0.01)
        return fetch(box)

    client = sondage.Client(**settings(box), token_provider=provider)
    assert client.read_panel(panel_id=box.panel_id).panel

    async def inside() -> None:  # a blocking call on a thread that runs a loop: no deadlock
        other = sondage.Client(**settings(box), token_provider=provider)
        assert other.read_panel(panel_id=box.panel_id).panel

    asyncio.run(inside())


def test_an_async_function_runs_on_the_callers_loop(box: sondage.Sandbox) -> None:
    seen = []

    async def provider() -> str:
        seen.append((who.get(), asyncio.get_running_loop()))
        await asyncio.sleep(0.01)
        return await asyncio.to_thread(fetch, box)

    client = sondage.AsyncClient(**settings(box), token_provider=provider)

    async def main() -> None:
        who.set("grace")
        await asyncio.gather(*(client.read_panel(panel_id=box.panel_id) for _ in range(50)))
        assert seen == [("grace", asyncio.get_running_loop())]

    asyncio.run(main())
    box.revoke_tokens()
    who.set("nobody")
    assert asyncio.run(client.read_panel(panel_id=box.panel_id)).panel, "a new loop, a new token"
    assert len(seen) == 2 and seen[1][1] is not seen[0][1]


def test_a_function_that_blocks_does_not_block_the_loop(box: sondage.Sandbox) -> None:
    asked, released = threading.Event(), threading.Event()

    def provider() -> str:
        asked.set()
        assert released.wait(DEADLINE)
        return fetch(box)

    async def main() -> None:
        client = sondage.AsyncClient(**settings(box), token_provider=provider)
        task = asyncio.create_task(client.read_panel(panel_id=box.panel_id))
        turns = 0
        while not task.done():
            await asyncio.sleep(0)
            turns += asked.is_set() and not released.is_set()
            if turns == 100:
                released.set()
        assert task.result().panel and turns == 100, "the loop went on while the function blocked"

    asyncio.run(main())


def broken() -> str:
    raise LookupError("the vault is sealed")


async def broken_async() -> str:
    raise LookupError("the vault is sealed")


@pytest.mark.parametrize("provider", [broken, broken_async])
def test_what_goes_wrong_is_told(box: sondage.Sandbox, provider: Any) -> None:
    client = sondage.Client(**settings(box), token_provider=provider)
    with pytest.raises(sondage.AuthenticationError, match="the vault is sealed"):
        client.read_panel(panel_id=box.panel_id)
    other = sondage.AsyncClient(**settings(box), token_provider=provider)
    with pytest.raises(sondage.AuthenticationError, match="the vault is sealed"):
        asyncio.run(other.read_panel(panel_id=box.panel_id))
    assert not box.ledger.requests("ReadPanel")


@pytest.mark.parametrize("answer", [None, 5, b"token", ""])
def test_an_answer_that_is_no_token(box: sondage.Sandbox, answer: Any) -> None:
    client = sondage.Client(**settings(box), token_provider=lambda: answer)
    with pytest.raises(sondage.AuthenticationError):
        client.read_panel(panel_id=box.panel_id)


def test_a_refused_token_is_asked_for_again(box: sondage.Sandbox) -> None:
    tokens = ["stale", fetch(box)]
    client = sondage.Client(**settings(box), token_provider=lambda: tokens.pop(0))
    assert client.read_panel(panel_id=box.panel_id).panel and tokens == []


class Kept:
    """A token store in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def load(self, key: str, /) -> str | None:
        return self.texts.get(key)

    def save(self, key: str, tokens: str, /) -> None:
        self.texts[key] = tokens

    def forget(self, key: str, /) -> None:
        self.texts.pop(key, None)


class AsyncKept:
    """The same with async methods."""

    def __init__(self) -> None:
        self.inner = Kept()
        self.loops: set[int] = set()

    async def _on(self) -> Kept:
        await asyncio.sleep(0)
        self.loops.add(id(asyncio.get_running_loop()))
        return self.inner

    async def load(self, key: str, /) -> str | None:
        return (await self._on()).load(key)

    async def save(self, key: str, tokens: str, /) -> None:
        (await self._on()).save(key, tokens)

    async def forget(self, key: str, /) -> None:
        (await self._on()).forget(key)


def secret(box: sondage.Sandbox) -> dict[str, Any]:
    return settings(box) | {"client_secret": box.client_secret}


def test_a_token_store_of_the_program_keeps_tokens_between_clients(box: sondage.Sandbox) -> None:
    store = Kept()
    for _ in range(2):
        assert sondage.Client(**secret(box), token_store=store).read_workspace_list().workspaces
    assert len(box.ledger.token_requests()) == 1 and len(store.texts) == 1
    sondage.Client(**secret(box), token_store=store).logout()
    assert store.texts == {}


def test_an_async_token_store_runs_on_the_loop_of_the_caller(box: sondage.Sandbox) -> None:
    store = AsyncKept()

    async def main() -> int:
        for _ in range(2):
            async with sondage.AsyncClient(**secret(box), token_store=store) as client:
                assert (await client.read_workspace_list()).workspaces
        return id(asyncio.get_running_loop())

    assert store.loops == {asyncio.run(main())}
    assert len(box.ledger.token_requests()) == 1 and len(store.inner.texts) == 1
    # A blocking client has no loop: each method gets one of its own.
    assert sondage.Client(**secret(box), token_store=store).read_workspace_list().workspaces
    assert len(box.ledger.token_requests()) == 1


def test_a_token_store_that_fails_fails_no_call_and_one_without_a_method_is_refused(box: sondage.Sandbox) -> None:
    class Broken(Kept):
        def load(self, key: str, /) -> str | None:
            raise OSError("no store")

        def save(self, key: str, tokens: str, /) -> None:
            raise OSError("no store")

    assert sondage.Client(**secret(box), token_store=Broken()).read_workspace_list().workspaces
    wrong: Any = {"load": None}
    with pytest.raises(sondage.InvalidArgument, match="type dict, which has no method `load`"):
        sondage.Client(**secret(box), token_store=wrong)
    with pytest.raises(sondage.InvalidArgument, match="a login takes no `token_store`"):
        sondage.Login(**settings(box), token_store=Kept())


def browse(box: sondage.Sandbox, url: str, user: str) -> str:
    """A person with a browser: logs in, and returns the address at which the browser ended up."""
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    assert query["code_challenge_method"] == "S256", "PKCE unless it is turned off"
    form = urllib.parse.urlencode({**query, "username": user, "password": box.password}).encode()

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(url.split("?")[0], form)
    except urllib.error.HTTPError as answer:
        location: str = answer.headers["Location"]
        return location
    raise AssertionError("no redirect")


RESUME = """
import json, sys, sondage
saved, address, given = json.load(sys.stdin)
print(len(sondage.Login.resume(saved, **given).paste(address).read_workspace_list().workspaces))
"""


def test_another_process_goes_on_with_a_login(box: sondage.Sandbox) -> None:
    given = settings(box)
    begun = sondage.Login(**given, redirect="http://127.0.0.1/back")
    saved, address = begun.saved(), browse(box, begun.url, box.username)
    sent = json.dumps([saved, address, given])
    done = subprocess.run([sys.executable, "-c", RESUME], input=sent, capture_output=True, text=True, check=False)
    assert done.stdout == "1\n", done.stderr
    state = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["state"][0]
    assert state in saved and state not in repr(begun)
    wrong: list[tuple[Any, dict[str, Any]]] = [
        (f"{{{state}}}", given), (None, given), (saved, {**given, "client_id": "other_api"}), (saved, {**given, "redirect": "http://127.0.0.1/back"})
    ]  # fmt: skip
    for text, changed in wrong:
        with pytest.raises(sondage.InvalidArgument) as failed:
            sondage.Login.resume(text, **changed)
        assert state not in str(failed.value)
        # What a crash reporter records of the library's own frames.
        frames = [frame.frame.f_locals for frame in failed.traceback if "sondage" in str(frame.path)]
        assert state not in repr(frames)


def test_people_in_one_store_keep_their_own_tokens(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = str(tmp_path / "tokens.json")

    def log_in(user: str, **given: str) -> sondage.Client:
        login = sondage.Login(**settings(box), token_file=file, **given)
        return login.paste(browse(box, login.url, user))

    def may_write(client: sondage.Client) -> bool:
        try:
            client.delete_members(panel_id=box.panel_id, panel_members_ids=[987654321], keep_interviews=True)
        except sondage.PermissionDenied:
            return False
        except sondage.SondageError:
            pass
        return True

    admin, reader = log_in(box.username), log_in(box.reader, identity="reader")
    assert admin.config.explain()["identity"].value == f"sub:{box.username}"
    later = sondage.Client(**settings(box), token_file=file, identity="reader")
    assert [may_write(client) for client in (admin, reader, later)] == [True, False, False]
    with pytest.raises(sondage.ConfigurationError, match="`identity` is missing"):
        sondage.Client(**settings(box), token_file=file)

    later.logout()
    with pytest.raises(sondage.AuthenticationError, match="nobody is logged in"):
        later.read_panel(panel_id=box.panel_id)
    assert admin.read_panel(panel_id=box.panel_id).panel


def test_another_password_is_refused_and_a_logout_forgets(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    given = {**settings(box), "username": box.username, "token_file": str(file)}
    client = sondage.Client(**given, password=box.password)
    assert client.read_panel(panel_id=box.panel_id).panel
    with pytest.raises(sondage.AuthenticationError):
        sondage.Client(**given, password="wrong").read_panel(panel_id=box.panel_id)
    assert " password " in file.read_text()

    async def main() -> None:
        async with sondage.AsyncClient(**given, password=box.password) as other:
            await other.logout()

    asyncio.run(main())
    assert " password " not in file.read_text()
    client.logout()
    assert client.read_panel(panel_id=box.panel_id).panel, "a password is good for a new token"
