"""The cells of the campaign through the Python client: half of them blocking, half with asyncio.

`cargo xtask test campaign` runs it next to the hostile service, which hands out the cells and judges the
reports.
"""

from __future__ import annotations

import asyncio
import json
import os
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sondage

CONTROL = os.environ["CAMPAIGN_CONTROL"]
AT_ONCE = 16
# A proxy from the environment would not reach this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with OPENER.open(urllib.request.Request(f"{CONTROL}/{path}", data=data), timeout=120) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def settings(cell: dict[str, Any]) -> dict[str, Any]:
    given = {
        "tenant": "acme",
        "base_url": cell["baseUrl"],
        "auth_url": cell["baseUrl"],
        "token": cell["token"],
        "retry_attempts": cell["attempts"],
        "retry_base": cell["retryBaseMs"] / 1000,
        "retry_cap": cell["retryCapMs"] / 1000,
        "retry_after_cap": cell["retryAfterCapMs"] / 1000,
        "deadline": cell["deadlineMs"] / 1000,
        "answer_bytes": cell["answerBytes"],
    }
    given.update({name: cell[key] for name, key in (("proxy", "proxy"), ("ca_file", "caFile")) if cell[key]})
    return given


def arguments(cell: dict[str, Any]) -> tuple[str, dict[str, str]]:
    return cell["path"], {"text": "x" * (cell["size"] - len('{"text":""}'))}


def success(answer: Any) -> dict[str, Any]:
    return {"echo": answer.get("echo") if isinstance(answer, dict) else None}


def failure(error: sondage.SondageError) -> dict[str, Any]:
    return {
        "kind": type(error).__name__,
        "delivery": error.delivery,
        "safeToRetry": error.safe_to_retry,
        "attempts": error.attempts,
        "status": error.status,
        "errorCode": error.error_code,
        "retryAfter": error.retry_after,
        "message": str(error),
    }


def blocking(cell: dict[str, Any]) -> dict[str, Any]:
    try:
        client = sondage.Client(**settings(cell))
        return success(client.raw(*arguments(cell), effect=cell["effect"]))
    except sondage.SondageError as error:
        return failure(error)


async def waiting(cell: dict[str, Any]) -> dict[str, Any]:
    try:
        client = sondage.AsyncClient(**settings(cell))
        return success(await client.raw(*arguments(cell), effect=cell["effect"]))
    except sondage.SondageError as error:
        return failure(error)


def one(cell: dict[str, Any], number: int) -> dict[str, Any]:
    return blocking(cell) if number % 2 == 0 else asyncio.run(waiting(cell))


def others(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that follow the first one, all at once, each by a client of its own."""
    with ThreadPoolExecutor(len(cell["others"])) as pool:
        return list(pool.map(one, [{**cell, "path": path} for path in cell["others"]], range(len(cell["others"]))))


def work(number: int) -> None:
    while cell := ask("next"):
        report = one(cell, number)
        if cell["others"]:
            report["others"] = others(cell)
        ask(f"report-{cell['id']}", report)


if __name__ == "__main__":
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(work, range(AT_ONCE)))
