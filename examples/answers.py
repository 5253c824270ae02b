"""Reads members, and answers with their labels. On a survey platform in this process, so it needs no account."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()  # with an account: sondage.Client("https://acme.survalyzer-eu.app", client_secret="...")

    scientists = client.members(box.panel_id, where=sondage.field("Division") == "Research")
    print("scientists:", scientists.count())

    answers = client.interviews(box.survey_id, fields=["age", "vote"]).completed().to_pandas(labels=True)
    print(answers.groupby("vote", observed=True)["age"].agg(["count", "mean"]).round(1))
