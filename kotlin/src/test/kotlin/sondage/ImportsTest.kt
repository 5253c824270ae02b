package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Duration
import kotlinx.coroutines.flow.mapNotNull
import kotlinx.coroutines.flow.toList

class ImportsTest {
    @TempDir lateinit var folder: Path
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    private fun people(who: String, count: Int) =
        (0 until count).map { row("Email" to "$who$it@kotlin.example", "CellPhoneNumber" to "4179123456$it") }

    private suspend fun found(who: String) =
        client.members(box.panelId, fieldsToDownload = listOf("Email")).mapNotNull { it["Email"]?.text }.toList().filter {
            it.startsWith(who) && it.endsWith("@kotlin.example")
        }

    @Test
    fun `after an answer that was lost everybody is there once`() = coroutine {
        box.fault("""{"on": "CreateMembers", "skip": 1, "action": {"kind": "cut", "at": "afterEffect"}}""")
        val journal = folder.resolve("import.journal").toString()
        val report =
            client.importMembers(box.panelId, people("once", 9), "Email", journal = journal, chunkSize = 4, quiet = Duration.ZERO)
        assertTrue(report.complete, report.text)
        assertEquals(List(9) { RowStatus.CREATED }, report.rows.map { it.status })
        assertEquals(listOf(4L, 5L, 6L, 7L), report.rows.filter { it.readBack }.map { it.row })
        assertEquals(9, found("once").size)
        val again = client.importMembers(box.panelId, people("once", 9), "Email", journal = journal)
        assertTrue(again.resumed && again.rows == report.rows)
        assertEquals(9, found("once").size)
    }

    @Test
    fun `a dry run says what would happen and what it costs`() = coroutine {
        val dry = client.importMembers(box.panelId, people("dry", 9), "Email", chunkSize = 4, dryRun = true)
        assertEquals(listOf(9L, 0L), listOf(dry.toCreate, dry.toUpdate))
        assertTrue(dry.cost!!.calls > 4 && "nothing was sent" in dry.text, dry.text)
        assertEquals(0, found("dry").size)
        assertTrue(client.importMembers(box.panelId, people("dry", 9), "Email", chunkSize = 4).complete)
    }

    @Test
    fun `the first or the last row of a key counts`() = coroutine {
        val rows = listOf(
            row("Email" to "twice@kotlin.example", "FirstName" to "One"),
            row("Email" to " twice@kotlin.example", "FirstName" to " Two "))
        val alike = listOf(row("Email" to "x@kotlin.example"), row("Email" to "x\u200b@kotlin.example"), row("Email" to "y@kotlin.example"))
        val report = client.importMembers(
            box.panelId, rows, "Email", duplicates = Duplicates.LAST, strip = true, journal = folder.resolve("twice").toString())
        assertEquals(listOf(RowStatus.DUPLICATE, RowStatus.CREATED), report.rows.map { it.status }, report.text)
        assertEquals("row 1 has the same key, and the last of them counts", report.rows[0].reason)
        assertEquals(listOf("twice@kotlin.example"), found("twice"))
        val refused = client.importMembers(
            box.panelId, alike, "Email", duplicates = Duplicates.FIRST, dryRun = true, journal = folder.resolve("alike").toString())
        assertEquals(listOf(RowStatus.REFUSED, RowStatus.REFUSED, RowStatus.NOT_SENT), refused.rows.map { it.status })
        val none = client.importMembers(box.panelId, emptyList(), "Email", journal = folder.resolve("none").toString())
        assertTrue(none.complete && none.rows.isEmpty() && "nothing to do" in none.text, none.text)
    }

    @Test
    fun `what stopped it is said and the same call goes on`() = coroutine {
        box.fault("""{"on": "CreateMembers", "skip": 1, "action": {"kind": "status", "status": 403}}""")
        val journal = folder.resolve("stopped.journal").toString()
        box.blockingClient().use { blocking ->
            val report = blocking.importMembers(box.panelId, people("stopped", 6), "Email", journal = journal, chunkSize = 4)
            assertEquals(403, report.stopped?.status)
            assertEquals(listOf(RowStatus.REFUSED, RowStatus.REFUSED), report.rows.drop(4).map { it.status })
            assertTrue(blocking.importMembers(box.panelId, people("stopped", 6), "Email", journal = journal).complete)
        }
        assertEquals(6, found("stopped").toSet().size)
        val refused = fails<SondageException.InvalidArgument> {
            client.importMembers(box.panelId, listOf(row("Emial" to "x")), "Email", journal = folder.resolve("x").toString())
        }
        assertTrue("no field" in refused.message, refused.message)
        for (size in listOf(0, -1)) {
            val none = fails<SondageException.InvalidArgument> {
                client.importMembers(box.panelId, people("none", 1), "Email", journal = folder.resolve("n").toString(), chunkSize = size)
            }
            assertTrue("chunkSize" in none.message, none.message)
        }
        val there = client.importMembers(
            box.panelId, people("stopped", 1), "Email", existing = Existing.UPDATE, journal = folder.resolve("u").toString())
        assertEquals(RowStatus.UNCHANGED, there.rows.single().status)
    }
}
