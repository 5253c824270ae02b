"""Reads interviews, downloads a document, and resets and deletes an interview, on a survey platform in this
process."""

import urllib.request

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    survey = box.feedback_survey_id

    # The completed interviews, and those whose respondents would recommend it.
    complete = client.interviews(survey, fields=["Id", "nps"]).completed()
    fans = complete.where(sondage.field.question("nps") > 8).table()
    first = next(iter(fans))["Id"]

    # One interview, with all its data.
    interview = client.read_interview(survey_id=survey, interview_id=first, load_survey_definition=True)
    print(interview.response_data["State"], interview.response_data["nps"])

    # Its document. The link expires after a while: store the document, not the link.
    link = client.download_answers(survey_id=survey, interview_id=first, locale="de").download_url
    assert link is not None
    with urllib.request.urlopen(link) as answer:
        document = answer.read()
    print(document[:4].decode(), "of an interview" if len(document) > 500 else "of nothing")

    # Reset: the answers are deleted, and the person can answer again.
    client.reset_interview(survey_id=survey, interview_id=first)
    again = client.read_interview(survey_id=survey, interview_id=first)
    print(again.response_data["State"], again.response_data["nps"])

    # Delete: the interview no longer exists.
    client.delete_interview(survey_id=survey, interview_id=first)
