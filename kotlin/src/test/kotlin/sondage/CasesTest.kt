package sondage

import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File
import java.lang.reflect.InvocationTargetException
import kotlin.reflect.KClass
import kotlin.reflect.KFunction
import kotlin.reflect.full.callSuspendBy
import kotlin.reflect.full.instanceParameter
import kotlin.reflect.full.memberFunctions
import kotlin.reflect.full.valueParameters

/** The conformance cases of `tests/cases`, run by both clients. They are data, shared by all languages. */
class CasesTest {
    private val operations = TABLE.getValue("operations").jsonArray

    @Test
    fun `each operation has its cases, and each file its operation`() {
        val files = FOLDER.walk().filter { it.extension == "json" }.map { it.relativeTo(FOLDER).invariantSeparatorsPath }
        // Received requests, not calls: they are run elsewhere.
        assertEquals(operations.map { it.text("cases") }.toSet(), files.toSet() - "web_hook/vectors.json")
        assertTrue(operations.all { cases(it).size >= 5 })
    }

    @TestFactory
    fun `in suspending calls`() = everyCase { operation, given ->
        runBlocking { perform(ClientInterface::class, client, operation, given) { function, arguments -> function.callSuspendBy(arguments) } }
    }

    @TestFactory
    fun `in blocking calls`() = everyCase { operation, given ->
        runBlocking { perform(BlockingClientInterface::class, blocking, operation, given) { function, arguments -> function.callBy(arguments) } }
    }

    private fun everyCase(call: (JsonElement, JsonObject) -> Any?): List<DynamicTest> =
        operations.flatMap { operation ->
            cases(operation).map { case ->
                DynamicTest.dynamicTest("${operation.text("name")}: ${case.text("name")}") {
                    count += 1
                    recorder.answer(case.getValue("answer").toString())
                    holds(case, runCatching { call(operation, case.getValue("call").jsonObject) })
                }
            }
        }

    private fun cases(operation: JsonElement): List<JsonObject> {
        val file = Json.parseToJsonElement(FOLDER.resolve(operation.text("cases")).readText())
        assertEquals(operation.text("name"), file.text("operation"))
        return file.jsonObject.getValue("cases").jsonArray.map { it.jsonObject }
    }

    /** The function of that name, with the arguments of the case. */
    private suspend fun perform(
        kind: KClass<*>,
        client: Any,
        operation: JsonElement,
        given: JsonObject,
        call: suspend (KFunction<*>, Map<kotlin.reflect.KParameter, Any?>) -> Any?,
    ): Any? {
        val function = kind.memberFunctions.single { it.name == operation.text("method") }
        val arguments = Mirror.arguments(operation.text("request"), function.valueParameters, given)
        try {
            return call(function, arguments + (function.instanceParameter!! to client))
        } catch (thrown: InvocationTargetException) {
            throw thrown.targetException
        }
    }

    private fun holds(case: JsonObject, outcome: Result<Any?>) {
        if (case["sent"] == JsonNull) {
            assertEquals(0, recorder.count, "the call is refused on this machine")
        } else {
            val request = recorder.request()
            case["sent"]?.let { sent ->
                assertEquals(sent.text("path"), request.path)
                assertEquals(sent.jsonObject.getValue("body"), Json.parseToJsonElement(request.body))
            }
            assertEquals("application/json", request.headers["content-type"])
            assertEquals("Bearer a-token", request.headers["authorization"])
        }
        val expected = case["error"]
        if (expected == null) {
            assertEquals(bare(case.getValue("result")), bare(Mirror.write(outcome.getOrThrow())))
            keeps(outcome.getOrThrow())
            (outcome.getOrThrow() as? JsonRecord)?.let(::keepsAsJson)
        } else {
            val error = outcome.exceptionOrNull() as? SondageException ?: throw AssertionError("it did not fail: $outcome")
            assertEquals(bare(expected), bare(described(error)))
        }
    }

    private fun described(error: SondageException) = JsonObject(
        mapOf(
            "kind" to JsonPrimitive(error::class.simpleName),
            "errorCode" to JsonPrimitive(error.errorCode),
            "errorMessage" to JsonPrimitive(error.errorMessage),
            "delivery" to JsonPrimitive(error.delivery.name.lowercase()),
            "attempts" to JsonPrimitive(error.attempts),
            "status" to JsonPrimitive(error.status),
        ),
    )

    companion object {
        private val FOLDER = File(System.getProperty("sondage.cases"))
        private var count = 0
        private val recorder = Recorder()
        private val settings = Settings(baseUrl = recorder.url, authUrl = recorder.url)
        private val client = Client("https://acme.survalyzer-eu.app", { "a-token" }, settings)
        private val blocking = client.blocking()

        @JvmStatic
        @AfterAll
        fun close() {
            println("kotlin: $count cases, suspending and blocking")
            client.close()
            recorder.close()
        }
    }
}
