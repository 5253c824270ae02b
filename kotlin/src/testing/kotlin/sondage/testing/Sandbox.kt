package sondage.testing

import com.sun.jna.Library
import com.sun.jna.Native
import com.sun.jna.Pointer
import com.sun.jna.ptr.PointerByReference
import sondage.Client
import sondage.Secret
import sondage.Settings
import java.nio.file.Path
import java.time.Duration
import java.time.Instant

/**
 * A survey platform inside this process, for tests: every operation works, nothing leaves the machine.
 *
 * ```
 * Sandbox.demo().use { box ->
 *     val client = box.client()
 *     client.createMembers(box.panelId, listOf(newMember("Email" to "ada@example.com")))
 *     check(box.effects("CreateMembers") == 1)
 * }
 * ```
 *
 * It can be used from any thread, and stops when it is closed.
 */
public class Sandbox private constructor(private var handle: Pointer?) : AutoCloseable {
    /** The address of the API. */
    public val baseUrl: String get() = fact("base_url")

    /** The address of the authentication server. */
    public val authUrl: String get() = fact("auth_url")

    /** The tenant. */
    public val tenant: String get() = fact("tenant")

    /** The secret with which a server logs in. It is valid for this sandbox only. */
    public val clientSecret: String get() = fact("client_secret")

    /** A panel with 200 members. */
    public val panelId: Long get() = fact("panel_id").toLong()

    /** The American National Election Study of 1996, with its interviews. With [Content.WAVES], the newer wave. */
    public val surveyId: Long get() = fact("survey_id").toLong()

    /** The survey `Newsletter feedback`: 60 interviews in every state, with members behind them. */
    public val feedbackSurveyId: Long get() = fact("feedback_survey_id").toLong()

    /** The survey from the files with which the sandbox was started, or `null`. */
    public val dataSurveyId: Long? get() = fact("data_survey_id").toLongOrNull()

    /** The surveys from questionnaires (by the names of the files) and of [Content.WAVES]: their ids by their names. */
    public val surveyIds: Map<String, Long>
        get() = ask("survey_ids").lines().filter(String::isNotEmpty).associate {
            it.substringAfter(' ') to it.substringBefore(' ').toLong()
        }

    /** The address of the console, to open in a browser. It contains the key of this run. */
    public val consoleUrl: String get() = fact("console_url")

    /** A workspace. */
    public val workspaceId: Long get() = fact("workspace_id").toLong()

    /** A message template for invitations. */
    public val messageTemplateId: Long get() = fact("message_template_id").toLong()

    /** The settings of a client of this platform. */
    public fun settings(): Settings =
        Settings(baseUrl = baseUrl, authUrl = authUrl, tenant = tenant, clientSecret = Secret(clientSecret))

    /** A client of this platform. */
    public fun client(): Client = Client.configured(settings())

    /** One of the values that `sondage sandbox --json` prints, by its name there. */
    public fun fact(name: String): String = ask("fact", name)

    /**
     * Injects a fault into future calls.
     *
     * Throws [IllegalArgumentException] if it names an unknown call; then nothing was changed.
     */
    public fun fault(fault: Fault): Unit = fault(fault.json)

    /**
     * The same, as JSON, for faults that have no class, for example `{"on": "ReadMemberList", "action": {"kind": "status", "status": 503}}`.
     *
     * Throws [IllegalArgumentException] if it is invalid; then nothing was changed.
     */
    public fun fault(json: String) {
        ask("fault", json)
    }

    /**
     * Invented people answer a published survey, unevenly, and within its conditions and ranges. Returns the ids of their interviews.
     *
     * Throws [IllegalArgumentException] if there is no such survey, or it is not published; then nothing was changed.
     *
     * @param people How many people. Those who were invited and have not answered come first.
     * @param seed Repeats the same interviews, for the same survey and time. Without it the ids cannot be guessed.
     * @param unfinished The share of those who stop early, from 0 to 1.
     */
    public fun fill(surveyId: Long, people: Int = 100, seed: Long? = null, unfinished: Double = 0.05): List<String> {
        val options = mapOf("surveyId" to surveyId, "people" to people, "seed" to seed, "unfinished" to unfinished)
        return ask("fill", json(options)).lines().filter(String::isNotEmpty)
    }

    /**
     * Adds an interview for each row: answers (texts, numbers or `null`) by the codes of the survey's columns, and the columns `State` and
     * `Language`. Returns their ids.
     *
     * Throws [IllegalArgumentException] if the survey does not accept one, with its row and column; then nothing was added.
     */
    public fun answer(surveyId: Long, rows: List<Map<String, Any?>>): List<String> =
        ask("answer", json(mapOf("surveyId" to surveyId, "rows" to rows))).lines().filter(String::isNotEmpty)

    /**
     * Writes a copy to a folder: content, credentials and clock. A sandbox can be started with it as `state`.
     *
     * Throws [IllegalArgumentException] if it cannot be written.
     */
    public fun snapshot(folder: Path) {
        ask("snapshot", folder.toString())
    }

    /**
     * Goes back to a copy of this sandbox, or of one with the same content at its start. Credentials, addresses and tokens stay.
     *
     * Throws [IllegalArgumentException] if it is another one's, or cannot be read; then nothing was changed.
     */
    public fun restore(folder: Path) {
        ask("restore", folder.toString())
    }

    /** Goes back to the start: content, clock, settings, ledger and faults. Credentials, addresses and tokens stay. */
    public fun reset() {
        ask("reset")
    }

