/** `cargo xtask demo kotlin`: a survey platform beside this process, and what the library does with it. */
@file:JvmName("Demo")

import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.Condition
import sondage.ConditionOperator
import sondage.ConditionType
import sondage.Conjunction
import sondage.FieldValue
import sondage.get
import sondage.interviewsCompact
import sondage.members
import sondage.newMember
import sondage.text

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
    val people = listOf("Ada" to "ada@example.com", "Jürg" to "juerg@example.com", "Zoë" to "no address")
    val members = people.map { (name, email) -> newMember("FirstName" to name, "Email" to email, "Division" to "Analysis") }
    val created = client.createMembers(panel, members)
    for ((person, id) in people.zip(created.membersIds)) {
        println("  ${person.first.padEnd(6)}${person.second.padEnd(20)}${id?.takeIf { it != 0L }?.let { "member $it" } ?: "not created"}")
    }
    created.validationIssues.forEach { println("  The platform says: ${it.errorMessage}") }
}

private suspend fun inviteMembers(client: Client, panel: Long, survey: Long, template: Long) {
    println("\nInvite some of them, by a condition. First count whom it reaches:")
    val analysts = listOf(Condition(Conjunction.And, ConditionType.Panel, "Division", ConditionOperator.IsEqualTo, "Analysis"))
    val audience = client.members(panel, conditions = analysts).toList()
    println("  ${audience.size} of the panel's members, ${audience.last()["FirstName"]?.text} among them")
    val invited = client.inviteMembers(survey, panel, template, conditions = analysts)
    println("  Distributor ${invited.distributorId} carries the messages.")
}

private suspend fun showInterviews(client: Client, survey: Long) {
    val columns = listOf("age", "educ", "PID", "vote")
    val codes = client.readInterviewListCompact(survey, fieldsToDownload = columns, loadCodePlan = true).codePlan
    val labels = codes.associate { entry -> entry.code to entry.values.associate { it.id to it.value?.text } }
    println("\nRead the American National Election Study of 1996, with labels from its code plan:")
    println(columns.joinToString("") { "  ${it.padEnd(24)}" })
    client.interviewsCompact(survey, fieldsToDownload = columns).take(8).collect { interview ->
        println(columns.joinToString("") { "  ${label(interview[it], labels[it].orEmpty()).take(22).padEnd(24)}" })
    }
}

private fun label(value: FieldValue?, labels: Map<String?, String?>): String {
    val code = when (value) {
        is FieldValue.Int -> value.value.toString()
        is FieldValue.Float -> value.value.toString()
        is FieldValue.Text -> value.value
        else -> ""
    }
    return labels[code] ?: code
}
