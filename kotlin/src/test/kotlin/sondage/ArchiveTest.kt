package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.security.MessageDigest

/** The documents of a survey in a folder: a job with progress, and cancelled. */
class ArchiveTest {
    private val box = Sandbox.shared
    private val survey = box.text("feedback_survey_id").toLong()

    @TempDir
    lateinit var folder: File

    @BeforeEach
    fun forget() = box.forget()

    /** Each line of the manifest has its complete document, and there are no other files. */
    private fun check(count: Long) {
        val lines = folder.resolve("manifest.jsonl").readLines().drop(1)
        assertEquals(count, lines.size.toLong())
        for (line in lines) {
            val document = folder.resolve(Regex("\"file\":\"([^\"]+)\"").find(line)!!.groupValues[1]).readBytes()
            val hash = MessageDigest.getInstance("SHA-256").digest(document).joinToString("") { "%02x".format(it) }
            assertTrue(hash in line, line)
        }
        assertEquals(count + 1, folder.list()!!.size.toLong())
    }

    @Test
    fun `every document once, with progress in the coroutine of the caller`() = coroutine {
        box.client().use { client ->
            val seen = mutableListOf<ArchiveProgress>()
            val threads = mutableSetOf<Thread>()
            val report = client.archiveAnswers(survey, folder.path, locale = "de") {
                seen += it
                threads += Thread.currentThread()
            }
            val count = report.progress.stored
            assertTrue(count > 10 && count == report.progress.interviews && report.failed.isEmpty(), "$report")
            assertEquals(report.progress, seen.last())
            assertEquals(setOf(Thread.currentThread()), threads)
            assertEquals(folder.resolve("manifest.jsonl").path, report.manifest)
            check(count)
            val again = client.blocking().archiveAnswers(survey, folder.path)
            assertEquals(count to 0L, again.progress.kept to again.progress.stored)
            assertEquals(count.toInt(), box.requests("DownloadAnswers").size)
        }
    }

    @Test
    fun `progress is what a bar shows`(@TempDir documents: File) = coroutine {
        val bar = object {
            var shown = 0L to 0L

            fun set(stored: Long, of: Long) {
                shown = stored to of
            }
        }
        box.client().use { client ->
            client.archiveAnswers(surveyId = survey, folder = documents.path) { progress -> bar.set(progress.stored, progress.interviews) }
        }
        assertTrue(bar.shown.first > 10 && bar.shown.first == bar.shown.second, "${bar.shown}")
    }

    @Test
    fun `a watch sees the same, and only the interviews that pass are stored`() = coroutine {
        box.client().use { client ->
            val watch = ArchiveWatch()
            assertNull(watch.now())
            val none = client.archiveAnswers(survey, folder.path, where = column("Id") isEqualTo "nobody", watch = watch)
            assertEquals(0L, none.progress.interviews)
            val all = client.archiveAnswers(survey, folder.path, maxConcurrency = 1, watch = watch)
            assertEquals(all.progress, watch.now())
            fails<SondageException.InvalidArgument> { client.archiveAnswers(survey, folder.path, maxConcurrency = -1) }
        }
    }

    @Test
    fun `the reason why a document could not be downloaded is an exception`() = coroutine {
        box.client().use { client ->
            box.answer("DownloadAnswers", """{"isSuccess": false, "errorCode": "NotFound", "errorMessage": "gone"}""")
            val report = client.archiveAnswers(survey, folder.path, maxConcurrency = 1)
            assertEquals(1L to 1, report.progress.failed to report.failed.size)
            val why: SondageException = report.failed.single().error
            assertTrue(why is SondageException.Api && why.operation == "DownloadAnswers", "$why")
            check(report.progress.stored)
        }
    }

    @Test
    fun `what progress throws ends the work, and comes out as it is`() = coroutine {
        box.client().use { client ->
            box.fault("""{"on": "DownloadAnswers", "times": 1000, "delayMs": 150}""")
            val mine = IllegalStateException("enough")
            assertSame(mine, assertThrows<IllegalStateException> { runBlockingHere { client.archiveAnswers(survey, folder.path, maxConcurrency = 1) { throw mine } } }.let { it.cause ?: it })
            val blocking = assertThrows<IllegalStateException> { client.blocking().archiveAnswers(survey, folder.path, maxConcurrency = 1) { throw mine } }
            assertSame(mine, blocking.cause ?: blocking)
            val made = box.requests("DownloadAnswers").size
            Thread.sleep(500)
            assertTrue(box.requests("DownloadAnswers").size <= made + 1)
        }
    }

    @Test
    fun `a cancelled coroutine stops the work, and another run goes on`() = coroutine {
        box.client().use { client ->
            box.fault("""{"on": "DownloadAnswers", "times": 1000, "delayMs": 100}""")
            val running = launch(Dispatchers.Default) { client.archiveAnswers(survey, folder.path, maxConcurrency = 1) }
            eventually("some are stored") { box.requests("DownloadAnswers").size > 2 }
            running.cancelAndJoin()
            val made = box.requests("DownloadAnswers").size
            Thread.sleep(400)
            assertTrue(box.requests("DownloadAnswers").size <= made + 1, "it went on")
            box.forget()
            val report = client.archiveAnswers(survey, folder.path)
            assertTrue(report.progress.kept > 0 && report.progress.kept + report.progress.stored == report.progress.interviews, "$report")
            check(report.progress.interviews)
        }
    }

    private fun <T> runBlockingHere(work: suspend () -> T): T = kotlinx.coroutines.runBlocking { work() }
}
