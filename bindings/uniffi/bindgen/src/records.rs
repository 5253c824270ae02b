//! `toJson` and `fromJson` of every record of the API, which are those with a map for unknown fields. The record crosses
//! the boundary in uniffi's own format, so that the library needs one function for all.

use crate::Result;
use crate::text::Text;
use crate::text::Times::{Exactly, Often};

/// Fewer records than this would mean that they are not recognised.
const FEWEST: usize = 90;

pub fn in_kotlin(text: &mut Text) -> Result {
    text.rewrite(
        r"(?s)^(    val `extra`: Map<kotlin\.String, kotlin\.String> = mapOf\(\) \s*\) : )java\.io\.Serializable \{\s*companion object\n\}(\n\n/\*\*\n \* @suppress\n \*/\n\w+ object FfiConverterType(\w+):)",
        "${1}JsonRecord {
    override fun toJson(): String = FfiConverterType$3.written(\"$3\", this)

    companion object {
        /** Reads what [toJson] has written, or what the service sends. A secret that was left out stays without its text. */
        @JvmStatic
        public fun fromJson(`text`: String): $3 = FfiConverterType$3.read(\"$3\", `text`)
    }
}$2",
        Often,
    )?;
    enough(text.count("override fun toJson()"))?;
    text.rewrite(
        r"^    @Throws\(SondageException::class\) fun `(jsonOfRecord|recordOfJson)`",
        "    internal fun `$1`",
        Exactly(2),
    )
}

pub fn in_swift(text: &mut Text) -> Result {
    let names = text.find_all(
        r"^(?:public )?struct FfiConverterType(\w+): FfiConverterRustBuffer \{\n    public static func read\(.*\{\n        return\n            try \w+\(\n(?:                \w+: .*\n)*                extra: ",
    )?;
    enough(names.len())?;
    text.rewrite(r"^public func (jsonOfRecord|recordOfJson)\(", "func $1(", Exactly(2))?;
    text.append(HELPERS);
    for name in names {
        let record = crate::swift::in_rust(&name);
        text.append(&format!(
            "
extension {name}: JsonRecord {{
    public func toJson() throws -> String {{ try written(FfiConverterType{name}.self, \"{record}\", self) }}

    public init(json text: String) throws {{ self = try read(FfiConverterType{name}.self, \"{record}\", text) }}
}}
"
        ));
    }
    Ok(())
}

const HELPERS: &str = "
/// A record of the API, which can be written as JSON and read.
public protocol JsonRecord: Sendable {
    /// It as JSON, in the names of the API, with the fields and words that this version does not know. Secrets are left out:
    /// `***`.
    func toJson() throws -> String

    /// Reads what `toJson` has written, or what the service sends. A secret that was left out cannot be sent.
    init(json text: String) throws
}

fileprivate func written<Converter: FfiConverterRustBuffer>(
    _ converter: Converter.Type, _ name: String, _ record: Converter.SwiftType
) throws -> String {
    var bytes = createWriter()
    Converter.write(record, into: &bytes)
    return try jsonOfRecord(name: name, record: Data(bytes))
}

fileprivate func read<Converter: FfiConverterRustBuffer>(
    _ converter: Converter.Type, _ name: String, _ text: String
) throws -> Converter.SwiftType {
    var bytes = createReader(data: try recordOfJson(name: name, text: text))
    return try Converter.read(from: &bytes)
}
";

fn enough(found: usize) -> Result {
    if found < FEWEST {
        Err(format!("only {found} records of the API were recognised").into())
    } else {
        Ok(())
    }
}
