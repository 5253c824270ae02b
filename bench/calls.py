"""Small calls: `calls.py WAY PORT CALLS AT_ONCE` prints the CPU seconds of one call."""

import asyncio
import json
import sys
import time

from service import ASKED, HEADERS, PANEL, address, settings


def each(call, calls):
    """CPU time of a call, with one call at a time."""
    for _ in range(20):
        call()
    began = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - began) / calls


async def together(call, calls, concurrency):
    """CPU time of a call, with this many concurrent calls."""

    async def some(count):
        for _ in range(count):
            await call()

    await asyncio.gather(*(some(5) for _ in range(concurrency)))
    began = time.process_time()
    await asyncio.gather(*(some(calls // concurrency) for _ in range(concurrency)))
    return (time.process_time() - began) / (calls // concurrency * concurrency)


def sondage_blocking(port, calls, _):
    import sondage

    client = sondage.Client(**settings(port))
    return each(lambda: client.read_panel(panel_id=1).panel.groups, calls)


def sondage_counted(port, calls, _):
    """With the daily count in a file, which processes share."""
    import tempfile

    import sondage

    with tempfile.TemporaryDirectory() as folder:
        client = sondage.Client(**settings(port), budget_folder=folder, budget_loopback=True, budget_calls=1_000_000_000)
        cost = each(lambda: client.read_panel(panel_id=1).panel.groups, calls)
        assert client.budget().calls == calls + 20
    return cost


def requests_blocking(port, calls, _):
    import requests

    session = requests.Session()
    session.headers.update(HEADERS)
    return each(lambda: session.post(address(port) + PANEL, data=ASKED).json()["panel"]["groups"], calls)


def httpx_blocking(port, calls, _):
    import httpx

    with httpx.Client(headers=HEADERS) as client:
        return each(lambda: client.post(address(port) + PANEL, content=ASKED).json()["panel"]["groups"], calls)


async def sondage_async(port, calls, concurrency):
    import sondage

    client = sondage.AsyncClient(**settings(port))

    async def call():
        return (await client.read_panel(panel_id=1)).panel.groups

    return await together(call, calls, concurrency)


async def aiohttp_async(port, calls, concurrency):
    import aiohttp

    async with aiohttp.ClientSession(headers=HEADERS) as session:

        async def call():
            async with session.post(address(port) + PANEL, data=ASKED) as answer:
                return json.loads(await answer.read())["panel"]["groups"]

        return await together(call, calls, concurrency)


async def httpx_async(port, calls, concurrency):
    import httpx

    async with httpx.AsyncClient(headers=HEADERS) as client:

        async def call():
            return (await client.post(address(port) + PANEL, content=ASKED)).json()["panel"]["groups"]

        return await together(call, calls, concurrency)


WAYS = {
    "sondage": sondage_blocking,
    "sondage, counted": sondage_counted,
    "requests": requests_blocking,
    "httpx": httpx_blocking,
    "sondage, async": sondage_async,
    "aiohttp": aiohttp_async,
    "httpx, async": httpx_async,
}


def main():
    way, port, calls, concurrency = sys.argv[1:]
    cost = WAYS[way](port, int(calls), int(concurrency))
    print(asyncio.run(cost) if asyncio.iscoroutine(cost) else cost)


main()
