//! Objects that methods return, for uniffi.

use super::super::methods::{MethodRow, objects, objects_without_arrow, rows_of};
use super::super::{Generated, prose};
use super::{docs, generated};
use std::fmt::Write;

pub fn file() -> Generated {
    let (mut body, mut functions) = (String::from("use super::prelude::*;\n"), String::new());
    for (object, about) in
        objects().filter(|(object, _)| objects_without_arrow().any(|(known, _)| known == object))
    {
        let class: String = heck::ToUpperCamelCase::to_upper_camel_case(object);
        let core = format!("::sondage_jobs::{class}");
        let _ = write!(
            body,
            "\n{}#[derive(uniffi::Object)]\npub struct {class}({core});\n\n\
             impl IntoFfi<Arc<{class}>> for {core} {{\n    fn into_ffi(self) -> Arc<{class}> {{\n        \
             Arc::new({class}(self))\n    }}\n}}\n\n\
             #[uniffi::export]\n#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours\n\
             impl {class} {{\n",
            docs(&prose::paragraphs(about), 0)
        );
        let methods: Vec<String> = rows_of(object).map(method).collect();
        let _ = writeln!(body, "{}}}", methods.join("\n"));
        let blocking: Vec<String> = rows_of(object).filter(|row| row.kind == "Call").map(blocking).collect();
        if !blocking.is_empty() {
            let attribute = "#[cfg(feature = \"blocking\")]\n#[uniffi::export]";
            let _ = write!(body, "\n{attribute}\nimpl {class} {{\n{}}}\n", blocking.join("\n"));
        }
        for row in rows_of(object) {
            let name = row.name;
            let both = if row.kind == "Call" {
                format!("(crate::{class}::{name}, crate::{class}::{name}_blocking)")
            } else {
                format!("crate::{class}::{name}")
            };
            let _ = writeln!(functions, "    ({object} {name}) => {{\n        {both}\n    }};");
        }
    }
    let _ = write!(
        body,
        "\n/// The function of a row of these objects.\n#[cfg(all(feature = \"blocking\", feature = \"webhook\"))]\nmacro_rules! of_an_object {{\n{functions}}}\n"
    );
    generated("bindings/uniffi/src/methods/objects.rs", "crates/sondage/src/methods.rs", &body)
}

fn method(row: &MethodRow) -> String {
    let MethodRow { name, named, argument, result, kind, .. } = row;
    let mut paragraphs = prose::paragraphs(row.docs);
    paragraphs.extend(described(row));
    let about = docs(&paragraphs, 4);
    let (given, handed) = parameters(named, argument);
    if *kind != "Call" {
        return format!(
            "{about}    pub fn {name}(&self{given}) -> {result} {{\n        self.0.{name}({handed}).into_ffi()\n    }}\n"
        );
    }
    format!(
        "{about}    pub async fn {name}(&self{given}) -> Result<{result}, SondageError> {{\n        \
         Ok(self.0.{name}({handed}).await?.into_ffi())\n    }}\n"
    )
}

/// The blocking form of a row's method that makes calls.
fn blocking(row: &MethodRow) -> String {
    let MethodRow { name, named, argument, result, .. } = row;
    let (given, handed) = parameters(named, argument);
    let mut paragraphs = vec![format!("`{}`, blocking.", super::camel(name))];
    paragraphs.extend(described(row));
    format!(
        "{}    pub fn {name}_blocking(&self{given}) -> Result<{result}, SondageError> {{\n        let this = self.0.clone();\n        \
         Ok(::sondage::internals::runtime::block_on(async move {{ this.{name}({handed}).await }})?.into_ffi())\n    }}\n",
        docs(&paragraphs, 4)
    )
}

/// The documentation of the parameter: the sentence of the row that says what it is.
fn described(row: &MethodRow) -> Option<String> {
    let name = (!row.named.is_empty()).then_some(row.named)?;
    let docs = prose::paragraphs(row.docs).join(" ");
    let sentence = docs.split_once(&format!("`{name}` is ")).and_then(|(_, rest)| rest.split_once(". "));
    let (sentence, _) = sentence.unwrap_or_else(|| panic!("`{}` does not say what `{name}` is", row.name));
    let (first, rest) = sentence.split_at(1);
    Some(format!("- `{}`: {}{rest}.", super::camel(name), first.to_uppercase()))
}

/// The parameter of a method, and how it is passed to the core.
fn parameters(named: &str, argument: &str) -> (String, String) {
    if named.is_empty() {
        return (String::new(), String::new());
    }
    (format!(", {named}: {argument}"), format!("&{named}"))
}
