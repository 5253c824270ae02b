package sondage

import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withTimeoutOrNull

/** The interval at which progress is polled, in milliseconds. */
private const val EVERY = 100L

/**
 * Runs work and calls [told] on every change, in the coroutine of the caller. An exception of [told] ends the work, and so
 * does cancelling the caller.
 */
internal suspend fun <Progress : Any, Report> telling(
    now: () -> Progress?,
    told: suspend (Progress) -> Unit,
    work: suspend () -> Report,
): Report = coroutineScope {
    val working = async { work() }
    var last: Progress? = null
    do {
        val done = withTimeoutOrNull(EVERY) { working.join() } != null
        val seen = now()
        if (seen != null && seen != last) {
            last = seen
            told(seen)
        }
    } while (!done)
    working.await()
}
