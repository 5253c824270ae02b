//! Corrections of uniffi's Swift.

use crate::text::Times::{Exactly, Often};
use crate::text::{Text, in_words_of};
use crate::{Result, fakes, records};
use camino::Utf8Path;
use std::fs;

pub fn adapt(text: &mut Text) -> Result {
    cancellation(text)?;
    from_task_to_task(text)?;
    errors(text)?;
    values(text)?;
    // uniffi renames the class, but not in the result of its second constructor. The library for phones has neither.
    let guards = text.count("class WebHookGuard:");
    text.rewrite(
        r"^(public static func inFolder\(.*\) *throws +-> )Guard\b",
        "${1}WebHookGuard",
        Exactly(guards),
    )?;
    text.replace("FfiConverterTypeGuard_lift(", "FfiConverterTypeWebHookGuard_lift(", Exactly(guards))?;
    // The spelling of an argument in Swift.
    text.replace("closeWithin(timeout: ", "close(within timeout: ", Exactly(2 * text.clients().len()))?;
    numbers_that_do_not_fit(text)?;
    nothing_of_the_machinery_is_public(text)?;
    fakes(text)?;
    records::in_swift(text)?;
    text.each_comment("*", |line| with_the_names_of_swift(&in_words_of("nil", line)));
    text.rewrite(r"^( *\* )- `(\w+)`: ", "$1- Parameter $2: ", Often)
}

/// Puts the files where a Swift package expects them.
pub fn lay_out(folder: &Utf8Path) -> Result {
    let (module, ffi) = (folder.join("Sondage"), folder.join("SondageFFI"));
    fs::create_dir_all(&module)?;
    fs::create_dir_all(&ffi)?;
    fs::rename(folder.join("Sondage.swift"), module.join("Generated.swift"))?;
    fs::rename(folder.join("SondageFFI.h"), ffi.join("SondageFFI.h"))?;
    // The compiler finds a module only by this name.
    fs::rename(folder.join("SondageFFI.modulemap"), ffi.join("module.modulemap"))?;
    Ok(())
}

