//! A rule about the documentation of parameters in Kotlin and Swift, which an editor shows where a caller types them:
//! `@param panelId`, `- Parameter panelId:`.

use super::{File, Problems};

/// The sources of the packages.
const FOLDERS: [&str; 5] = [
    "kotlin/src/main/",
    "kotlin/src/server/",
    "kotlin/src/testing/",
    "kotlin/src/android/kotlin/",
    "swift/Sources/Sondage",
];

/// What uniffi's Swift needs of each type in addition to what callers see.
const MACHINERY: [&str; 4] = ["lift(", "lower(", "read(", "write("];

/// A function and its documentation.
struct Function {
    line: usize,
    name: String,
    parameters: Vec<String>,
    docs: String,
}

/// Functions of the packages' own sources. A single parameter, and the operands of an operator, are what the sentence about the
/// function is about. A function without documentation has that of the interface to which it belongs.
pub fn rules(file: &File) -> Problems {
    if !FOLDERS.iter().any(|folder| file.path.starts_with(folder)) {
        return Problems::new();
    }
    let public =
        |line: &str, _| line.starts_with("public ") && (line.contains("fun ") || line.contains("func "));
    let counts = |function: &Function| {
        let operator = function.name.is_empty();
        function.parameters.len() > 1 && !operator && !function.docs.is_empty()
    };
    problems(&file.path, functions(&file.text, public).into_iter().filter(counts))
}

/// Functions in what uniffi generates: every parameter.
pub fn of_generated(path: &str, text: &str) -> Problems {
    let kotlin = |line: &str| line.contains("fun `") || line.starts_with("constructor(`");
    let swift = |line: &str, in_protocol: bool| {
        let line = if in_protocol { line } else { line.strip_prefix("public ").unwrap_or_default() };
        let line = line.strip_prefix("static ").unwrap_or(line);
        let function = line.strip_prefix("func ");
        function.is_some_and(|name| !MACHINERY.iter().any(|word| name.starts_with(word)))
            || line.starts_with("convenience init(")
    };
    problems(path, functions(text, |line, in_protocol| kotlin(line) || swift(line, in_protocol)).into_iter())
}

fn problems(path: &str, functions: impl Iterator<Item = Function>) -> Problems {
    let mut problems = Problems::new();
    for Function { line, name, parameters, docs } in functions {
        let described = |name: &&String| {
            let forms = [format!("@param {name} "), format!("- Parameter {name}: "), format!("- {name}: ")];
            forms.iter().any(|form| docs.contains(form))
        };
        let missing: Vec<_> = parameters.iter().filter(|name| !described(name)).map(String::as_str).collect();
        if !missing.is_empty() {
            problems.push(format!("{path}:{line}: nothing says what {} of `{name}` is", missing.join(", ")));
        }
    }
    problems
}

/// The functions whose first line is one. It is also told whether the line is in a Swift protocol.
fn functions(text: &str, is_one: impl Fn(&str, bool) -> bool) -> Vec<Function> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut found, mut docs, mut in_block, mut in_protocol) = (Vec::new(), String::new(), false, false);
    for (index, whole) in lines.iter().enumerate() {
        let line = whole.trim();
        in_protocol = (in_protocol || line.starts_with("public protocol ")) && *whole != "}";
        if in_block || line.starts_with("/**") || line.starts_with("///") {
            docs.extend([line, " \n"]);
            in_block = (in_block || line.starts_with("/**")) && !line.ends_with("*/");
        } else if is_one(line, in_protocol) {
            let signature = signature(&lines[index..]);
            let head = signature.split('(').next().unwrap_or_default();
            let name = head.rsplit([' ', '.']).next().unwrap_or_default().trim_matches('`').to_owned();
            let parameters = parameters(&signature);
            found.push(Function { line: index + 1, name, parameters, docs: std::mem::take(&mut docs) });
        } else if !line.starts_with(['@', '#']) {
            docs.clear();
        }
    }
    found
}

/// From the name of a function to the end of its parameters, without those of its type.
fn signature(lines: &[&str]) -> String {
    const WORDS: [&str; 4] = ["fun ", "func ", "init(", "constructor("];
    let mut out = String::new();
    for line in lines {
        // An annotation in the same line has parentheses, too.
        let begin = if out.is_empty() { WORDS.iter().filter_map(|word| line.find(word)).min() } else { None };
        out.extend([&line[begin.unwrap_or_default()..].replace("->", ""), "\n"]);
        let count = |sign| out.matches(sign).count();
        if count('(') > 0 && count('(') == count(')') {
            break;
        }
    }
    // `fun <T> name(`, `func with<T: Sendable>(`
    match (out.find('<'), out.find('('), out.find('>')) {
        (Some(begin), Some(paren), Some(end)) if begin < paren => {
            out.replace_range(begin..=end, if out[..begin].ends_with(' ') { " " } else { "" });
            out
        }
        _ => out,
    }
}

