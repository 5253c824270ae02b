package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path
import sondage.testing.Sandbox as InProcess

/** The artefact `sondage-testing`: a platform inside the process of the tests. */
class TestingTest {
    @Test
    fun `the first program prints what the others print`() {
        val written = ByteArrayOutputStream()
        val out = System.out
        System.setOut(PrintStream(written, true, Charsets.UTF_8))
        try {
            Class.forName("First").getMethod("main").invoke(null)
        } finally {
            System.setOut(out)
        }
        val expected = Files.readString(Path.of(System.getProperty("sondage.examples"), "first.txt"))
        assertEquals(expected, written.toString(Charsets.UTF_8))
    }

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
