package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.file.Files

class EnsureWebHookTest {
    private val box = Sandbox.shared
    private val address = "https://acme.example/hooks"

    @Test
    fun `the same line makes one webhook`() = coroutine {
        val folder = Files.createTempDirectory("sondage-ensure")
        val state = folder.resolve("webhook.json").toString()
        val hook = Hook.basic("survalyzer", Secret("a password that is in no file"))
        box.client().use { client ->
            val done = client.ensureWebHook(hook, address, EventType.SurveyClosed, state = state)
            assertEquals(listOf(EnsureOutcome.CREATED, "*", EventType.SurveyClosed), listOf(done.outcome, done.entityIdentifier, done.eventType))
            val again = box.blockingClient().use { it.ensureWebHook(hook, address, EventType.SurveyClosed, state = state) }
            assertEquals(done.webHookId to EnsureOutcome.UNCHANGED, again.webHookId to again.outcome)
            val refused = fails<SondageException.InvalidArgument> { client.ensureWebHook(hook, address, EventType.SurveyClosed) }
            assertTrue(done.webHookId in refused.message, refused.message)
            client.deleteWebHook(done.webHookId)
            val anew = client.ensureWebHook(hook, address, EventType.SurveyClosed, state = state)
            assertTrue(anew.outcome == EnsureOutcome.CREATED && anew.webHookId != done.webHookId, anew.reason)
            client.deleteWebHook(anew.webHookId)
        }
        folder.toFile().deleteRecursively()
    }
}
