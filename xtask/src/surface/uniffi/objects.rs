//! Objects that methods return, for uniffi.

use crate::surface::methods::objects_without_arrow;
use crate::surface::prelude::*;

pub fn file() -> Generated {
    let (mut body, mut functions) = (String::from("use super::prelude::*;\n"), String::new());
    for (object, about) in
        objects().filter(|(object, _)| objects_without_arrow().any(|(known, _)| known == object))
    {
        let class = pascal(object);
        let core = format!("::sondage_jobs::{class}");
        put!(
            body,
            "\n{}#[derive(uniffi::Object)]\npub struct {class}({core});\n\n\
             impl IntoFfi<Arc<{class}>> for {core} {{\n    fn into_ffi(self) -> Arc<{class}> {{\n        \
             Arc::new({class}(self))\n    }}\n}}\n\n\
             #[uniffi::export]\n#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours\n\
             impl {class} {{\n{}}}\n",
            rustdoc(&paragraphs(about), 0),
            join(rows_of(object).map(|row| method(row, false)), "\n")
        );
        let calls = rows_of(object).filter(|row| row.kind == "Call");
        let blocking = join(calls.map(|row| method(row, true)), "\n");
        if !blocking.is_empty() {
            let attribute = "#[cfg(feature = \"blocking\")]\n#[uniffi::export]";
            put!(body, "\n{attribute}\nimpl {class} {{\n{blocking}}}\n");
        }
        for row in rows_of(object) {
            let function = format!("crate::{class}::{}", row.name);
            let both =
                if row.kind == "Call" { format!("({function}, {function}_blocking)") } else { function };
            put!(functions, "    ({object} {}) => {{\n        {both}\n    }};\n", row.name);
        }
    }
    put!(
        body,
        "\n/// The function of a row of these objects.\n#[cfg(all(feature = \"blocking\", feature = \"webhook\"))]\nmacro_rules! of_an_object {{\n{functions}}}\n"
    );
    generated("bindings/uniffi/src/methods/objects.rs", "crates/sondage/src/methods.rs", &body)
}

/// A method, or the blocking form of one that makes calls.
fn method(row: &MethodRow, blocking: bool) -> String {
    let MethodRow { name, named, argument, result, .. } = row;
    let (taken, handed) = match *named {
        "" => (String::new(), String::new()),
        named => (format!(", {named}: {argument}"), format!("&{named}")),
    };
    let call = format!("{name}({handed})");
    let (head, body) = match (row.kind, blocking) {
        ("Call", true) => {
            let wait = format!("::sondage::internals::runtime::block_on(async move {{ this.{call}.await }})");
            let body = format!("let this = self.0.clone();\n        Ok({wait}?.into_ffi())");
            (format!("fn {name}_blocking"), body)
        }
        ("Call", false) => (format!("async fn {name}"), format!("Ok(self.0.{call}.await?.into_ffi())")),
        _ => (format!("fn {name}"), format!("self.0.{call}.into_ffi()")),
    };
    let result =
        if row.kind == "Call" { format!("Result<{result}, SondageError>") } else { (*result).to_owned() };
    let about = if blocking { vec![format!("`{}`, blocking.", camel(name))] } else { paragraphs(row.docs) };
    let docs: Vec<String> = about.into_iter().chain(described(row)).collect();
    format!("{}    pub {head}(&self{taken}) -> {result} {{\n        {body}\n    }}\n", rustdoc(&docs, 4))
}

/// The documentation of the parameter: the sentence of the row that says what it is.
fn described(row: &MethodRow) -> Option<String> {
    let name = (!row.named.is_empty()).then_some(row.named)?;
    let docs = line(row.docs);
    let sentence = docs.split_once(&format!("`{name}` is ")).and_then(|(_, rest)| rest.split_once(". "));
    let (sentence, _) = sentence.unwrap_or_else(|| panic!("`{}` does not say what `{name}` is", row.name));
    let (first, rest) = sentence.split_at(1);
    Some(format!("- `{}`: {}{rest}.", camel(name), first.to_uppercase()))
}
