package sondage

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

/** A sandbox in a process of its own, run by `sondage sandbox`. */
class Sandbox(vararg options: String) : AutoCloseable {
    private val process: Process =
        ProcessBuilder(listOf(System.getProperty("sondage.program"), "sandbox", "--seed", "demo", "--json") + options)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
    private val facts: JsonObject

    init {
        Runtime.getRuntime().addShutdownHook(Thread { process.destroy() })
        val line = process.inputStream.bufferedReader().readLine()
        facts = Json.parseToJsonElement(requireNotNull(line) { "the sandbox did not start" }).jsonObject
    }

    val baseUrl = text("base_url")
    val authUrl = text("auth_url")
    val tenant = text("tenant")
    val clientSecret = text("client_secret")
    val panelId = number("panel_id")
    val surveyId = number("survey_id")
    val feedbackSurveyId = number("feedback_survey_id")
    val workspaceId = number("workspace_id")
    val messageTemplateId = number("message_template_id")

    fun text(name: String): String = facts.getValue(name).jsonPrimitive.content

    private fun number(name: String): Long = facts.getValue(name).jsonPrimitive.long

    /** The addresses of this sandbox, instead of those that follow from the account's address. */
    fun settings(deadline: Duration? = null, tokenTimeout: Duration? = null) =
        Settings(baseUrl = baseUrl, authUrl = authUrl, deadline = deadline, tokenTimeout = tokenTimeout)

    val accountUrl = "https://$tenant.survalyzer-eu.app"

    fun client(deadline: Duration? = null): Client = Client(accountUrl, { token() }, settings = settings(deadline))

    fun blockingClient(): BlockingClient = BlockingClient(accountUrl, { token() }, settings = settings())

    /** A token, as an application's backend would get it. */
    fun token(): String {
        val form = "grant_type=client_credentials&client_id=${tenant}_api&client_secret=$clientSecret"
        val request =
            HttpRequest.newBuilder(URI("$authUrl/openid/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
        return send(request).jsonObject.getValue("access_token").jsonPrimitive.content
    }

    /** Injects a fault into future calls. */
    fun fault(json: String) {
        control("faults", "POST", json)
    }

    /** Responds to the next calls of an operation with this text. */
    fun answer(operation: String, text: String, times: Int = 1) =
        fault("""{"on": "$operation", "times": $times, "action": {"kind": "body", "text": ${JsonPrimitive(text)}}}""")

    /** Resets the sandbox. */
    fun forget() {
        control("faults", "DELETE")
        control("ledger", "DELETE")
    }

    fun revokeTokens() {
        control("tokens", "DELETE")
    }

    fun profile(json: String) {
        control("profile", "POST", json)
    }

    fun requests(operation: String): List<JsonObject> = ledger("requests", operation)

    fun effects(operation: String): List<JsonObject> = ledger("effects", operation)

    fun tokenRequests(): Int = control("ledger", "GET").jsonObject.getValue("tokenRequests").jsonArray.size

    private fun ledger(part: String, operation: String): List<JsonObject> {
        val all: JsonArray = control("ledger", "GET").jsonObject.getValue(part).jsonArray
        return all.map { it.jsonObject }.filter { it.getValue("operation").jsonPrimitive.content == operation }
    }

    /** The response of the sandbox's control endpoints. */
    fun control(what: String, method: String, body: String = ""): JsonElement =
        send(
            HttpRequest.newBuilder(URI("$baseUrl/_sandbox/$what"))
                .header("Authorization", "Sandbox ${text("control_key")}")
                .method(method, HttpRequest.BodyPublishers.ofString(body)),
        )

    private fun send(request: HttpRequest.Builder): JsonElement {
        val answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString())
        check(answer.statusCode() == 200) { "${answer.statusCode()} ${answer.body()}" }
        return Json.parseToJsonElement(answer.body())
    }

    override fun close() {
        process.destroy()
        process.waitFor()
    }

    companion object {
        private val HTTP: HttpClient = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

        /** One sandbox for all tests of a run. Each test begins by clearing the ledger. */
        val shared: Sandbox by lazy { Sandbox() }
    }
}

/** A test in a coroutine. JUnit finds only tests that return nothing. */
fun coroutine(test: suspend CoroutineScope.() -> Unit): Unit = runBlocking { test() }

/** After this a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed. */
val DEADLINE: Duration = Duration.ofMinutes(5)

/** Waits until a condition holds. */
fun eventually(what: String, holds: () -> Boolean) {
    val end = System.nanoTime() + DEADLINE.toNanos()
    while (!holds()) {
        check(System.nanoTime() < end) { "never happened: $what" }
        Thread.sleep(10)
    }
}

/** The exception of a given class that a block throws. */
inline fun <reified E : SondageException> fails(block: () -> Any?): E {
    try {
        block()
    } catch (error: SondageException) {
        return error as? E ?: throw AssertionError("expected ${E::class.simpleName}, but it was $error", error)
    }
    throw AssertionError("expected ${E::class.simpleName}, but nothing was thrown")
}
