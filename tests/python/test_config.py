"""Settings and credentials: every mistake has its own message, and the message names the next step."""

from __future__ import annotations

import html
import re
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import sondage


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SONDAGE_ACCOUNT", "SONDAGE_TENANT", "SONDAGE_CLIENT_SECRET", "SONDAGE_PROFILE", "SONDAGE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "account"),
        ({"account": "https://acme.survalyzer-eu.app"}, "client_secret"),
        ({"account": "https://survalyzer.example"}, "account"),
        ({"tenant": "acme", "client_secret": "x"}, "base_url|data_center"),
        ({"account": "https://acme.survalyzer-eu.app", "client_secret": "x", "base_url": "http://example.com"}, "https"),
        ({"account": "https://acme.survalyzer-eu.app", "client_secret": "x", "deadline": "soon"}, "deadline"),
        ({"account": "https://acme.survalyzer-eu.app", "client_secret": "x", "page_size": -1}, "page_size"),
    ],
)
def test_settings_that_cannot_work(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(sondage.ConfigurationError, match=words) as caught:
        sondage.Client(**settings)
    assert caught.value.delivery == "no" and caught.value.hint


def test_a_misspelt_setting_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="client_secrt"):
        sondage.Client("https://acme.survalyzer-eu.app", client_secrt="x")  # type: ignore[call-arg]
    for name, meant in [("timeout", "deadline"), ("api_key", "client_secret"), ("tenat", "tenant")]:
        with pytest.raises(TypeError, match=f"no setting `{name}`.* Did you mean `{meant}`") as caught:
            sondage.Client("https://acme.survalyzer-eu.app", **{name: "hush"})  # type: ignore[arg-type]
        frames = [frame.frame.f_locals for frame in caught.traceback if "sondage" in str(frame.path)]
        assert "hush" not in repr(frames[1:])
    with pytest.raises(TypeError, match="only the account's address"):
        sondage.Client("https://acme.survalyzer-eu.app", "tenant")  # type: ignore[misc]


def test_every_setting_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sondage").mkdir()
    (tmp_path / "sondage" / "config.toml").write_text('[default]\ndeadline = "2 min"\npage_size = 50\n')
    monkeypatch.setenv("SONDAGE_CLIENT_SECRET", "from-the-environment")
    monkeypatch.setenv("SONDAGE_PAGE_SIZE", "70")
    client = sondage.Client("https://acme.survalyzer-eu.app", page_size=90)
    explained = client.config.explain()
    assert (explained["tenant"].value, explained["page_size"].value, explained["deadline"].value) == ("acme", "90", "120 s")
    assert "config.toml" in str(explained["deadline"].source)
    assert "SONDAGE_CLIENT_SECRET" in str(explained["client_secret"].source)
    assert explained["client_secret"].value == "***" and "from-the-environment" not in repr(explained)
    assert repr(client.config).startswith("setting") and len(list(explained)) == len(explained) > 30


