/** Creates members, counts whom an invitation will reach, and invites them. */
@file:JvmName("InviteMembers")

import kotlinx.coroutines.flow.toList
import sondage.Client
import sondage.SondageException
import sondage.field
import sondage.isEqualTo
import sondage.members
import sondage.newMember

suspend fun main(arguments: Array<String>) {
    val (panel, survey, template) = arguments.map { it.toLong() }
    // On a server the SONDAGE_* environment says how to connect. On a phone: Client(accountUrl, tokenProvider = { ... }).
    Client.configured().use { client ->
        val ada = newMember("Email" to "ada@example.com", "FirstName" to "Ada", "Division" to "Analysis")
        val grace = newMember("Email" to "not an address", "FirstName" to "Grace", "Division" to "Analysis")
        val created = client.createMembers(panel, listOf(ada, grace))
        created.validationIssues.forEach { println("not created: ${it.errorMessage}") }

        val analysts = field("Division") isEqualTo "Analysis"
        val audience = client.members(panel, where = analysts).toList()
        println("will be invited: ${audience.size}")
        try {
            val invitation = client.inviteMembers(survey, panel, template, where = analysts)
            println("invited by distributor ${invitation.distributorId}")
        } catch (unknown: SondageException.OutcomeUnknown) {
            println("perhaps invited. ${unknown.reconcile}")
        }
    }
}
