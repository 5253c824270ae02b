package sondage

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.JsonUnquotedLiteral
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.doubleOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.longOrNull
import java.io.File
import java.math.BigDecimal
import java.time.Instant
import kotlin.reflect.KClass
import kotlin.reflect.KParameter
import kotlin.reflect.KType
import kotlin.reflect.full.isSubclassOf
import kotlin.reflect.full.memberProperties
import kotlin.reflect.full.primaryConstructor

/** The compiled table; see xtask/src/surface/uniffi/cases.rs. */
val TABLE: JsonObject = Json.parseToJsonElement(File(System.getProperty("sondage.table")).readText()).jsonObject

fun JsonElement.text(name: String): String = jsonObject.getValue(name).jsonPrimitive.content

/** Converts values of the library from the JSON of the cases and back, by reflection. */
object Mirror {
    /** The arguments of a function or a constructor, by their Kotlin names. Arguments that a case omits are
     * omitted here. */
    fun arguments(model: String, parameters: List<KParameter>, json: JsonObject): Map<KParameter, Any?> {
        val fields = fields(model)
        val known = fields.associate { it.text("name") to it }
        val unknown = json.keys - fields.map { it.text("wire") }.toSet()
        val given = mutableMapOf<KParameter, Any?>()
        for (parameter in parameters) {
            val field = known[parameter.name]
            when {
                parameter.name == "where" -> Unit // the same as `conditions`, as an object
                field == null -> given[parameter] = unknown.associateWith { json.getValue(it).toString() } // `extra`
                field.text("wire") in json -> given[parameter] = read(parameter.type, json.getValue(field.text("wire")), field.isJson)
            }
        }
        return given
    }

    private fun read(type: KType, json: JsonElement, isJson: Boolean): Any? {
        val kind = type.classifier as KClass<*>
        val inner = type.arguments.lastOrNull()?.type
        return when {
            kind == FieldValue::class -> fieldValue(json)
            json is JsonNull -> null
            kind == List::class -> json.jsonArray.map { read(inner!!, it, isJson) }
            kind == Map::class -> json.jsonObject.mapValues { read(inner!!, it.value, isJson) }
            isJson -> json.toString()
            kind == String::class -> json.jsonPrimitive.content
            kind == Boolean::class -> json.jsonPrimitive.boolean
            kind == Long::class -> json.jsonPrimitive.long
            kind == Double::class -> json.jsonPrimitive.content.toDouble()
            kind == Instant::class -> Instant.parse(json.jsonPrimitive.content)
            kind == Secret::class -> Secret(json.jsonPrimitive.content)
            kind.isSealed -> word(kind, json.jsonPrimitive.content)
            else -> kind.primaryConstructor!!.let { it.callBy(arguments(kind.simpleName!!, it.parameters, json.jsonObject)) }
        }
    }

    fun write(value: Any?, isJson: Boolean = false): JsonElement =
        when (value) {
            null -> JsonNull
            is String -> if (isJson) Json.parseToJsonElement(value) else JsonPrimitive(value)
            is Boolean -> JsonPrimitive(value)
            is Number -> JsonPrimitive(value)
            is Instant -> JsonPrimitive("$value")
            is Secret -> JsonPrimitive(value.lowered())
            is List<*> -> JsonArray(value.map { write(it, isJson) })
            is Map<*, *> -> JsonObject(value.entries.associate { "${it.key}" to write(it.value, isJson) })
            is FieldValue -> write(property(value, "value"), value is FieldValue.Json)
            else -> if (value::class.isData && TABLE.isModel(value)) record(value) else JsonPrimitive(word(value))
        }

    private fun record(value: Any): JsonObject {
        val fields = fields(value::class.simpleName!!).associate { it.text("wire") to write(property(value, it.text("name")), it.isJson) }
        return JsonObject(fields + write(property(value, "extra"), isJson = true).jsonObject)
    }

    private fun fieldValue(json: JsonElement): FieldValue {
        val plain = json as? JsonPrimitive ?: return FieldValue.Json("$json")
        return when {
            plain is JsonNull -> FieldValue.Null
            plain.isString -> FieldValue.Text(plain.content)
            plain.booleanOrNull != null -> FieldValue.Bool(plain.boolean)
            plain.longOrNull != null -> FieldValue.Int(plain.long)
            else -> FieldValue.Float(plain.content.toDouble())
        }
    }

    private fun word(kind: KClass<*>, word: String): Any {
        val known = kind.sealedSubclasses.firstOrNull { it.simpleName.equals(word, ignoreCase = true) }?.objectInstance
        return known ?: kind.nestedClasses.single { it.simpleName == "Unknown" }.primaryConstructor!!.call(word)
    }

    private fun word(value: Any): String {
        val words = TABLE.getValue("words").jsonObject.getValue(value::class.java.superclass.simpleName).jsonArray
        val known = words.map { it.jsonPrimitive.content }.firstOrNull { it.equals(value::class.simpleName, ignoreCase = true) }
        return known ?: property(value, "value") as String
    }

    private fun property(value: Any, name: String): Any? =
        value::class.memberProperties.firstOrNull { it.name == name }?.getter?.call(value)

    private fun fields(model: String) = TABLE.getValue("models").jsonObject.getValue(model).jsonArray

    // Some enumeration values have the name of a model: `TextBlock`.
    private fun JsonObject.isModel(value: Any) =
        value::class.java.superclass == Any::class.java && value::class.simpleName in getValue("models").jsonObject

    private val JsonElement.isJson get() = jsonObject.getValue("json").jsonPrimitive.boolean
}

/** Removes fields without a value (absent, null and an empty list mean the same), and writes numbers and
 * times in one format. */
fun bare(json: JsonElement): JsonElement =
    when (json) {
        is JsonObject -> JsonObject(json.mapValues { bare(it.value) }.filterValues { it !is JsonNull && it != JsonArray(emptyList()) && it != JsonObject(emptyMap()) })
        is JsonArray -> JsonArray(json.map(::bare))
        is JsonNull -> json
        is JsonPrimitive -> exact(json)
    }

private fun exact(json: JsonPrimitive): JsonPrimitive {
    if (json.isString) return JsonPrimitive(runCatching { "${Instant.parse(json.content)}" }.getOrDefault(json.content))
    val number = json.content.toBigDecimalOrNull() ?: return json
    return JsonPrimitive(number.stripTrailingZeros())
}
