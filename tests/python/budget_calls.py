"""Makes calls as one of several processes that share a budget: `cargo xtask jobs` runs it. Ends when the
budget is spent."""

import sys

import sondage

panel, calls = map(int, sys.argv[1:])

with sondage.Client() as client:
    try:
        for _ in range(calls):
            client.read_panel(panel_id=panel)
    except sondage.BudgetSpent as spent:
        print(spent)