    /** Removes all faults, and clears the ledger. */
    public fun clear() {
        ask("clear")
    }

    /** Makes something happen, and delivers the event to its subscribers. `false` if there is no such interview, member or survey. */
    public fun emit(cause: Cause): Boolean = ask("emit", json(mapOf("kind" to cause.kind) + cause.facts)).toBoolean()

    /** Every attempt to deliver an event, in order. */
    public fun deliveries(): List<Attempt> = ask("deliveries").lines().filter(String::isNotEmpty).map(Attempt::of)

    /**
     * Waits until every attempt that is due was made, and returns all attempts.
     *
     * Throws [IllegalStateException] if that takes longer.
     *
     * @param timeout How long to wait.
     * @param retries Whether to move the clock until every event was delivered or given up.
     */
    public fun awaitDeliveries(timeout: Duration = Duration.ofSeconds(10), retries: Boolean = false): List<Attempt> {
        val end = System.nanoTime() + timeout.toNanos()
        // In short steps: the receiver may use this sandbox.
        while (!ask(if (retries) "drain" else "settle").toBoolean()) {
            check(System.nanoTime() < end) { "deliveries are still due after $timeout" }
            Thread.sleep(STEP_MS)
        }
        return deliveries()
    }

    /** The number of requests that arrived for an operation; `*` for all. */
    public fun requests(operation: String = "*"): Int = ask("requests", operation).toInt()

    /** The number of requests for an operation that took effect. */
    public fun effects(operation: String = "*"): Int = ask("effects", operation).toInt()

    /** The number of token requests. */
    public fun tokenRequests(): Int = ask("token_requests").toInt()

    /** Revokes every token immediately. */
    public fun revokeTokens() {
        ask("revoke_tokens")
    }

    /** Moves the platform's clock forward by this many seconds. */
    public fun advance(seconds: Double) {
        ask("advance", seconds.toString())
    }

    /** Sets the platform's time and stops its clock there, so that whatever happens has the same time in every run. */
    public fun freeze(at: Instant) {
        ask("freeze", at.toString())
    }

    /** Lets the platform's clock run again, with the time of this computer. */
    public fun resetClock() {
        ask("reset_clock")
    }

    /** Stops it, and waits until its ports are closed. */
    @Synchronized
    override fun close() {
        handle?.let(library::sondage_testing_stop)
        handle = null
    }

    @Synchronized
    private fun ask(what: String, argument: String = ""): String {
        val running = checkNotNull(handle) { "the sandbox has been stopped" }
        val answer = text(library.sondage_testing_ask(running, what, argument))
        require(answer.startsWith("+")) { answer.drop(1) }
        return answer.drop(1)
    }

    public companion object {
        private const val STEP_MS = 5L

        /**
         * Starts one with the demo data.
         *
         * Throws [IllegalStateException] if a file cannot be read, with its line and column, or if no port of this machine is free.
         *
         * @param members How many members its panel has besides the 200 of the demo.
         * @param data A CSV file with a row for each interview, which becomes the survey [dataSurveyId]. The columns `Id`, `State`,
         *   `Language`, `StartDate`, `EndDate` and `UpdatedAt` are the service's, and all others are answers.
         * @param codePlan The code plan of that survey, a JSON file. Without one there are no labels.
         * @param surveys Questionnaires in the form of the editor's export, JSON files: surveys that can be answered with [fill]. The
         *   first is [surveyId], and [surveyIds] has all of them.
         * @param fill How many invented people have answered each of [surveys] at the start. It is content of a new [state].
         * @param content [Content.WAVES] adds two waves of an invented survey.
         * @param state A folder in which the sandbox is kept: content, credentials, addresses and clock are the same again in the next one
         *   with this folder. The other parameters are then those of a new folder.
         */
        public fun demo(
            members: Long = 0,
            data: Path? = null,
            codePlan: Path? = null,
            surveys: List<Path> = emptyList(),
            content: Content = Content.DEMO,
            state: Path? = null,
            fill: Int? = null,
        ): Sandbox {
            require(members >= 0) { "there cannot be $members members" }
            require(fill == null || fill >= 0) { "there cannot be $fill people" }
            val why = PointerByReference()
            val options =
                mapOf(
                    "content" to content.word,
                    "members" to members,
                    "data" to data?.toString(),
                    "codePlan" to codePlan?.toString(),
                    "surveys" to surveys.map(Path::toString),
                    "fill" to fill,
                    "state" to state?.toString(),
                )
            val started = library.sondage_testing_start(json(options), why)
            checkNotNull(started) { "the sandbox cannot start (${text(why.value)})" }
            return Sandbox(started)
        }

        private val library: Functions by lazy {
            val utf8 = mapOf(Library.OPTION_STRING_ENCODING to "UTF-8")
            Native.load("sondage_testing", Functions::class.java, utf8)
        }

        private fun text(pointer: Pointer): String =
            try {
                pointer.getString(0, "UTF-8")
            } finally {
                library.sondage_testing_free(pointer)
            }
    }
}

/** The functions of `sondage_testing.h`, by their names there. */
@Suppress("ktlint:standard:function-naming")
internal interface Functions : Library {
    fun sondage_testing_start(options: String, why: PointerByReference): Pointer?

    fun sondage_testing_stop(sandbox: Pointer)

    fun sondage_testing_ask(sandbox: Pointer, what: String, argument: String): Pointer

    fun sondage_testing_free(text: Pointer)
}
