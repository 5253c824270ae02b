package sondage

import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withTimeoutOrNull

/** How often work is looked at, in milliseconds. */
private const val EVERY = 100L

/**
 * Does work, and tells whenever something has changed, in the coroutine of the caller. What [told] throws ends the work, and
 * so does a cancelled caller.
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
