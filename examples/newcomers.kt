// Creates people from rows and invites them by one call, on a survey platform in this process.
@file:JvmName("Newcomers")

import kotlinx.coroutines.runBlocking
import sondage.row
import sondage.testing.Sandbox
import sondage.word

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()
        val people =
            listOf(
                row("Email" to "ada@example.com", "FirstName" to "Ada", "Language" to "en"),
                row("Email" to "", "FirstName" to "Zoe", "Language" to "de"),
                row("Email" to "bea@example.com", "FirstName" to "Bea", "Language" to "de"),
                row("Email" to "bea@example.com", "FirstName" to "Beatrice", "Language" to "de"),
            )

        // Rows that share a key are refused, and nobody without an address is invited.
        val plan =
            client.planCreateAndInvite(box.surveyId, box.panelId, box.messageTemplateId, "Email", rows = people)
        val facts = plan.facts()
        println(facts.text.lines().first())
        facts.rowsLeftOut.forEach { println("row ${it.row}: ${it.reason.word}") }

        val report = plan.run(confirm = facts.token)
        report.stopped?.let { throw it }
        println("${report.done} was created and invited")
    }
}
