package sondage

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.time.Duration

class CancellationTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    @Test
    fun `a call of a cancelled coroutine is never sent`() = coroutine {
        box.client().use { client ->
            client.readPanel(box.panelId) // the token is available, so the next call is sent without delay
            repeat(50) {
                launch {
                    coroutineContext[kotlinx.coroutines.Job]!!.cancel()
                    client.createMembers(box.panelId, listOf(newMember("Email" to "never@example.com")))
                }.join()
            }
            assertTrue(box.requests("CreateMembers").isEmpty() && client.pendingWrites().isEmpty())
        }
    }

    @Test
    fun `cancelling a read hangs up`() = coroutine {
        SilentServer().use { server ->
            Client(box.accountUrl, { "a-token" }, settings = Settings(baseUrl = server.url, authUrl = server.url)).use { client ->
                val reading = launch(Dispatchers.Default) { client.readMemberList(box.panelId) }
                server.awaitRequest()
                reading.cancelAndJoin()
                server.awaitHangUp()
                assertTrue(client.pendingWrites().isEmpty())
            }
        }
    }

    @Test
    fun `a timeout ends a read at once`() = coroutine {
        SilentServer().use { server ->
            Client(box.accountUrl, { "a-token" }, settings = Settings(baseUrl = server.url, authUrl = server.url)).use { client ->
                val begin = System.nanoTime()
                assertThrows(TimeoutCancellationException::class.java) {
                    kotlinx.coroutines.runBlocking { withTimeout(300) { client.readMemberList(box.panelId) } }
                }
                assertTrue(Duration.ofNanos(System.nanoTime() - begin) < DEADLINE)
                server.awaitHangUp()
            }
        }
    }

    @Test
    fun `a write that is cancelled in flight finishes once`() = coroutine {
        box.client().use { client ->
            client.readPanel(box.panelId)
            box.fault("""{"on": "CreateMembers", "delayMs": 1000}""")
            val writing = launch(Dispatchers.Default) { client.createMembers(box.panelId, listOf(newMember("Email" to "once@example.com"))) }
            eventually("the write leaves") { box.requests("CreateMembers").isNotEmpty() }
            writing.cancelAndJoin()
            val pending = client.pendingWrites().single()
            assertEquals("CreateMembers", pending.operation)
            assertTrue(pending.age < Duration.ofSeconds(5))
            assertTrue(client.closeWithin(Duration.ofSeconds(10)).isEmpty())
            assertTrue(client.pendingWrites().isEmpty())
            assertEquals(1, box.effects("CreateMembers").size)
            assertEquals(1, box.requests("CreateMembers").size)
            val outcome = client.writeOutcomes().writes.single()
            assertEquals("CreateMembers", outcome.operation)
            assertTrue(outcome.response!!.contains("membersIds"), outcome.toString())
            assertNull(outcome.error)
        }
    }

    @Test
    fun `a write that was cancelled and then refused says so`() = coroutine {
        box.client().use { client ->
            client.readPanel(box.panelId)
            box.fault("""{"on": "CreateMembers", "delayMs": 500, "action": {"kind": "status", "status": 403}}""")
            val writing = launch(Dispatchers.Default) { client.createMembers(box.panelId, listOf(newMember("Email" to "no@example.com"))) }
            eventually("the write leaves") { box.requests("CreateMembers").isNotEmpty() }
            writing.cancelAndJoin()
            // It waits for the outcome.
            val outcome = client.writeOutcomes().writes.single()
            assertNull(outcome.response)
            assertTrue(outcome.error is SondageException.PermissionDenied, outcome.toString())
            assertEquals(Delivery.ANSWERED, outcome.error!!.delivery)
        }
    }

    @Test
    fun `what is still under way is returned when timeout ends`() = coroutine {
        box.client().use { client ->
            client.readPanel(box.panelId)
            box.fault("""{"on": "CreateMembers", "delayMs": 1500}""")
            val writing = launch(Dispatchers.Default) { client.createMembers(box.panelId, listOf(newMember("Email" to "late@example.com"))) }
            eventually("the write leaves") { box.requests("CreateMembers").isNotEmpty() }
            writing.cancelAndJoin()
            assertEquals(1, client.closeWithin(Duration.ofMillis(50)).size)
            eventually("the write is completed") { client.pendingWrites().isEmpty() }
            assertEquals(1, box.effects("CreateMembers").size)
        }
    }

    @Test
    fun `cancelling after the answer changes nothing`() = coroutine {
        box.client().use { client ->
            val reading = async { client.readPanel(box.panelId) }
            reading.await()
            reading.cancel()
            assertTrue(reading.await().panel!!.groups.isNotEmpty())
        }
    }

    @Test
    fun `cancellation reaches the token provider`() = coroutine {
        val asked = CompletableDeferred<Unit>()
        val cancelled = CompletableDeferred<Unit>()
        val provider = TokenProvider {
            asked.complete(Unit)
            try {
                awaitCancellation()
            } catch (end: CancellationException) {
                cancelled.complete(Unit)
                throw end
            }
        }
        Client(box.accountUrl, provider, settings = box.settings(tokenTimeout = Duration.ofMillis(500))).use { client ->
            val call = launch(Dispatchers.Default) { runCatching { client.readPanel(box.panelId) } }
            asked.await()
            call.cancelAndJoin()
            withTimeout(DEADLINE.toMillis()) { cancelled.await() }
        }
    }
}
