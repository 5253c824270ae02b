package sondage

import com.sun.net.httpserver.HttpServer
import kotlinx.coroutines.flow.toList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import sondage.testing.Attempt
import sondage.testing.AttemptOutcome
import sondage.testing.Cause
import sondage.testing.Content
import java.net.InetSocketAddress
import java.time.Instant
import java.util.concurrent.ConcurrentLinkedQueue
import sondage.testing.Sandbox as InProcess

class EmitTest {
    @Test
    fun `a clock stands still`() = coroutine {
        InProcess.demo(content = Content.WAVES).use { box ->
            box.freeze(Instant.parse("2026-03-02T12:00:00Z"))
            val id = box.fill(box.surveyId, people = 1).single()
            box.resetClock()
            val later = box.fill(box.surveyId, people = 1).single()
            val fields = listOf("Id", "UpdatedAt")
            val all = box.client().use { it.interviewsCompact(box.surveyId, fieldsToDownload = fields).toList() }
            val times = all.associate { it["Id"]?.text to it["UpdatedAt"]?.text }
            assertEquals("2026-03-02T12:00:00.000Z", times[id])
            assertTrue(Instant.parse(times[later]) > Instant.now().minusSeconds(600), "it runs again")
        }
    }

    @Test
    fun `an event of the sandbox reaches a receiver in this process`() = coroutine {
        val statuses = ArrayDeque(listOf(503, 204))
        val seen = ConcurrentLinkedQueue<String>()
        val hook = Hook.basic("survalyzer", Secret("a password of a test"))
        InProcess.demo().use { box ->
            val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
            server.createContext("/") { request ->
                val verdict = hook.verify(request.requestURI.toString(), request.requestHeaders, request.requestBody.readBytes())
                // A receiver may use the sandbox while somebody waits for deliveries.
                if (verdict is WebHookVerdict.Accepted) seen += "${verdict.event.eventType} ${box.requests("CreateWebHook")}"
                request.sendResponseHeaders(statuses.removeFirst(), -1)
                request.close()
            }
            server.start()
            try {
                box.client().use { it.ensureWebHook(hook, "http://127.0.0.1:${server.address.port}/hooks", EventType.HardBounce, state = null) }
                assertFalse(box.emit(Cause.Bounce(1)))
                val member = box.client().use { it.readMemberList(box.panelId).members.first().id }
                assertTrue(box.emit(Cause.Bounce(member)))
                val first: Attempt = box.awaitDeliveries().single()
                assertEquals(listOf("HardBounce", AttemptOutcome.REFUSED, 503), listOf(first.eventType, first.outcome, first.status))
                val all = box.awaitDeliveries(retries = true)
                assertEquals(listOf(503, 204), all.map { it.status })
                assertEquals(1, all.map { it.event }.toSet().size)
                assertTrue(first.next!! > first.at && all.last().next == null)
            } finally {
                server.stop(0)
            }
        }
        assertEquals(listOf("HardBounce 1", "HardBounce 1"), seen.toList())
    }
}
