//! Classes of the objects that methods return, and conversions of their results.

use super::super::methods::{BASES, Given, MethodRow, has_twin, is_told, objects, rows_of};
use super::super::{Generated, prose};
use super::methods::imports;
use super::reports::{OF_EVENTS, maker, needs_making};
use super::words::{camel, pascal};
use super::{blocking, comment, generated};
use std::collections::BTreeSet;
use std::fmt::Write;

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
const STRATEGIES: &str = "'obscureUrl' | 'basic' | 'bearer' | 'signedUrl'";
const SIGNAL: &str = "signal?: AbortSignal | undefined";
const CODE: &str = "'use strict';
// Results with methods of their own.

const { block } = require('./blocking.js');
const { attempt, interrupted, perform, refuseUnknown } = require('./fail.js');
const { held, hold } = require('./held.js');
const reports = require('./reports.js');
";

/// How JavaScript represents the result of a row.
pub struct Made {
    /// Its type.
    pub ty: String,
    /// The file of its types.
    pub types: Vec<(&'static str, String)>,
    /// The function that converts the native result; empty if the result is used as it is.
    maker: String,
    /// Whether it is an object that makes calls.
    object: bool,
}

pub fn made(row: &MethodRow) -> Made {
    let plain = |ty: &str| Made { ty: ty.to_owned(), types: vec![], maker: String::new(), object: false };
    match row.given() {
        _ if super::options::is_query(row) => {
            let class = pascal(row.name);
            Made { types: vec![("lists", class.clone())], ..plain(&class) }
        }
        Given::Nothing => plain("void"),
        Given::Report(schema) => {
            let maker =
                if needs_making(schema) { format!("reports.{}", maker(schema.name)) } else { String::new() };
            let home = if OF_EVENTS.contains(&schema.name) { "webhook_entities" } else { "reports" };
            Made { types: vec![(home, schema.name.to_owned())], maker, ..plain(schema.name) }
        }
        Given::Reports(schema) => {
            Made { types: vec![("reports", schema.name.to_owned())], ..plain(&format!("{}[]", schema.name)) }
        }
        Given::Object(name @ ("Client" | "Hook" | "Table")) => {
            let home = match name {
                "Client" => "client",
                "Hook" => "webhooks",
                _ => "table",
            };
            Made {
                types: vec![(home, name.to_owned())],
                maker: format!("new (require('./{home}.js').{name})"),
                ..plain(name)
            }
        }
        Given::Object(name) => {
            let class = name.to_owned();
            let maker = format!("new objects.{class}");
            Made { types: vec![("objects", class.clone())], maker, object: true, ..plain(&class) }
        }
        Given::Value(ty) => plain(scalar(&ty)),
    }
}

impl Made {
    /// The statement that returns it to the caller.
    pub fn given(&self, value: &str) -> String {
        // A client made from another one shares its token provider.
        let cause = if self.object {
            ", cause"
        } else if self.ty == "Client" {
            ", this"
        } else {
            ""
        };
        match self.maker.as_str() {
            _ if self.ty == "void" => format!("{value};"),
            "" => format!("return {value};"),
            maker => format!("return {maker}({value}{cause});"),
        }
    }
}

fn scalar(ty: &str) -> &'static str {
    match ty {
        "bool" => "boolean",
        "usize" | "u64" | "i64" | "f64" => "number",
        "Vec<String>" => "string[]",
        "IndexMap<String,String>" => "Record<string, string>",
        "Timestamp" => "Date",
        "Option<Timestamp>" => "Date | null",
        "Option<String>" => "string | null",
        "TableBytes" => "Buffer",
        _ => "string",
    }
}

/// Both files.
pub fn files() -> [Generated; 2] {
    let (mut types, mut code, mut names) = (String::new(), CODE.to_owned(), BTreeSet::new());
    let mut exports = String::new();
    for (object, about) in objects() {
        let class = pascal(object);
        let (interface, runs) = class_of(object, about, &class, &mut names);
        let _ = writeln!(exports, "exports.{class} = {class};");
        types += &interface;
        code += &runs;
        if has_twin(object) {
            let _ = writeln!(exports, "exports.Blocking{class} = Blocking{class};");
            types += &blocking::types(&interface);
            code += &blocking::code(&runs);
        }
    }
    code.push('\n');
    code.push_str(&exports);
    [
        generated("node/types/objects.d.ts", FROM, &(imports(&names) + &types)),
        generated("node/lib/objects.js", FROM, &code),
    ]
}

