"""Moves a survey through its states, and creates artifacts, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    survey = box.feedback_survey_id

    # The current state, and the transitions from it.
    state = client.read_survey(survey_id=survey).survey_state
    assert state is not None
    print("it is", state)
    for way in client.read_workflow_transitions(workflow="SurveyDesign", current_state=state).transitions:
        print(f"{way.name} makes it {way.new_state}")

    # There.
    client.execute_workflow_transition(workflow="SurveyDesign", survey_id=survey, target_state="Closed")
    print("it is", client.read_survey(survey_id=survey).survey_state)

    # A transition that does not exist is refused.
    try:
        client.execute_workflow_transition(workflow="SurveyDesign", survey_id=survey, target_state="Draft")
    except sondage.ApiError as error:
        print(error.error_code)

    # Artifacts: names in folders of a workspace.
    client.create_artifact(workspace_id=box.workspace_id, path="logos/2024")
    listed = client.read_artifact_list(workspace_id=box.workspace_id)
    print("artifacts:", [artifact["path"] for artifact in listed.extra["artifacts"]])
    client.delete_artifact(workspace_id=box.workspace_id, path="logos/2024")
