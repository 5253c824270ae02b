// Moves a survey through its states, and creates artifacts, on a survey platform in this process.
@file:JvmName("Workflows")

import kotlinx.coroutines.runBlocking
import sondage.SondageException
import sondage.WorkflowType
import sondage.testing.Sandbox

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()
        val survey = box.feedbackSurveyId

        // The current state, and the transitions from it.
        val state = checkNotNull(client.readSurvey(survey).surveyState)
        println("it is $state")
        client.readWorkflowTransitions(WorkflowType.SurveyDesign, state).transitions.forEach {
            println("${it.name} makes it ${it.newState}")
        }

        // There.
        client.executeWorkflowTransition(WorkflowType.SurveyDesign, targetState = "Closed", surveyId = survey)
        println("it is ${client.readSurvey(survey).surveyState}")

        // A transition that does not exist is refused.
        try {
            client.executeWorkflowTransition(WorkflowType.SurveyDesign, targetState = "Draft", surveyId = survey)
        } catch (refused: SondageException.Api) {
            println(refused.errorCode)
        }

        // Artifacts: names in folders of a workspace. What the service lists is JSON, because its format is not published.
        client.createArtifact(box.workspaceId, path = "logos/2024")
        val listed = client.readArtifactList(box.workspaceId).extra.getValue("artifacts")
        println("artifacts: ${listed.split("\"path\":").drop(1).map { it.split('"')[1] }}")
        client.deleteArtifact(box.workspaceId, path = "logos/2024")
    }
}
