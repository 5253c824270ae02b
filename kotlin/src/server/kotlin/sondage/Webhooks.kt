package sondage

import java.time.Instant

/** The status of the answer to a request that was refused, whatever the reason. */
public const val REFUSED_STATUS: Int = 401

/**
 * [Hook.judge] with the headers as servers hand them over: `exchange.requestHeaders` of `com.sun.net.httpserver`,
 * `headers.toMap()` of Ktor.
 */
public fun Hook.verify(url: String, headers: Map<String, List<String>>, body: ByteArray, now: Instant? = null): Verdict {
    val pairs = headers.flatMap { (name, values) -> values.map { Header(name, it.toByteArray(Charsets.ISO_8859_1)) } }
    return judge(url, pairs, body, now)
}

/** The keys by which a guard knows the event. */
public val Event.keys: List<String> get() = listOfNotNull(key, also)

/** [Guard.claimKeys] with the keys of an event. */
public fun Guard.claim(event: Event): Claim = claimKeys(event.keys)

/**
 * Handles an event unless it was handled before, and returns the status to answer with: 204, or 503 when it is being handled
 * at this moment, so that the service tries again. When [handle] throws, so does this, and the next delivery is new again.
 */
public inline fun Guard.once(event: Event, handle: (Event) -> Unit): Int {
    val claim = claim(event)
    if (claim.state() == ClaimState.NEW) {
        try {
            handle(event)
            claim.done()
        } finally {
            claim.release()
        }
    }
    return if (claim.state() == ClaimState.BUSY) 503 else 204
}
