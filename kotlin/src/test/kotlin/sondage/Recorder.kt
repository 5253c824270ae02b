package sondage

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.LinkedBlockingQueue

/** A server that responds as configured, and records the requests. */
class Recorder : AutoCloseable {
    class Request(val path: String, val headers: Map<String, String>, val body: String)

    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
    private val requests = LinkedBlockingQueue<Request>()

    @Volatile private var answer = ""

    @Volatile private var status = 200

    val url: String get() = "http://127.0.0.1:${server.address.port}"

    init {
        server.createContext("/") { respond(it) }
        server.start()
    }

    /** Responds to the next requests with this text. */
    fun answer(text: String, status: Int = 200) {
        answer = text
        this.status = status
        requests.clear()
    }

    /** The number of requests since then. */
    val count: Int get() = requests.size

    /** The only request since then. */
    fun request(): Request {
        check(requests.size == 1) { "${requests.size} requests came" }
        return requests.take()
    }

    private fun respond(exchange: HttpExchange) = exchange.use {
        val headers = it.requestHeaders.entries.associate { (name, values) -> name.lowercase() to values.joinToString() }
        requests += Request("${it.requestURI}", headers, it.requestBody.reader().readText())
        val text = answer.toByteArray()
        it.responseHeaders["Content-Type"] = "application/json"
        it.sendResponseHeaders(status, text.size.toLong())
        it.responseBody.write(text)
    }

    override fun close() = server.stop(0)
}
