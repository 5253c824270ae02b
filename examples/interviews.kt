// Reads interviews, downloads a document, and resets and deletes an interview, on a survey platform in this process.
@file:JvmName("Interviews")

import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import sondage.column
import sondage.number
import sondage.question
import sondage.testing.Sandbox
import sondage.text
import java.net.URI

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()
        val survey = box.feedbackSurveyId

        // The completed interviews whose respondents would recommend it: a row for each, with the values of some columns.
        val fans = (column("State") isEqualTo "Completed") and (question("nps") isGreaterThan 8)
        val row = client.interviewsCompact(survey, fieldsToDownload = listOf("Id", "nps"), where = fans).first()
        val id = checkNotNull(row.getValue("Id").text)

        // One interview, with all its data.
        val interview = client.readInterview(id, survey, loadSurveyDefinition = true)
        println("${interview.responseData["State"]?.text} ${interview.responseData["nps"]?.number}")

        // Its document. The link expires after a while: store the document, not the link.
        val link = checkNotNull(client.downloadAnswers(survey, id, locale = "de").downloadUrl)
        val document = URI(link.reveal()).toURL().readBytes()
        println("${String(document, 0, 4)} ${if (document.size > 500) "of an interview" else "of nothing"}")

        // Reset: the answers are deleted, and the person can answer again.
        client.resetInterview(survey, id)
        val again = client.readInterview(id, survey)
        println("${again.responseData["State"]?.text} ${again.responseData["nps"]?.number ?: "without an answer"}")

        // Delete: the interview no longer exists.
        client.deleteInterview(survey, id)
    }
}
