package sondage

import java.time.Instant
import java.time.LocalDate

// What is compared with is a text, an integer, a number with decimals, a boolean, an `Instant` or a `LocalDate`.
// A comparison that has no function here is made with `compare`, `compareAny` or `test`.

/** Less than the value. */
public infix fun Variable.isLessThan(value: Any): Filter = compare(ConditionOperator.IsLessThan, comparand(value))

/** Less than the value or equal to it. */
public infix fun Variable.isLessThanOrEqualTo(value: Any): Filter = compare(ConditionOperator.IsLessThanOrEqualTo, comparand(value))

/** Greater than the value. */
public infix fun Variable.isGreaterThan(value: Any): Filter = compare(ConditionOperator.IsGreaterThan, comparand(value))

/** Greater than the value or equal to it. */
public infix fun Variable.isGreaterThanOrEqualTo(value: Any): Filter = compare(ConditionOperator.IsGreaterThanOrEqualTo, comparand(value))

/** Equal to the value. */
public infix fun Variable.isEqualTo(value: Any): Filter = compare(ConditionOperator.IsEqualTo, comparand(value))

/** Not equal to the value. */
public infix fun Variable.isNotEqualTo(value: Any): Filter = compare(ConditionOperator.IsNotEqualTo, comparand(value))

/** Contains the text. */
public infix fun Variable.contains(value: Any): Filter = compare(ConditionOperator.Contains, comparand(value))

/** Does not contain the text. */
public infix fun Variable.doesNotContain(value: Any): Filter = compare(ConditionOperator.DoesNotContain, comparand(value))

/** Matches the regular expression. Its dialect is not published. */
public infix fun Variable.matches(value: Any): Filter = compare(ConditionOperator.MatchRegex, comparand(value))

/** Does not match the regular expression. */
public infix fun Variable.doesNotMatch(value: Any): Filter = compare(ConditionOperator.DoesNotMatchRegex, comparand(value))

/** Later than the time. */
public infix fun Variable.isAfter(time: Instant): Filter = compare(ConditionOperator.IsGreaterThan, Comparand.Time(time))

/** At the time or later. */
public infix fun Variable.isSince(time: Instant): Filter = compare(ConditionOperator.IsGreaterThanOrEqualTo, Comparand.Time(time))

/** Earlier than the time. */
public infix fun Variable.isBefore(time: Instant): Filter = compare(ConditionOperator.IsLessThan, Comparand.Time(time))

/** At this time or earlier. */
public infix fun Variable.isUntil(time: Instant): Filter = compare(ConditionOperator.IsLessThanOrEqualTo, Comparand.Time(time))

/** Equal to any of the values. No value may contain a comma. */
public infix fun Variable.isIn(values: Iterable<Any>): Filter = compareAny(ConditionOperator.AnyIsEqual, values.map(::comparand))

/** Matches any of the regular expressions. None may contain a comma. */
public infix fun Variable.anyMatches(values: Iterable<Any>): Filter = compareAny(ConditionOperator.AnyMatchRegex, values.map(::comparand))

/** Different from each of the values. */
public infix fun Variable.isNotIn(values: Iterable<Any>): Filter = allOf(values.map { isNotEqualTo(it) })

/** Has no value. */
public fun Variable.isEmpty(): Filter = test(ConditionOperator.IsEmpty)

/** Has a value. */
public fun Variable.isNotEmpty(): Filter = test(ConditionOperator.IsNotEmpty)

/** Both. */
public infix fun Filter.and(other: Filter): Filter = allOf(listOf(this, other))

/** One or the other, or both. */
public infix fun Filter.or(other: Filter): Filter = anyOf(listOf(this, other))

/** The opposite. */
public operator fun Filter.not(): Filter = negated()

private fun comparand(value: Any): Comparand =
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