fn parameters(signature: &str) -> Vec<String> {
    let Some(begin) = signature.find('(') else { return Vec::new() };
    let (mut depth, mut parts) = (1, vec![String::new()]);
    for letter in signature[begin + 1..].chars() {
        match letter {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => parts.push(String::new()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    let name = |part: &String| {
        let (names, _) = part.split_once(':')?;
        Some(names.split_whitespace().last()?.trim_matches('`').to_owned())
    };
    parts.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    const DOCS: &str = "/**\n * Reads.\n *\n * @param panelId The panel.\n */\n@Throws(E::class)\n";

    #[test]
    fn each_parameter_of_generated_kotlin_is_described() {
        let fine =
            format!("{DOCS}suspend fun `read`(`panelId`: kotlin.Long): Map<A, B>\nfun lower(value: A)\n");
        assert_eq!(of_generated("a.kt", &fine), Problems::new());
        let lacks = format!("{DOCS}    fun `read`(`panelId`: kotlin.Long, `where`: Map<A, B>? = null) {{\n");
        assert_eq!(of_generated("a.kt", &lacks), ["a.kt:7: nothing says what where of `read` is"]);
        let annotated = format!("{DOCS}@Throws(E::class)override suspend fun `read`(`where`: A) {{\n");
        assert_eq!(of_generated("a.kt", &annotated), ["a.kt:7: nothing says what where of `read` is"]);
        let far = format!("{DOCS}val other = 5\nconstructor(`panelId`: kotlin.Long) :\n");
        assert_eq!(of_generated("a.kt", &far), ["a.kt:8: nothing says what panelId of `constructor` is"]);
    }

    #[test]
    fn each_parameter_of_generated_swift_is_described() {
        let docs = "    /**\n     * - Parameter timeout: How long.\n     */\n";
        for (line, problems) in [
            ("public func close(within timeout: TimeInterval)async throws  -> [A]  {", 0),
            ("public func close(within timeout: TimeInterval, extra: [String: String] = [:])  {", 1),
            ("public convenience init(timeout: TimeInterval, `where`: A? = nil)throws  {", 1),
            ("public static func read(from buf: inout (data: Data, offset: Data.Index)) -> A {", 0),
            ("func hidden(other: String)", 0),
        ] {
            assert_eq!(of_generated("a.swift", &format!("{docs}{line}\n")).len(), problems, "{line}");
        }
        let protocol = "public protocol P: Sendable {\n    func shown(other: String) -> A\n}\nfunc hidden(other: String)\n";
        assert_eq!(of_generated("a.swift", protocol), ["a.swift:2: nothing says what other of `shown` is"]);
    }

    #[test]
    fn several_parameters_of_a_function_by_hand_are_described() {
        let path = "swift/Sources/SondageTesting/A.swift";
        let several = "/// Runs.\npublic static func with<Result: Sendable>(\n    members: Int = 0,\n    _ work: (A, B) async throws -> Result\n) {\n";
        assert_eq!(
            rules(&file(path, several)),
            [format!("{path}:2: nothing says what members, work of `with` is")]
        );
        let described = several.replace(
            "/// Runs.\n",
            "/// Runs.\n///\n/// - Parameters:\n///   - members: How many.\n///   - work: What.\n",
        );
        assert_eq!(rules(&file(path, &described)), Problems::new());
        for fine in [
            "/// Less than it.\npublic func less(_ value: A) {",
            "/// Both.\npublic static func && (one: A, other: A) -> A {",
            "public func save(key: A, tokens: B) {",
        ] {
            assert_eq!(rules(&file(path, fine)), Problems::new());
        }
        let generic = "/** Runs. */\npublic suspend fun <T> A.run(a: Map<B, C>, b: () -> T): T =\n";
        let path = "kotlin/src/main/kotlin/sondage/A.kt";
        assert_eq!(rules(&file(path, generic)), [format!("{path}:2: nothing says what a, b of `run` is")]);
        assert_eq!(rules(&file("examples/a.kt", generic)), Problems::new());
    }
}
