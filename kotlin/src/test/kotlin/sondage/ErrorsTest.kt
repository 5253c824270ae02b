package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.time.Duration
import java.time.Instant

class ErrorsTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    @Test
    fun `a catch for the kinds that a caller can do something about`() = coroutine {
        val told = mutableListOf<String?>()
        val members = listOf(newMember("Email" to "ada@example.com"))
        box.client().use { client ->
            for (action in listOf("""{"kind": "cut", "at": "afterEffect"}""", """{"kind": "notSuccess", "errorCode": "Full", "errorMessage": "no more"}""")) {
                box.fault("""{"on": "CreateMembers", "action": $action}""")
                try {
                    client.createMembers(box.panelId, members)
                } catch (error: SondageException.OutcomeUnknown) {
                    told += error.reconcile // how to find out whether it happened
                } catch (error: SondageException.Api) {
                    told += "${error.errorCode} ${error.errorMessage} ${error.requestId}"
                } // other kinds are for the caller
            }
        }
        assertTrue("readMemberList" in told[0].orEmpty() && told[1]!!.startsWith("Full no more"), "$told")
    }

    @Test
    fun `the service refuses`() = coroutine {
        box.client().use { client ->
            val failed = fails<SondageException.Api> { client.readPanel(panelId = 1) }
            assertEquals("ReadPanel", failed.operation)
            assertEquals(1, failed.attempts)
            assertEquals(Delivery.ANSWERED, failed.delivery)
            assertNotNull(failed.errorCode)
            assertTrue(failed.message.contains(failed.errorMessage!!) && failed.hint.isNotEmpty())
        }
    }

    @Test
    fun `a cut after a create`() = coroutine {
        box.client().use { client ->
            box.fault("""{"on": "CreateMembers", "action": {"kind": "cut", "at": "afterEffect"}}""")
            val failed = fails<SondageException.OutcomeUnknown> {
                client.createMembers(box.panelId, listOf(newMember("Email" to "cut@example.com")))
            }
            assertEquals(Delivery.UNKNOWN, failed.delivery)
            assertTrue(!failed.safeToRetry && failed.reconcile!!.contains("`readMemberList`"), failed.reconcile)
            assertEquals(1, box.effects("CreateMembers").size)
        }
    }

    @Test
    fun `too many calls`() = coroutine {
        box.client().use { client ->
            box.fault("""{"on": "InviteMembers", "action": {"kind": "status", "status": 429, "headers": {"Retry-After": "7"}}}""")
            val failed = fails<SondageException.RateLimited> {
                client.inviteMembers(box.surveyId, box.panelId, box.messageTemplateId, memberIds = listOf(1))
            }
            assertEquals(Duration.ofSeconds(7), failed.retryAfter)
            assertEquals(429, failed.status)
        }
    }

    @Test
    fun `a message says each thing once`() = coroutine {
        // Its own sandbox, because a pause is for all calls of a tenant.
        val box = Sandbox()
        box.client().use { client ->
            for ((status, said) in listOf(404 to "404", 403 to "403", 503 to "503", 429 to "7 s")) {
                val headers = if (status == 429) """{"Retry-After": "7"}""" else "{}"
                box.fault("""{"on": "InviteMembers", "action": {"kind": "status", "status": $status, "headers": $headers}}""")
                val failed = fails<SondageException> { client.inviteMembers(box.surveyId, box.panelId, box.messageTemplateId, memberIds = listOf(1)) }
                // The random id of the request may have the same digits.
                val withoutId = failed.message.replace(Regex("request [0-9a-f-]{36}"), "request")
                assertEquals(2, withoutId.split(said).size, failed.message)
                assertTrue(failed.message.split("othing was changed").size <= 2, failed.message)
            }
        }
        box.close()
    }

    @Test
    fun `a page for people where JSON is due`() = coroutine {
        box.client().use { client ->
            box.fault("""{"on": "ReadPanel", "times": 2, "action": {"kind": "html"}}""")
            val failed = fails<SondageException.UnexpectedResponse> { client.readPanel(box.panelId) }
            assertEquals(2, failed.attempts, failed.message)
        }
    }

    @Test
    fun `one catch for all kinds`() = coroutine {
        box.client().use { client ->
            val told =
                try {
                    client.readPanel(panelId = 1).toString()
                } catch (error: SondageException) {
                    when (error) {
                        is SondageException.OutcomeUnknown -> error.reconcile.orEmpty()
                        is SondageException.RateLimited -> "wait ${error.retryAfter}"
                        is SondageException.Api -> "refused: ${error.errorCode}"
                        else -> error.hint
                    }
                }
            assertTrue(told.startsWith("refused: "), told)
        }
    }

    @Test
    fun `wrong values name their argument, and nothing is sent`() = coroutine {
        box.client().use { client ->
            val far = fails<SondageException.InvalidArgument> {
                client.inviteMembers(box.surveyId, box.panelId, box.messageTemplateId, scheduleDateTime = Instant.MAX)
            }
            assertTrue(far.message.contains("`scheduleDateTime`"), far.message)
            fails<SondageException.InvalidArgument> {
                client.inviteMembers(box.surveyId, box.panelId, box.messageTemplateId, scheduleDateTime = Instant.MIN)
            }
            for (number in listOf(Double.NaN, Double.POSITIVE_INFINITY)) {
                val wrong = fails<SondageException.InvalidArgument> {
                    client.createMembers(box.panelId, listOf(newMember("Email" to "a@example.com"), newMember("Age" to number)))
                }
                assertTrue(wrong.message.contains("`members[1].fields[\"Age\"].value`"), wrong.message)
            }
            val json = fails<SondageException.InvalidArgument> {
                client.createMembers(box.panelId, listOf(newMember("Age" to FieldValue.Json("{"))))
            }
            assertTrue(json.message.contains("is not JSON"), json.message)
            for (deadline in listOf(Duration.ZERO, Duration.ofSeconds(-1))) {
                val wrong = fails<SondageException.InvalidArgument> { client.withOptions(deadline = deadline) }
                assertTrue(wrong.message.contains("`deadline`"), wrong.message)
            }
            fails<SondageException.InvalidArgument> { client.withOptions(extra = mapOf("x" to "{")) }
            fails<SondageException.InvalidArgument> { client.raw("publicapi", "{}", Effect.READ) }
            fails<SondageException.InvalidArgument> { client.raw("/x", "{", Effect.READ) }
            fails<SondageException.InvalidArgument> { client.memberPages(box.panelId, pageSize = 0) }
            for (wrong in listOf({ newMember("Age" to listOf(1)) }, { row("Age" to listOf(1)) })) {
                val error = fails<SondageException.InvalidArgument> { wrong() }
                assertTrue("`Age` holds a " in error.message && error.hint.startsWith("Give a text"), error.message)
            }
            assertTrue(box.requests("InviteMembers").isEmpty() && box.requests("CreateMembers").isEmpty())
        }
    }

    @Test
    fun `half of an emoji is an exception and not the end`() = coroutine {
        box.client().use { client ->
            assertThrows(Exception::class.java) {
                client.blocking().createMembers(box.panelId, listOf(newMember("FirstName" to "\uD83D")))
            }
            assertTrue(client.readPanel(box.panelId).panel != null)
        }
    }

    @Test
    fun `calls after close`() = coroutine {
        val client = box.client()
        val pages = client.memberPages(box.panelId)
        client.close()
        client.close()
        for (call in listOf<suspend () -> Any?>({ client.readPanel(box.panelId) }, { pages.next() }, { client.blocking().readPanel(box.panelId) })) {
            val failed = fails<SondageException.InvalidArgument> { call() }
            assertTrue(failed.message.contains("closed"), failed.message)
        }
        assertTrue(client.pendingWrites().isEmpty())
        val blocking = box.blockingClient()
        blocking.use { it.readPanel(box.panelId) }
        fails<SondageException.InvalidArgument> { blocking.readPanel(box.panelId) }
    }

    @Test
    fun `settings that are wrong`() {
        val wrong = listOf(
            "not an account" to Settings(),
            "https://api.survalyzer-eu.app" to Settings(),
            box.accountUrl to Settings(baseUrl = "http://example.com"),
            box.accountUrl to Settings(pageSize = -1),
            box.accountUrl to Settings(deadline = Duration.ofSeconds(-5)),
            box.accountUrl to Settings(retryAttempts = Long.MAX_VALUE),
        )
        for ((account, settings) in wrong) {
            val failed = fails<SondageException.Configuration> { Client(account, { "a-token" }, settings = settings) }
            assertTrue(failed.hint.isNotEmpty(), failed.message)
        }
        val half = fails<SondageException.Configuration> { Client(box.accountUrl, { "a" }, Settings(baseUrl = box.baseUrl)) }
        assertTrue(half.message.contains("`authUrl`"), half.message)
    }
}
