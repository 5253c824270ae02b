//! What makes `ClientProtocol` of Swift useful: optional arguments, which a protocol cannot have, and a default for every
//! requirement, so that a class of a test that stands for a client has only the methods that the test calls.

use crate::Result;
use regex::Regex;

const HEAD: &str = "
// What a class of a test inherits that stands for a client: a method that it lacks throws, and optional arguments.
extension ClientProtocol {
";

/// The extension of the protocol, made from the methods of the client in uniffi's text.
pub fn extension(text: &str) -> Result<String> {
    let class = text.split("public final class Client: ClientProtocol").nth(1).unwrap_or_default();
    let class = class.split("struct FfiConverterTypeClient").next().unwrap_or_default();
    let method = Regex::new(r"(?m)^public func (\w+)\((.*?)\)\s*(async )?(throws)?\s*(?:-> ([^{]+?))?\s*\{")?;
    let mut out = HEAD.to_owned();
    let mut found = 0;
    for parts in method.captures_iter(class) {
        let part = |number: usize| parts.get(number).map_or("", |part| part.as_str());
        let effects = format!("{}{}", part(3), part(4));
        let signature = Signature {
            name: part(1),
            parameters: split(part(2)),
            effects: effects.trim().to_owned(),
            result: part(5).to_owned(),
        };
        out += &signature.missing();
        out += &signature.shorter();
        found += 1;
    }
    if found < 50 {
        return Err(format!("only {found} methods of the client were recognised in uniffi's Swift").into());
    }
    Ok(out + "}\n")
}

struct Signature<'a> {
    name: &'a str,
    parameters: Vec<String>,
    effects: String,
    result: String,
}

impl Signature<'_> {
    fn head(&self, parameters: &[&str]) -> String {
        let result = if self.result.is_empty() { String::new() } else { format!(" -> {}", self.result) };
        let effects = if self.effects.is_empty() { String::new() } else { format!(" {}", self.effects) };
        format!("    public func {}({}){effects}{result} {{\n", self.name, parameters.join(", "))
    }

    /// The default of the requirement.
    fn missing(&self) -> String {
        let parameters: Vec<&str> = self.parameters.iter().map(|one| parted(one).0).collect();
        let name = self.name;
        let body = match (self.effects.contains("throws"), self.result.is_empty()) {
            (true, _) => format!("throw SondageError.notFaked(\"{name}\")"),
            (false, true) => String::new(),
            (false, false) => format!("fatalError(\"this stands for a client, and has no `{name}`\")"),
        };
        format!("{}        {body}\n    }}\n", self.head(&parameters))
    }

    /// The same with optional arguments, without the last of them: otherwise it would be the default of the requirement.
    fn shorter(&self) -> String {
        let Some(last) = self.parameters.iter().rposition(|one| parted(one).1.is_some()) else {
            return String::new();
        };
        let kept = self.parameters.iter().enumerate().filter(|(at, _)| *at != last);
        let parameters: Vec<&str> = kept.map(|(_, one)| one.as_str()).collect();
        let argument = |(at, one): (usize, &String)| {
            let (typed, default) = parted(one);
            let (label, variable) = names(typed);
            let value = if at == last { default.unwrap_or_default() } else { variable };
            format!("{label}: {value}")
        };
        let arguments: Vec<String> = self.parameters.iter().enumerate().map(argument).collect();
        let calls = match self.effects.as_str() {
            "async throws" => "try await ",
            "throws" => "try ",
            _ => "",
        };
        format!("{}        {calls}{}({})\n    }}\n", self.head(&parameters), self.name, arguments.join(", "))
    }
}

/// A parameter, and its default.
fn parted(parameter: &str) -> (&str, Option<&str>) {
    match parameter.split_once(" = ") {
        Some((typed, default)) => (typed, Some(default)),
        None => (parameter, None),
    }
}

/// Its label, and its name in the function: `within timeout: TimeInterval`.
fn names(typed: &str) -> (&str, &str) {
    let names = typed.split(':').next().unwrap_or_default();
    let (label, variable) = names.split_once(' ').unwrap_or((names, names));
    (label.trim_matches('`'), variable)
}

/// The parameters between commas that are not inside brackets.
fn split(parameters: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0);
    for letter in parameters.chars() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        match all.last_mut() {
            Some(last) if letter != ',' || depth > 0 => last.push(letter),
            _ => all.push(String::new()),
        }
    }
    all.into_iter().map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_gets_a_default_and_a_shorter_form() {
        let signature = Signature {
            name: "readThing",
            parameters: split("thingId: Int64, extra: [String: String] = [:], `where`: Filter? = nil"),
            effects: "async throws".to_owned(),
            result: "ReadThingResponse".to_owned(),
        };
        assert_eq!(
            signature.missing(),
            "    public func readThing(thingId: Int64, extra: [String: String], `where`: Filter?) async throws -> ReadThingResponse {\n        \
             throw SondageError.notFaked(\"readThing\")\n    }\n"
        );
        assert_eq!(
            signature.shorter(),
            "    public func readThing(thingId: Int64, extra: [String: String] = [:]) async throws -> ReadThingResponse {\n        \
             try await readThing(thingId: thingId, extra: extra, where: nil)\n    }\n"
        );
        assert_eq!(names("within timeout: TimeInterval"), ("within", "timeout"));
    }

    #[test]
    fn another_text_of_uniffi_is_an_error() {
        assert!(extension("public class Client { func readThing() }").is_err());
    }
}
