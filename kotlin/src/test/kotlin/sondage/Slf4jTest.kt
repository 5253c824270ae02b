package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.slf4j.Logger
import org.slf4j.event.Level
import org.slf4j.event.SubstituteLoggingEvent
import org.slf4j.helpers.SubstituteLogger
import java.util.concurrent.ConcurrentLinkedQueue

/** The recipe of docs/trace.md. */
private fun sinkOf(logger: Logger) = LogSink { record ->
    when (record.level) {
        LogLevel.ERROR -> logger.error("{}", record.message)
        LogLevel.WARN -> logger.warn("{}", record.message)
        LogLevel.INFO -> logger.info("{}", record.message)
        LogLevel.DEBUG -> logger.debug("{}", record.message)
    }
}

class Slf4jTest {
    private val box = Sandbox.shared

    @AfterEach
    fun silence() {
        logTo(null)
        box.forget()
    }

    @Test
    fun `a logger of SLF4J gets each attempt, and a wait at its level`() = coroutine {
        val events = ConcurrentLinkedQueue<SubstituteLoggingEvent>()
        // Keeps what it is given.
        logTo(sinkOf(SubstituteLogger("sondage", events, false)), LogLevel.DEBUG)
        box.client().use { client ->
            box.fault("""{"on": "ReadPanel", "action": {"kind": "status", "status": 503}}""")
            client.readPanel(box.panelId)
        }
        fun lines(level: Level, text: String) = events.filter { it.level == level && text in "${it.argumentArray?.single()}" }
        eventually("the call has ended") { lines(Level.DEBUG, "ReadPanel: call 200").isNotEmpty() }
        assertEquals(2, lines(Level.DEBUG, "ReadPanel: attempt").size)
        assertEquals(1, lines(Level.INFO, "ReadPanel: wait 1 503").size)
        assertTrue(events.none { box.clientSecret in "${it.argumentArray?.toList()}" })
    }
}