/// uniffi does not tell Rust that a task was cancelled (its issue 2771), and aborts the process when Rust reports a
/// cancellation. Here the call is cancelled on both sides, and throws Swift's `CancellationError`.
fn cancellation(text: &mut Text) -> Result {
    text.rewrite(
        r"^( *)freeFunc: (ffi_\w+_rust_future_)free_(\w+),$",
        "${1}freeFunc: ${2}free_${3},\n${1}cancelFunc: { ${2}cancel_${3}($$0) },",
        Often,
    )?;
    text.replace(
        "    freeFunc: (UInt64) -> (),\n",
        "    freeFunc: (UInt64) -> (),\n    cancelFunc: @escaping @Sendable (UInt64) -> (),\n",
        Exactly(1),
    )?;
    text.replace(
        "        pollResult = await withUnsafeContinuation {\n",
        "        pollResult = await withTaskCancellationHandler { await withUnsafeContinuation {\n",
        Exactly(1),
    )?;
    text.replace(
        "uniffiContinuationHandleMap.insert(obj: $0)\n            )\n        }\n",
        "uniffiContinuationHandleMap.insert(obj: $0)\n            )\n        } } onCancel: { cancelFunc(rustFuture) }\n",
        Exactly(1),
    )?;
    text.replace(r#"fatalError("Cancellation not supported yet")"#, "throw CancellationError()", Exactly(1))
}

/// The arguments of a token provider cross tasks. uniffi does not mark them, and the compiler of Swift 6 refuses that or
/// even crashes (6.0.3 in language mode 6).
fn from_task_to_task(text: &mut Text) -> Result {
    for closure in [
        "makeCall: @escaping () async",
        "handleSuccess: @escaping (T)",
        "handleError: @escaping (Int8, RustBuffer)",
    ] {
        text.replace(closure, &closure.replace("@escaping", "@escaping @Sendable"), Exactly(2))?;
    }
    text.replace("lowerError: @escaping (E)", "lowerError: @escaping @Sendable (E)", Exactly(1))?;
    text.replace("CallAsync<T>(", "CallAsync<T: Sendable>(", Exactly(1))?;
    text.replace("AsyncWithError<T, E>(", "AsyncWithError<T: Sendable, E: Swift.Error>(", Exactly(1))?;
    text.rewrite(
        r"let makeCall = \{\n( *)\(\) async throws",
        "let makeCall = {\n${1}@Sendable () async throws",
        Often,
    )?;
    text.replace("uniffiHandleSuccess = { (", "uniffiHandleSuccess = { @Sendable (", Often)?;
    text.replace(
        "uniffiHandleError = { (statusCode, errorBuf)",
        "uniffiHandleError = { @Sendable (statusCode: Int8, errorBuf: RustBuffer)",
        Often,
    )?;
    text.rewrite(r"lowerError: (\w+_lower),", "lowerError: { $1($$0) },", Often)?;
    // An error from a token provider is kept as the underlying error of the call's error.
    text.replace(
        "        } catch let error as E {\n            handleError(CALL_ERROR, lowerError(error))\n            return\n        } catch {\n            handleError(CALL_UNEXPECTED_ERROR, FfiConverterString.lower(String(describing: error)))\n",
        "        } catch {\n            handleError(CALL_UNEXPECTED_ERROR, FfiConverterString.lower(Thrown.shared.reason(error)))\n",
        Exactly(1),
    )
}

/// Cases begin with lower-case letters, and every kind carries the same details.
fn errors(text: &mut Text) -> Result {
    let kinds = text.find_all(r"^    case (\w+)\(ErrorDetails$")?;
    let mut patterns = Vec::new();
    for kind in &kinds {
        let name = small(kind);
        let quoted = if name == "internal" { format!("`{name}`") } else { name.clone() };
        text.replace(
            &format!("    case {kind}(ErrorDetails\n    )"),
            &format!("    case {quoted}(ErrorDetails)"),
            Exactly(1),
        )?;
        text.replace(&format!(".{kind}("), &format!(".{name}("), Exactly(2))?;
        patterns.push(format!("let .{name}(details)"));
    }
    text.replace(
        "public \nenum SondageError: Swift.Error, Equatable, Hashable, Codable {\n",
        &format!(
            "public enum SondageError: Swift.Error, Equatable, Hashable, Codable {{\n    /// What is known about it.\n    public var details: ErrorDetails {{\n        switch self {{\n        case {}:\n            return details\n        }}\n    }}\n",
            patterns.join(",\n             ")
        ),
        Exactly(1),
    )?;
    text.replace("    case Failed(", "    case failed(", Exactly(1))?;
    text.replace(".Failed(", ".failed(", Exactly(2))?;
    text.no_more(r"^    case [A-Z]")?;
    // A panic that reaches the FFI boundary is an error like any other.
    text.replace(
        "throw UniffiInternalError.rustPanic(try FfiConverterString.lift(callStatus.errorBuf))",
        "throw SondageError.panic(try FfiConverterString.lift(callStatus.errorBuf))",
        Exactly(1),
    )?;
    text.replace(
        r#"throw UniffiInternalError.rustPanic("Rust panic")"#,
        r#"throw SondageError.panic("no reason was given")"#,
        Exactly(1),
    )
}

/// `.text("Sales")` instead of `.text(value: "Sales")`.
fn values(text: &mut Text) -> Result {
    text.rewrite(
        r"(?s)^(    case `?\w+`?\(\n        /\*\*\n(?:         \*[^\n]*\n)+         \*/)value: (\w+)\n    \)",
        "$1$2)",
        Often,
    )?;
    text.rewrite(r"return \.(\w+)\(value: try", "return .$1(try", Often)
}

/// A time or a duration that Rust cannot hold must not abort the process. The core refuses it, and says what was wrong.
fn numbers_that_do_not_fit(text: &mut Text) -> Result {
    text.replace(
        "        var delta = value.timeIntervalSince1970\n",
        "        // Further than any calendar of the core, and still an integer.\n        let far = 9.0e15\n        var delta = value.timeIntervalSince1970.isNaN ? far : min(max(value.timeIntervalSince1970, -far), far)\n",
        Exactly(1),
    )?;
    // A date of Swift holds less than a microsecond: what it adds to `12:30:00.123` is not a part of the time.
    text.replace(
        "        let nanoseconds = UInt32((delta - Double(seconds)) * 1.0e9)\n        writeInt(&buf, sign * seconds)\n",
        "        let nanoseconds = UInt32(((delta - Double(seconds)) * 1.0e6).rounded()) * 1000\n        writeInt(&buf, sign * seconds)\n",
        Exactly(1),
    )?;
    text.replace(
        "            delta = -delta\n        }\n",
        "            delta = -delta\n        }\n        delta = (delta * 1.0e6).rounded() / 1.0e6\n",
        Exactly(1),
    )?;
    text.replace(
        "        if delta.rounded(.down) > Double(Int64.max) {\n            fatalError(\"Timestamp overflow, exceeds max bounds supported by Uniffi\")\n        }\n",
        "",
        Exactly(1),
    )?;
    text.replace(
        "        if value.rounded(.down) > Double(Int64.max) {\n            fatalError(\"Duration overflow, exceeds max bounds supported by Uniffi\")\n        }\n\n        if value < 0 {\n            fatalError(\"Invalid duration, must be non-negative\")\n        }\n",
        "        // What is below nothing is nothing, and 30 million years are long enough.\n        let value = value.isNaN ? 0 : min(max(value, 0), 1.0e15)\n",
        Exactly(1),
    )
}

/// Hides uniffi's internals from code completion: a user sees only the library.
fn nothing_of_the_machinery_is_public(text: &mut Text) -> Result {
    text.rewrite(r"^public (struct|func) (FfiConverter\w+|uniffi\w+)", "$1 $2", Often)?;
    // The package has the versions without the label.
    text.rewrite(
        r"^public func (\w+)\(name: String\) *-> Variable",
        "func $1(name: String) -> Variable",
        Exactly(6),
    )?;
    text.rewrite(r"^open class", "public final class", Often)?;
    text.rewrite(r"^open func", "public func", Often)?;
    text.replace("    required public init(unsafeFromHandle", "    required init(unsafeFromHandle", Often)?;
    text.replace("    public struct NoHandle", "    struct NoHandle", Often)?;
    text.replace("    public init(noHandle:", "    init(noHandle:", Often)?;
    text.replace("    public func uniffiCloneHandle()", "    func uniffiCloneHandle()", Often)?;
    text.no_more(r"^(public|open) .*(FfiConverter|uniffi)[A-Z]\w*[ (:]")
}

/// A class of a test can stand for a client, and code that takes either has the optional arguments and the lists.
fn fakes(text: &mut Text) -> Result {
    text.replace(
        "public protocol ClientProtocol: AnyObject, Sendable {",
        "public protocol ClientProtocol: AnyObject, Sendable, ClientLists {",
        Exactly(1),
    )?;
    let extension = fakes::extension(text.whole())?;
    text.append(&extension);
    Ok(())
}

/// Documentation names types as Swift does.
fn with_the_names_of_swift(line: &str) -> String {
    let rename =
        |line: String, (old, new): (&str, &str)| line.replace(&format!("`{old}`"), &format!("`{new}`"));
    renamed().fold(line.to_owned(), rename)
}

/// The name in Rust of a type of Swift.
pub fn in_rust(name: &str) -> &str {
    renamed().find(|(_, new)| *new == name).map_or(name, |(old, _)| old)
}

/// Names in Rust with those in Swift, where they differ.
fn renamed() -> impl Iterator<Item = (&'static str, &'static str)> {
    const SETTINGS: &str = include_str!("../../uniffi.toml");
    let table = SETTINGS.split("[bindings.swift.rename]\n").nth(1).unwrap_or_default();
    table.lines().map_while(|line| line.split_once(" = ")).map(|(old, new)| (old, new.trim_matches('"')))
}

fn small(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_names_types_as_swift_does() {
        assert_eq!(
            with_the_names_of_swift("by its name in `Settings`: Settings"),
            "by its name in `ClientSettings`: Settings"
        );
    }
}
