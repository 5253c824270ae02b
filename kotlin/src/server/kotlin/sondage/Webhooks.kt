package sondage

import java.io.InputStream
import java.time.Instant

/** The status of the response to a refused request, whatever the reason. */
public const val REFUSED_STATUS: Int = 401

/**
 * [Hook.judge] with headers as servers provide them: `exchange.requestHeaders` of `com.sun.net.httpserver`,
 * `headers.toMap()` of Ktor.
 *
 * @param url Its address: complete, or path and query.
 * @param headers All of its headers.
 * @param body The bytes received, before any parser.
 * @param now The current time, for tests.
 */
public fun Hook.verify(url: String, headers: Map<String, List<String>>, body: ByteArray, now: Instant? = null): WebHookVerdict {
    val pairs = headers.flatMap { (name, values) -> values.map { Header(name, it.toByteArray(Charsets.ISO_8859_1)) } }
    return judge(url, pairs, body, now)
}

/**
 * Reads the body of a request: `exchange.requestBody` of `com.sun.net.httpserver`, `request.inputStream` of Spring, and in Ktor
 * `withContext(Dispatchers.IO) { hook.read(call.receiveStream()) }`.
 *
 * It stops at one byte more than [Hook.largestBody], which [verify] refuses, so that a stranger cannot fill the memory.
 *
 * @param body The body.
 */
public fun Hook.read(body: InputStream): ByteArray =
    body.readNBytes((largestBody() + 1).coerceAtMost(Int.MAX_VALUE.toLong()).toInt())

/** The keys by which a guard identifies the event. */
public val Event.keys: List<String> get() = listOfNotNull(key, also)

/** [Guard.claimKeys] with the keys of an event. */
public fun Guard.claim(event: Event): Claim = claimKeys(event.keys)

/**
 * Handles an event unless it was handled before, and returns the status to respond with: 204, or 503 if it is being handled
 * elsewhere, so that the service retries. If [handle] throws, this throws too, and the next delivery is new again.
 *
 * @param event The event.
 * @param handle Handles it.
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
