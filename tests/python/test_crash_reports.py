"""Crash reporters record the local variables of every frame that an exception has passed through: none of the
library's frames holds a secret."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
import sondage
from sondage import webhooks

SECRET = "Canary-0123456789abcdef0123456789abcdef"


def frames(error: BaseException | None) -> Iterator[str]:
    """The variables of the library's frames, in the tracebacks of an error and of its causes."""
    if error is None:
        return
    for frame in traceback.TracebackException.from_exception(error, capture_locals=True).stack:
        if frame.filename != __file__:
            yield f"{frame.filename}:{frame.name}: {frame.locals}"
    yield from frames(error.__cause__)
    yield from frames(error.__context__)


def shown(call: Callable[[], object]) -> BaseException:
    """The error of a call, after its frames and texts have been searched for secrets."""
    with pytest.raises(Exception) as raised:
        call()
    texts = [str(raised.value), repr(raised.value), *frames(raised.value)]
    assert len(texts) > 2, "no frame of the library is in the traceback"
    for text in texts:
        assert "Canary" not in text
        assert "0123456789abcdef" not in text
    return raised.value


class Unspeakable:
    """A value that raises when it is read."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


SETTINGS = {"account": "https://acme.survalyzer-eu.app", "client_secret": SECRET, "password": SECRET, "token": SECRET}
WRONG: list[dict[str, object]] = [
    SETTINGS | {"deadline": SECRET},
    SETTINGS | {"retry_attempts": SECRET},
    SETTINGS | {"data_center": SECRET[:15]},
    SETTINGS | {"grant": SECRET},
    SETTINGS | {"base_url": SECRET},
    SETTINGS | {"proxy": f"ftp://user:{SECRET}@proxy.example"},
    SETTINGS | {"token_path": SECRET},
    SETTINGS | {"user_agent": Unspeakable()},
    SETTINGS,
    {"credentials": sondage.Password("user", SECRET)},
    {"refresh_token": SECRET, "password": SECRET},
]


@pytest.mark.parametrize("number", range(len(WRONG)))
@pytest.mark.parametrize("make", [sondage.Client, sondage.AsyncClient, sondage.Login, sondage.login])
def test_no_constructor_leaves_a_secret_in_its_frame(
    make: Callable[..., object], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONDAGE_CONFIG", "/nowhere/config.toml")
    settings = {name: value for name, value in WRONG[number].items() if name != "credentials" or "login" not in repr(make).lower()}
    shown(lambda: make(**settings))


HOOKS: list[Callable[[], object]] = [
    lambda: webhooks.obscure_url(SECRET + "/"),
    lambda: webhooks.basic("us:er", SECRET),
    lambda: webhooks.basic("user", SECRET.encode()),  # type: ignore[arg-type]
    lambda: webhooks.bearer(SECRET, "", days=3),
    lambda: webhooks.bearer(SECRET, "me", issued_at=datetime(2026, 1, 1)),
    lambda: webhooks.signed_url(SECRET, days=-1),
    lambda: webhooks.azure_signed_url(SECRET + "=", "/blob"),
    lambda: webhooks.Hook.from_dict({"strategy": {"strategy": SECRET, "secret": SECRET}}),
    lambda: webhooks.Hook.from_dict({"strategy": {"strategy": "bearer", "key": SECRET, "audience": "a", "issuedAt": SECRET}}),
    lambda: webhooks.obscure_url(SECRET).url("http://example.com"),
    lambda: webhooks.obscure_url(SECRET).registration("http://example.com", "Approved"),
    lambda: webhooks.basic("user", SECRET).verify(url=f"/hooks/{SECRET}", headers={"Authorization": SECRET}, body=b"{}"),
    lambda: webhooks.basic("user", SECRET).verify(url=f"/{SECRET}", headers=[SECRET], body=b"{}"),  # type: ignore[list-item]
    lambda: webhooks.basic("user", SECRET).verify(url=f"/{SECRET}", headers={"Authorization": SECRET}, body={}),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(HOOKS)))
def test_no_webhook_leaves_a_secret_in_its_frame(number: int) -> None:
    shown(HOOKS[number])


def test_no_call_leaves_a_secret_in_its_frame(box: sondage.Sandbox) -> None:
    client = box.client()
    hook = {"event_type": "Approved", "entity_identifier": "*", "web_hook_url": f"https://app.example/{SECRET}"}
    box.fault("*", status=400, times=None)
    shown(lambda: client.create_web_hook(**hook, security_token=SECRET))
    shown(lambda: client.update_web_hook(web_hook_id="x", security_token=SECRET))
    shown(lambda: client.get_api_token(username="user", password=SECRET))
    shown(lambda: client.raw("/publicapi/Panel/v3/ReadPanel", {"password": SECRET}, effect="read"))
    shown(lambda: client.raw("no path", {"password": SECRET}, effect="read"))
    shown(lambda: client.with_options(deadline=-1, extra={"password": SECRET}))
    shown(lambda: client.with_options(attempts=0, headers={"X-Key": SECRET}))
    shown(lambda: client.with_response(client.get_api_token, username="user", password=SECRET))
    shown(lambda: client.create_web_hook(**hook, security_token=5))  # type: ignore[arg-type]


def test_no_awaited_call_leaves_a_secret_in_its_frame(box: sondage.Sandbox) -> None:
    client = box.async_client()
    hook = {"event_type": "Approved", "entity_identifier": "*", "web_hook_url": f"https://app.example/{SECRET}"}
    box.fault("*", status=400, times=None)
    shown(lambda: asyncio.run(client.create_web_hook(**hook, security_token=SECRET)))
    shown(lambda: asyncio.run(client.get_api_token(username="user", password=SECRET)))
    shown(lambda: asyncio.run(client.raw("/publicapi/Panel/v3/ReadPanel", {"password": SECRET}, effect="read")))
