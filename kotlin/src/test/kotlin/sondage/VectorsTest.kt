package sondage

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File
import java.time.Instant
import java.util.Base64

/** The shared test vectors for webhooks. The same file is run in every language. */
class VectorsTest {
    private val file = Json.parseToJsonElement(File("../tests/cases/web_hook/vectors.json").readText()).jsonObject
    private val now = Instant.parse(file.text("now"))
    private val hooks = file.getValue("hooks").jsonObject.mapValues { (_, settings) -> Hook.fromJson(settings.toString()) }
    private val vectors = file.all("vectors").associateBy { it.text("name") }

    @Test
    fun `every vector holds`() {
        val wrong = vectors.values.mapNotNull { vector ->
            val found = describe(judge(vector), vector)
            val expected = if (vector.text("verdict") == "refused") vector.text("reason") else accepted(vector)
            if (found == expected) null else "${vector.text("name")}: $found, not $expected"
        }
        println("kotlin: ${vectors.size} vectors")
        assertTrue(vectors.size >= 250)
        assertTrue(wrong.isEmpty(), wrong.joinToString("\n"))
    }

    @Test
    fun `what came before is known`() {
        val later = vectors.values.filter { "after" in it }
        for (vector in later) {
            val guard = Guard()
            assertEquals(204, guard.once(event(vectors.getValue(vector.text("after")))) {})
            assertEquals(vector.text("claim"), guard.claim(event(vector)).state().name.lowercase(), vector.text("name"))
        }
        assertTrue(later.size >= 7)
    }

    @Test
    fun `addresses and tokens are made as the rules say, and accepted`() {
        for (made in file.all("made")) {
            val hook = hooks.getValue(made.text("hook"))
            if ("error" in made) {
                fails<SondageException.InvalidArgument> { hook.url(made.text("base")) }
                continue
            }
            val token = hook.securityToken()?.reveal().orEmpty()
            assertEquals(listOf(made.text("url"), made.text("securityToken")), listOf(hook.url(made.text("base")).reveal(), token))
            val headers = if (token.isEmpty()) emptyMap() else mapOf("authorization" to listOf(token))
            assertTrue(hook.verify(made.text("url"), headers, "{}".toByteArray(), now) is WebHookVerdict.Accepted)
            assertEquals(hook.toJson(), Hook.fromJson(hook.toJson().reveal()).toJson())
        }
    }

    @Test
    fun `what is unsafe is refused`() {
        for (settings in file.all("impossible")) fails<SondageException.InvalidArgument> { Hook.fromJson(settings.toString()) }
    }

    private fun judge(vector: JsonObject): WebHookVerdict {
        val headers = vector.getValue("headers").jsonArray.map { Header(it.jsonArray[0].jsonPrimitive.content, bytes(it.jsonArray[1])) }
        val url = String(bytes(vector.getValue("url")))
        return hooks.getValue(vector.text("hook")).judge(url, headers, bytes(vector.getValue("body")), now)
    }

    private fun event(vector: JsonObject) = (judge(vector) as WebHookVerdict.Accepted).event

    /** The expectations of a vector for an accepted event; fields that it does not name are not checked. */
    private fun accepted(vector: JsonObject) = listOf("eventType", "kind").map { vector["event"]?.jsonObject?.get(it)?.jsonPrimitive?.content } +
        listOf(vector["key"]?.jsonPrimitive?.content, vector["ends_soon"]?.jsonPrimitive?.boolean)

    private fun describe(verdict: WebHookVerdict, vector: JsonObject): Any = when (verdict) {
        is WebHookVerdict.Refused -> verdict.reason
        is WebHookVerdict.Accepted -> verdict.event.run {
            val kind = entity::class.simpleName!!.replaceFirstChar(Char::lowercase)
            val named = eventType?.let { (it as? EventType.Unknown)?.value ?: it.toString() }
            val shown = "event" in vector
            listOf(named.takeIf { shown }, kind.takeIf { shown }, key.takeIf { "key" in vector }, credentialEndsSoon.takeIf { "ends_soon" in vector })
        }
    }

    /** A text, a repeated text, or bytes. */
    private fun bytes(value: JsonElement): ByteArray = when {
        value is JsonPrimitive -> value.content.toByteArray()
        "base64" in value.jsonObject -> Base64.getDecoder().decode(value.jsonObject.text("base64"))
        else -> value.jsonObject.run {
            val times = getValue("times").jsonPrimitive.int
            (this["before"]?.jsonPrimitive?.content.orEmpty() + text("repeat").repeat(times) + this["after"]?.jsonPrimitive?.content.orEmpty()).toByteArray()
        }
    }

    private fun JsonObject.text(name: String) = getValue(name).jsonPrimitive.content

    private fun JsonObject.all(name: String) = getValue(name).jsonArray.map { it.jsonObject }
}
