package sondage

import kotlinx.coroutines.flow.toList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path
import sondage.testing.Content
import sondage.testing.Sandbox as InProcess

/** The artefact `sondage-testing`: a platform inside the process of the tests. */
class TestingTest {
    @ParameterizedTest
    @ValueSource(strings = ["Distribution", "First", "Import", "Incentives", "Interviews", "Newcomers", "Reconcile", "Recording", "Screen", "Surveys", "Workflows"])
    fun `a program prints what the others print`(name: String) {
        val written = ByteArrayOutputStream()
        val out = System.out
        System.setOut(PrintStream(written, true, Charsets.UTF_8))
        try {
            Class.forName(name).getMethod("main").invoke(null)
        } finally {
            System.setOut(out)
        }
        val expected = Files.readString(Path.of(System.getProperty("sondage.examples"), "${name.lowercase()}.txt"))
        assertEquals(words.fold(expected) { text, (python, kotlin) -> text.replace(python, kotlin) }, written.toString(Charsets.UTF_8))
    }

    /** The output of the Python program, with the names of this language. */
    private val words = listOf(
        "RedeemIncentiveCodeResponse(voucher_code='***')" to "a voucher was bought",
        "NotResponded None" to "NotResponded without an answer",
        "['logos/2024']" to "[logos/2024]",
    )

    @Test
    fun `it injects faults and counts what arrived`() = coroutine {
        InProcess.demo(members = 3).use { box ->
            val client = box.client()
            box.fault("""{"on": "CreateMembers", "action": {"kind": "status", "status": 400}}""")
            fails<SondageException> { client.createMembers(box.panelId, listOf(newMember("Email" to "ada@example.com"))) }
            assertEquals(listOf(1, 0), listOf(box.requests("CreateMembers"), box.effects("CreateMembers")))
            assertEquals(1, box.tokenRequests())
            box.clear()
            assertEquals(0, box.requests())
            client.createMembers(box.panelId, listOf(newMember("Email" to "ada@example.com")))
            assertEquals(1, box.effects("CreateMembers"))
        }
    }

    @Test
    fun `a survey of one's own, from a CSV file and a code plan`(@TempDir folder: Path) = coroutine {
        val data = Files.writeString(folder.resolve("answers.csv"), "weight\n0.5\n\"\"\n")
        val plan = Files.writeString(folder.resolve("plan.json"), """[{"code": "weight", "dataType": "Real", "type": "OpenQuestion"}]""")
        InProcess.demo(data = data, codePlan = plan).use { box ->
            val survey = requireNotNull(box.dataSurveyId)
            val rows = box.client().interviewsCompact(survey, fieldsToDownload = listOf("weight")).toList()
            assertEquals(setOf(0.5, null), rows.map { (it["weight"] as? FieldValue.Float)?.value }.toSet())
            assertTrue(box.consoleUrl.startsWith(box.baseUrl + "/console/"))
        }
        Files.writeString(data, "weight\nmuch\n")
        val error = assertThrows(IllegalStateException::class.java) { InProcess.demo(data = data, codePlan = plan) }
        assertTrue("line 2, column 1" in error.message!!, error.message)
        InProcess.demo().use { assertNull(it.dataSurveyId) }
    }

    @Test
    fun `people answer a questionnaire of one's own`() = coroutine {
        val shape = Path.of("../tests/shapes/survey-5.json")
        InProcess.demo(surveys = listOf(shape)).use { box ->
            assertEquals(mapOf("survey-5" to box.surveyId), box.surveyIds)
            assertEquals(30, box.fill(box.surveyId, people = 30, seed = 7).toSet().size)
            val answered = box.answer(box.surveyId, listOf(mapOf("mAzuDema" to 1, "WInegOluXoma" to 6, "State" to "InProgress")))
            val rows = box.client().interviewsCompact(box.surveyId).toList()
            assertEquals(31, rows.size)
            val last = rows.single { (it["Id"] as? FieldValue.Text)?.value == answered.single() }
            assertEquals(6L, (last["WInegOluXoma"] as? FieldValue.Int)?.value)
            val error = assertThrows(IllegalArgumentException::class.java) {
                box.answer(box.surveyId, listOf(emptyMap(), mapOf("WInegOluXoma" to 77)))
            }
            assertTrue("rows[1].WInegOluXoma" in error.message!!, error.message)
            assertThrows(IllegalArgumentException::class.java) { box.fill(1) }
        }
        InProcess.demo(surveys = listOf(shape), fill = 25).use { box ->
            assertEquals(25, box.client().interviewsCompact(box.surveyId).toList().size)
        }
        val error = assertThrows(IllegalStateException::class.java) { InProcess.demo(fill = 5) }
        assertTrue("surveys" in error.message!!, error.message)
        assertThrows(IllegalArgumentException::class.java) { InProcess.demo(surveys = listOf(shape), fill = -1) }
    }

    @Test
    fun `a sandbox that stays`() = coroutine {
        val folder = Files.createTempDirectory("sondage-state")
        val (secret, address) = InProcess.demo(state = folder.resolve("kept")).use { box ->
            box.fill(box.surveyId, people = 3)
            box.snapshot(folder.resolve("copy"))
            box.fill(box.surveyId, people = 4)
            box.clientSecret to box.baseUrl
        }
        InProcess.demo(state = folder.resolve("kept")).use { box ->
            assertEquals(secret to address, box.clientSecret to box.baseUrl)
            assertEquals(951, box.client().interviewsCompact(box.surveyId).toList().size)
            box.restore(folder.resolve("copy"))
            assertEquals(947, box.client().interviewsCompact(box.surveyId).toList().size)
            box.reset()
            assertEquals(944, box.client().interviewsCompact(box.surveyId).toList().size)
            assertThrows(IllegalArgumentException::class.java) { box.restore(folder) }
        }
        folder.toFile().deleteRecursively()
    }

    @Test
    fun `two waves of a survey`() = coroutine {
        InProcess.demo(content = Content.WAVES).use { box ->
            assertEquals(listOf("Library visitors 2025", "Library visitors 2026"), box.surveyIds.keys.toList())
            assertEquals(box.surveyId, box.surveyIds["Library visitors 2026"])
            val rows = box.client().interviewsCompact(box.surveyId, fieldsToDownload = listOf("weight")).toList()
            assertEquals(400, rows.size)
        }
    }

    @Test
    fun `what it does not understand changes nothing`() {
        val box = InProcess.demo()
        val error = assertThrows(IllegalArgumentException::class.java) { box.fault("{}") }
        assertTrue(error.message!!.contains("nothing was changed"), error.message)
        assertTrue(assertThrows(IllegalArgumentException::class.java) { box.fact("colour") }.message!!.contains("colour"))
        box.close()
        box.close()
        assertThrows(IllegalStateException::class.java) { box.panelId }
        assertThrows(IllegalArgumentException::class.java) { InProcess.demo(members = -1) }
    }
}
