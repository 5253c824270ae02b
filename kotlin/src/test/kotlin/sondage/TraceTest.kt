package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class TraceTest {
    private val box = Sandbox.shared

    @Test
    fun `what a client does is told`() = coroutine {
        val settings = Settings(baseUrl = box.baseUrl, authUrl = box.authUrl, traceEntries = 100)
        Client(box.accountUrl, { box.token() }, settings = settings).use { client ->
            client.readPanel(box.panelId)
            val told = client.trace()
            assertEquals(listOf(TraceKind.TOKEN, TraceKind.ATTEMPT, TraceKind.CALL), told.entries.map { it.kind })
            val (attempt, call) = told.entries.drop(1)
            assertEquals(listOf("ReadPanel", 200L, 1L), listOf(call.operation, call.status, call.attempts))
            assertTrue(attempt.callId == call.callId && attempt.received > 0, "$told")
            assertTrue(client.trace(after = told.next).entries.isEmpty())
        }
        box.client().use { client ->
            val error = fails<SondageException.InvalidArgument> { client.trace() }
            assertTrue("`traceEntries`" in error.message, error.message)
        }
    }
}
