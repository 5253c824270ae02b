package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class DoctorTest {
    private val box = Sandbox.shared

    @Test
    fun `a healthy set-up gets no complaint`() = coroutine {
        box.client().use { client ->
            val diagnosis = client.doctor()
            assertTrue(diagnosis.healthy, "$diagnosis")
            assertEquals(setOf(HealthState.PASSED), diagnosis.checks.map { it.state }.toSet())
        }
    }

    @Test
    fun `what is wrong is named with its cure`() = coroutine {
        val settings = Settings(baseUrl = box.baseUrl, authUrl = box.authUrl)
        Client(box.accountUrl, { "no-token-of-this-service" }, settings = settings).use { client ->
            val found = client.doctor()
            val wrong = found.checks.filter { it.state == HealthState.FAILED }
            assertEquals(listOf(HealthTopic.TOKEN), wrong.map { it.check }, "$found")
            assertTrue(!found.healthy && wrong.single().cure != null, "$found")
        }
    }
}
