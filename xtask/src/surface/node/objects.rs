//! Classes of the objects that methods return, and conversions of their results.

use super::options::is_query;
use super::reports::{maker, needs_making};
use super::{blocking, imports::imports};
use crate::surface::methods;
use crate::surface::prelude::*;

const SIGNAL: &str = "signal?: AbortSignal | undefined";
const CODE: &str = "'use strict';
// Results with methods of their own.

const { block } = require('./blocking.js');
const { attempt, interrupted, perform, refuseUnknown } = require('./fail.js');
const { held, hold } = require('./held.js');
const reports = require('./reports.js');
";
const BASES_CODE: &str = "'use strict';
// What classes of this package have that needs nothing of JavaScript's own.

const { attempt, perform, refuseUnknown } = require('./fail.js');
const { held, hold } = require('./held.js');
";
/// What every class of an object has: in its types, and in its code.
const TO_STRING: [&str; 2] = [
    "  /** Its `text`. */
  toString(): string;
}
",
    "
  toString() {
    return this.text;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.text;
  }
}
",
];

/// How JavaScript represents the result of a row.
pub struct Made {
    pub ty: String,
    /// The function that converts the native result; empty if the result is used as it is.
    maker: String,
    /// What that function also gets.
    cause: &'static str,
}

pub fn made(row: &MethodRow) -> Made {
    let made = |ty: &str, maker: String, cause| Made { ty: ty.into(), maker, cause };
    let plain = |ty: &str| made(ty, String::new(), "");
    match row.given() {
        _ if is_query(row) => plain(&pascal(row.name)),
        Given::Nothing => plain("void"),
        Given::Report(schema) => {
            let maker = needs_making(schema).then(|| format!("reports.{}", maker(schema.name)));
            made(schema.name, maker.unwrap_or_default(), "")
        }
        Given::Reports(schema) => plain(&format!("{}[]", schema.name)),
        Given::Object(name) => {
            // A client made from another one shares its token provider.
            let (home, cause) = match name {
                "Client" => ("client", ", this"),
                "Hook" => ("webhooks", ""),
                "Table" => ("table", ""),
                _ => return made(name, format!("new objects.{name}"), ", cause"),
            };
            made(name, format!("new (require('./{home}.js').{name})"), cause)
        }
        Given::Value(ty) => plain(types::of_method(&ty, NODE)),
    }
}

impl Made {
    /// The statement that returns it to the caller.
    pub fn given(&self, value: &str) -> String {
        match self.maker.as_str() {
            _ if self.ty == "void" => format!("{value};"),
            "" => format!("return {value};"),
            maker => format!("return {maker}({value}{});", self.cause),
        }
    }
}

pub fn files() -> [Generated; 2] {
    let (mut types, mut code) = (String::new(), CODE.to_owned());
    let mut exports = String::new();
    for (object, about) in objects() {
        let class = pascal(object);
        let [interface, runs] = class_of(object, about, &class);
        put!(exports, "exports.{class} = {class};\n");
        types += &interface;
        code += &runs;
        if has_twin(object) {
            put!(exports, "exports.Blocking{class} = Blocking{class};\n");
            types += &blocking::types(&interface);
            code += &blocking::code(&runs);
        }
    }
    [
        generated("node/types/objects.d.ts", FROM_METHODS, &(imports(&types, "./", "objects") + &types)),
        generated("node/lib/objects.js", FROM_METHODS, &(code + "\n" + &exports)),
    ]
}

/// Base classes of hand-written classes, and their interfaces.
pub fn bases() -> [Generated; 2] {
    let (mut types, mut code) = (String::new(), String::from(BASES_CODE));
    for (class, rows) in methods::bases(NODE).filter(|(_, rows)| !rows.is_empty()) {
        let class = format!("{class}Methods");
        let (mut properties, mut methods) = (String::new(), String::new());
        for (name, row) in rows {
            let (property, method) = of_base(name, row);
            properties += &property;
            methods += &method;
        }
        types += &interface(&["What needs nothing of JavaScript's own.".into()], &class, &properties);
        put!(
            code,
            "\nexports.{class} = class {class} {{\n  constructor(native) {{\n    hold(this, native);\n  }}\n{methods}}};\n"
        );
    }
    [
        generated("node/types/bases.d.ts", FROM_METHODS, &(imports(&types, "./", "bases") + &types)),
        generated("node/lib/bases.js", FROM_METHODS, &code),
    ]
}

