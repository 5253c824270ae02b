// Reconciles a call whose outcome is unknown: looks up whether it took effect, and calls again only if it did
// not. On a platform in this process.

import Sondage
import SondageTesting

@main
struct Reconcile {
    static func createOnce(_ client: Client, panelId: Int64) async throws {
        let person = NewMember(["Email": "ada@example.com", "FirstName": "Ada"])
        do {
            _ = try await client.createMembers(panelId: panelId, members: [person])
        } catch SondageError.outcomeUnknown(let details) {
            let became = try await client.reconcile(writeId: details.writeId ?? "", quiet: 0)
            print("\(became.verdict.rawValue): \(became.evidence)")
            if became.verdict == .didNotHappen { try await createOnce(client, panelId: panelId) }
        }
    }

    static func main() async throws {
        let box = try Sandbox.demo()
        // The first call is lost before it arrives, the response of the second one on its way back.
        try box.fault(Fault(on: "CreateMembers", .status(503)))
        try box.fault(Fault(on: "CreateMembers", .cut(.afterEffect)))
        try await createOnce(try box.client(), panelId: box.panelId)
        print("created: \(try box.effects("CreateMembers"))")
    }
}
