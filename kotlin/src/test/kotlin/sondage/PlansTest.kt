package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

class PlansTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    private suspend fun people(division: String): List<Long?> {
        val members = listOf("a", "b").map { newMember("Email" to "$it@$division.example", "Division" to division) }
        return client.createMembers(box.panelId, members + newMember("FirstName" to "Nobody", "Division" to division)).membersIds
    }

    private suspend fun mails(division: String, journal: String? = null) =
        client.planSendMail(
            box.panelId, "us@example.com", subject = "News", body = "There is news.", language = "en",
            where = field("Division") isEqualTo division, journal = journal)

    @Test
    fun `a journal goes on and nobody gets a mail twice`(@TempDir folder: Path) = coroutine {
        val people = people("kotlin-mails")
        val journal = folder.resolve("mails.journal").toString()
        val plan = mails("kotlin-mails", journal)
        assertTrue("reaches 2 of 3: 1 has no address" in plan.facts().text, plan.facts().text)
        assertEquals(plan.facts().calls, plan.facts().cost.calls)
        assertEquals(2L, plan.report().notSent)
        box.fault("""{"on": "ExecuteSendMail", "action": {"kind": "cut", "at": "afterEffect"}}""")
        val first = plan.run(plan.facts().token)
        assertEquals(listOf(SendStatus.UNKNOWN, SendStatus.NOT_SENT, SendStatus.LEFT_OUT), first.rows.map { it.status })
        assertTrue(first.stopped is SondageException.OutcomeUnknown, "${first.stopped}")
        val again = mails("kotlin-mails", journal)
        assertEquals(listOf(people[1]), again.facts().members)
        val second = again.runBlocking(again.facts().token)
        assertEquals(listOf(1L, 1L, true), listOf(second.done, second.unknown, second.resumed))
        assertEquals(second.rows, again.report().rows)
    }

    @Test
    fun `vouchers are bought once`() = coroutine {
        val offer = client.readIncentiveList().panelIncentives.first()
        val plan = client.planRedeem(offer.id, count = 2)
        val report = plan.run(plan.facts().token)
        assertEquals(listOf(1L, 2L), report.rows.map { it.target })
        assertEquals(2, report.rows.mapNotNull { it.voucherCode?.reveal() }.toSet().size)
    }

    @Test
    fun `a transition is planned from a state that can be read`() = coroutine {
        val refused = fails<SondageException.InvalidArgument> { client.planTransition(WorkflowType.Unknown("Reminder"), "Executed") }
        assertTrue("cannot be read" in refused.message, refused.message)
        val plan = client.planTransition(WorkflowType.SurveyDesign, "Revision", surveyId = box.surveyId)
        assertTrue("from Published to Revision by Revise" in plan.facts().text, plan.facts().text)
    }
}
