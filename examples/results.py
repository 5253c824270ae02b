"""Counts answers, and shows them: on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    interviews = client.interviews(box.survey_id)

    # One question. Only its column is downloaded.
    print(interviews.frequencies("vote"))

    # One question by another; as text, as data, and as a picture.
    crosstab = interviews.crosstab("vote", by="PID", show=["col%"])
    print(crosstab)
    print(f"{crosstab.base} of {crosstab.rows} rows, {len(crosstab.cells)} cells, {crosstab.to_svg()[:4]}..>")

    # Who answered an invitation, by language.
    print(client.field_report(box.feedback_survey_id, by="Language"))

    # Interviews that may not be worth counting.
    quality = client.interviews(box.survey_id).quality(speeder_percent=30)
    for check in quality.checks:
        print(f"{check.name}: {check.marked} of {check.examined}")