/// Base classes of hand-written classes, and their interfaces.
pub fn bases() -> [Generated; 2] {
    let mut types = String::from(
        "import type { Client } from './client.js';\nimport type { DeliveryFault, Fault } from './described.js';\n\
         import type { Table } from './table.js';\nimport type { Int } from './values.js';\n\
         import type { EventType } from './web_hook.js';\n\
         import type { Hook } from './webhooks.js';\n",
    );
    let mut code = String::from(
        "'use strict';\n// What classes of this package have that needs nothing of JavaScript's own.\n\n\
         const { attempt, perform, refuseUnknown } = require('./fail.js');\nconst { held, hold } = require('./held.js');\n",
    );
    for base in BASES.iter().filter(|base| !base.in_node().is_empty()) {
        let class = format!("{}Methods", base.class);
        let _ =
            write!(types, "\n/** What needs nothing of JavaScript's own. */\nexport interface {class} {{\n");
        let mut methods = vec!["  constructor(native) {\n    hold(this, native);\n  }\n".to_owned()];
        for (name, row) in base.in_node() {
            // In another process, a sandbox would answer later.
            let later = row.object == "sandbox" && row.name != "stop" || row.kind == "Call";
            let property = row.is_property() && !later;
            let (made, name, native) = (made(row), camel(name), camel(row.name));
            let mut docs = row.docs.trim().to_owned();
            if row.named == "timeout" {
                docs.push_str(" `timeout`: in milliseconds.");
            }
            let docs = comment(&prose::paragraphs(&docs), 2);
            let ty = match row.name {
                "strategy" => STRATEGIES.to_owned(),
                "fault" => "Promise<void>".to_owned(),
                _ if later => format!("Promise<{}>", made.ty),
                _ => made.ty.clone(),
            };
            let (argument, handed, sent) = match (row.named, row.argument.replace(' ', "").as_str()) {
                ("", _) if row.kind == "Call" => {
                    (format!("options?: {{ {SIGNAL} }}"), "{ signal, ...unknown } = {}".into(), String::new())
                }
                ("", _) => (String::new(), String::new(), String::new()),
                ("keys", _) => ("keys: Iterable<string>".into(), "keys".into(), ", [...keys]".into()),
                ("timeout", _) => (
                    "options?: { timeout?: number }".into(),
                    "{ timeout = 30_000, ...unknown } = {}".into(),
                    ", timeout".into(),
                ),
                (_, ty @ ("DeliveryFault" | "Fault")) => {
                    (format!("fault: {ty}"), "fault".into(), ", fault".into())
                }
                ("address", _) => (
                    format!("address: string, options?: {{ {SIGNAL} }}"),
                    "address, { signal, ...unknown } = {}".into(),
                    ", address".into(),
                ),
                ("event_type", _) => {
                    ("eventType: EventType".into(), "eventType".into(), ", eventType".into())
                }
                ("survey_id", _) => ("surveyId: Int".into(), "surveyId".into(), ", surveyId".into()),
                (name, ty) => (format!("{name}: {}", scalar(ty)), name.to_owned(), format!(", {name}")),
            };
            let work = format!("() => held(this).native.method('{native}'{sent})");
            let value = match (row.kind, row.name) {
                ("Call", _) if handed.contains("signal") => {
                    made.given(&format!("await perform({work}, signal)"))
                }
                ("Call", _) => made.given(&format!("perform({work})")),
                (_, "fault") => format!("attempt({work});"),
                _ => made.given(&format!("attempt({work})")),
            };
            let before = if property {
                "get "
            } else if later {
                "async "
            } else {
                ""
            };
            let checked = match handed.split_once("...unknown") {
                Some((options, _)) if options.contains("signal") => "refuseUnknown(unknown, 'signal');\n    ",
                Some(_) => "refuseUnknown(unknown, 'timeout');\n    ",
                None => "",
            };
            methods.push(format!("  {before}{name}({handed}) {{\n    {checked}{value}\n  }}\n"));
            let _ = if property {
                writeln!(types, "{docs}  readonly {name}: {ty};")
            } else {
                writeln!(types, "{docs}  {name}({argument}): {ty};")
            };
        }
        types.push_str("}\n");
        let _ = write!(code, "\nexports.{class} = class {class} {{\n{}}};\n", methods.join("\n"));
    }
    [generated("node/types/bases.d.ts", FROM, &types), generated("node/lib/bases.js", FROM, &code)]
}

/// Its interface, and the class.
fn class_of(
    object: &str,
    about: &str,
    class: &str,
    names: &mut BTreeSet<(&'static str, String)>,
) -> (String, String) {
    let (facts, rows): (Vec<_>, Vec<_>) = rows_of(object).partition(|row| row.name == "facts");
    let told = made(facts[0]);
    names.extend(told.types.clone());
    let mut types = format!(
        "\n{}export interface {class} extends {} {{}}\nexport declare class {class} {{\n  private constructor();\n",
        comment(&prose::paragraphs(about), 0),
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
        names.extend(made.types.clone());
        let (name, docs) = (camel(row.name), comment(&prose::paragraphs(row.docs), 2));
        if row.kind != "Call" {
            let _ = writeln!(types, "{docs}  readonly {name}: {};", made.ty);
            let value = made.given(&format!("attempt(() => held(this).native.method('{name}'))"));
            let _ = write!(code, "\n  get {name}() {{\n    {value}\n  }}\n");
            continue;
        }
        let (mark, asked, argument, handed, options) = match row.named {
            "" => ("?", String::new(), String::new(), String::new(), "'signal'".to_owned()),
            key => {
                let asked = format!("{key}: {}; ", scalar(row.argument));
                ("", asked, format!("{key}, "), format!(", {key}"), format!("'{key}', 'signal'"))
            }
        };
        let _ =
            writeln!(types, "{docs}  {name}(options{mark}: {{ {asked}{SIGNAL} }}): Promise<{}>;", made.ty);
        let mut value =
            made.given(&format!("await perform(() => native.method('{name}'{handed}), signal, cause)"));
        if is_told(row) {
            value = format!(
                "try {{\n      {value}\n    }} catch (error) {{\n      throw interrupted(error, signal, () => this.report);\n    }}"
            );
        }
        let _ = write!(
            code,
            "\n  async {name}({{ {argument}signal, ...unknown }} = {{}}) {{\n    \
             refuseUnknown(unknown, {options});\n    const {{ native, cause }} = held(this);\n    {value}\n  }}\n"
        );
    }
    types.push_str("  /** Its `text`. */\n  toString(): string;\n}\n");
    code.push_str(
        "\n  toString() {\n    return this.text;\n  }\n\n  \
         [Symbol.for('nodejs.util.inspect.custom')]() {\n    return this.text;\n  }\n}\n",
    );
    (types, code)
}
