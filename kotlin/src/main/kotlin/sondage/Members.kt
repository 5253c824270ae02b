package sondage

/** The value of a field: `member["Email"]`. `null` if the member has no such field. */
public operator fun Member.get(field: String): FieldValue? = fields[field]?.value

/**
 * A member to create: `newMember("Email" to "ada@example.org", "Age" to 36)`.
 *
 * A number becomes a field of type `Number`, everything else a field of type `String`. For other types, write
 * out the fields.
 */
public fun newMember(vararg values: Pair<String, Any?>): NewMember =
    NewMember(
        fields =
            values.associate { (name, value) ->
                val held = fieldValue(name, value)
                val number = held is FieldValue.Int || held is FieldValue.Float
                name to MemberField(name, if (number) VariableType.Number else VariableType.String, held)
            },
    )

/** A row of an import: `row("Email" to "ada@example.org", "Age" to 36)`. The panel defines the types of the
 * values. */
public fun row(vararg values: Pair<String, Any?>): Map<String, FieldValue> =
    values.associate { (name, value) -> name to fieldValue(name, value) }

private fun fieldValue(name: String, value: Any?): FieldValue =
    when (value) {
        null -> FieldValue.Null
        is FieldValue -> value
        is String -> FieldValue.Text(value)
        is Boolean -> FieldValue.Bool(value)
        is Byte, is Short, is Int, is Long -> FieldValue.Int((value as Number).toLong())
        is Float, is Double -> FieldValue.Float((value as Number).toDouble())
        else -> throw unfit("`$name` holds a ${value::class.simpleName}", "Give a text, a number or a boolean.")
    }

/** The text, if it is text. */
public val FieldValue.text: String? get() = (this as? FieldValue.Text)?.value

/** The integer, if it is one. */
public val FieldValue.number: Long? get() = (this as? FieldValue.Int)?.value
