// Receives webhooks with the server that is part of the JDK.

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import sondage.Event
import sondage.Guard
import sondage.Hook
import sondage.REFUSED_STATUS
import sondage.WebHookVerdict
import sondage.once
import sondage.read
import sondage.verify
import java.net.InetSocketAddress
import java.util.concurrent.Executors

/** A server that passes each event to [handle] once. */
class JvmServer(private val hook: Hook, private val guard: Guard, port: Int = 0, private val handle: (Event) -> Unit) {
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 0)
    val address: String get() = "http://127.0.0.1:${server.address.port}/hooks"

    private fun receive(exchange: HttpExchange): Int {
        val body = hook.read(exchange.requestBody) // no more than the hook allows, whoever sends it
        return when (val verdict = hook.verify(exchange.requestURI.toString(), exchange.requestHeaders, body)) {
            is WebHookVerdict.Accepted -> guard.once(verdict.event, handle)
            is WebHookVerdict.Refused -> REFUSED_STATUS.also { System.err.println("refused: ${verdict.reason}") }
        }
    }

    fun start(): JvmServer = apply {
        server.createContext("/hooks") { exchange ->
            exchange.use { it.sendResponseHeaders(runCatching { receive(it) }.getOrDefault(500), -1) }
        }
        server.executor = Executors.newFixedThreadPool(16) { work -> Thread(work).apply { isDaemon = true } }
        server.start()
    }

    fun stop() = server.stop(0)
}

fun main() {
    val hook = Hook.fromJson(requireNotNull(System.getenv("SONDAGE_WEBHOOK")) { "SONDAGE_WEBHOOK is the webhook as JSON" })
    JvmServer(hook, Guard(), port = 8000) { event -> println("${event.eventType} ${event.entity}") }.start()
}
