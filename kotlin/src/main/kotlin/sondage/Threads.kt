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

/** Threads that do not belong to the core, and do not keep the process alive. There are as many as are needed. */
private val threads: ExecutorService =
    Executors.newCachedThreadPool { work -> Thread(work, "sondage-application").apply { isDaemon = true } }

/**
 * Where token providers run. They have threads of their own, because all threads of the application may be waiting for
 * their answer.
 */
internal val applicationCode: CoroutineScope = CoroutineScope(SupervisorJob() + threads.asCoroutineDispatcher())

/**
 * Resumes a coroutine. Most have a dispatcher that brings them to another thread; those without one would go on here,
 * on a thread of the core, and whatever they do next would hold up every call.
 */
internal fun <T> resumeElsewhere(continuation: Continuation<T>, value: T) {
    val dispatcher = continuation.context[ContinuationInterceptor]
    if (dispatcher == null || dispatcher === Dispatchers.Unconfined) {
        threads.execute { continuation.resume(value) }
    } else {
        continuation.resume(value)
    }
}
