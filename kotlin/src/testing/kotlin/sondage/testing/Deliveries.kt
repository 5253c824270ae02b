package sondage.testing

import java.time.Instant

/** Something that happens on the platform, of which the subscribers of its event are notified: see [Sandbox.emit]. */
public sealed class Cause(internal val kind: String, private val fields: Map<String, Any?>) {
    internal val json: String get() = json(mapOf("kind" to kind) + fields)

    /** Somebody completes an interview (`InterviewComplete`), with answers by the codes of the survey's variables. */
    public data class Complete(val id: String, val answers: Map<String, Any?> = emptyMap()) :
        Cause("complete", mapOf("id" to id, "answers" to answers))

    /** A message to a member bounces permanently (`HardBounce`). */
    public data class HardBounce(val memberId: Long) : Cause("bounce", mapOf("memberId" to memberId))

    /** A member opts out (`OptOutAdded`). */
    public data class OptOut(val memberId: Long) : Cause("optOut", mapOf("memberId" to memberId))

    /** A member opts in again (`OptOutRemoved`). */
    public data class OptIn(val memberId: Long) : Cause("optIn", mapOf("memberId" to memberId))

    /** A member changes (`PanelMemberUpdated`), with new values by the names of the fields. */
    public data class UpdateMember(val memberId: Long, val fields: Map<String, Any?> = emptyMap()) :
        Cause("updateMember", mapOf("memberId" to memberId, "fields" to fields))

    /** A member is removed (`PanelMemberRemoved`). */
    public data class RemoveMember(val memberId: Long) : Cause("removeMember", mapOf("memberId" to memberId))

    /** A survey is closed (`SurveyClosed`). */
    public data class CloseSurvey(val surveyId: Long) : Cause("closeSurvey", mapOf("surveyId" to surveyId))

    /** The approval of a survey is requested (`ApprovalRequest`). */
    public data class RequestApproval(val surveyId: Long) : Cause("requestApproval", mapOf("surveyId" to surveyId))

    /** A survey is approved (`Approved`). */
    public data class Approve(val surveyId: Long) : Cause("approve", mapOf("surveyId" to surveyId))

    /** Any event, with any entity, without a change of state. */
    public data class Event(val eventType: String, val entityIdentifier: Long? = null, val entity: Any? = null) :
        Cause("event", mapOf("eventType" to eventType, "entityIdentifier" to entityIdentifier, "entity" to entity))
}

/**
 * One attempt to notify a subscriber.
 *
 * @param event The number of the event: the same in all attempts, but different for each subscriber.
 * @param eventType What happened.
 * @param webHookId The registration.
 * @param to Host and port.
 * @param attempt 1 for the first.
 * @param outcome The result.
 * @param status The status of the response, if there is one.
 * @param at When, by the sandbox's clock.
 * @param next The time of the next attempt, if there is one.
 */
public data class Attempt(
    val event: Long,
    val eventType: String,
    val webHookId: String,
    val to: String,
    val attempt: Int,
    val outcome: AttemptOutcome,
    val status: Int?,
    val at: Instant,
    val next: Instant?,
) {
    internal companion object {
        /** An attempt from its line. */
        fun of(line: String): Attempt {
            val parts = line.split('\t')
            return Attempt(
                event = parts[0].toLong(),
                eventType = parts[1],
                webHookId = parts[2],
                to = parts[3],
                attempt = parts[4].toInt(),
                outcome = AttemptOutcome.entries.first { it.word == parts[5] },
                status = parts[6].toIntOrNull(),
                at = Instant.parse(parts[7]),
                next = parts[8].takeIf(String::isNotEmpty)?.let(Instant::parse),
            )
        }
    }
}

/** The result of an [Attempt]. */
public enum class AttemptOutcome(internal val word: String) {
    /** A status from 200 to 299. */
    DELIVERED("delivered"),

    /** Another status. Redirects are not followed. */
    REFUSED("refused"),

    /** No connection, or no response in time. */
    FAILED("failed"),

    /** A fault dropped it. */
    SILENT("silent"),

    /** The address is on another machine, so nothing was sent. */
    NOT_SENT("notSent"),

    /** The registration no longer exists, so nothing was sent. */
    GONE("gone"),
}