def test_a_home_that_cannot_be_read_stops_nobody(box: sondage.Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Service accounts have HOME=/dev/null, and containers the home of somebody else."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    with box.client() as client:
        assert client.read_panel(panel_id=box.panel_id).panel
        (warning,) = [check for check in client.doctor().checks if check.state != "passed"]
        assert (warning.check, warning.state) == ("profile_file", "warning") and "is ignored" in warning.found
        with pytest.raises(sondage.ConfigurationError, match="Name a folder that can be written as `folder`"):
            client.send_once(key="wave-3").create_panel(workspace_id=box.workspace_id, name="P", panel_type="Basic")
    assert not box.ledger.effects("CreatePanel")
    settings: dict[str, Any] = {"account": "https://acme.survalyzer-eu.app", "client_secret": "x"}
    ignored = sondage.Client(**settings).config.explain()["profile_file"].value
    assert ignored is not None and "is ignored, because it cannot be read" in ignored
    with pytest.raises(sondage.ConfigurationError, match="cannot be read"):
        sondage.Client(**settings, profile_file="/dev/null/config.toml")


def test_a_proxy_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://ada:hunter22@127.0.0.1:1")  # where nothing listens
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    client = sondage.Client("https://acme.survalyzer-eu.app", token="t", retry_attempts=1)
    explained = client.config.explain()["proxy"]
    assert (explained.value, str(explained.source)) == ("http://***@127.0.0.1:1", "environment HTTPS_PROXY")
    with pytest.raises(sondage.NetworkError, match="proxy .*127.0.0.1:1") as caught:
        client.read_panel(panel_id=7)
    assert "HTTPS_PROXY" in str(caught.value) and "hunter22" not in str(caught.value) and caught.value.delivery == "no"


def credentials(box: sondage.Sandbox) -> dict[str, Any]:
    return {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant}


def test_four_refusals_four_messages(box: sondage.Sandbox) -> None:
    known = {**credentials(box), "client_id": box.client_id, "client_secret": box.client_secret}
    messages = []
    for wrong in ({"client_secret": "wrong"}, {"tenant": "nobody", "client_id": "nobody_api"}):
        with pytest.raises(sondage.AuthenticationError) as caught:
            sondage.Client(**{**known, **wrong}).read_panel(panel_id=box.panel_id)
        messages.append(str(caught.value))
    person = sondage.Password(box.username, "wrong")
    with pytest.raises(sondage.AuthenticationError) as caught:
        sondage.Client(**known, credentials=person).read_panel(panel_id=box.panel_id)
    messages.append(str(caught.value))
    with pytest.raises(sondage.AuthenticationError) as caught:
        sondage.Client(**known, credentials=sondage.RefreshToken("stale")).read_panel(panel_id=box.panel_id)
    messages.append(str(caught.value))
    assert len(set(messages)) == 4
    assert not any(box.client_secret in message or "wrong" in message.split() for message in messages)


def test_every_kind_of_credentials(box: sondage.Sandbox) -> None:
    known = {**credentials(box), "client_id": box.client_id, "client_secret": box.client_secret}
    person = sondage.Password(box.username, box.password, panel_id=box.panel_id)
    machine = sondage.ClientCredentials(box.client_id, box.client_secret)
    assert sondage.Client(**known, credentials=person).read_panel(panel_id=box.panel_id).panel
    assert sondage.Client(**credentials(box), credentials=machine).read_panel(panel_id=box.panel_id).panel
    assert {request.grant for request in box.ledger.token_requests()} == {"password", "client_credentials"}
    assert box.password not in repr(person) and box.client_secret not in repr(machine)


def test_a_token_that_cannot_be_renewed(box: sondage.Sandbox) -> None:
    client = sondage.Client(**credentials(box), credentials=sondage.Token("not a token of this service"))
    with pytest.raises(sondage.AuthenticationError):
        client.read_panel(panel_id=box.panel_id)


def test_an_expired_token_is_renewed(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.clock.advance(31 * 60)
    assert client.read_panel(panel_id=box.panel_id).panel
    assert len(box.ledger.token_requests()) == 2


def log_in(box: sondage.Sandbox, url: str) -> str:
    """What a person does in a browser: loads the form, fills it in, and is redirected."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    with urllib.request.urlopen(url) as answer:
        page = answer.read().decode()
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
    fields = {name: html.unescape(value) for name, value in hidden}
    form = {**fields, "username": box.username, "password": box.password, "decision": "allow"}
    target = urllib.parse.urljoin(url, "/openid/authorize")
    try:
        urllib.request.build_opener(Stay).open(target, urllib.parse.urlencode(form).encode())
    except urllib.request.HTTPError as answer:
        return str(answer.headers["Location"])
    raise AssertionError("the login page did not send the browser back")


def test_a_login_by_browser(box: sondage.Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    import webbrowser

    def browse(url: str) -> bool:
        threading.Thread(target=lambda: urllib.request.urlopen(log_in(box, url))).start()
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    client = sondage.login(**credentials(box), client_id=box.client_id, login_timeout=20)
    assert client.read_panel(panel_id=box.panel_id).panel
    assert {request.grant for request in box.ledger.token_requests()} == {"authorization_code"}


def test_a_login_by_a_pasted_address(box: sondage.Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("builtins.print", lambda text: shown.append(text.removeprefix("Log in at ")))
    monkeypatch.setattr("builtins.input", lambda _: log_in(box, shown[0]))
    client = sondage.login(**credentials(box), client_id=box.client_id, browser=False)
    assert client.read_panel(panel_id=box.panel_id).panel


def test_a_login_of_somebody_else_is_refused(box: sondage.Sandbox) -> None:
    login = sondage.Login(**credentials(box), client_id=box.client_id)
    with pytest.raises(sondage.SondageError, match="state"):
        login.paste("http://127.0.0.1:1/?code=stolen&state=guessed")
