package sondage.testing

import java.time.Duration

/**
 * A failure of the network or of the service, and the calls that it hits.
 *
 * ```
 * box.fault(Fault("ReadMemberList", FaultAction.Status(503), times = 2))
 * box.fault(Fault("CreateMembers", FaultAction.Cut(CutPoint.AFTER_EFFECT)))
 * ```
 *
 * @param on The operation that it hits: its name in the API, `token`, a path, `*` for every call, or `connection`.
 * @param action What happens.
 * @param skip How many matching calls pass unaffected before the first is hit.
 * @param times How many calls are hit; `null` means every one.
 * @param delay How long to wait before anything else happens.
 * @param afterEffect Whether the call takes effect although its response does not say so. Some faults imply it.
 */
public data class Fault(
    val on: String,
    val action: FaultAction = FaultAction.Delay,
    val skip: Long = 0,
    val times: Long? = 1,
    val delay: Duration = Duration.ZERO,
    val afterEffect: Boolean = false,
) {
    internal val json: String
        get() = json(
            mapOf(
                "on" to on,
                "skip" to skip,
                "times" to times,
                "delayMs" to delay.toMillis(),
                "afterEffect" to afterEffect,
                "action" to mapOf("kind" to action.kind) + action.fields,
            ),
        )
}

/** What a [Fault] does. */
public sealed class FaultAction(internal val kind: String, internal val fields: Map<String, Any?> = emptyMap()) {
    /** Only the delay. */
    public data object Delay : FaultAction("delay")

    /** Responds with this status, as a gateway in front of the service does. Without a body, an envelope is sent. */
    public data class Status(val status: Int, val headers: Map<String, String> = emptyMap(), val body: String? = null) :
        FaultAction("status", mapOf("status" to status, "headers" to headers, "body" to body))

    /** Closes the connection, with a reset if requested. */
    public data class Cut(val at: CutPoint, val reset: Boolean = false) :
        FaultAction("cut", mapOf("at" to at.word, "reset" to reset))

    /** Sends half of the response and then nothing more, without closing the connection. */
    public data object Stall : FaultAction("stall")

    /** A complete response whose JSON stops in the middle. */
    public data object TruncatedJson : FaultAction("truncatedJson")

    /** An HTML page with status 200. */
    public data object Html : FaultAction("html")

    /** A wrong `totalCount`. */
    public data class TotalCount(val value: Long) : FaultAction("totalCount", mapOf("value" to value))

    /** Sends the page before the requested one. */
    public data object RepeatPage : FaultAction("repeatPage")

    /** Unknown fields in every object of the response. */
    public data object UnknownFields : FaultAction("unknownFields")

    /** Unknown values in every enumeration of the response. */
    public data object UnknownEnums : FaultAction("unknownEnums")

    /** Status 200 and `isSuccess: false`. */
    public data class NotSuccess(val errorCode: String, val errorMessage: String) :
        FaultAction("notSuccess", mapOf("errorCode" to errorCode, "errorMessage" to errorMessage))

    /** Status 200 with this body as JSON, whatever it is. */
    public data class Body(val text: String) : FaultAction("body", mapOf("text" to text))
}

/** When a connection is closed. */
public enum class CutPoint(internal val word: String) {
    /** After the head of the request, before its body is read: it cannot take effect. */
    BEFORE_REQUEST("beforeRequest"),

    /** After the whole request took effect, before a byte of the response. */
    AFTER_EFFECT("afterEffect"),

    /** In the middle of the response. */
    MID_ANSWER("midAnswer"),
}

internal fun json(value: Any?): String =
    when (value) {
        is String -> value.map(::escaped).joinToString("", "\"", "\"")
        is Map<*, *> -> value.entries.joinToString(",", "{", "}") { (name, each) -> "${json(name)}:${json(each)}" }
        is List<*> -> value.joinToString(",", "[", "]", transform = ::json)
        else -> value.toString()
    }

private fun escaped(letter: Char): String =
    if (letter < ' ' || letter == '"' || letter == '\\') "\\u%04x".format(letter.code) else letter.toString()
