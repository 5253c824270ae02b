//! `sondage types`: declarations of the fields of one's own panels and the columns of one's own surveys, for TypeScript and Python.

use crate::account;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::survey;
use crate::values;
use arrow_schema::DataType;
use clap::Args;
use serde_json::Value;
use sondage::blocking::Client;
use sondage::error::Text;
use sondage::model::{PanelField, ReadPanelRequest, VariableType};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

#[derive(Args)]
#[command(after_help = "Example: sondage types --panel 1002 --survey 1004 > account.d.ts")]
pub struct TypeArgs {
    /// A panel or sample, whose fields are declared. It can be repeated.
    #[arg(long, value_name = "ID", value_parser = values::id)]
    panel: Vec<i64>,
    /// A survey, whose columns are declared. It can be repeated.
    #[arg(long, value_name = "ID", value_parser = values::id)]
    survey: Vec<i64>,
    /// A module for Python instead of TypeScript.
    #[arg(long)]
    python: bool,
}

/// A language of declarations: what stands before a comment, and the names of types.
struct Language {
    comment: &'static str,
    text: &'static str,
    whole: &'static str,
    /// A number of a panel, which may have decimals.
    numeric: &'static str,
    number: &'static str,
    truth: &'static str,
    date: &'static str,
    timestamp: &'static str,
    texts: &'static str,
    any: &'static str,
    null: &'static str,
}

const TYPESCRIPT: Language = Language {
    comment: "//",
    text: "string",
    // What a `number` cannot hold is a `bigint`.
    whole: "number | bigint",
    numeric: "number | bigint",
    number: "number",
    truth: "boolean",
    date: "Date",
    timestamp: "Date",
    texts: "string[]",
    any: "string | number | bigint | boolean",
    null: "null",
};

const PYTHON: Language = Language {
    comment: "#",
    text: "str",
    whole: "int",
    numeric: "float",
    number: "float",
    truth: "bool",
    date: "date",
    timestamp: "datetime",
    texts: "list[str]",
    any: "str | int | float | bool",
    null: "None",
};

/// A declared name: what it is, its type, and what is said about it.
struct Declared {
    name: String,
    ty: &'static str,
    about: Vec<String>,
}

/// A type of fields or columns.
struct Declaration {
    name: String,
    about: String,
    fields: Vec<Declared>,
}

pub fn run(arguments: &TypeArgs, output: Output) -> io::Result<()> {
    output.none("types")?;
    if arguments.panel.is_empty() && arguments.survey.is_empty() {
        return Err(refused("name a panel or a survey: `--panel ID`, `--survey ID`"));
    }
    let language = if arguments.python { &PYTHON } else { &TYPESCRIPT };
    let mut declarations = Vec::new();
    if !arguments.panel.is_empty() {
        let client = progress::connect(&account::builder())?;
        for id in &arguments.panel {
            declarations.push(panel(&client, *id, language)?);
        }
    }
    for id in &arguments.survey {
        declarations.push(columns(*id, language)?);
    }
    let text = if arguments.python { in_python(&declarations) } else { in_typescript(&declarations) };
    output.show(|| Value::Null, text.trim_end())
}

fn panel(client: &Client, id: i64, language: &Language) -> io::Result<Declaration> {
    let answer = client.read_panel(ReadPanelRequest::new(id)).map_err(failed)?;
    let groups = answer.panel.map_or_else(Vec::new, |panel| panel.groups);
    let fields = groups.into_iter().flat_map(|group| group.fields).map(|field| Declared {
        ty: match field.panel_field_type {
            VariableType::Number | VariableType::Real => language.numeric,
            VariableType::String | VariableType::Date => language.text,
            _ => language.any,
        },
        about: about_field(&field),
        name: field.name,
    });
    Ok(Declaration {
        name: format!("Panel{id}Fields"),
        about: format!("The values of a member of panel {id}, by the names of its fields."),
        fields: fields.collect(),
    })
}

fn about_field(field: &PanelField) -> Vec<String> {
    let mut about: Vec<String> =
        field.display_name.iter().filter(|name| **name != field.name).cloned().collect();
    let values = field.metadata.values().next().into_iter().flatten();
    about.extend(values.map(|value| format!("{}: {}", value.value, value.display_name)));
    about
}

