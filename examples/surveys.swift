// A survey from its questionnaire to its links, on a survey platform in this process.

import Sondage
import SondageTesting

@main
struct Surveys {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()
        let workspace = try box.workspaceId

        // The questionnaire, in two languages.
        let yes = ask.choice(code: "1", text: ["en": "Yes", "de": "Ja"])
        let no = ask.choice(code: "2", text: ["en": "No", "de": "Nein"])
        let back = try ask.singleChoice(
            code: "back", text: ["en": "Will you come back?", "de": "Kommen Sie wieder?"], choices: [yes, no])
        var why = try ask.openQuestion(code: "why", text: ["en": "Why not?", "de": "Warum nicht?"])
        why.condition = try ask.showWhen(filter: Variable.question("back").isEqualTo("2"))
        let visit = try ask.section(name: "Visit", elements: [back, why])
        let definition = try ask.questionnaire(
            languages: ["en", "de"], sections: [visit], end: ["en": "Thank you!", "de": "Danke!"])
        let created = try await client.createSurvey(
            workspaceId: workspace, name: "Visitors", surveyDefinition: definition)
        guard let survey = created.surveyId else { return print("the service did not say which survey it made") }

        // Change it: read, modify, and send back all of it.
        guard var changed = try await client.readSurvey(surveyId: survey).survey else { return print("it is gone") }
        changed.sections[0].elements[1].forceResponse = true
        _ = try await client.updateSurvey(surveyId: survey, surveyDefinition: changed)

        // When it is published, it can be answered.
        _ = try await client.executeWorkflowTransition(
            workflow: .surveyDesign, targetState: "Published", surveyId: survey)
        for link in try await client.readSurveyLinks(surveyId: survey).anonymousList {
            print("open to everybody:", link.language ?? "")
        }
        for listed in try await client.readSurveyList(workspaceId: workspace).surveys {
            print("\(listed.name ?? ""): \(listed.status?.rawValue ?? ""), \(listed.answers ?? 0) answers")
        }

        _ = try await client.deleteSurvey(surveyId: survey)
        box.stop()
    }
}
