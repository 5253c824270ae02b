package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.file.Files

class PersonsTest {
    private val box = Sandbox.shared
    private val email = "Kotlin.Personne@example.com"

    @Test
    fun `what is held is exported and erased`() = coroutine {
        val folder = Files.createTempDirectory("sondage-persons")
        val receipt = folder.resolve("receipt.json")
        val panels = listOf(box.panelId)
        box.client().use { client ->
            client.createMembers(box.panelId, listOf(newMember("Email" to email, "FirstName" to "Zebulonia")))
            assertTrue(client.planExportPerson(panels, "Email", email).calls > 3)
            val export = client.exportPerson(panels, "Email", email, folder = folder.resolve("ada").toString())
            assertEquals(listOf("manifest.json", "person.json"), export.files.sorted())
            val files = listOf(folder.resolve("ada").toString())
            val plan = client.planErasePerson(panels, "Email", email, keepInterviews = false, files = files)
            assertEquals(listOf("file", "member"), plan.steps.filter { it.outcome == StepOutcome.PLANNED }.map { it.what })
            val refused = fails<SondageException.InvalidArgument> {
                client.erasePerson(panels, "Email", email, false, receipt.toString(), "yes", files = files)
            }
            assertTrue("does not confirm" in refused.message, refused.message)
            val done = client.erasePerson(panels, "Email", email, false, receipt.toString(), plan.token, files = files)
            assertEquals(2L, done.erased)
            assertFalse(email in Files.readString(receipt))
        }
        box.blockingClient().use { blocking ->
            fails<SondageException.InvalidArgument> { blocking.planErasePerson(panels, "Email", email, keepInterviews = true) }
        }
        folder.toFile().deleteRecursively()
    }
}
