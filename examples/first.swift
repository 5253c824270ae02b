// Creates members and finds one of them, on a survey platform in this process.

import Sondage
import SondageTesting

@main
struct First {
    static func main() async throws {
        let box = try Sandbox.demo()
        let panel = try box.panelId
        let client = try box.client()

        let created = try await client.createMembers(
            panelId: panel,
            members: [
                NewMember(["Email": "ada@example.com", "FirstName": "Ada", "Division": "Research"]),
                NewMember(["Email": "not an address", "FirstName": "Grace", "Division": "Research"]),
            ])
        for issue in created.validationIssues { print("not created:", issue.errorMessage ?? "") }

        let research = Variable.field("Division").isEqualTo("Research")
        let ada = Variable.field("FirstName").isEqualTo("Ada")
        for try await member in client.members(panelId: panel, where: research && ada) {
            print("found:", member["FirstName"]?.text ?? "?", member["Email"]?.text ?? "?")
        }
        box.stop()
    }
}
