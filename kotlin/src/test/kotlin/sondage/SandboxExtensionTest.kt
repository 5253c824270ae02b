package sondage

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.RepeatedTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import sondage.testing.CutPoint
import sondage.testing.Fault
import sondage.testing.FaultAction
import sondage.testing.SandboxExtension
import sondage.testing.Sandbox as InProcess

/** The test support for users: a sandbox for each test, and typed faults. */
@ExtendWith(SandboxExtension::class)
class SandboxExtensionTest {
    private val ada = listOf(newMember("Email" to "ada@example.com"))
    private var before: InProcess? = null

    @BeforeEach
    fun remember(box: InProcess) {
        before = box
    }

    @AfterEach
    fun keep(box: InProcess) {
        assertTrue(box === before)
        used += box
    }

    @RepeatedTest(2)
    fun `each test has a sandbox of its own`(box: InProcess, client: Client) = coroutine {
        assertTrue(box === before)
        used.forEach { assertNotSame(it, box) }
        assertEquals(0, box.requests())
        client.createMembers(box.panelId, ada)
        assertEquals(1, box.effects("CreateMembers"))
    }

    @Test
    fun `a fault with types hits the calls that it names`(box: InProcess, client: Client) = coroutine {
        box.fault(Fault("CreateMembers", FaultAction.Cut(CutPoint.AFTER_EFFECT)))
        fails<SondageException.OutcomeUnknown> { client.createMembers(box.panelId, ada) }
        assertEquals(1, box.effects("CreateMembers"))
        box.fault(Fault("ReadPanel", FaultAction.NotSuccess("full", "the \"panel\" \\ is full"), skip = 1, times = null))
        client.readPanel(box.panelId)
        repeat(2) {
            val refused = fails<SondageException> { client.readPanel(box.panelId) }
            assertEquals("the \"panel\" \\ is full", refused.errorMessage)
        }
    }

    @Test
    fun `every action is known to the sandbox, and a name that is none is refused`(box: InProcess) {
        val actions = listOf(
            FaultAction.Delay, FaultAction.Status(503, mapOf("Retry-After" to "1"), "busy"), FaultAction.Stall,
            FaultAction.Cut(CutPoint.BEFORE_REQUEST), FaultAction.Cut(CutPoint.MID_ANSWER, reset = true), FaultAction.TruncatedJson,
            FaultAction.Html, FaultAction.TotalCount(3), FaultAction.RepeatPage, FaultAction.UnknownFields, FaultAction.UnknownEnums,
            FaultAction.NotSuccess("a", "b"), FaultAction.Body("{}"),
        )
        actions.forEach { box.fault(Fault("*", it)) }
        val slip = assertThrows(IllegalArgumentException::class.java) { box.fault(Fault("ReadPanels", FaultAction.Html)) }
        assertTrue(slip.message!!.contains("ReadPanel"), slip.message)
    }

    companion object {
        private val used = mutableListOf<InProcess>()

        /** Runs after everything that follows a test. */
        @JvmStatic
        @AfterAll
        fun `each sandbox was closed`() {
            assertTrue(used.isNotEmpty())
            used.forEach { box -> assertThrows(IllegalStateException::class.java) { box.panelId } }
        }
    }
}