fn columns(id: i64, language: &Language) -> io::Result<Declaration> {
    let table = survey::described(id)?;
    let codebook = table.codebook();
    let described: BTreeMap<&str, _> = codebook.columns().map(|column| (column.name, column)).collect();
    let schema = table.schema();
    let fields = schema.fields().iter().map(|field| {
        let mut about = Vec::new();
        if let Some(column) = described.get(field.name().as_str()) {
            about.extend(Some(column.text.clone()).filter(|text| !text.is_empty()));
            about.extend(column.values.iter().map(|(code, label)| format!("{code}: {label}")));
        }
        let ty = match field.data_type() {
            DataType::Boolean => language.truth,
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => language.whole,
            DataType::Float32 | DataType::Float64 => language.number,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Dictionary(..) => language.text,
            DataType::Date32 => language.date,
            DataType::Timestamp(..) => language.timestamp,
            DataType::List(_) => language.texts,
            // Only an answer would say it.
            _ => language.any,
        };
        Declared { name: field.name().clone(), ty, about }
    });
    Ok(Declaration {
        name: format!("Survey{id}Row"),
        about: format!("A row of the table of survey {id}, with codes: a column for each variable."),
        fields: fields.collect(),
    })
}

/// A text of the service in a comment: on one line, which ends no comment.
fn said(text: &str) -> String {
    Text::from(text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}

/// A name as a string of both languages.
fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

fn comments(field: &Declared, language: &Language) -> String {
    let about = field.about.iter().filter(|line| !line.trim().is_empty());
    let lines: Vec<String> =
        about.map(|line| ["  ", language.comment, " ", &said(line), "\n"].concat()).collect();
    lines.concat()
}

fn in_typescript(declarations: &[Declaration]) -> String {
    let mut out =
        String::from("// Written by `sondage types`: run it again when a panel or a survey has changed.\n");
    for declaration in declarations {
        // An alias is comparable with the rows of a table, an interface is not.
        let _ = write!(out, "\n/** {} */\nexport type {} = {{\n", declaration.about, declaration.name);
        for field in &declaration.fields {
            out += &comments(field, &TYPESCRIPT);
            let _ = writeln!(out, "  {}: {} | {};", quoted(&field.name), field.ty, TYPESCRIPT.null);
        }
        out += "};\n";
    }
    out
}

fn in_python(declarations: &[Declaration]) -> String {
    let uses = |ty: &str| declarations.iter().any(|each| each.fields.iter().any(|field| field.ty == ty));
    let times: Vec<&str> = [PYTHON.date, PYTHON.timestamp].into_iter().filter(|ty| uses(ty)).collect();
    let mut out = String::from(
        "\"\"\"Written by `sondage types`: run it again when a panel or a survey has changed.\"\"\"\n\n",
    );
    if !times.is_empty() {
        let _ = writeln!(out, "from datetime import {}", times.join(", "));
    }
    out += "from typing import TypedDict\n";
    for declaration in declarations {
        // Names of columns need not be names of Python.
        let _ = write!(out, "\n# {}\n{1} = TypedDict(\"{1}\", {{\n", declaration.about, declaration.name);
        for field in &declaration.fields {
            out += &comments(field, &PYTHON);
            let _ = writeln!(out, "  {}: {} | {},", quoted(&field.name), field.ty, PYTHON.null);
        }
        out += "})\n";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_service_stays_in_its_comment() {
        let field = |name: &str, about: &str| Declared {
            name: name.to_owned(),
            ty: "string",
            about: vec![about.to_owned()],
        };
        let declaration = || Declaration {
            name: "Panel5Fields".to_owned(),
            about: "All.".to_owned(),
            fields: vec![field("a\"b\\c", "one\r\n}; evil()\u{2028}*/ evil()"), field("Straße 1", "")],
        };
        let typescript = in_typescript(&[declaration()]);
        assert!(
            typescript.contains("  // one }; evil() */ evil()\n  \"a\\\"b\\\\c\": string | null;\n"),
            "{typescript}"
        );
        assert!(typescript.contains("  \"Straße 1\": string | null;\n"), "{typescript}");
        let python = in_python(&[declaration()]);
        assert!(
            python.contains("  # one }; evil() */ evil()\n  \"a\\\"b\\\\c\": string | None,\n"),
            "{python}"
        );
    }
}
