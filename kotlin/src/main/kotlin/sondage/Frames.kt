package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.jvm.internal.CoroutineStackFrame

/** The classes between a caller and the library. In a minified app they have other names. */
private val MACHINERY = Regex("""sondage\.(FfiConverter|Uniffi|SondageException|SondageFailure|SondageKt|FramesKt).*""")

/** The maximum number of callers that are named. */
private const val MOST_CALLERS = 64

/** A response above this size, in bytes, is read on a background thread. */
private const val LARGE = 64L * 1024

/** A stack trace that begins at the operation: crash reporters group by the first frames. */
internal fun begunAt(operation: String?, trace: List<StackTraceElement>): Array<StackTraceElement> {
    // A call that leaves out arguments goes through one more function of the interface.
    val callers =
        trace.dropWhile { MACHINERY.matches(it.className) }
            .filterNot { it.className.startsWith("sondage.") && it.methodName.endsWith("\$default") }
    val method = operation?.replaceFirstChar(Char::lowercase)
    if (method == null || callers.firstOrNull()?.methodName == method) return callers.toTypedArray()
    return (listOf(StackTraceElement("sondage.Client", method, null, -1)) + callers).toTypedArray()
}

/** Throws with the functions that have suspended and wait for the call: after a suspension they are not on the stack. */
internal suspend fun thrownToCallers(failure: SondageException): Nothing =
    suspendCoroutineUninterceptedOrReturn<Nothing> { call ->
        val stack = failure.stackTrace
        val callers = callersOf(call).filter { it !in stack && !MACHINERY.matches(it.className) }
        failure.stackTrace = (stack.take(1) + callers + stack.drop(1)).toTypedArray()
        throw failure
    }

private fun callersOf(call: Continuation<*>): List<StackTraceElement> =
    generateSequence(call as? CoroutineStackFrame) { it.callerFrame }
        .take(MOST_CALLERS)
        .mapNotNull { it.getStackTraceElement() }
        .toList()

/** Reads a response: a large one takes longer than a screen may stand still. */
internal suspend fun <Raw, Value> lifted(raw: Raw, lift: (Raw) -> Value): Value =
    if (raw is RustBuffer.ByValue && raw.len > LARGE) {
        // Its memory is freed by reading it, so this is not cancelled.
        withContext(NonCancellable + Dispatchers.Default) { lift(raw) }
    } else {
        lift(raw)
    }
