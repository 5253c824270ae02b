// Reads interviews, downloads a document, and resets and deletes an interview, on a survey platform in this process.

import Foundation
import Sondage
import SondageTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@main
struct Interviews {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()
        let survey = try box.feedbackSurveyId

        // The completed interviews whose respondents would recommend it: a row for each, with the values of some columns.
        let completed = Variable.column("State").isEqualTo("Completed")
        let fans = completed && Variable.question("nps").isGreaterThan(8)
        let rows = client.interviewsCompact(surveyId: survey, fieldsToDownload: ["Id", "nps"], where: fans)
        guard let id = try await rows.first()?["Id"]?.text else { return print("nobody") }

        // One interview, with all its data.
        let data = try await client.readInterview(interviewId: id, surveyId: survey, loadSurveyDefinition: true).responseData
        print(data["State"]?.text ?? "", data["nps"]?.number ?? 0)

        // Its document. The link expires after a while: store the document, not the link.
        let link = try await client.downloadAnswers(surveyId: survey, interviewId: id, locale: "de").downloadUrl
        let document = try Data(contentsOf: URL(string: link?.reveal() ?? "")!)
        let kind = String(decoding: document.prefix(4), as: UTF8.self)
        print(kind, document.count > 500 ? "of an interview" : "of nothing")

        // Reset: the answers are deleted, and the person can answer again.
        _ = try await client.resetInterview(surveyId: survey, interviewId: id)
        let again = try await client.readInterview(interviewId: id, surveyId: survey).responseData
        print(again["State"]?.text ?? "", again["nps"]?.number.map(String.init) ?? "without an answer")

        // Delete: the interview no longer exists.
        _ = try await client.deleteInterview(surveyId: survey, interviewId: id)
        box.stop()
    }
}
