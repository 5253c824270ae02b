/**
 * The cells of the campaign through the Kotlin client. `cargo xtask test campaign` runs it next to the hostile service,
 * which hands out the cells and judges the reports.
 */
@file:JvmName("Campaign")

package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.put
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

private const val AT_ONCE = 12
private val CONTROL = System.getenv("CAMPAIGN_CONTROL")
private val HTTP: HttpClient = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

private fun ask(path: String, body: JsonObject? = null): JsonObject? {
    val request = HttpRequest.newBuilder(URI("$CONTROL/$path"))
    if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body.toString()))
    val text = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()).body()
    return if (text.isEmpty()) null else Json.parseToJsonElement(text).jsonObject
}

private class Cell(private val cell: JsonObject) {
    val id = number("id")
    val path = requireNotNull(text("path"))
    val others = cell.getValue("others").jsonArray.map { it.jsonPrimitive.content }
    val body = """{"text":"${"x".repeat(number("size").toInt() - """{"text":""}""".length)}"}"""
    val effect = Effect.valueOf(requireNotNull(text("effect")).uppercase())

    val settings =
        Settings(
            baseUrl = text("baseUrl"),
            authUrl = text("baseUrl"),
            proxy = text("proxy"),
            caFile = text("caFile"),
            retryAttempts = number("attempts"),
            retryBase = time("retryBaseMs"),
            retryCap = time("retryCapMs"),
            retryAfterCap = time("retryAfterCapMs"),
            deadline = time("deadlineMs"),
            answerBytes = number("answerBytes"),
        )

    val token = requireNotNull(text("token"))

    private fun text(name: String): String? = cell.getValue(name).jsonPrimitive.contentOrNull

    private fun number(name: String): Long = cell.getValue(name).jsonPrimitive.long

    private fun time(name: String): Duration = Duration.ofMillis(number(name))
}

private fun success(text: String) = buildJsonObject {
    val said = runCatching { Json.parseToJsonElement(text).jsonObject["echo"] }.getOrNull()
    put("echo", (said as? JsonPrimitive)?.takeIf { it.isString } ?: JsonNull)
}

private fun failure(error: SondageException) = buildJsonObject {
    put("kind", error::class.simpleName)
    put("delivery", error.delivery.name.lowercase())
    put("safeToRetry", error.safeToRetry)
    put("attempts", error.attempts)
    put("status", error.status)
    put("errorCode", error.errorCode)
    put("retryAfter", error.retryAfter?.let { it.toMillis() / 1000.0 })
    put("message", error.message)
}

private suspend fun call(cell: Cell, path: String): JsonObject =
    try {
        Client("https://acme.survalyzer-eu.app", { cell.token }, settings = cell.settings).use { client ->
            success(client.raw(path, cell.body, cell.effect).text)
        }
    } catch (error: SondageException) {
        failure(error)
    }

fun main() = runBlocking<Unit> {
    repeat(AT_ONCE) {
        launch(Dispatchers.IO) {
            while (true) {
                val cell = Cell(ask("next") ?: break)
                val report = call(cell, cell.path)
                // The calls that follow the first one, all at once, each by a client of its own.
                val others = cell.others.map { path -> async { call(cell, path) } }.awaitAll()
                ask("report-${cell.id}", JsonObject(report + ("others" to JsonArray(others))))
            }
        }
    }
}
