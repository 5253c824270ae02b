package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.time.Duration

class ReconcileTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    private suspend fun lost(name: String, action: String): String {
        box.fault("""{"on": "CreateMembers", "action": $action}""")
        val failed = fails<SondageException.OutcomeUnknown> {
            client.createMembers(box.panelId, listOf(newMember("Email" to "$name@kotlin-reconcile.example")))
        }
        assertTrue("`writeId`" in failed.reconcile!! && "$name@" !in failed.toString(), failed.reconcile)
        return failed.writeId!!
    }

    @Test
    fun `what happened is found and what did not can be called again`() = coroutine {
        val done = lost("ada", """{"kind": "cut", "at": "afterEffect"}""")
        val became = client.reconcile(done, createdBy = "${box.tenant}_api")
        assertEquals(Verdict.HAPPENED, became.verdict)
        assertEquals(1, became.ids.size)
        assertTrue(became.attributed && became.missing.isEmpty())
        val refused = lost("bea", """{"kind": "status", "status": 503}""")
        val early = client.reconcile(refused, wait = Duration.ZERO)
        assertEquals(Verdict.STILL_UNKNOWN, early.verdict)
        assertTrue(early.againIn!! > Duration.ofSeconds(170), "${early.againIn}")
        box.blockingClient().use { assertEquals(Verdict.DID_NOT_HAPPEN, it.reconcile(refused, quiet = Duration.ZERO).verdict) }
    }

    @Test
    fun `what nobody can be asked is said`() = coroutine {
        val unknown = fails<SondageException.InvalidArgument> { client.reconcile("elsewhere") }
        assertTrue("knows no write with the id elsewhere" in unknown.message, unknown.message)
    }
}
