package sondage

import java.net.InetAddress
import java.net.ServerSocket
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** A server that accepts requests, never responds, and notices when its caller disconnects. */
class SilentServer : AutoCloseable {
    private val socket = ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))
    private val arrived = CountDownLatch(1)
    private val hungUp = CountDownLatch(1)

    val url = "http://127.0.0.1:${socket.localPort}"

    init {
        thread(isDaemon = true) {
            while (!socket.isClosed) {
                val caller = runCatching { socket.accept() }.getOrNull() ?: break
                thread(isDaemon = true) {
                    arrived.countDown()
                    runCatching { while (caller.getInputStream().read() >= 0) Unit }
                    hungUp.countDown()
                }
            }
        }
    }

    fun awaitRequest() = check(arrived.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) { "no request came" }

    fun awaitHangUp() = check(hungUp.await(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) { "the caller did not disconnect" }

    override fun close() = socket.close()
}
