/// Makes questionnaires:
///
///     var why = try ask.openQuestion(code: "why", text: ["en": "Why?", "de": "Warum?"])
///     why.forceResponse = true
///     let visit = try ask.section(name: "Visit", elements: [why, ask.pageBreak()])
///     let survey = try ask.questionnaire(languages: ["en", "de"], sections: [visit], end: ["en": "Thank you!"])
///     _ = try await client.createSurvey(workspaceId: 3, name: "Visitors", surveyDefinition: survey)
public let ask = Ask()

/// Texts are only converted in this direction: the results contain translations.
func texts(of parts: [String]) -> KeyValuePairs<String, String> { [:] }
