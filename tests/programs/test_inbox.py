"""Events that are handled once by workers that share a database of PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import postgres
import psycopg
import pytest
import sondage
from sondage import webhooks

DEADLINE = 300
EXAMPLES = Path(__file__).parents[2] / "examples" / "webhooks"
sys.path.insert(0, str(EXAMPLES))

WORKER = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import psycopg, sondage
from postgres_store import PostgresStore
hook = sondage.webhooks.basic("a", "b")
guard = sondage.webhooks.Guard(store=PostgresStore(sys.argv[2]), lease=2)
with psycopg.connect(sys.argv[2], autocommit=True) as results:
    for number in range(40):
        body = json.dumps({"eventType": "X", "entity": {"id": number}}).encode()
        event = hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)
        with guard.claim(event) as claim:
            if claim.is_new:
                if number == int(sys.argv[3]):
                    os.kill(os.getpid(), 9)  # before it was handled
                results.execute("INSERT INTO handled VALUES (%s)", [number])
                if number == int(sys.argv[4]):
                    results.execute("SELECT pg_sleep(0.5)")  # the others have caught up
"""


def test_four_workers_handle_each_event_once(tmp_path: Path) -> None:
    """Two of them are killed with an event in their hands. Then the server is away, and a delivery is refused until it is back."""
    from postgres_store import PostgresStore

    with postgres.server(tmp_path) as address:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE TABLE handled (number integer)")
        run = [sys.executable, "-P", "-c", WORKER, str(EXAMPLES), address]
        victims = [("10", "2"), ("20", "15"), ("-1", "25"), ("-1", "30")]
        workers = [subprocess.Popen([*run, victim, slow]) for victim, slow in victims]
        ends = [worker.wait(DEADLINE) for worker in workers]
        assert ends[2:] == [0, 0] and set(ends[:2]) <= {0, -9}
        time.sleep(2.1)  # the leases of the killed ones end
        assert subprocess.run([*run, "-1", "-1"], timeout=DEADLINE).returncode == 0
        with psycopg.connect(address) as connection:
            numbers = Counter(number for (number,) in connection.execute("SELECT number FROM handled"))
        assert numbers == Counter(range(40))
        store = PostgresStore(address)
        guard = webhooks.Guard(store=store)
        assert len(guard.keys()) == 40 and guard.prune(30) == 0
        assert store.claim(["a"], "first", 60) == "new"
        assert store.claim(["a", "b"], "second", 60) == "busy"
        assert store.claim(["b"], "third", 60) == "new", "the second has claimed nothing"
        store.release(["a"], "third")
        assert store.claim(["a"], "fourth", 60) == "busy", "it belongs to the first"
        assert guard.prune(0) == 40
    hook = webhooks.basic("a", "b")
    event = hook.verify(url="/", headers={"Authorization": hook.security_token}, body=b'{"eventType": "X"}')
    with pytest.raises(sondage.ConfigurationError, match="store of events PostgresStore cannot be used") as raised:
        guard.claim(event)
    assert isinstance(raised.value.__cause__, psycopg.OperationalError)


def test_a_receiver_refuses_deliveries_while_the_database_is_down(tmp_path: Path) -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from postgres_store import PostgresStore

    hook = webhooks.basic("a", "b")
    handled: list[webhooks.Event] = []
    body = b'{"eventType": "X", "entity": {"id": 1}}'
    with postgres.server(tmp_path) as address:
        guard = webhooks.Guard(store=PostgresStore(address))
        app = FastAPI()
        app.include_router(webhooks.router(hook, handled.append, guard=guard))
        sender = TestClient(app, headers={"Authorization": hook.security_token})
        assert [sender.post("/hooks", content=body).status_code for _ in range(2)] == [204, 204] and len(handled) == 1
    assert sender.post("/hooks", content=body).status_code == 503 and len(handled) == 1
