// Invitations, reminders, bounces and opt-outs, on a survey platform in this process.
@file:JvmName("Distribution")

import kotlinx.coroutines.runBlocking
import sondage.EmailItem
import sondage.OptOutOperation
import sondage.field
import sondage.testing.Sandbox
import java.time.Duration
import java.time.Instant

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()
        val survey = box.feedbackSurveyId
        val template = box.messageTemplateId

        // The message templates.
        client.readMessageTemplateList(language = "en").messageTemplates.forEach { letter ->
            println("${letter.name}: ${letter.subject}, in ${letter.locales.joinToString()}")
        }

        // Plan the invitation, to see whom it reaches. These members were invited before, and are invited again.
        val sales = field("Division") isEqualTo "Sales"
        val plan = client.planInvite(survey, box.panelId, template, where = sales, again = true)
        println(plan.facts().text.lines().first())
        val invited = plan.run(confirm = plan.facts().token)
        invited.stopped?.let { throw it }
        val distributor = checkNotNull(invited.distributorId)
        println("invited: ${invited.members.size}")

        // A reminder in a week, for those who have not answered by then.
        val inAWeek = Instant.now() + Duration.ofDays(7)
        client.remindMembers(distributor, template, scheduleDateTime = inAWeek)

        // The status of the distributor, and the bounces.
        client.readDistributorList(surveyId = survey).distributors.forEach {
            println("${it.distributionChannel} ${it.distributionState}")
        }
        println("came back: ${client.readBounceList(survey).bounces.size}")

        // Somebody opts out.
        val noMore = EmailItem(email = "ada@example.com", optOutOperation = OptOutOperation.Add)
        client.writeOptOutList(workspaceId = box.workspaceId, emails = listOf(noMore))
        println("on the list: ${client.readOptOutList(workspaceId = box.workspaceId).optOutItems.size}")

        // One mail to one person.
        client.executeSendMail(
            language = "en",
            from = "us@example.com",
            to = "grace@example.com",
            subject = "Thank you",
            body = "Dear Grace, ...",
        )

        // Delete the distributor, which cancels the reminder; the answers are kept.
        client.deleteDistributor(distributor, keepInterviews = true)
    }
}
