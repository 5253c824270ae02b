// Creates people from rows and invites them by one call, on a survey platform in this process.

import Sondage
import SondageTesting

@main
struct Newcomers {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()
        let people: [[String: FieldValue]] = [
            ["Email": "ada@example.com", "FirstName": "Ada", "Language": "en"],
            ["Email": "", "FirstName": "Zoe", "Language": "de"],
            ["Email": "bea@example.com", "FirstName": "Bea", "Language": "de"],
            ["Email": "bea@example.com", "FirstName": "Beatrice", "Language": "de"],
        ]

        // Rows that share a key are refused, and nobody without an address is invited.
        let plan = try await client.planCreateAndInvite(
            surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, key: "Email",
            rows: people)
        let facts = plan.facts()
        print(facts.text.split(separator: "\n")[0])
        for left in facts.rowsLeftOut { print("row \(left.row): \(left.reason.rawValue)") }

        let report = try await plan.run(confirm: facts.token)
        if let stopped = report.stopped { throw stopped }
        print("\(report.done) was created and invited")
    }
}
