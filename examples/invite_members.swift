// Creates members, plans an invitation, and sends it to exactly the planned members.

import Sondage

@main
struct InviteMembers {
    static func main() async throws {
        let ids = CommandLine.arguments.dropFirst().compactMap { Int64($0) }
        guard ids.count == 3 else { return print("give a panel, a survey and a message template") }
        let (panel, survey, template) = (ids[0], ids[1], ids[2])
        // On a server the connection settings come from the environment (SONDAGE_*). On a phone:
        // Client(accountUrl: url) { try await ... }.
        let client = try Client.configured()
        let ada = NewMember(["Email": "ada@example.com", "FirstName": "Ada", "Division": "Analysis"])
        let grace = NewMember(["Email": "not an address", "FirstName": "Grace", "Division": "Analysis"])
        let created = try await client.createMembers(panelId: panel, members: [ada, grace])
        for issue in created.validationIssues { print("not created: \(issue.errorMessage ?? "")") }

        let analysts = Variable.field("Division").isEqualTo("Analysis")
        let plan = try await client.planInvite(
            surveyId: survey, panelId: panel, messageTemplateId: template, where: analysts)
        print("will be invited: \(plan.facts().members.count)")
        let report = try await plan.run(confirm: plan.facts().token)
        if let stopped = report.stopped {
            print("perhaps invited. \(stopped.reconcile ?? "")")
        } else {
            print("invited by distributor \(report.distributorId ?? 0)")
        }
    }
}
