package sondage

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.resume

/** Daemon threads that do not belong to the core, as many as are needed. */
private val threads: ExecutorService =
    Executors.newCachedThreadPool { work -> Thread(work, "sondage-application").apply { isDaemon = true } }

/**
 * The threads of token providers. They are separate, because all threads of the application may be waiting for a
 * token.
 */
internal val applicationCode: CoroutineScope = CoroutineScope(SupervisorJob() + threads.asCoroutineDispatcher())

/**
 * Resumes a coroutine. Most coroutines have a dispatcher that moves them to another thread. Without one, a coroutine
 * would continue on this thread of the core, and would block every call.
 */
internal fun <T> resumeElsewhere(continuation: Continuation<T>, value: T) {
    val dispatcher = continuation.context[ContinuationInterceptor]
    if (dispatcher == null || dispatcher === Dispatchers.Unconfined) {
        threads.execute { continuation.resume(value) }
    } else {
        continuation.resume(value)
    }
}
