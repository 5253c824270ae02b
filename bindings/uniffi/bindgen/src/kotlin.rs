//! Corrections of uniffi's Kotlin.

use crate::text::Times::{Exactly, Often};
use crate::text::{Text, in_words_of};
use crate::{Result, records};

pub fn adapt(text: &mut Text) -> Result {
    errors(text)?;
    cancellation(text)?;
    application_code(text)?;
    closing(text)?;
    results(text)?;
    reading(text)?;
    serializable(text)?;
    records::in_kotlin(text)?;
    members(text)?;
    nothing_of_the_machinery_is_public(text)
}

/// An exception has the properties of its base class, and a message for people.
fn errors(text: &mut Text) -> Result {
    text.replace(
        "sealed class SondageException: kotlin.Exception() {",
        "sealed class SondageException(details: ErrorDetails) : SondageFailure(details) {",
        Exactly(1),
    )?;
    text.rewrite(
        r#"class (\w+)\(\s*val v1: ErrorDetails\s*\) : SondageException\(\) \{\s*override val message\s*get\(\) = "v1=\$\{ v1 \}"\s*\}"#,
        "class $1(details: ErrorDetails) : SondageException(details)",
        Often,
    )?;
    text.replace("value.v1)", "value.details)", Often)?;
    text.replace("value.v1, buf)", "value.details, buf)", Often)?;
    text.no_more(r"\bv1\b")?;
    text.replace(r#"get() = "reason=${ `reason` }""#, "get() = `reason`", Exactly(1))?;
    // A panic that reaches the FFI boundary is an exception like any other.
    text.replace(
        "throw InternalException(FfiConverterString.lift(status.error_buf))",
        "throw internalFailure(FfiConverterString.lift(status.error_buf))",
        Exactly(1),
    )?;
    text.replace(
        r#"throw InternalException("Rust panic")"#,
        r#"throw internalFailure("no reason was given")"#,
        Exactly(1),
    )
}

/// A coroutine that is already cancelled must not start a call. One without a dispatcher must not continue on the core's
/// thread that delivered the result: it could block it.
fn cancellation(text: &mut Text) -> Result {
    text.replace(
        "uniffiContinuationHandleMap.remove(data).resume(pollResult)",
        "resumeElsewhere(uniffiContinuationHandleMap.remove(data), pollResult)",
        Exactly(1),
    )?;
    text.replace(
        "    try {\n        do {\n            val pollResult = suspendCancellableCoroutine<Byte> {",
        "    try {\n        kotlinx.coroutines.currentCoroutineContext().ensureActive()\n        do {\n            val pollResult = suspendCancellableCoroutine<Byte> {",
        Exactly(1),
    )?;
    text.replace(
        "import kotlinx.coroutines.launch\n",
        "import kotlinx.coroutines.ensureActive\nimport kotlinx.coroutines.launch\n",
        Exactly(1),
    )
}

/// A token provider runs on threads of its own: those of the application may all be waiting for it. Any exception is
/// passed to the core; otherwise the call would wait for its deadline.
fn application_code(text: &mut Text) -> Result {
    text.replace(
        "    @OptIn(DelicateCoroutinesApi::class)\n    val job = GlobalScope.launch",
        "    val job = applicationCode.launch",
        Exactly(2),
    )?;
    text.replace(
        "import kotlinx.coroutines.DelicateCoroutinesApi\nimport kotlinx.coroutines.GlobalScope\n",
        "",
        Exactly(1),
    )?;
    text.replace("catch(e: kotlin.Exception)", "catch(e: Throwable)", Exactly(4))?;
    // Kept as the cause of the call's exception.
    text.rewrite(
        r"(?s)^            if \(e is E\) \{\n                handleError\(.*?lowerError\(e\).*?\} else \{\n(.*?)e\.toString\(\)(.*?\n)            \}\n",
        "${1}Thrown.reason(e)$2",
        Exactly(1),
    )?;
    for lambda in ["TokenProvider", "LogSink"] {
        let (plain, fun) =
            (format!("public interface {lambda} {{"), format!("public fun interface {lambda} {{"));
        text.replace(&plain, &fun, Exactly(1))?;
    }
    Ok(())
}

/// A large response is not read on the thread of a screen, and an exception names the functions that wait for the call.
fn results(text: &mut Text) -> Result {
    text.replace(
        "        return liftFunc(\n            uniffiRustCallWithError(errorHandler, { status -> completeFunc(rustFuture, status) })\n        )\n    } finally {",
        "        return lifted(uniffiRustCallWithError(errorHandler, { status -> completeFunc(rustFuture, status) }), liftFunc)\n    } catch (failure: SondageException) {\n        thrownToCallers(failure)\n    } finally {",
        Exactly(1),
    )
}

/// `close` of a client rejects new calls. The handle is freed when the client is garbage-collected, so that the core
/// responds to a call after `close`.
fn closing(text: &mut Text) -> Result {
    const DESTROYS: &str = "    @Synchronized\n    override fun close() {\n        this.destroy()\n    }\n";
    text.rewrite(
        r"^open class (\w+): Disposable, AutoCloseable, (\w+)$",
        "public class $1: AutoCloseable, $2",
        Often,
    )?;
    for client in text.clients() {
        text.replace_after(&format!("public class {client}: AutoCloseable"), DESTROYS, "")?;
    }
    text.replace("override fun destroy() {", "internal fun destroy() {", Often)?;
    // The `use` of UniFFI's objects would destroy the object where Kotlin's own `use` calls `close`.
    text.rewrite(r"(?s)^// Interface implemented by anything that can contain an object reference\..*?^object UniffiWithHandle$", "internal object UniffiWithHandle", Exactly(1))
}

/// How values are printed and documented.
fn reading(text: &mut Text) -> Result {
    text.rewrite(r"^    object (\w+) : (\w+)\(\)$", "    data object $1 : $2()", Often)?;
    text.replace(
        "            // Rust does not support negative Durations\n            throw IllegalArgumentException(\"Invalid duration, must be non-negative\")",
        "            // Rust has no negative durations. The core refuses zero with an error.\n            return write(java.time.Duration.ZERO, buf)",
        Exactly(1),
    )?;
    text.each_comment("*", |line| in_words_of("null", line));
    text.rewrite(r"^( *\* )- `(\w+)`: ", "$1@param $2 ", Often)
}

/// Records and enumerations are serializable, for the saved state of a screen or a cache. None of them refers to an object of the
/// core.
fn serializable(text: &mut Text) -> Result {
    text.rewrite(r"^\)\{$", ") : java.io.Serializable {", Often)?;
    text.rewrite(r"^sealed class (\w+) \{$", "sealed class $1 : java.io.Serializable {", Often)?;
    text.no_more(r"^(data class \w+ \(\) *\{|\)\s*: Disposable)")
}

/// What the package adds to these classes are members, which need no import.
fn members(text: &mut Text) -> Result {
    text.rewrite(
        r"^public interface (\w*Client)Interface \{",
        "public interface ${1}Interface : ${1}Lists {",
        Often,
    )?;
    for (class, members) in [("Filter", "Conjunctions"), ("Variable", "Comparisons")] {
        let plain = format!("public interface {class}Interface {{");
        text.replace(&plain, &format!("public interface {class}Interface : {members} {{"), Exactly(1))?;
    }
    Ok(())
}

/// Hides uniffi's internals from code completion: a user sees only the library.
fn nothing_of_the_machinery_is_public(text: &mut Text) -> Result {
    text.replace(
        "open class RustBuffer : Structure()",
        "internal open class RustBuffer : Structure()",
        Exactly(1),
    )?;
    text.rewrite(r"^public (object|interface|abstract class) (FfiConverter)", "internal $1 $2", Often)?;
    text.rewrite(r"^(class InternalException|interface UniffiRustCallStatusErrorHandler|object UniffiNull|object NoHandle|interface UniffiCleaner|interface FfiConverter)", "internal $1", Often)?;
    text.rewrite(r"^public (fun uniffi)", "internal $1", Often)?;
    text.replace(
        "    companion object ErrorHandler :",
        "    internal companion object ErrorHandler :",
        Often,
    )?;
    text.rewrite(r"^    constructor\((withHandle|noHandle):", "    internal constructor($1:", Often)?;
    text.rewrite(r"^    protected val (handle|cleanable)", "    private val $1", Often)?;
    text.replace("    val uniffiIsDestroyed", "    internal val uniffiIsDestroyed", Often)?;
    text.replace("    fun uniffiCloneHandle()", "    internal fun uniffiCloneHandle()", Often)?;
    text.no_more(r"^(public |open |data |sealed |abstract |fun )*(class|object|interface|fun|val) \w*(Ffi|[uU]niffi|RustBuffer|Handle|Disposable)")
}
