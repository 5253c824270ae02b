package sondage

import java.time.Instant
import java.time.LocalDate

// Values to compare with are text, integers, numbers with decimals, booleans, `Instant` and `LocalDate`. For
// comparisons without a function of their own, use `compare`, `compareAny` or `test`.

/** Both. */
public infix fun Filter.and(other: Filter): Filter = allOf(listOf(this, other))

/** One or the other, or both. */
public infix fun Filter.or(other: Filter): Filter = anyOf(listOf(this, other))

/** The opposite. */
public operator fun Filter.not(): Filter = negated()

internal fun comparand(value: Any): Comparand =
    when (value) {
        is Comparand -> value
        is String -> Comparand.Text(value)
        is Boolean -> Comparand.Bool(value)
        is Byte, is Short, is Int, is Long -> Comparand.Int((value as Number).toLong())
        is Float, is Double -> Comparand.Float((value as Number).toDouble())
        is Instant -> Comparand.Time(value)
        is LocalDate -> Comparand.Text(value.toString())
        else -> throw IllegalArgumentException(
            "a condition cannot compare with a ${value::class.simpleName}; give a text, a number, a boolean or a time",
        )
    }