/// The type and the code of a method of a base class.
fn of_base(name: &str, row: &MethodRow) -> (String, String) {
    let (made, name, native) = (made(row), camel(name), camel(row.name));
    let call = row.kind == "Call";
    // In another process, a sandbox would answer later.
    let later = row.object == "sandbox" && row.name != "stop" || call;
    let argument = row.argument.replace(' ', "");
    let key = if argument.ends_with("Fault") { "fault".to_owned() } else { camel(row.named) };
    let taken = match row.named {
        "" | "timeout" => String::new(),
        "keys" => "keys: Iterable<string>".to_owned(),
        "event_type" => "eventType: EventType".to_owned(),
        "survey_id" => "surveyId: Int".to_owned(),
        _ if argument.ends_with("Fault") => format!("{key}: {argument}"),
        _ => format!("{key}: {}", types::of_method(&argument, NODE)),
    };
    // The option of the method: its name, its type, and how it is taken.
    let option = match row.named {
        "timeout" => Some(("timeout", "timeout?: number", "timeout = 30_000")),
        "" | "address" if call => Some(("signal", SIGNAL, "signal")),
        _ => None,
    };
    let separator = if taken.is_empty() || option.is_none() { "" } else { ", " };
    let (first, _) = taken.split_once(": ").unwrap_or_default();
    let (mut types, mut handed, mut checked) = (taken.clone(), first.to_owned(), String::new());
    if let Some((option, ty, named)) = option {
        put!(types, "{separator}options?: {{ {ty} }}");
        put!(handed, "{separator}{{ {named}, ...unknown }} = {{}}");
        put!(checked, "refuseUnknown(unknown, '{option}');\n    ");
    }
    let sent = match row.named {
        "" => String::new(),
        "keys" => ", [...keys]".to_owned(),
        _ => format!(", {key}"),
    };
    let work = format!("() => held(this).native.method('{native}'{sent})");
    let value = match (call, row.name) {
        (true, _) if handed.contains("signal") => made.given(&format!("await perform({work}, signal)")),
        (true, _) => made.given(&format!("perform({work})")),
        (_, "fault") => format!("attempt({work});"),
        _ => made.given(&format!("attempt({work})")),
    };
    let docs =
        row.docs.trim().to_owned() + if row.named == "timeout" { " `timeout`: in milliseconds." } else { "" };
    let ty = match row.name {
        "strategy" => "'obscureUrl' | 'basic' | 'bearer' | 'signedUrl'".to_owned(),
        "fault" => "Promise<void>".to_owned(),
        _ if later => format!("Promise<{}>", made.ty),
        _ => made.ty.clone(),
    };
    let (before, signature) = if row.is_property() && !later {
        ("get ", format!("readonly {name}: {ty}"))
    } else {
        (if later { "async " } else { "" }, format!("{name}({types}): {ty}"))
    };
    let method = format!("\n  {before}{name}({handed}) {{\n    {checked}{value}\n  }}\n");
    (property(&paragraphs(&docs), &signature), method)
}

/// Its interface, and the class.
fn class_of(object: &str, about: &str, class: &str) -> [String; 2] {
    let (facts, rows): (Vec<_>, Vec<_>) = rows_of(object).partition(|row| row.name == "facts");
    let told = made(facts[0]);
    let mut types = format!(
        "\n{}export interface {class} extends {} {{}}\nexport declare class {class} {{\n  private constructor();\n",
        comment(&paragraphs(about), 0),
        told.ty
    );
    let facts = match told.maker.as_str() {
        "" => "attempt(() => native.method('facts'))".to_owned(),
        maker => format!("{maker}(attempt(() => native.method('facts')))"),
    };
    let mut code = format!(
        "\nclass {class} {{\n  constructor(native, cause) {{\n    hold(this, native, cause);\n    \
         Object.assign(this, {facts});\n  }}\n"
    );
    for row in rows {
        let made = made(row);
        let (name, docs) = (camel(row.name), paragraphs(row.docs));
        if row.kind != "Call" {
            types += &property(&docs, &format!("readonly {name}: {}", made.ty));
            let value = made.given(&format!("attempt(() => held(this).native.method('{name}'))"));
            put!(code, "\n  get {name}() {{\n    {value}\n  }}\n");
            continue;
        }
        let key = row.named;
        let (mark, ty, argument, handed, options) = if key.is_empty() {
            ("?", String::new(), String::new(), String::new(), "'signal'".to_owned())
        } else {
            let ty = format!("{key}: {}; ", types::of_method(row.argument, NODE));
            ("", ty, format!("{key}, "), format!(", {key}"), format!("'{key}', 'signal'"))
        };
        types +=
            &property(&docs, &format!("{name}(options{mark}: {{ {ty}{SIGNAL} }}): Promise<{}>", made.ty));
        let mut value =
            made.given(&format!("await perform(() => native.method('{name}'{handed}), signal, cause)"));
        if is_told(row) {
            value = format!(
                "try {{\n      {value}\n    }} catch (error) {{\n      throw interrupted(error, signal, () => this.report);\n    }}"
            );
        }
        put!(
            code,
            "\n  async {name}({{ {argument}signal, ...unknown }} = {{}}) {{\n    \
             refuseUnknown(unknown, {options});\n    const {{ native, cause }} = held(this);\n    {value}\n  }}\n"
        );
    }
    [types + TO_STRING[0], code + TO_STRING[1]]
}
