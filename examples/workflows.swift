// Moves a survey through its states, and creates artifacts, on a survey platform in this process.

import Foundation
import Sondage
import SondageTesting

@main
struct Workflows {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()
        let (survey, workspace) = (try box.feedbackSurveyId, try box.workspaceId)

        // The current state, and the transitions from it.
        guard let state = try await client.readSurvey(surveyId: survey).surveyState else { return print("no state") }
        print("it is", state)
        let ways = try await client.readWorkflowTransitions(workflow: .surveyDesign, currentState: state)
        for way in ways.transitions { print("\(way.name ?? "") makes it \(way.newState ?? "")") }

        // There.
        _ = try await client.executeWorkflowTransition(
            workflow: .surveyDesign, targetState: "Closed", surveyId: survey)
        print("it is", try await client.readSurvey(surveyId: survey).surveyState ?? "")

        // A transition that does not exist is refused.
        do {
            _ = try await client.executeWorkflowTransition(
                workflow: .surveyDesign, targetState: "Draft", surveyId: survey)
        } catch SondageError.api(let refused) {
            print(refused.errorCode ?? "")
        }

        // Artifacts: names in folders of a workspace. What the service lists is JSON, because its format is not published.
        struct Artifact: Decodable {
            let path: String
        }
        _ = try await client.createArtifact(workspaceId: workspace, path: "logos/2024")
        let listed = try await client.readArtifactList(workspaceId: workspace).extra["artifacts"] ?? "[]"
        print("artifacts:", try JSONDecoder().decode([Artifact].self, from: Data(listed.utf8)).map(\.path))
        _ = try await client.deleteArtifact(workspaceId: workspace, path: "logos/2024")
        box.stop()
    }
}
