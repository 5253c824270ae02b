package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.io.File
import java.net.URI
import java.net.URLDecoder
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue

/** Methods that are not operations: a person's login, the explanation of settings, the log, questionnaires. */
class MethodsTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun silence() = logTo(null)

    /** A person with a browser: logs in, and returns the address at which the browser ended up. */
    private fun browse(url: String, decision: String = "allow"): String {
        val (page, query) = url.split("?", limit = 2)
        val given = query.split("&").associate { it.substringBefore("=") to URLDecoder.decode(it.substringAfter("="), "UTF-8") }
        val form = given + mapOf("username" to box.text("username"), "password" to box.text("password"), "decision" to decision)
        val body = form.entries.joinToString("&") { "${it.key}=${URLEncoder.encode(it.value, "UTF-8")}" }
        val request = HttpRequest.newBuilder(URI(page)).header("Content-Type", "application/x-www-form-urlencoded")
        val answer = HttpClient.newHttpClient().send(request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString())
        return answer.headers().firstValue("location").orElseThrow { AssertionError("no redirect: ${answer.body()}") }
    }

    private class Store : TokenStore {
        val kept = ConcurrentHashMap<String, String>()
        override fun load(key: String): String? = kept[key]
        override fun save(key: String, tokens: String) { kept[key] = tokens }
        override fun forget(key: String) { kept.remove(key) }
    }

    private fun settings(identity: String? = null, grant: Grant? = null) =
        Settings(tenant = box.tenant, baseUrl = box.baseUrl, authUrl = box.authUrl, identity = identity, grant = grant)

    @Test
    fun `a person logs in, and the browser comes back to this program`() = coroutine {
        val login = Login(settings())
        assertTrue(login.canListen() && "code_challenge_method=S256" in login.url(), login.url())
        val coming = async(Dispatchers.Default) { login.listen() }
        val back = browse(login.url())
        assertEquals(200, HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI(back)).build(), HttpResponse.BodyHandlers.discarding()).statusCode())
        val client = withTimeout(DEADLINE.toMillis()) { coming.await() }
        assertEquals(1, client.readWorkspaceList().workspaces.size)
    }

    @Test
    fun `an app takes the address at which the browser ended up, and a store keeps the session`() = coroutine {
        val store = Store()
        val login = Login(settings(identity = "ada"), redirect = "http://127.0.0.1/back", tokenStore = store)
        assertFalse(login.canListen())
        fails<SondageException.InvalidArgument> { login.listen() }
        assertEquals(1, login.paste(browse(login.url())).readWorkspaceList().workspaces.size)
        assertEquals(1, store.kept.size)
        val later = Client.configured(settings(identity = "ada", grant = Grant.LOGIN), tokenStore = store)
        assertEquals(1, later.readWorkspaceList().workspaces.size)
        later.logout()
        assertTrue(store.kept.isEmpty())
        // The next start finds no session.
        fails<SondageException.Authentication> {
            Client.configured(settings(identity = "ada", grant = Grant.LOGIN), tokenStore = store).readWorkspaceList()
        }
        // An address that only the app receives.
        val own = Login(settings(), redirect = "com.example.app:/back")
        val back = browse(own.url())
        assertTrue(back.startsWith("com.example.app:/back?") && "code_challenge_method=S256" in own.url(), back)
        assertEquals(1, own.paste(back).readWorkspaceList().workspaces.size)
        val other = Login(settings(), redirect = "http://127.0.0.1/back")
        val refused = fails<SondageException.Authentication> { other.pasteBlocking(browse(other.url(), "deny")) }
        assertFalse(box.text("password") in refused.message)
        assertEquals(1, Login(settings(), redirect = "http://127.0.0.1/back").let { it.pasteBlocking(browse(it.url())) }.readWorkspaceList().workspaces.size)
    }

    @Test
    fun `another process goes on with a login`() = coroutine {
        val (saved, back) = Login(settings(identity = "ada"), redirect = "com.example.app:/back").use { it.saved() to browse(it.url()) }
        val store = Store()
        val login = Login.resume(Secret(saved.reveal()), settings(identity = "ada"), store)
        assertEquals(1, login.paste(back).readWorkspaceList().workspaces.size)
        assertEquals(1, store.kept.size)
        val state = URI(back).query.split("&").single { it.startsWith("state=") }.removePrefix("state=")
        assertTrue(state in saved.reveal() && state !in "$saved $login")
        val refused = fails<SondageException.InvalidArgument> { Login.resume(Secret("{$state}"), settings()) }
        assertTrue("has saved" in refused.message && state !in refused.message, refused.message)
    }

    @Test
    fun `an account and its secret are enough`() = coroutine {
        val secret = "geheim"
        val client = Client.configured(Settings(account = "https://acme.survalyzer-eu.app", clientSecret = Secret(secret)))
        val explained = client.explain().text // every setting and its source, secrets masked
        assertTrue("acme_api" in explained && "account" in explained && secret !in explained, explained)
    }

    @Test
    fun `settings say where they come from, and hide what is secret`() {
        val client = BlockingClient.configured(Settings(tenant = box.tenant, baseUrl = box.baseUrl, authUrl = box.authUrl, clientSecret = Secret("geheim")))
        val explanation = client.explain()
        val lines = explanation.settings.associateBy { it.setting }
        assertEquals(box.baseUrl, lines.getValue("baseUrl").value!!.trimEnd('/'))
        assertTrue("default" in lines.getValue("deadline").source!!, "${lines["deadline"]}")
        assertTrue(lines.getValue("clientSecret").value != null && lines.getValue("caFile").value == null)
        assertFalse("geheim" in "$explanation")
        assertEquals(explanation, client.asynchronous().explain())
    }

    @Test
    fun `the log comes to a sink, which may throw`() = coroutine {
        val records = ConcurrentLinkedQueue<LogRecord>()
        logTo({ record ->
            records += record
            error("a sink that fails must not fail a call")
        }, LogLevel.DEBUG)
        box.client().use { client ->
            box.fault("""{"on": "ReadPanel", "action": {"kind": "status", "status": 503}}""")
            client.readPanel(box.panelId)
            eventually("the retry and the end of the call are in the log") { records.any { "ReadPanel: call 200" in it.message } }
            assertTrue(records.all { it.target.startsWith("sondage") })
            assertFalse(records.any { box.clientSecret in it.message })
            logTo(null)
            records.clear()
            box.fault("""{"on": "ReadPanel", "action": {"kind": "status", "status": 503}}""")
            client.readPanel(box.panelId)
            assertTrue(records.isEmpty())
        }
    }

    @Test
    fun `a questionnaire is the same as in the other languages`() {
        val yesNo = listOf(ask.choice("1", mapOf("en" to "Yes", "de" to "Ja")), ask.choice("2", mapOf("en" to "No", "de" to "Nein")))
        fun en(text: String) = mapOf("en" to text)
        val why = ask.openQuestion("why", mapOf("en" to "Why?", "de" to "Warum?"))
            .copy(forceResponse = true, condition = ask.showWhen(question("back") isEqualTo "2"))
        val other = ask.choice("9", mapOf("en" to "Other", "de" to "Anderes")).copy(allowTextEntry = true)
        val visit = listOf(
            ask.singleChoice("back", mapOf("en" to "Will you come back?", "de" to "Kommen Sie wieder?"), yesNo),
            why,
            ask.pageBreak(),
            ask.multipleChoice("seen", en("What did you see?"), listOf(ask.choice("1", en("Owls")), other)),
            ask.dropdown("from", en("Where are you from?"), listOf(ask.choice("ch", en("Switzerland")), ask.choice("at", en("Austria")))),
        )
        val rating = listOf(
            ask.date("day", en("When?")),
            ask.nps("nps", en("Would you recommend us?")),
            ask.slider("warmth", en("How warm was it?"), -10, 40),
            ask.matrix("staff", en("Our staff"), listOf(ask.choice("a", en("was kind")), ask.choice("b", en("was quick"))), yesNo),
            ask.textBlock(en("That is all.")),
        )
        val survey = ask.questionnaire(listOf("en", "de"), listOf(ask.section("Visit", visit), ask.section("Rating", rating)), mapOf("en" to "Thank you!", "de" to "Danke!"))
        val expected = Json.parseToJsonElement(File("../tests/questionnaire.json").readText())
        assertEquals(bare(expected), bare(Mirror.write(survey)))
        fails<SondageException.InvalidArgument> { ask.showWhen(allOf(listOf())) }
    }
}
