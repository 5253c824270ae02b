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
                "action" to mapOf("kind" to action.kind) + action.facts,
            ),
        )
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
