package sondage

import JvmServer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.net.Socket
import java.net.URI
import java.nio.file.Files
import java.time.Duration
import java.time.Instant
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

private const val KEY = "worthless-key-for-tests-of-webhooks-0123456789"

class WebhooksTest {
    private val body = """{"eventType": "HardBounce", "entity": {"interviewId": "5f0c", "panelMemberId": 9007199254740993}}""".toByteArray()

    private fun strategies() = listOf(
        Hook.obscureUrl(),
        Hook.basic("survalyzer", Secret("pass: wörd")),
        Hook.bearer(Secret(KEY), "receiver", days = 20),
        Hook.signedUrl(Secret(KEY), resource = "orders/7"),
        Hook.azureSignedUrl(Secret("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg=="), "/blob/a/b/c"),
    )

    @Test
    fun `what is made is accepted, and nothing else`() {
        for (hook in strategies()) {
            val headers = hook.securityToken()?.let { mapOf("Authorization" to listOf(it.reveal())) }.orEmpty()
            val verdict = hook.verify(hook.url("https://acme.example/hooks").reveal(), headers, body) as WebHookVerdict.Accepted
            val bounce = (verdict.event.entity as Entity.Bounce).value
            assertEquals(listOf("5f0c", 9007199254740993), listOf(bounce.interviewId, bounce.panelMemberId))
            assertEquals(EventType.HardBounce to EventSource.DELIVERED, verdict.event.eventType to verdict.event.source)
            assertEquals(hook.ends(), verdict.event.credentialEnds)
            assertEquals(hook.strategy() == "bearer", verdict.event.credentialEndsSoon)
            val refused = hook.verify("https://acme.example/hooks", emptyMap(), body) as WebHookVerdict.Refused
            assertFalse("$hook ${hook.toJson()} ${hook.securityToken()} $refused".contains(KEY))
        }
    }

    @Test
    fun `secrets are changed, and end`() {
        val (old, next) = Hook.basic("a", Secret("old")) to Hook.bearer(Secret(KEY), "receiver", days = 20)
        val both = next.accepting(old)
        for (token in listOf(old, next).map { it.securityToken()!!.reveal() }) {
            assertTrue(both.verify("/", mapOf("authorization" to listOf(token)), body) is WebHookVerdict.Accepted)
        }
        val token = mapOf("authorization" to listOf(next.securityToken()!!.reveal()))
        val later = Instant.now() + Duration.ofDays(21)
        assertEquals("expired", (both.verify("/", token, body, later) as WebHookVerdict.Refused).reason)
        val twice = mapOf("authorization" to listOf("x", "y"))
        assertEquals("authorization_doubled", (both.verify("/", twice, body) as WebHookVerdict.Refused).reason)
        val empty = token + mapOf("content-length" to listOf("5"))
        assertEquals("body_consumed", (both.verify("/", empty, ByteArray(0)) as WebHookVerdict.Refused).reason)
        assertTrue(fails<SondageException.InvalidArgument> { Hook.bearer(Secret("short"), "receiver") }.message.contains("32"))
        fails<SondageException.InvalidArgument> { Hook.signedUrl(Secret(KEY), days = -1) }
    }

    @Test
    fun `a failed handler gives the event back`() {
        val hook = Hook.basic("a", Secret("b")).forEvent(EventType.SurveyClosed).maxBody(1000)
        val headers = mapOf("authorization" to listOf(hook.securityToken()!!.reveal()))
        val event = (hook.verify("/", headers, """{"id": 7}""".toByteArray()) as WebHookVerdict.Accepted).event
        assertEquals(7L, (event.entity as Entity.Survey).value.id)
        val guard = Guard()
        assertThrows<ArithmeticException> { guard.once(event) { throw ArithmeticException() } }
        assertEquals(204, guard.once(event) { assertEquals(503, guard.once(event) { error("twice") }) })
        assertEquals(204, guard.once(event) { error("twice") })
        assertEquals(event.keys, guard.keys())
        val other = Guard(capacity = 1).apply { remember(listOf("a", "b")) }
        assertEquals(listOf("b"), other.keys())
        val folder = Files.createTempDirectory("sondage-events").resolve("events").toString()
        assertEquals(204, Guard.inFolder(folder).once(event) {})
        val restarted = Guard.inFolder(folder, lease = Duration.ofMinutes(1))
        assertEquals(204, restarted.once(event) { error("twice") })
        assertEquals(event.keys to 0L, restarted.keys() to restarted.prune(1.0))
        fails<SondageException.Configuration> { Guard.inFolder("$folder/lock") }
        for (capacity in listOf(0L, -1L)) fails<SondageException.InvalidArgument> { Guard(capacity) }
    }

