"""Exports a survey to a file, loads changes, reads lazily, and creates members from a frame, on a survey
platform in this process."""

import tempfile
from pathlib import Path

import polars as pl

import sondage

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client, home = box.client(), Path(folder)
    survey = client.interviews(box.survey_id, fields=["age", "PID", "vote"], page_size=500)

    cost = survey.estimate()
    print(f"about {cost.rows} interviews in {cost.calls} calls")
    done = survey.to_parquet(home / "survey.parquet", labels="both")
    print(f"{done.rows} interviews in {done.progress.calls} calls")

    with survey.delta(home / "survey.state") as new:
        new.to_csv(home / "new.csv")  # what is done here decides whether these count as loaded
        print(f"new: {len(new)}")
    with survey.delta(home / "survey.state") as new:
        print(f"new: {len(new)}")

    # Multiple choice as lists, times in the readers' time zone: views, which cost no download.
    feedback = client.interviews(box.feedback_survey_id, fields=["topics_1", "topics_2", "StartDate"]).table()
    shown = feedback.with_lists().with_labels().in_time_zone("Europe/Zurich").to_polars()
    print(f"a list of topics: {shown['topics'].drop_nulls()[0].to_list()}")

    older = survey.scan_polars().filter(pl.col("age") >= 60).select("vote")
    print(f"60 or older: {older.collect().height}")

    people = pl.DataFrame({"Email": ["ada@example.com", "grace@example.com"], "FirstName": ["Ada", "Grace"]})
    print(f"created: {client.create_members_from(box.panel_id, people).created}")
