package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Duration

class BudgetTest {
    private val box = Sandbox.shared

    private fun settings(folder: Path, calls: Long) =
        Settings(
            baseUrl = box.baseUrl,
            authUrl = box.authUrl,
            budget = BudgetMode.STOP,
            budgetCalls = calls,
            budgetFolder = folder.toString(),
            budgetLoopback = true,
        )

    @Test
    fun `a stop says when the day ends and nothing is sent`(@TempDir folder: Path) = coroutine {
        box.forget()
        Client(box.accountUrl, { box.token() }, settings = settings(folder, 2)).use { client ->
            assertEquals(0, client.budget().calls)
            client.readPanel(box.panelId)
            BlockingClient(box.accountUrl, { box.token() }, settings = settings(folder, 2)).use { blocking ->
                blocking.readPanel(box.panelId)
                val report = blocking.budget()
                assertEquals(listOf(2L, 0L, 2L), listOf(report.calls, report.callsLeft, report.callsLimit))
                assertEquals(report.bytes, report.received)
                assertEquals(Duration.ofDays(1), Duration.between(report.begins, report.ends))
                assertTrue(report.counted && report.mode == BudgetMode.STOP && report.file!!.startsWith("$folder"))
            }
            val error = fails<SondageException.BudgetSpent> { client.readPanel(box.panelId) }
            assertTrue("not sent, because the 2 calls of the day are used up" in error.message, error.message)
            assertTrue("${client.budget().ends}" in error.message && "`budgetCalls`" in error.message, error.message)
            assertEquals(2, box.requests("ReadPanel").size)
        }
        box.client().use { assertFalse(it.budget().counted) }
    }
}
