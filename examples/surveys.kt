// A survey from its questionnaire to its links, on a survey platform in this process.
@file:JvmName("Surveys")

import kotlinx.coroutines.runBlocking
import sondage.WorkflowType
import sondage.ask
import sondage.question
import sondage.testing.Sandbox

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()

        // The questionnaire, in two languages.
        val yes = ask.choice("1", mapOf("en" to "Yes", "de" to "Ja"))
        val no = ask.choice("2", mapOf("en" to "No", "de" to "Nein"))
        val back = ask.singleChoice("back", mapOf("en" to "Will you come back?", "de" to "Kommen Sie wieder?"), listOf(yes, no))
        val why = ask.openQuestion("why", mapOf("en" to "Why not?", "de" to "Warum nicht?"))
            .copy(condition = ask.showWhen(question("back") isEqualTo "2"))
        val visit = ask.section("Visit", listOf(back, why))
        val end = mapOf("en" to "Thank you!", "de" to "Danke!")
        val definition = ask.questionnaire(listOf("en", "de"), listOf(visit), end)
        val survey = checkNotNull(client.createSurvey(box.workspaceId, "Visitors", definition).surveyId)

        // Change it: read, modify, and send back all of it.
        val read = checkNotNull(client.readSurvey(survey).survey)
        val sections = read.sections.map { section ->
            val elements = section.elements.mapIndexed { place, element -> if (place == 1) element.copy(forceResponse = true) else element }
            section.copy(elements = elements)
        }
        client.updateSurvey(survey, read.copy(sections = sections))

        // When it is published, it can be answered.
        client.executeWorkflowTransition(WorkflowType.SurveyDesign, targetState = "Published", surveyId = survey)
        client.readSurveyLinks(survey).anonymousList.forEach { println("open to everybody: ${it.language}") }
        client.readSurveyList(box.workspaceId).surveys.forEach { println("${it.name}: ${it.status}, ${it.answers} answers") }

        client.deleteSurvey(survey)
    }
}
