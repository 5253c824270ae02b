"""A survey from its questionnaire to its links, on a survey platform in this process."""

import sondage
from sondage import questionnaire as ask

with sondage.Sandbox.demo() as box:
    client = box.client()

    # The questionnaire, in two languages.
    back = ask.single_choice(
        "back",
        {"en": "Will you come back?", "de": "Kommen Sie wieder?"},
        {"1": {"en": "Yes", "de": "Ja"}, "2": {"en": "No", "de": "Nein"}},
    )
    no = sondage.field.question("back") == "2"
    why = ask.open_question("why", {"en": "Why not?", "de": "Warum nicht?"}, condition=ask.show_when(no))
    definition = ask.questionnaire(["en", "de"], {"Visit": [back, why]}, end={"en": "Thank you!", "de": "Danke!"})
    survey = client.create_survey(
        workspace_id=box.workspace_id, name="Visitors", survey_definition=definition
    ).survey_id
    assert survey is not None

    # Change it: read, modify, and send back all of it.
    read = client.read_survey(survey_id=survey).survey
    assert read is not None
    changed = read.to_dict()
    changed["sections"][0]["elements"][1]["forceResponse"] = True
    client.update_survey(survey_id=survey, survey_definition=changed)

    # When it is published, it can be answered.
    client.execute_workflow_transition(workflow="SurveyDesign", survey_id=survey, target_state="Published")
    for link in client.read_survey_links(survey_id=survey).anonymous_list:
        print("open to everybody:", link.language)
    for listed in client.read_survey_list(workspace_id=box.workspace_id).surveys:
        print(f"{listed.name}: {listed.status}, {listed.answers} answers")

    client.delete_survey(survey_id=survey)
