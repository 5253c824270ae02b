// Creates members, plans an invitation, and sends it to exactly the planned members.
@file:JvmName("InviteMembers")

import sondage.Client
import sondage.field
import sondage.newMember

suspend fun main(arguments: Array<String>) {
    val (panel, survey, template) = arguments.map { it.toLong() }
    // On a server the connection settings come from the environment (SONDAGE_*). On a phone:
    // Client(accountUrl, tokenProvider = { ... }).
    Client.configured().use { client ->
        val ada = newMember("Email" to "ada@example.com", "FirstName" to "Ada", "Division" to "Analysis")
        val grace = newMember("Email" to "not an address", "FirstName" to "Grace", "Division" to "Analysis")
        val created = client.createMembers(panel, listOf(ada, grace))
        created.validationIssues.forEach { println("not created: ${it.errorMessage}") }

        val analysts = field("Division") isEqualTo "Analysis"
        val plan = client.planInvite(survey, panel, template, where = analysts)
        println("will be invited: ${plan.facts().members.size}")
        val report = plan.run(confirm = plan.facts().token)
        when (val stopped = report.stopped) {
            null -> println("invited by distributor ${report.distributorId}")
            else -> println("perhaps invited. ${stopped.reconcile}")
        }
    }
}
