// Records calls in a file, and answers them from that file without a network.

import Foundation
import Sondage
import SondageTesting

@main
struct Recording {
    static func main() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (panelId, live) = try await Sandbox.with { box, _ in
            var settings = try box.settings()
            settings.record = file
            let client = try Client.configured(settings: settings)
            let panelId = try box.panelId
            _ = try await client.readPanel(panelId: panelId)
            var ids: Set<Int64> = []
            for try await member in client.members(panelId: panelId) { ids.insert(member.id) }
            return (panelId, ids)
        }

        // The platform has stopped. This client knows no account, no secret and no address.
        let client = try Client.configured(settings: ClientSettings(replay: file))
        var members: [Member] = []
        for try await member in client.members(panelId: panelId) { members.append(member) }
        let same = members.filter { live.contains($0.id) }.count
        print("\(same) of \(live.count) members are in the recording")
        print("one of them:", members[0]["Email"]?.text ?? "?")
        do {
            _ = try await client.readPanel(panelId: 7)
        } catch SondageError.configuration(let details) {
            print(details.message.replacingOccurrences(of: file, with: "calls.jsonl"))
        }
    }
}
