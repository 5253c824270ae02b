// `cargo xtask demo kotlin`: uses a survey platform in another process, and shows what the library does with
// it.
@file:JvmName("Demo")

import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.FieldValue
import sondage.column
import sondage.field
import sondage.get
import sondage.newMember
import sondage.number
import sondage.text
import kotlin.math.roundToInt

fun main(arguments: Array<String>) = runBlocking<Unit> {
    val (panel, survey, template) = arguments.map { it.toLong() }
    Client.configured().use { client ->
        val workspace = client.readWorkspaceList().workspaces.first()
        println("Logged in with a client secret. Workspace: ${workspace.name}")
        importMembers(client, panel)
        inviteMembers(client, panel, survey, template)
        showInterviews(client, survey)
    }
}

private suspend fun importMembers(client: Client, panel: Long) {
    println("\nImport members. The platform checks them as it would in its own pages:")
    val people = listOf(
        Triple("Ada", "ada@example.com", "en"),
        Triple("Jürg", "juerg@example.com", "de"),
        Triple("Zoë", "no address", "fr"),
    )
    val members = people.map { (name, email, language) ->
        newMember("FirstName" to name, "Email" to email, "Language" to language, "Division" to "Research")
    }
    val created = client.createMembers(panel, members)
    for ((person, id) in people.zip(created.membersIds)) {
        println("  ${person.first.padEnd(6)}${person.second.padEnd(20)}${if (id == null || id == 0L) "not created" else "member $id"}")
    }
    created.validationIssues.forEach { println("  The platform says: ${it.errorMessage}") }
}

private suspend fun inviteMembers(client: Client, panel: Long, survey: Long, template: Long) {
    println("\nInvite some of them, by a condition. First count whom it reaches:")
    val condition = (field("Division") isEqualTo "Research") and (field("Language") isIn listOf("de", "fr"))
    val audience = client.members(panel, conditions = condition.conditions()).toList()
    println("  ${audience.size} of the panel's members, ${audience.last()["FirstName"]?.text} among them")
    val invited = client.inviteMembers(survey, panel, template, conditions = condition.conditions())
    println("  Distributor ${invited.distributorId} carries the messages; who has opted out or has no address gets none.")
}

private suspend fun showInterviews(client: Client, survey: Long) {
    val columns = listOf("selfLR", "PID", "age", "educ", "vote")
    val codePlan = client.readInterviewListCompact(survey, fieldsToDownload = columns, loadCodePlan = true).codePlan
    val labels = codePlan.associate { question -> question.code to question.values.associate { it.id to it.value?.text } }
    val completed = (column("State") isEqualTo "Completed").conditions()
    val interviews = client.interviewsCompact(survey, fieldsToDownload = columns, conditions = completed).toList()
    val rows = interviews.map { answers -> columns.associateWith { label(answers[it], labels[it].orEmpty()) } }
    println("\nRead the American National Election Study of 1996: ${rows.size} interviews, with labels.")
    for (row in listOf(columns.associateWith { it }) + rows.take(8)) {
        println(row.values.joinToString("") { "  ${it.take(22).padEnd(22)}" })
    }
    println("\nExpected vote by party:")
    for (party in labels["PID"].orEmpty().values) {
        val (clinton, dole) = listOf("Clinton", "Dole").map { name -> rows.count { it["PID"] == party && it["vote"] == name } }
        val bar = "█".repeat((30.0 * clinton / (clinton + dole)).roundToInt())
        println("  ${party?.padEnd(23)} ${"$clinton".padStart(3)} Clinton ${bar.padEnd(30, '░')} Dole ${"$dole".padStart(3)}")
    }
}

/** The label of an answer, from the code plan. */
private fun label(answer: FieldValue?, labels: Map<String?, String?>): String {
    val code = answer?.text ?: answer?.number?.toString() ?: ""
    return labels[code] ?: code
}
