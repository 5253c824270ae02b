"""Reads interviews as tables, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    interviews = client.interviews(box.survey_id, fields=["age", "PID", "vote"]).completed().table()

    people = interviews.with_labels().to_pandas()
    print(people.groupby("vote", observed=True)["age"].agg(["count", "mean"]).round(1))

    codes = interviews.to_polars()
    print(codes["vote"].value_counts().sort("vote"))

    print(interviews.codebook())
