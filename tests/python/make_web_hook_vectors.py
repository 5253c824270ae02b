"""Writes tests/cases/web_hook/vectors.json: requests that a webhook receiver must accept or refuse, each with the reason.

The verdicts are written here by hand. Tokens, signatures and keys of events are computed with Python's own hmac, hashlib
and base64, so that a mistake of the library is not copied into its tests. Run it after a change:

    python tests/python/make_web_hook_vectors.py
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from web_hook_signing import (
    AUD, AZURE_KEY, AZURE_RESOURCE, KEY, NOW, OLD_KEY, azure_query, basic, event_key, jwt, signed_query,
)  # fmt: skip

SECRET = "3f2b8c1e9d044a6b8c550e6f1a2b3c4d"
OLD_SECRET = "00112233445566778899aabbccddeeff"
GUID = "3f2b8c1e-9d04-4a6b-8c55-0e6f1a2b3c4d"
USER, PASSWORD = "survalyzer", "pass: wörd"
BODY = '{"eventType": "InterviewComplete", "entityIdentifier": "7", "entity": {"id": "5f0c", "surveyId": 7, "state": "Completed", "updatedAt": "2026-11-21T11:59:00Z"}}'
ISSUED = "2026-06-01T00:00:00Z"

OBSCURE = {"strategy": "obscureUrl", "secret": SECRET}
OLD_OBSCURE = {"strategy": "obscureUrl", "secret": OLD_SECRET}
BASIC = {"strategy": "basic", "user": USER, "password": PASSWORD}
BEARER = {"strategy": "bearer", "key": KEY, "audience": AUD, "issuedAt": ISSUED}
SIGNED = {"strategy": "signedUrl", "key": KEY, "issuedAt": ISSUED}
AZURE = {"strategy": "signedUrl", "profile": "azure", "key": AZURE_KEY, "resource": AZURE_RESOURCE, "issuedAt": ISSUED}

HOOKS: dict[str, Any] = {
    "obscure": {"strategy": OBSCURE},
    "guid": {"strategy": {"strategy": "obscureUrl", "secret": GUID}},
    "obscure two": {"strategy": OBSCURE, "previous": OLD_OBSCURE},
    "basic": {"strategy": BASIC},
    "basic two": {"strategy": BASIC, "previous": {"strategy": "basic", "user": "old", "password": "old"}},
    "bearer": {"strategy": BEARER},
    "bearer two": {"strategy": BEARER, "previous": {"strategy": "bearer", "key": OLD_KEY, "audience": AUD}},
    "signed": {"strategy": SIGNED},
    "signed two": {"strategy": SIGNED, "previous": {"strategy": "signedUrl", "key": OLD_KEY}},
    "signed named": {"strategy": {**SIGNED, "resource": "orders/7", "permission": "write"}},
    "azure": {"strategy": AZURE},
    "moving": {"strategy": BEARER, "previous": BASIC},
    "small": {"strategy": BASIC, "maxBody": 64},
    "closed": {"strategy": BASIC, "eventType": "SurveyClosed"},
}

vectors: list[dict[str, Any]] = []


def add(group: str, name: str, hook: str, verdict: str, *, url: Any = "/hooks", auth: Any = None, body: Any = BODY,
        headers: list[Any] | None = None, **more: Any) -> None:  # fmt: skip
    """`verdict` is `ok` or the reason."""
    sent = ([["Authorization", auth]] if auth is not None else []) + (headers or [])
    vector: dict[str, Any] = {"name": f"{group}: {name}", "hook": hook, "url": url, "headers": sent, "body": body}
    if verdict == "ok":
        vector["verdict"] = "accepted"
    else:
        vector |= {"verdict": "refused", "reason": verdict}
    vectors.append(vector | more)


def obscure() -> None:
    def case(name: str, verdict: str, url: Any, hook: str = "obscure") -> None:
        add("obscure URL", name, hook, verdict, url=url)

    good = f"/hooks/{SECRET}"
    case("the path", "ok", good)
    case("the whole address", "ok", f"https://acme.example{good}")
    case("another host in front", "ok", f"http://127.0.0.1:8080/deep/er{good}")
    case("a scheme in capitals", "ok", f"HTTPS://acme.example{good}")
    case("something in the query", "ok", f"{good}?trace=1")
    case("a lone question mark", "ok", f"{good}?")
    case("a GUID of 36 characters", "ok", f"/{GUID}", "guid")
    case("the new secret of two", "ok", good, "obscure two")
    case("the old secret of two", "ok", f"/hooks/{OLD_SECRET}", "obscure two")
    case("absent", "secret_missing", "/")
    case("absent, no path", "secret_missing", "https://acme.example")
    case("absent, a slash at the end", "secret_missing", f"{good}/")
    case("absent, two slashes at the end", "secret_missing", f"{good}//")
    case("only the base", "secret_wrong", "/hooks")
    case("in capitals", "secret_wrong", f"/hooks/{SECRET.upper()}")
    case("one letter in capitals", "secret_wrong", f"/hooks/{SECRET.replace('f', 'F', 1)}")
    case("without its last character", "secret_wrong", f"/hooks/{SECRET[:-1]}")
    case("without its first character", "secret_wrong", f"/hooks/{SECRET[1:]}")
    case("half of it", "secret_wrong", f"/hooks/{SECRET[:16]}")
    case("one character more", "secret_wrong", f"{good}0")
    case("twice in one part", "secret_wrong", f"{good}{SECRET}")
    case("first and not last", "secret_wrong", f"/{SECRET}/hooks")
    case("in the query", "secret_wrong", f"/hooks?{SECRET}")
    case("as a parameter", "secret_wrong", f"/hooks?secret={SECRET}")
    case("after a slash in the query", "secret_wrong", f"/hooks?next=/{SECRET}")
    case("percent-encoded first character", "secret_wrong", f"/hooks/%33{SECRET[1:]}")
    case("percent-encoded throughout", "secret_wrong", "/hooks/" + "".join(f"%{ord(c):02X}" for c in SECRET))
    case("an encoded slash before it", "secret_wrong", f"/hooks%2F{SECRET}")
    case("an encoded NUL after it", "secret_wrong", f"{good}%00")
    case("an encoded line feed after it", "secret_wrong", f"{good}%0A")
    case("a parameter of the path", "secret_wrong", f"{good};v=1")
    case("an ending", "secret_wrong", f"{good}.json")
    case("full-width digits", "secret_wrong", f"/hooks/３{SECRET[1:]}")
    case("a Cyrillic letter", "secret_wrong", f"/hooks/{SECRET.replace('c', 'с', 1)}")
    case("a zero-width space", "secret_wrong", f"{good}\u200b")
    case("backwards", "secret_wrong", f"/hooks/{SECRET[::-1]}")
    case("zeros", "secret_wrong", "/hooks/" + "0" * 32)
    case("another registration's", "secret_wrong", f"/hooks/{OLD_SECRET}")
    case("a third with two valid", "secret_wrong", "/hooks/" + "1" * 32, "obscure two")
    case("both, joined", "secret_wrong", f"{good}{OLD_SECRET}", "obscure two")
    case("the GUID without dashes", "secret_wrong", f"/{GUID.replace('-', '')}", "guid")
    case("the GUID in braces", "secret_wrong", f"/%7B{GUID}%7D", "guid")
    case("a path that goes up", "secret_wrong", f"{good}/..")
    case("a dot after it", "secret_wrong", f"{good}/.")
    case("with a fragment", "url_malformed", f"{good}#x")
    case("in the fragment", "url_malformed", f"/hooks#{SECRET}")
    case("with a space", "url_malformed", f"{good} ")
    case("with a tab", "url_malformed", f"{good}\t")
    case("with a line feed", "url_malformed", f"{good}\n")
    case("with a NUL", "url_malformed", f"{good}\0")
    case("with backslashes", "url_malformed", f"\\hooks\\{SECRET}")
    case("no address at all", "url_malformed", "")
    case("the secret alone", "url_malformed", SECRET)
    case("another scheme", "url_malformed", f"ftp://acme.example{good}")
    case("a file", "url_malformed", f"file://{good}")
    case("no host", "url_malformed", f"http://{good}")
    case("only a scheme", "url_malformed", "https://")
    case("huge", "url_too_long", {"before": "/", "repeat": "a", "times": 100_000, "after": good})
    case("huge query", "url_too_long", {"before": f"{good}?", "repeat": "a", "times": 9_000})


def basic_strategy() -> None:
    def case(name: str, verdict: str, auth: Any = None, hook: str = "basic", **more: Any) -> None:
        add("basic", name, hook, verdict, auth=auth, **more)

    good = basic(USER, PASSWORD)
    encoded = good.split()[1]
    case("as registered", "ok", good)
    case("scheme in lower case", "ok", f"basic {encoded}")
    case("scheme in capitals", "ok", f"BASIC {encoded}")
    case("header in lower case", "ok", headers=[["authorization", good]])
    case("header in capitals", "ok", headers=[["AUTHORIZATION", good]])
    case("among other headers", "ok", good, headers=[["Proxy-Authorization", "Basic eA=="], ["Host", "x"]])
    case("the new one of two", "ok", good, "basic two")
    case("the old one of two", "ok", basic("old", "old"), "basic two")
    case("the old strategy", "ok", good, "moving")
    case("absent", "authorization_missing")
    case("under another name", "authorization_missing", headers=[["X-Authorization", good]])
    case("for the proxy", "authorization_missing", headers=[["Proxy-Authorization", good]])
    case("in the address", "authorization_missing", url=f"https://{USER}:x@acme.example/hooks")
    case("twice, both right", "authorization_doubled", good, headers=[["Authorization", good]])
    case("twice, right then wrong", "authorization_doubled", good, headers=[["authorization", "Basic eA=="]])
    case("twice, wrong then right", "authorization_doubled", "Basic eA==", headers=[["AUTHORIZATION", good]])
    case("twice in one line", "credentials_wrong", f"{good}, {good}")
    case("empty", "scheme_wrong", "")
    case("only the scheme", "scheme_wrong", "Basic")
    case("only the credentials", "scheme_wrong", encoded)
    case("another scheme", "scheme_wrong", f"Bearer {encoded}")
    case("a made-up scheme", "scheme_wrong", f"Basics {encoded}")
    case("digest", "scheme_wrong", 'Digest username="survalyzer"')
    case("blanks around it", "ok", f" \t{good}\t ")
    case("a tab between", "authorization_malformed", f"Basic\t{encoded}")
    case("a line feed inside", "authorization_malformed", f"Basic {encoded}\nX: y")
    case("a NUL at the end", "authorization_malformed", f"{good}\0")
    case("not ASCII", "authorization_malformed", f"Basic {USER}:pässword")
    case("huge", "authorization_malformed", {"before": "Basic ", "repeat": "A", "times": 9_000})
    case("nothing after the scheme", "scheme_wrong", "Basic ")
    case("two spaces", "credentials_wrong", f"Basic  {encoded}")
    case("as a variable of WSGI", "ok", headers=[["HTTP_AUTHORIZATION", good], ["CONTENT_TYPE", "application/json"]])
    case("twice, once as a variable", "authorization_doubled", good, headers=[["HTTP_AUTHORIZATION", good]])
    case("a variable in lower case", "authorization_missing", headers=[["http_authorization", good]])
    case("not encoded", "credentials_wrong", f"Basic {USER}:password")
    case("without padding", "credentials_wrong", f"Basic {encoded.rstrip('=')}x")
    case("the alphabet for addresses", "credentials_wrong", "Basic " + base64.urlsafe_b64encode(f"{USER}:~~~???".encode()).decode())
    case("in Latin-1", "credentials_wrong", "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode("latin-1")).decode())
    case("encoded twice", "credentials_wrong", "Basic " + base64.b64encode(encoded.encode()).decode())
    case("cut off", "credentials_wrong", good[:-4])
    case("one character more", "credentials_wrong", f"{good}A")
    case("credentials in capitals", "credentials_wrong", f"Basic {encoded.upper()}")
    case("user in capitals", "credentials_wrong", basic(USER.upper(), PASSWORD))
    case("another user", "credentials_wrong", basic("admin", PASSWORD))
    case("no user", "credentials_wrong", basic("", PASSWORD))
    case("another password", "credentials_wrong", basic(USER, "password"))
    case("no password", "credentials_wrong", basic(USER, ""))
    case("password cut at its colon", "credentials_wrong", basic(USER, "pass"))
    case("password and a NUL", "credentials_wrong", basic(USER, f"{PASSWORD}\0"))
    case("password and a space", "credentials_wrong", basic(USER, f"{PASSWORD} "))
    case("password in another normal form", "credentials_wrong", basic(USER, "pass: wo\u0308rd"))
    case("user and password exchanged", "credentials_wrong", basic(PASSWORD, USER))
    case("another registration's", "credentials_wrong", basic("old", "old"))
    case("mixed from two", "credentials_wrong", basic(USER, "old"), "basic two")


def main() -> None:
    import web_hook_vectors_body
    import web_hook_vectors_signed

    obscure()
    basic_strategy()
    web_hook_vectors_signed.bearer(add, jwt)
    web_hook_vectors_signed.signed(add, signed_query)
    web_hook_vectors_signed.azure(add, azure_query)
    web_hook_vectors_body.bodies(add, basic(USER, PASSWORD), event_key)
    names = [vector["name"] for vector in vectors]
    assert len(names) == len(set(names)), [name for name in names if names.count(name) > 1]
    document = {
        "about": [
            "What a webhook receiver accepts and refuses, the same in every language. Written by tests/python/make_web_hook_vectors.py.",
            "A text can be {before, repeat, times, after}; a body can be {base64}; a header's value can be either.",
            "The keys and passwords are worthless: they are good for nothing but these tests.",
        ],
        "now": NOW,
        "hooks": HOOKS,
        "vectors": vectors,
        "shapes": web_hook_vectors_body.shapes(basic(USER, PASSWORD)),
        "made": web_hook_vectors_body.made(HOOKS, SECRET, GUID, basic(USER, PASSWORD)),
        "impossible": web_hook_vectors_body.impossible(OBSCURE, BASIC, BEARER, SIGNED, AZURE),
    }
    lines = [f"{json.dumps(key)}: {_lines(value)}" for key, value in document.items()]
    path = Path(__file__).parent.parent / "cases" / "web_hook" / "vectors.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(vectors)} vectors")


def _lines(value: Any) -> str:
    """One line for each item, to keep diffs readable."""

    def flat(item: Any) -> str:
        return json.dumps(item, ensure_ascii=True)

    if isinstance(value, list):
        return "[\n  " + ",\n  ".join(flat(item) for item in value) + "\n]"
    if isinstance(value, dict):
        return "{\n  " + ",\n  ".join(f"{flat(key)}: {flat(item)}" for key, item in value.items()) + "\n}"
    return flat(value)


if __name__ == "__main__":
    main()
