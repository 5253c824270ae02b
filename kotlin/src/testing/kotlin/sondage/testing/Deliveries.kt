package sondage.testing

import java.time.Instant

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