    @Test
    fun `a receiver on the JVM takes every strategy`() = coroutine {
        for (hook in strategies()) {
            Sandbox().use { box ->
                val handled = ConcurrentHashMap.newKeySet<EventType>()
                val server = JvmServer(hook, Guard()) { handled += it.eventType!! }.start()
                box.client().use { client ->
                    assertTrue(client.subscribe(hook, server.address, EventType.HardBounce).webHookId != null)
                    client.blocking().subscribe(Hook.obscureUrl(), server.address, EventType.OptOutAdded)
                }
                assertTrue(box.emit("""{"kind": "bounce", "memberId": 500001}""") && box.emit("""{"kind": "optOut", "memberId": 500001}"""))
                box.settle()
                assertEquals(setOf<EventType>(EventType.HardBounce), handled.toSet(), hook.strategy())
                assertEquals(listOf("HardBounce 204", "OptOutAdded 401"), box.deliveries().sorted())
                server.stop()
            }
        }
    }

    @Test
    fun `a receiver on the JVM reads no more than an event may have`() {
        val hook = Hook.obscureUrl()
        val server = JvmServer(hook, Guard()) { error("handled") }.start()
        val url = URI(hook.url(server.address.replace("http:", "https:")).reveal())
        Socket(url.host, url.port).use { socket ->
            socket.soTimeout = 30_000
            // The request announces 300 MiB, and sends one byte more than is read: a receiver that waits for
            // the rest never responds.
            val head = "POST ${url.rawPath}?${url.rawQuery} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${300 shl 20}\r\n\r\n"
            socket.getOutputStream().run {
                write(head.toByteArray())
                write(ByteArray((1 shl 20) + 1) { ' '.code.toByte() })
                flush()
            }
            assertEquals("HTTP/1.1 $REFUSED_STATUS", socket.getInputStream().readNBytes(12).decodeToString())
        }
        server.stop()
    }

    @Test
    fun `a registration that the service refuses gives its message`() = coroutine {
        Sandbox.shared.client().use { client ->
            val hook = Hook.obscureUrl()
            val unknown = fails<SondageException.Api> { client.subscribe(hook, "https://acme.example/hooks", EventType.Unknown("QuotaReached")) }
            assertTrue(unknown.errorMessage!!.contains("QuotaReached"), unknown.message)
            val bad = fails<SondageException.Api> { client.createWebHook(EventType.HardBounce, "*", Secret("http://acme.example/hooks")) }
            assertTrue(bad.errorMessage!!.contains("https"), bad.message)
            fails<SondageException.InvalidArgument> { client.subscribe(hook, "http://acme.example/hooks", EventType.HardBounce) }
        }
    }

    @Test
    fun `a thousand events are handled once each after reconciling`() = coroutine {
        val count = 1000
        Sandbox("--interviews", "$count").use { box ->
            val survey = box.text("generated_survey_id").toLong()
            val (handled, calls) = ConcurrentHashMap<String, Int>() to AtomicInteger()
            val handle = { event: Event ->
                val id = (event.entity as Entity.Interview).value.id!!
                // Every seventh call fails, and some interviews never succeed.
                check(calls.getAndIncrement() % 7 != 0 && !(id.startsWith("0") && event.source == EventSource.DELIVERED))
                handled.merge(id, 1, Int::plus)
                Unit
            }
            val guard = Guard()
            val hook = Hook.bearer(Secret(KEY), "receiver")
            val server = JvmServer(hook, guard, handle = handle).start()
            box.deliver("""{"every": 13, "action": {"kind": "silence"}}""")
            box.deliver("""{"every": 5, "action": {"kind": "duplicate", "copies": 2}}""")
            box.deliver("""{"every": 11, "action": {"kind": "reorder"}}""")
            val since = box.now()
            box.client().use { client ->
                client.subscribe(hook, server.address, EventType.InterviewComplete, "$survey")
                val ids = client.blocking().interviewsCompact(survey, fieldsToDownload = listOf("Id")).map { it.getValue("Id").text!! }
                ids.forEach { assertTrue(box.emit("""{"kind": "complete", "id": "$it"}""")) }
                box.settle(drain = true)
                assertTrue(handled.size in 1..<count, "${handled.size}")
                val caught = client.missedEvents(survey, since, listOf("Q1"), unknownTo = guard)
                assertEquals(count.toLong() to count - handled.size, caught.seen to caught.events.size)
                for (event in caught.events) {
                    while (runCatching { guard.once(event, handle) }.isFailure) Unit
                }
                assertTrue(client.confirmEvent(caught.events.first(), listOf("Q1")).holds)
                assertNull(client.missedEvents(survey, since, unknownTo = guard).events.firstOrNull())
            }
            assertEquals(count to setOf(1), handled.size to handled.values.toSet())
            server.stop()
        }
    }
}
