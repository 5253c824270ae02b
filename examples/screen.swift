// What a screen shows: the members of a division, that they are loading, or why they cannot be shown.

import Sondage
import SondageTesting
#if canImport(Darwin)
import Observation
#endif

/// In a view: `@State var model: MembersModel`, and `.task(id: division) { await model.search(division) }`.
@available(iOS 17, macOS 14, *)
#if canImport(Darwin)
@Observable
#endif
@MainActor
final class MembersModel {
    enum State: Equatable {
        case loading
        case shown([String])
        case failed(String, canRetry: Bool)
    }

    /// What to show.
    private(set) var state = State.loading
    private let client: Client
    private let panelId: Int64

    init(client: Client, panelId: Int64) {
        self.client = client
        self.panelId = panelId
    }

    /// SwiftUI cancels the task when the view disappears or the division changes.
    func search(_ division: String) async {
        state = .loading
        do {
            var names: [String] = []
            for try await member in client.members(panelId: panelId, where: .field("Division").isEqualTo(division)) {
                names.append(member["FirstName"]?.text ?? "?")
            }
            state = .shown(names)
        } catch let error as SondageError {
            state = .failed("\(error)", canRetry: error.safeToRetry)
        } catch {
            // The task was cancelled: the next one updates the screen.
        }
    }
}

@main
struct Screen {
    static func main() async throws {
        guard #available(iOS 17, macOS 14, *) else { return }
        let box = try Sandbox.demo()
        let model = await MembersModel(client: try box.client(), panelId: try box.panelId)
        await model.search("Research")
        if case .shown(let names) = await model.state { print("shown:", names.count) }

        try box.fault(Fault(on: "ReadMemberList", .status(403)))
        await model.search("Research")
        if case .failed(_, let canRetry) = await model.state { print("failed, and a button to try again:", canRetry) }
        box.stop()
    }
}
