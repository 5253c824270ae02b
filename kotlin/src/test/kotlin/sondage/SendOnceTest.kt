package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Duration

class SendOnceTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    private fun person(name: String) = listOf(newMember("Email" to "$name@kotlin-once.example"))

    @Test
    fun `a second call gets what the first one made`(@TempDir folder: Path) = coroutine {
        val once = client.sendOnce("people", folder.toString(), quiet = Duration.ZERO, createdBy = "${box.tenant}_api")
        box.fault("""{"on": "CreateMembers", "action": {"kind": "cut", "at": "afterEffect"}}""")
        val lost = fails<SondageException.OutcomeUnknown> { once.createMembers(box.panelId, person("ada")) }
        assertTrue("the same key again" in lost.reconcile!!, lost.reconcile)
        val found = once.createMembers(box.panelId, person("ada")).membersIds
        assertEquals(1, found.filterNotNull().size)
        box.blockingClient().use {
            assertEquals(found, it.sendOnce("people", folder.toString()).createMembers(box.panelId, person("ada")).membersIds)
        }
        val other = fails<SondageException.InvalidArgument> { once.createMembers(box.panelId, person("bea")) }
        assertTrue("another request was sent before" in other.message, other.message)
    }
}
