"""What the jobs of an account cost: the pages that they read, and little more. `SONDAGE_DAYS=7` simulates a week."""

from __future__ import annotations

import os
from collections import Counter
from itertools import count
from pathlib import Path

import sondage

DAYS = int(os.environ.get("SONDAGE_DAYS", "1"))
MOST = 1.10 if DAYS >= 7 else 1.13
"""Calls for each page that is read. On the first day nothing is known of the service yet."""

MEMBERS = 1500


class Account:
    """The jobs, each with a client of its own, as a process that starts with the facts of those before."""

    def __init__(self, box: sondage.Sandbox, folder: Path) -> None:
        self.box, self.folder = box, folder
        waves = sorted(box.survey_ids.values())
        # Five loads an hour: one survey has two queries.
        self.loads = [box.survey_id, box.feedback_survey_id, *waves, box.survey_id]
        self.people = count()

    def client(self) -> sondage.Client:
        # Budgets on "warn" are the default. Lists are drawn for a sample as on a service elsewhere.
        return self.box.client(facts_folder=self.folder / "facts", budget_loopback=True, facts_sample=20)

    def sync(self) -> None:
        for number, survey in enumerate(self.loads):
            fields = ["Id", "State"] if number < 4 else ["Id"]
            with self.client().interviews(survey, fields=fields).delta(self.folder / f"{number}.state") as changes:
                assert changes is not None

    def show(self) -> None:
        client, box = self.client(), self.box
        assert list(client.pages(client.read_workspace_list))
        assert list(client.pages(client.read_survey_list, workspace_id=box.workspace_id))
        assert list(client.pages(client.read_message_template_list, language="en"))
        assert list(client.pages(client.read_distributor_list, panel_id=box.panel_id)) is not None
        assert len(client.members(box.panel_id, fields=["Email"]).table()) >= MEMBERS
        assert len(client.interviews(box.feedback_survey_id, fields=["Id", "State"]).table()) == 60

    def bring(self) -> None:
        rows = [{"Email": f"person{next(self.people)}@import.example"} for _ in range(30)]
        assert self.client().import_members(self.box.panel_id, rows, key="Email").complete

    def invite(self) -> None:
        client, box = self.client(), self.box
        plan = client.plan_invite(
            survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id, again=True, cap=5
        )
        report = plan.run(confirm=plan.token)
        assert report.complete and report.distributor_id is not None
        reminder = self.client().plan_remind(distributor_id=report.distributor_id, message_template_id=box.message_template_id)
        assert reminder.run(confirm=reminder.token).complete


def test_jobs_cost_little_more_than_the_pages_that_they_read(tmp_path: Path) -> None:
    with sondage.Sandbox(content="waves", extra_members=MEMBERS - 200) as box:
        account = Account(box, tmp_path)
        account.invite()
        box.ledger.clear()
        for quarter in range(DAYS * 24 * 4):
            hour, quarter = divmod(quarter, 4)
            account.show()
            if quarter == 0:
                account.sync()
            if quarter == 1 and hour % 24 == 2:
                account.bring()
            if quarter == 2 and hour % 24 in (9, 15):
                account.invite()
            box.clock.advance(15 * 60)
        arrivals = [arrival for arrival in box.ledger.requests() if arrival.operation != "token"]
    checks = Counter(arrival.operation for arrival in arrivals if arrival.purpose)
    pages = len(arrivals) - checks.total()
    print(f"{DAYS} days: {len(arrivals)} calls, {pages} of them for pages and writes; checks: {checks.most_common()}")
    assert pages > 600 * DAYS and len(arrivals) <= MOST * pages
