package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.time.Duration
import sondage.testing.Sandbox as InProcess

class InvitesTest {
    @TempDir lateinit var folder: Path
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    /** Three members, of whom one has no address. */
    private suspend fun people(division: String) {
        val members = listOf("a", "b").map { newMember("Email" to "$it@$division.example", "Division" to division) }
        client.createMembers(box.panelId, members + newMember("FirstName" to "Nobody", "Division" to division))
    }

    private suspend fun plan(division: String, cap: Long? = null, maxAge: Duration? = null) =
        client.planInvite(
            box.surveyId, box.panelId, box.messageTemplateId, where = field("Division") isEqualTo division, cap = cap, maxAge = maxAge)

    @Test
    fun `the number of the plan is the number of messages`() = coroutine {
        people("kotlin-plan")
        val plan = plan("kotlin-plan")
        val facts = plan.facts()
        assertTrue("reaches 2 of 3: 1 has no address" in facts.text, facts.text)
        assertEquals(listOf(LeftOutReason.NO_ADDRESS), facts.leftOut.map { it.reason })
        val refused = fails<SondageException.InvalidArgument> { plan.run("yes") }
        assertTrue("does not confirm this plan" in refused.message, refused.message)
        val report = plan.run(facts.token)
        assertNull(report.stopped)
        assertEquals(facts.members, report.members)
        val again = plan("kotlin-plan")
        assertTrue("2 were invited before" in again.facts().text, again.facts().text)
        val nothing = again.run(again.facts().token)
        assertNull(nothing.stopped)
        assertTrue(nothing.members.isEmpty())
    }

    @Test
    fun `an answer that is lost is in the report and an old plan is refused`() = coroutine {
        people("kotlin-lost")
        fails<SondageException.InvalidArgument> { plan("kotlin-lost", cap = 0) }
        val old = plan("kotlin-lost", maxAge = Duration.ZERO)
        fails<SondageException.InvalidArgument> { old.run(old.facts().token) }
        box.fault("""{"on": "InviteMembers", "action": {"kind": "cut", "at": "afterEffect"}}""")
        box.blockingClient().use { blocking ->
            val plan = blocking.planInvite(
                box.surveyId, box.panelId, box.messageTemplateId, where = field("Division") isEqualTo "kotlin-lost")
            val report = plan.runBlocking(plan.facts().token)
            assertTrue(report.stopped is SondageException.OutcomeUnknown, "${report.stopped}")
            assertNull(report.distributorId)
        }
    }

    @Test
    fun `a field report counts everybody who was invited`() = coroutine {
        val report = client.fieldReport(box.feedbackSurveyId, partial = true)
        val all = with(report) { complete + partial + refusal + other + unknown + notEligible }
        assertEquals(report.cases, all)
        assertEquals(report.complete.toDouble() / (report.cases - report.notEligible), report.rr1!!, 1e-12)
    }

    @Test
    fun `a distribution is a funnel in which nothing is invented`() = coroutine {
        // The demo's feedback was invited by a distributor of this id, which is not listed any more.
        val found = client.distribution(box.feedbackSurveyId * 10 + 2, surveyId = box.feedbackSurveyId)
        assertEquals(60, found.invited)
        assertNull(found.opened)
        assertEquals(found.completed + found.inProgress + found.screenedOut + found.quotaFull, found.started)
        val groups = client.fieldReport(box.feedbackSurveyId, by = "Language").groups
        assertEquals(60, groups.sumOf { it.cases })
    }

    @Test
    fun `new members are created and invited by one call`() = coroutine {
        // Other tests reconcile objects in the shared sandbox.
        InProcess.demo().use { box ->
            val client = box.client()
            val journal = folder.resolve("new.journal").toString()
            val people = listOf(
                row("Email" to "new@kotlin-newcomers.example", "Language" to "de"),
                row("Email" to "", "Language" to "de"),
                row("Email" to "second@kotlin-newcomers.example", "CellPhoneNumber" to "0791234567"))
            suspend fun plan(rows: List<Map<String, FieldValue>>) =
                client.planCreateAndInvite(
                    box.surveyId, box.panelId, box.messageTemplateId, "Email", rows = rows, journal = journal, quiet = Duration.ZERO)
            val plan = plan(people)
            val facts = plan.facts()
            assertEquals(listOf(0L), facts.rows)
            assertEquals(listOf(1L to LeftOutReason.INVALID, 2L to LeftOutReason.INVALID), facts.rowsLeftOut.map { it.row to it.reason })
            assertEquals("it has no key", facts.rowsLeftOut[0].why)
            val twice = listOf(
                row("Email" to "twice@kotlin-newcomers.example ", "Language" to "de"),
                row("Email" to "twice@kotlin-newcomers.example", "Language" to "de"))
            val last = client.planCreateAndInvite(
                box.surveyId, box.panelId, box.messageTemplateId, "Email", rows = twice, duplicates = Duplicates.LAST, strip = true)
            assertEquals(listOf(1L), last.facts().rows)
            assertEquals(LeftOutReason.SAME_KEY, last.facts().rowsLeftOut.single().reason)
            val report = plan.run(facts.token)
            assertEquals(SendStatus.DONE, report.rows[0].status)
            assertEquals(listOf(report.rows[0].memberId), report.members)
            val other = fails<SondageException.InvalidArgument> { plan(people.take(1)) }
            assertTrue("its rows, its message" in other.message, other.message)
        }
    }
}
