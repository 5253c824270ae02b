"""The day's budget: what is used, what is left, and a stop at the limit. On a platform in this process."""

import logging
import sys

import sondage

logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message).45s")

with sondage.Sandbox.demo() as box:
    # Calls to a sandbox are not counted by default; `budget_loopback` counts them. A limit of 10 calls stands
    # for the 500 of a real day.
    client = box.client(budget="stop", budget_calls=10, budget_loopback=True)

    client.read_panel(panel_id=box.panel_id)
    used = client.budget()
    print(f"{used.calls} of {used.calls_limit} calls are used, {used.calls_left} are left")

    try:
        while True:
            client.read_panel(panel_id=box.panel_id)
    except sondage.BudgetSpent as spent:
        print(str(spent).split(". ")[0])
    print("arrived:", len(box.ledger.requests("ReadPanel")))
