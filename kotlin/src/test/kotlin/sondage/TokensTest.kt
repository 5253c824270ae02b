package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

class TokensTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    private fun client(timeout: Duration? = null, provider: TokenProvider) =
        Client(box.accountUrl, provider, box.settings(tokenTimeout = timeout))

    /** Connects as a server does. */
    private val withSecret get() = box.settings().copy(tenant = box.tenant, clientSecret = Secret(box.clientSecret))

    @Test
    fun `a provider may suspend`() = coroutine {
        client { delay(20); box.token() }.use { assertTrue(it.readPanel(box.panelId).panel!!.groups.isNotEmpty()) }
    }

    @Test
    fun `a backend of one's own holds the secret`() = coroutine {
        val backend = object {
            var asked = 0

            suspend fun surveyToken(): String {
                delay(1)
                asked += 1
                return box.token()
            }
        }
        val client = Client("https://acme.survalyzer-eu.app", tokenProvider = { backend.surveyToken() })
        client.close()
        assertEquals(0, backend.asked)
        client { backend.surveyToken() }.use { it.readPanel(box.panelId) }
        assertEquals(1, backend.asked)
    }

    @Test
    fun `a provider that throws`() = coroutine {
        for (thrown in listOf(ProviderException.Failed("no login"), IllegalStateException("no login"), LinkageError("no login"))) {
            client { throw thrown }.use { client ->
                val failed = fails<SondageException.Authentication> { client.readPanel(box.panelId) }
                assertTrue(failed.message.contains("no login"), failed.message)
                assertEquals("ReadPanel", failed.operation)
                assertEquals(Delivery.NO, failed.delivery)
                assertSame(thrown, failed.cause)
            }
        }
    }

    @Test
    fun `what a provider throws is the cause for every caller who waits`() = coroutine {
        class LoggedOut : Exception("the session has ended")
        client { throw LoggedOut() }.use { client ->
            val failures = List(20) { async { runCatching { client.readPanel(box.panelId) }.exceptionOrNull() } }.awaitAll()
            assertTrue(failures.all { it?.cause is LoggedOut }, failures.toString())
        }
        // Of a list, a job and a blocking call too.
        client { throw LoggedOut() }.use { client ->
            assertTrue(fails<SondageException> { client.members(box.panelId).first() }.cause is LoggedOut)
            assertTrue(fails<SondageException> { client.planInvite(box.surveyId, box.panelId, box.messageTemplateId) }.cause is LoggedOut)
            assertTrue(fails<SondageException> { client.blocking().readPanel(box.panelId) }.cause is LoggedOut)
        }
        client { "a token that nobody knows" }.use { client ->
            assertNull(fails<SondageException.Authentication> { client.readPanel(box.panelId) }.cause)
        }
    }

    @Test
    fun `a provider that hangs`() = coroutine {
        client(timeout = Duration.ofMillis(400)) { delay(60_000); "late" }.use { client ->
            val failed = fails<SondageException.Authentication> { client.readPanel(box.panelId) }
            assertTrue(failed.message.contains("400ms"), failed.message)
        }
    }

    @Test
    fun `a provider that returns rubbish`() = coroutine {
        for (rubbish in listOf("", "   ", "Bearer abc", "two\nlines", "🦑", "\u0000")) {
            client { rubbish }.use { client ->
                val failed = fails<SondageException.Authentication> { client.readPanel(box.panelId) }
                assertEquals("ReadPanel", failed.operation, failed.message)
            }
        }
        client { "a token that the service does not accept" }.use { client ->
            fails<SondageException.Authentication> { client.readPanel(box.panelId) }
        }
    }

    @Test
    fun `a thousand calls and one new token`() = coroutine {
        val asked = AtomicInteger()
        client { asked.incrementAndGet(); delay(50); box.token() }.use { client ->
            client.readWorkspaceList()
            assertEquals(1, asked.get())
            box.revokeTokens()
            val answers = (1..1000).map { async(Dispatchers.Default) { client.readWorkspaceList().workspaces.size } }.awaitAll()
            assertEquals(1000, answers.size)
            assertEquals(2, asked.get())
        }
    }

    @Test
    fun `blocking calls on every thread of the application leave the provider its own`() = coroutine {
        BlockingClient(box.accountUrl, { delay(20); box.token() }, settings = box.settings()).use { client ->
            val calls = (1..64).map { async(Dispatchers.Default) { client.readWorkspaceList().workspaces.size } }
            assertTrue(calls.awaitAll().all { it > 0 })
        }
    }

    @Test
    fun `a store keeps tokens between clients`() = coroutine {
        val kept = ConcurrentHashMap<String, String>()
        val store = object : TokenStore {
            override fun load(key: String): String? = kept[key]

            override fun save(key: String, tokens: String) {
                kept[key] = tokens
            }

            override fun forget(key: String) {
                kept.remove(key)
            }
        }
        repeat(2) { Client.configured(withSecret, store).use { it.readWorkspaceList() } }
        assertEquals(1, box.tokenRequests())
        assertEquals(1, kept.size)
        Client.configured(withSecret, store).use { it.logout() }
        assertEquals(0, kept.size)
    }

    @Test
    fun `a store that fails or returns rubbish does not fail a call`() = coroutine {
        val broken = object : TokenStore {
            override fun load(key: String): String? = throw IllegalStateException("locked")

            override fun save(key: String, tokens: String): Unit = throw IllegalStateException("full")

            override fun forget(key: String): Unit = throw IllegalStateException("locked")
        }
        val rubbish = object : TokenStore {
            override fun load(key: String): String? = "rubbish"

            override fun save(key: String, tokens: String) = Unit

            override fun forget(key: String) = Unit
        }
        for (store in listOf(broken, rubbish)) {
            Client.configured(withSecret, store).use { assertTrue(it.readWorkspaceList().workspaces.isNotEmpty()) }
        }
    }

    @Test
    fun `a client with a secret, for servers`() {
        BlockingClient.configured(withSecret).use { assertTrue(it.readWorkspaceList().workspaces.isNotEmpty()) }
        val wrong = withSecret.copy(clientSecret = Secret("wrong-secret"))
        BlockingClient.configured(wrong).use { client ->
            val failed = fails<SondageException.Authentication> { client.readWorkspaceList() }
            assertFalse("$failed ${failed.details}".contains("wrong-secret"))
        }
    }

    @Test
    fun `a thousand blocking calls on many threads and one new token`() {
        val asked = AtomicInteger()
        val pool = Executors.newFixedThreadPool(32)
        BlockingClient(box.accountUrl, { asked.incrementAndGet(); delay(50); box.token() }, box.settings()).use { client ->
            client.readWorkspaceList()
            box.revokeTokens()
            val calls = (1..1000).map { pool.submit<Int> { client.readWorkspaceList().workspaces.size } }
            assertTrue(calls.all { it.get() > 0 })
            assertEquals(2, asked.get())
        }
        pool.shutdown()
    }
}
