package sondage

/**
 * Makes questionnaires:
 *
 * ```
 * val why = ask.openQuestion("why", mapOf("en" to "Why?", "de" to "Warum?")).copy(forceResponse = true)
 * val visit = ask.section("Visit", listOf(why, ask.pageBreak()))
 * val survey = ask.questionnaire(listOf("en", "de"), listOf(visit), end = mapOf("en" to "Thank you!"))
 * client.createSurvey(workspaceId = 3, name = "Visitors", surveyDefinition = survey)
 * ```
 */
public val ask: Ask by lazy { Ask() }
