// Invitations, reminders, bounces and opt-outs, on a survey platform in this process.

import Foundation
import Sondage
import SondageTesting

@main
struct Distribution {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()
        let (survey, template) = (try box.feedbackSurveyId, try box.messageTemplateId)

        // The message templates.
        for letter in try await client.readMessageTemplateList(language: "en").messageTemplates {
            print("\(letter.name ?? ""): \(letter.subject ?? ""), in \(letter.locales.joined(separator: ", "))")
        }

        // Plan the invitation, to see whom it reaches. These members were invited before, and are invited again.
        let plan = try await client.planInvite(
            surveyId: survey, panelId: box.panelId, messageTemplateId: template,
            where: .field("Division").isEqualTo("Sales"), again: true)
        print(plan.facts().text.split(separator: "\n")[0])
        let invited = try await plan.run(confirm: plan.facts().token)
        if let stopped = invited.stopped { throw stopped }
        guard let distributor = invited.distributorId else { return print("nobody was invited") }
        print("invited:", invited.members.count)

        // A reminder in a week, for those who have not answered by then.
        let inAWeek = Date().addingTimeInterval(7 * 86_400)
        _ = try await client.remindMembers(
            distributorId: distributor, messageTemplateId: template, scheduleDateTime: inAWeek)

        // The status of the distributor, and the bounces.
        for one in try await client.readDistributorList(surveyId: survey).distributors {
            print(one.distributionChannel?.rawValue ?? "", one.distributionState ?? "")
        }
        print("came back:", try await client.readBounceList(surveyId: survey).bounces.count)

        // Somebody opts out.
        let noMore = EmailItem(email: "ada@example.com", optOutOperation: .add)
        _ = try await client.writeOptOutList(workspaceId: box.workspaceId, emails: [noMore])
        print("on the list:", try await client.readOptOutList(workspaceId: box.workspaceId).optOutItems.count)

        // One mail to one person.
        _ = try await client.executeSendMail(
            language: "en", from: "us@example.com", to: "grace@example.com", subject: "Thank you", body: "Dear Grace, ...")

        // Delete the distributor, which cancels the reminder; the answers are kept.
        _ = try await client.deleteDistributor(distributorId: distributor, keepInterviews: true)
        box.stop()
    }
}
