//! The document as one page of HTML.

use crate::document::api_names;
use crate::prose;
use maud::{DOCTYPE, Markup, html};
use sondage::internals::schema::{EnumSchema, ModelSchema, Type};
use sondage::operation::OperationInfo;
use sondage::operations;
use std::collections::BTreeMap;

/// The page, with [`STYLE`](crate::STYLE) at this address, and a link back to the console if the visitor comes from there.
pub fn page(style: &str, back: Option<&str>) -> String {
    let mut areas: Vec<&str> = Vec::new();
    for row in operations::ALL {
        if !areas.contains(&row.area) {
            areas.push(row.area);
        }
    }
    let mut mentioned = MentionedModels::default();
    let calls: Vec<Markup> = areas.into_iter().map(|area| self::area(area, &mut mentioned)).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Public API" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(style);
            }
            body.manual {
                a.skip href="#main" { "Skip to the content" }
                header.bar {
                    p.brand { "sondage " span { "API" } }
                    @if let Some(back) = back { a href=(back) { "Back to the console" } }
                }
                main id="main" tabindex="-1" {
                    h1 { "Public API of Survalyzer accounts" }
                    p {
                        "This is what sondage, an independent client, knows of it. Each call is a " code { "POST" }
                        " of JSON with a bearer token; every response carries " code { "isSuccess" } ", "
                        code { "errorMessage" } " and " code { "errorCode" } ". The same as a document for programs: "
                        a href="/openapi.json" { "openapi.json" } "."
                    }
                    @for call in &calls { (call) }
                    (models(&mentioned))
                    (words(&mentioned))
                }
            }
        }
    };
    page.into_string()
}

/// The operations of an area.
fn area(area: &str, mentioned: &mut MentionedModels) -> Markup {
    let rows = || operations::ALL.iter().filter(|row| row.area == area);
    let title = area.replace('_', " ");
    html! {
        h2 { (title) }
        nav aria-label=(title) {
            @for row in rows() { a href={ "#" (row.name) } { (row.name) } }
        }
        @for row in rows() { (operation(mentioned, row)) }
    }
}

fn models(mentioned: &MentionedModels) -> Markup {
    html! {
        h2 { "parts of requests and responses" }
        @for model in mentioned.models.values() {
            h3 id=(model.name) { (model.name) }
            p { (text(model.docs)) }
            (fields(&mut MentionedModels::default(), model))
        }
    }
}

fn words(mentioned: &MentionedModels) -> Markup {
    html! {
        h2 { "words" }
        p { "The service may add to each of these lists at any time." }
        @for known in mentioned.enums.values() {
            h3 id=(known.name) { (known.name) }
            p { (text(known.docs)) }
            p {
                @for (at, value) in known.values.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (value) }
                }
            }
        }
    }
}

/// The models that the operations mention, explained at the end of the page.
#[derive(Default)]
struct MentionedModels {
    models: BTreeMap<&'static str, &'static ModelSchema>,
    enums: BTreeMap<&'static str, &'static EnumSchema>,
}

fn operation(mentioned: &mut MentionedModels, row: &OperationInfo) -> Markup {
    html! {
        h3 id=(row.name) { (row.name) }
        p {
            span class={ "tag " (row.effect.as_str()) } { (row.effect.as_str()) }
            span.tag { (row.request.source.unwrap_or_default()) }
            @for path in std::iter::once(&row.path).chain(row.fallback_paths) { code { "POST " (path) } " " }
        }
        @for paragraph in prose::paragraphs(row.docs) { p { (marked(&api_names(&paragraph))) } }
        @if let Some(reconcile) = row.reconcile {
            p.hint { "After an unknown outcome: " (marked(&api_names(reconcile))) }
        }
        (fields(mentioned, row.request))
        p { "Response: " (text(row.response.docs)) }
        (fields(mentioned, row.response))
    }
}

fn fields(mentioned: &mut MentionedModels, model: &'static ModelSchema) -> Markup {
    html! {
        @if !model.fields.is_empty() {
            table {
                @for field in model.fields {
                    tr {
                        td { code { (field.wire) @if !field.required { "?" } } }
                        td { (type_name(field.ty, mentioned)) }
                        td {
                            (text(field.docs))
                            @if let Some(max) = field.max_length { " At most " (max) " characters." }
                        }
                    }
                }
            }
        }
    }
}

fn type_name(ty: &'static Type, mentioned: &mut MentionedModels) -> Markup {
    let link = |name: &str| html! { a href={ "#" (name) } { (name) } };
    match ty {
        Type::Bool => html! { "boolean" },
        Type::Int => html! { "integer" },
        Type::Float => html! { "number" },
        Type::Text | Type::Secret => html! { "text" },
        Type::Timestamp => html! { "time (ISO 8601)" },
        Type::FieldValue => html! { "text, number, boolean or null" },
        Type::Json => html! { "any JSON" },
        Type::Optional(inner) => type_name(inner, mentioned),
        Type::List(inner) => html! { "list of " (type_name(inner, mentioned)) },
        Type::Map(inner) => html! { "map from text to " (type_name(inner, mentioned)) },
        Type::Enum(known) => {
            mentioned.enums.insert(known.name, known);
            link(known.name)
        }
        Type::Model(schema) => {
            let model = schema();
            if mentioned.models.insert(model.name, model).is_none() {
                model.fields.iter().for_each(|field| drop(type_name(field.ty, mentioned)));
            }
            link(model.name)
        }
    }
}

fn text(docs: &str) -> Markup {
    marked(&prose::line(docs))
}

/// Text as HTML: the parts between backticks are code.
fn marked(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_operation_and_loads_nothing() {
        let page = page("/style.css", None);
        for row in operations::ALL {
            assert!(page.contains(&format!(r#"<h3 id="{}">"#, row.name)), "{}", row.name);
        }
        for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(page.contains(&format!(r#"id="{link}""#)), "{link} leads nowhere");
        }
        assert!(!page.contains("src=") && !page.contains("http://") && !page.contains("https://"));
    }

    #[test]
    fn what_a_documentation_says_is_text() {
        assert_eq!(marked("a < b, `x<y>`").into_string(), "a &lt; b, <code>x&lt;y&gt;</code>");
    }
}
