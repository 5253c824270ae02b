"""Jobs: updates members from rows, reads a list as a table, and stores documents on disk, on a platform in
this process."""

import tempfile

import polars as pl

import sondage

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()
    panel, survey = box.panel_id, box.feedback_survey_id

    # Update members: first a plan, which changes nothing.
    ada = next(iter(client.members(panel, fields=["Email"])))["Email"]
    rows = pl.DataFrame({"Email": [ada, "nobody@example.com"], "Division": ["Moon", "Moon"]})
    plan = client.plan_update(panel, rows, key="Email")
    print(plan)
    for change in plan.changes:
        print(f"row {change['row']}: {change['field']} becomes {change['new']}")
    print("changed:", len(plan.apply().raise_if_stopped().applied))

    # The bounces of an invitation, as a table for pandas, polars, pyarrow or DuckDB.
    client.invite_members(
        survey_id=survey, panel_id=panel, message_template_id=box.message_template_id, channel="Email"
    )
    bounces = client.table(client.read_bounce_list, survey_id=survey)
    print("bounces:", ", ".join(bounces.columns[:6]))

    # The answers of a survey as PDF documents.
    report = client.archive_answers(survey, folder, locale="de")
    for failed in report.failed:
        print(f"{failed.interview}: {failed.error}")
    print(f"{report.progress.stored} of {report.progress.interviews} documents")
