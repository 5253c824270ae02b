package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.TimeUnit

class ExampleTest {
    @Test
    fun `the example runs as a program of its own, and the process ends by itself`() {
        Sandbox().use { box ->
            val ids = listOf(box.panelId, box.surveyId, box.messageTemplateId).map { it.toString() }
            val java = ProcessHandle.current().info().command().get()
            val program = ProcessBuilder(listOf(java, "-cp", System.getProperty("java.class.path"), "InviteMembers") + ids)
            program.environment() += mapOf(
                "SONDAGE_BASE_URL" to box.baseUrl,
                "SONDAGE_AUTH_URL" to box.authUrl,
                "SONDAGE_TENANT" to box.tenant,
                "SONDAGE_CLIENT_SECRET" to box.clientSecret,
            )
            val process = program.redirectErrorStream(true).start()
            val end = Thread { if (!process.waitFor(60, TimeUnit.SECONDS)) process.destroyForcibly() }.apply { start() }
            val said = process.inputStream.bufferedReader().readText()
            end.join()
            assertEquals(0, process.exitValue(), said)
            assertTrue(said.contains("not created: ") && said.contains("will be invited: 1\ninvited by distributor "), said)
            assertEquals(1, box.effects("CreateMembers").size)
            assertTrue(box.effects("InviteMembers").isNotEmpty())
        }
    }
}
