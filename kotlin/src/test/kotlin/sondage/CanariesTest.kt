package sondage

import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.TestFactory
import java.io.File
import java.lang.reflect.InvocationTargetException
import kotlin.reflect.full.callSuspendBy
import kotlin.reflect.full.instanceParameter
import kotlin.reflect.full.memberFunctions
import kotlin.reflect.full.valueParameters

/**
 * Secrets and personal data are sent through every operation to a service that echoes them, and must not appear in anything
 * that may reach a log. The campaign (`testing/campaign/src/canaries`) does the same to the core.
 */
class CanariesTest {
    @TestFactory
    fun `nothing shows what was sent`(): List<DynamicTest> =
        FAULTS.entries.flatMap { (fault, answer) ->
            TABLE.getValue("operations").jsonArray.map { operation ->
                DynamicTest.dynamicTest("${operation.text("name")}: $fault") {
                    val file = Json.parseToJsonElement(FOLDER.resolve(operation.text("cases")).readText()).jsonObject
                    val call = marked(file.getValue("cases").jsonArray.first().jsonObject.getValue("call")).jsonObject
                    val words = (leaves(call) + ACCESS).filter { CORE in it || "$NUMBER" in it }.joinToString { encoded(it) }
                    val (status, text) = answer(words)
                    recorder.answer(text, status)
                    clean(failure(operation, call))
                }
            }
        }

    private fun failure(operation: JsonElement, call: JsonObject): Throwable {
        val function = ClientInterface::class.memberFunctions.single { it.name == operation.text("method") }
        val arguments = Mirror.arguments(operation.text("request"), function.valueParameters, call)
        val outcome = runCatching { runBlocking { function.callSuspendBy(arguments + (function.instanceParameter!! to client)) } }
        val thrown = outcome.exceptionOrNull() ?: throw AssertionError("it did not fail")
        return (thrown as? InvocationTargetException)?.targetException ?: thrown
    }

    /** The forms in which loggers and crash reporters write an error. */
    private fun clean(error: Throwable) {
        val shown = error as SondageException
        val parts = listOf(shown.errorCode, shown.errorMessage, shown.requestId, shown.hint, shown.reconcile, shown.operation)
        val causes = generateSequence<Throwable>(error) { it.cause }.joinToString { "$it ${it.message} ${it.localizedMessage}" }
        val text = "$causes ${error.stackTraceToString()} $parts ${error.suppressed.toList()} $client"
        assertEquals(null, find(text), "the marker is shown")
    }

    companion object {
        private const val CORE = "QzvxKw"
        private const val NUMBER = 49_170_555_019_283
        private const val ACCESS = "$CORE.access~1$CORE"
        private val SECRETS = setOf("password", "securityToken", "webHookUrl", "headers")
        private val PERSONAL =
            setOf("value", "email", "cellPhone", "subject", "body", "from", "fromName", "to", "toName", "replyTo", "replyToName")
        private val FOLDER = File(System.getProperty("sondage.cases"))
        private val recorder = Recorder()
        private val settings = Settings(baseUrl = recorder.url, authUrl = recorder.url, retryAttempts = 1)
        private val client = Client("https://acme.survalyzer-eu.app", { ACCESS }, settings)

        /** Responses that echo these words. */
        private val FAULTS: Map<String, (String) -> Pair<Int, String>> = mapOf(
            "not a success" to { words -> 200 to refusal(words) },
            "400" to { words -> 400 to refusal(words) },
            "401" to { words -> 401 to refusal(words) },
            "500" to { words -> 500 to refusal(words) },
            "broken JSON" to { words -> 200 to """{"isSuccess": true, $words: "$words"""" },
            "wrong types" to { words -> 200 to JsonObject(mapOf("isSuccess" to JsonPrimitive(words))).toString() },
        )

        private fun refusal(words: String): String {
            val said = JsonPrimitive(words)
            return JsonObject(mapOf("isSuccess" to JsonPrimitive(false), "errorCode" to said, "errorMessage" to said)).toString()
        }

        /** A call of a case, with a marker in place of each secret and all personal data. */
        private fun marked(json: JsonElement, name: String = ""): JsonElement = when (json) {
            is JsonObject -> JsonObject(json.mapValues { (key, inner) -> marked(inner, if (key in SECRETS + PERSONAL) key else name) })
            is JsonArray -> JsonArray(json.map { marked(it, name) })
            is JsonPrimitive -> when {
                name == "webHookUrl" -> JsonPrimitive("https://app.example/hooks/${CORE}0123456789$CORE?sig=${CORE}abcdef%2F$CORE")
                name in SECRETS && json.isString -> JsonPrimitive("$CORE%2F$name \"&$CORE")
                name in PERSONAL && json.isString -> JsonPrimitive("$CORE Adä/$name <O'Hara>, \"$CORE")
                name in PERSONAL && json.content.toLongOrNull() != null -> JsonPrimitive(NUMBER)
                else -> json
            }
        }

        private fun leaves(json: JsonElement): List<String> = when (json) {
            is JsonObject -> json.values.flatMap(::leaves)
            is JsonArray -> json.flatMap(::leaves)
            is JsonPrimitive -> listOf(json.content)
        }

        /** With characters encoded that need no encoding. */
        private fun encoded(text: String): String = text.withIndex().joinToString("") { (at, sign) ->
            if (sign.isLetterOrDigit() && at % 3 != 0) "$sign" else "$sign".toByteArray().joinToString("") { "%%%02X".format(it) }
        }

        /** Where a text contains a marker, including encoded characters. */
        private fun find(shown: String): String? {
            var text = shown
            repeat(3) {
                for (form in listOf("qzvxk", "zvxkw", "$NUMBER".dropLast(2))) {
                    val at = text.lowercase().indexOf(form)
                    if (at >= 0) return text.substring(maxOf(at - 80, 0), minOf(at + 80, text.length))
                }
                text = Regex("%([0-9a-fA-F]{2})").replace(text) { "${it.groupValues[1].toInt(16).toChar()}" }
            }
            return null
        }

        @JvmStatic
        @AfterAll
        fun close() {
            client.close()
            recorder.close()
        }
    }
}
