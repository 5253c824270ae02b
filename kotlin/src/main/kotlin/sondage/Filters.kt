package sondage

import java.time.Instant
import java.time.LocalDate

// Values to compare with are text, integers, numbers with decimals, booleans, `Instant` and `LocalDate`. For
// comparisons without a function of their own, use `compare`, `compareAny` or `test`.

/** How filters are joined. */
public interface Conjunctions {
    /** Both. */
    public infix fun and(other: Filter): Filter = allOf(listOf(this as Filter, other))

    /** One or the other, or both. */
    public infix fun or(other: Filter): Filter = anyOf(listOf(this as Filter, other))

    /** The opposite. */
    public operator fun not(): Filter = (this as Filter).negated()
}

internal fun comparand(value: Any): Comparand =
    when (value) {
        is Comparand -> value
        is String -> Comparand.Text(value)
        is Boolean -> Comparand.Bool(value)
        is Byte, is Short, is Int, is Long -> Comparand.Int((value as Number).toLong())
        is Float, is Double -> Comparand.Float((value as Number).toDouble())
        is Instant -> Comparand.Time(value)
        is LocalDate -> Comparand.Text(value.toString())
        is Iterable<*> -> throw unfit("a condition cannot compare with a list", "`isIn` and `isNotIn` take several values.")
        else -> throw unfit(
            "a condition cannot compare with a ${value::class.simpleName}",
            "Give a text, a number, a boolean or a time.",
        )
    }
