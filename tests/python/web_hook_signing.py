"""Tokens, signatures and keys for the test vectors of webhooks, computed with Python's standard library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import datetime
from typing import Any
from urllib.parse import quote

NOW = "2026-11-21T12:00:00Z"
EPOCH = int(datetime.fromisoformat(NOW.replace("Z", "+00:00")).timestamp())
KEY = "worthless-key-for-tests-of-webhooks-0123456789"
OLD_KEY = "worthless-key-from-before-the-change-of-keys-00"
AUD = "https://acme.example/hooks"
AZURE_KEY = base64.b64encode(bytes(range(64))).decode()
AZURE_RESOURCE = "/blob/acme/hooks/interviews"


def b64u(data: bytes | str) -> str:
    """base64url without padding."""
    raw = data.encode() if isinstance(data, str) else data
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def jwt(claims: Any = None, header: Any = None, key: str | bytes = KEY, algorithm: str = "sha256", **changes: Any) -> str:
    """A token. Claims and header can be given as JSON text; a change to None removes a claim."""
    if not isinstance(claims, str):
        usual = {"iss": "sondage", "aud": AUD, "iat": EPOCH - 86400, "nbf": EPOCH - 86400, "exp": EPOCH + 86400 * 100}
        kept = (usual if claims is None else claims) | changes
        claims = json.dumps({name: value for name, value in kept.items() if value is not None})
    if not isinstance(header, str):
        header = json.dumps({"alg": "HS256", "typ": "JWT"} | (header or {}))
    signed = f"{b64u(header)}.{b64u(claims)}"
    secret = key.encode() if isinstance(key, str) else key
    return f"{signed}.{b64u(hmac.new(secret, signed.encode(), algorithm).digest())}"


def signed_query(*, key: str = KEY, sig: str | None = None, sign: dict[str, str] | None = None, first: str = "sondage-webhook",
                 **changes: str) -> dict[str, str]:  # fmt: skip
    """The parameters of this library's own profile. `sign`: values to sign that differ from those sent."""
    values = {"sv": "1", "se": "2027-06-01T00:00:00Z", "sr": "webhook", "sp": "d"} | changes
    signed = values | (sign or {})
    text = "\n".join([first, signed["sv"], signed["se"], signed["sr"], signed["sp"]])
    right = b64u(hmac.new(key.encode(), text.encode(), "sha256").digest())
    return values | {"sig": right if sig is None else sig}


def azure_query(*, key: str = AZURE_KEY, resource: str = AZURE_RESOURCE, sig: str | None = None, **changes: str) -> dict[str, str]:
    """The parameters of a shared access signature for a blob, version 2020-12-06 and later."""
    values = {"sv": "2022-11-02", "se": "2027-06-01T00:00:00Z", "sr": "b", "sp": "w"} | changes
    text = "\n".join([values["sp"], "", values["se"], resource, "", "", "", values["sv"], values["sr"], *[""] * 7])
    right = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), "sha256").digest()).decode()
    return values | {"sig": right if sig is None else sig}


def query(values: dict[str, str], *, safe: str = "") -> str:
    return "&".join(f"{name}={quote(value, safe=safe)}" for name, value in values.items())


def event_key(event_type: str, kind: str, identity: str, changed: str) -> str:
    """The key that identifies an event."""
    text = json.dumps([event_type, kind, identity, changed], separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
