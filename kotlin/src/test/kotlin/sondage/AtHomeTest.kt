package sondage

import com.sun.jna.Memory
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** What people who write Kotlin expect of a library. */
class AtHomeTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    private suspend fun loadScreen(client: Client): String {
        val panel = client.readPanel(1)
        return panel.toString()
    }

    private suspend fun showScreen(client: Client): String {
        delay(1)
        return loadScreen(client) + "shown"
    }

    @Test
    fun `a stack trace begins at the operation and names the callers`() = coroutine {
        box.client().use { client ->
            val failed = CoroutineScope(Dispatchers.Default).async { fails<SondageException.Api> { showScreen(client) } }.await()
            assertEquals("sondage.Client.readPanel", failed.stackTrace[0].run { "$className.$methodName" })
            val own = failed.stackTrace.filter { it.className.startsWith("sondage.AtHomeTest") }.map { it.methodName }
            assertTrue("loadScreen" in own && "showScreen" in own, failed.stackTraceToString())
            assertTrue(failed.stackTrace.none { "FfiConverter" in it.className }, failed.stackTraceToString())
        }
    }

    @Test
    fun `a stack trace of a blocking call begins at the operation`() {
        box.blockingClient().use { client ->
            val failed = runCatching { client.readPanel(1) }.exceptionOrNull() as SondageException
            assertEquals("readPanel", failed.stackTrace[0].methodName)
            assertEquals("sondage.AtHomeTest", failed.stackTrace[1].className, failed.stackTraceToString())
        }
    }

    @Test
    fun `the last argument of a client is its token`() = coroutine {
        val settings = box.settings()
        Client(box.accountUrl, settings) { box.token() }.use { assertTrue(it.readPanel(box.panelId).panel != null) }
        BlockingClient(box.accountUrl, settings) { box.token() }.use { assertTrue(it.readPanel(box.panelId).panel != null) }
    }

    @Test
    fun `durations of Kotlin`() = coroutine {
        val chosen = settings {
            account = box.accountUrl
            deadline = 30.seconds
            budget = BudgetMode.OFF
        }
        assertEquals(Settings(account = box.accountUrl, deadline = java.time.Duration.ofSeconds(30), budget = BudgetMode.OFF), chosen)
        box.client().use { client ->
            box.fault("""{"on": "ReadPanel", "delayMs": 3000}""")
            val late = fails<SondageException.Network> { client.withOptions(deadline = 200.milliseconds, attempts = 1).readPanel(box.panelId) }
            assertTrue(late.timedOut, late.message)
            val none = fails<SondageException.InvalidArgument> { client.reconcile("no-such-write", quiet = 3.minutes) }
            assertTrue("no-such-write" in none.message, none.message)
        }
    }

    @Test
    fun `a single member is created or refused`() = coroutine {
        box.client().use { client ->
            val id = client.createMember(box.panelId, newMember("Email" to "one@kotlin-home.example"))
            assertTrue(client.readMemberList(box.panelId, where = field("Email").isEqualTo("one@kotlin-home.example")).members.single().id == id)
            val refused = fails<SondageException.Api> {
                client.createMember(box.panelId, newMember("Email" to "two@kotlin-home.example", "Points" to 1))
            }
            assertTrue("Points" in refused.message && "Nobody was created" in refused.message, refused.message)
            val empty = fails<SondageException.InvalidArgument> { client.createMember(box.panelId, newMember()) }
            assertTrue("no field" in empty.message, empty.message)
        }
        box.blockingClient().use { client ->
            assertTrue(client.createMember(box.panelId, newMember("Email" to "three@kotlin-home.example")) > 0)
        }
    }

    @Test
    fun `a large response is not read on the thread of a screen`() = coroutine {
        val memory = Memory(8)
        fun threadFor(bytes: Long): suspend () -> Thread = {
            val raw = RustBuffer.ByValue().apply {
                len = bytes
                data = memory
            }
            lifted(raw) { Thread.currentThread() }
        }
        val screen = Thread.currentThread()
        assertEquals(screen, threadFor(1_000)())
        assertTrue(threadFor(1_000_000)() != screen)
    }
}
