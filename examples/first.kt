// Creates members and finds one of them, on a survey platform in this process.
@file:JvmName("First")

import kotlinx.coroutines.runBlocking
import sondage.field
import sondage.get
import sondage.newMember
import sondage.testing.Sandbox
import sondage.text

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()

        val created =
            client.createMembers(
                panelId = box.panelId,
                members =
                listOf(
                    newMember("Email" to "ada@example.com", "FirstName" to "Ada", "Division" to "Research"),
                    newMember("Email" to "not an address", "FirstName" to "Grace", "Division" to "Research"),
                ),
            )
        created.validationIssues.forEach { println("not created: ${it.errorMessage}") }

        val research = field("Division") isEqualTo "Research"
        val ada = field("FirstName") isEqualTo "Ada"
        client.members(box.panelId, where = research and ada).collect { member ->
            println("found: ${member["FirstName"]?.text} ${member["Email"]?.text}")
        }
    }
}
