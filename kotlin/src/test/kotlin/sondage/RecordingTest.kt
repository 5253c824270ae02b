package sondage

import kotlinx.coroutines.flow.toList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import sondage.testing.Sandbox as InProcess

/** Calls that are recorded, and replayed without a network. */
class RecordingTest {
    private val box = Sandbox.shared

    @TempDir
    private lateinit var folder: Path

    private val file get() = folder.resolve("calls.jsonl").toString()

    @BeforeEach
    fun forget() = box.forget()

    private fun recorder() = Client(box.accountUrl, { box.token() }, settings = box.settings().copy(record = file))

    @Test
    fun `what was read is read again without a service`() = coroutine {
        val (panel, live) = InProcess.demo().use { box ->
            val client = Client.configured(box.settings().copy(record = file, pageSize = 50))
            box.panelId to client.members(box.panelId).toList()
        }
        val settings = Settings(replay = file, pageSize = 50)
        val members = Client.configured(settings).use { it.members(panel).toList() }
        assertEquals(live.map { it.id to it.fields.keys }, members.map { it.id to it.fields.keys })
        assertEquals(live.map { it["Email"] }.toSet().size, members.map { it["Email"] }.toSet().size)
        assertEquals(live.size, BlockingClient.configured(settings).use { it.members(panel).count() })
    }

    @Test
    fun `a recording has no secret and no person`() = coroutine {
        val live = recorder().use { client ->
            client.createMembers(box.panelId, listOf(newMember("Email" to "canary@example.com", "FirstName" to "Canary")))
            client.readSurveyLinks(box.surveyId)
            client.members(box.panelId).toList()
        }
        val text = Files.readString(Path.of(file))
        val people = live.flatMap { listOf(it["Email"]?.text, it["LastName"]?.text) }.filterNotNull().filter { it.length > 3 }
        assertTrue(people.size >= 300, "${people.size}")
        assertEquals(listOf<String>(), people.filter { it in text })
        val secrets = listOf(box.clientSecret, box.tenant, box.baseUrl, box.token(), "anary", "Bearer", "@example")
        assertEquals(listOf<String>(), secrets.filter { it in text })
    }

    @Test
    fun `a request that was not recorded names the nearest`() = coroutine {
        recorder().use { it.readPanel(box.panelId) }
        Client.configured(Settings(replay = file)).use { client ->
            val unknown = fails<SondageException.Configuration> { client.readPanel(12_345) }
            assertTrue("line 2, where panelId is ${box.panelId} and not 12345" in unknown.message, unknown.message)
            assertEquals(listOf("ReadPanel", 1), listOf(unknown.operation, unknown.attempts))
            val other = fails<SondageException.Configuration> { client.members(box.panelId).toList() }
            assertTrue("has responses to ReadPanel" in other.message, other.message)
        }
        assertEquals(1, box.requests("ReadPanel").size)
    }

    @Test
    fun `a file that is not a recording is refused, and left as it is`() = coroutine {
        Files.writeString(Path.of(file), "name,age\nada,41\n")
        val replayed = fails<SondageException.Configuration> { Client.configured(Settings(replay = file)) }
        assertTrue("is not a recording" in replayed.message, replayed.message)
        recorder().use { client -> fails<SondageException.Configuration> { client.readPanel(box.panelId) } }
        val both = fails<SondageException.Configuration> { Client.configured(Settings(replay = file, record = file)) }
        assertTrue("exclude each other" in both.message, both.message)
        assertEquals("name,age\nada,41\n", Files.readString(Path.of(file)))
    }
}
