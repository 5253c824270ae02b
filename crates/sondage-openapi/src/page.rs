//! The document as pages of HTML: one for each area.

use crate::document::api_names;
use crate::{Edition, prose, sample};
use maud::{DOCTYPE, Markup, html};
use serde_json::Value;
use sondage::Effect;
use sondage::internals::schema::{EnumSchema, ModelSchema, Type};
use sondage::operation::{OperationInfo, RequestLocation};
use sondage::operations;
use std::collections::BTreeMap;

/// What a page shows, and where.
#[allow(missing_debug_implementations)] // it has functions
pub struct Manual<'a> {
    /// The address of [`STYLE`](crate::STYLE).
    pub style: &'a str,
    /// The address of the first page; those of areas are below it.
    pub root: &'a str,
    /// Where the visitor comes from, if there is a way back to the console.
    pub back: Option<&'a str>,
    /// The addresses for commands, and ids for examples.
    pub edition: Edition<'a>,
}

/// The areas of the API, in the order of the table.
fn areas() -> Vec<&'static str> {
    let mut areas: Vec<&str> = Vec::new();
    for row in operations::ALL {
        if !areas.contains(&row.area) {
            areas.push(row.area);
        }
    }
    areas
}

fn title_of(area: &str) -> String {
    let title = area.replace('_', " ");
    title.get(..1).map(str::to_uppercase).unwrap_or_default() + title.get(1..).unwrap_or_default()
}

/// The first page, which lists all operations, or that of an area; `None` if there is no such area.
pub fn page(manual: &Manual<'_>, area: Option<&str>) -> Option<String> {
    let area = match area {
        None => None,
        Some(name) => Some(areas().into_iter().find(|known| *known == name)?),
    };
    let title = area.map_or_else(|| "Public API of Survalyzer accounts".to_owned(), title_of);
    let content = match area {
        None => overview(manual),
        Some(area) => of_area(manual, area),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) @if area.is_some() { " - Public API" } }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(manual.style);
            }
            body.manual {
                a.skip href="#main" { "Skip to the content" }
                header.bar {
                    p.brand { "sondage " span { "API" } }
                    @if let Some(back) = manual.back { a href=(back) { "Back to the console" } }
                }
                div.sides {
                    (menu(manual, area))
                    main id="main" tabindex="-1" { h1 { (title) } (content) }
                }
            }
        }
    };
    Some(page.into_string())
}

/// All operations, those of this area unfolded.
fn menu(manual: &Manual<'_>, area: Option<&str>) -> Markup {
    html! {
        nav.menu aria-label="Operations" {
            a href=(manual.root) aria-current=[area.is_none().then_some("page")] { "Overview" }
            @for known in areas() {
                details open[area == Some(known)] {
                    summary { (title_of(known)) }
                    ul {
                        @for row in operations::ALL.iter().filter(|row| row.area == known) {
                            li { a href={ (manual.root) "/" (known) "#" (row.name) } { (row.name) } }
                        }
                    }
                }
            }
        }
    }
}

fn overview(manual: &Manual<'_>) -> Markup {
    let server = manual.edition.servers.first();
    html! {
        p {
            "This is what sondage, an independent client, knows of it. Each call is a " code { "POST" }
            " of JSON with a bearer token; every response carries " code { "isSuccess" } ", "
            code { "errorMessage" } " and " code { "errorCode" } ". The same as a document for programs: "
            a href="/openapi.json" { "openapi.json" } "."
        }
        @if let Some(server) = server {
            h2 { "A token" }
            pre tabindex="0" {
                "TOKEN=$(curl -s " (server.auth) "/openid/token \\\n  -d grant_type=client_credentials \\\n"
                "  -d client_id=\"$CLIENT_ID\" -d client_secret=\"$CLIENT_SECRET\" | jq -r .access_token)"
            }
        }
        h2 { "Operations" }
        @for area in areas() {
            h3 { a href={ (manual.root) "/" (area) } { (title_of(area)) } }
            ul.operations {
                @for row in operations::ALL.iter().filter(|row| row.area == area) {
                    li id=(row.name) {
                        a href={ (manual.root) "/" (area) "#" (row.name) } { (row.name) } " "
                        span class={ "tag " (row.effect.as_str()) } { (row.effect.as_str()) } br;
                        @if let Some(first) = prose::paragraphs(row.docs).into_iter().next() { (marked(&api_names(&first))) }
                    }
                }
            }
        }
    }
}

fn of_area(manual: &Manual<'_>, area: &str) -> Markup {
    let mut mentioned = MentionedModels::default();
    let rows = operations::ALL.iter().filter(|row| row.area == area);
    let calls: Vec<Markup> = rows.map(|row| operation(manual, &mut mentioned, row)).collect();
    html! {
        @for call in &calls { (call) }
        (models(&mentioned))
        (words(&mentioned))
    }
}

fn models(mentioned: &MentionedModels) -> Markup {
    html! {
        @if !mentioned.models.is_empty() { h2 { "Parts of requests and responses" } }
        @for model in mentioned.models.values() {
            h3 id=(model.name) { (model.name) }
            p { (text(model.docs)) }
            (fields(&mut MentionedModels::default(), model))
        }
    }
}

fn words(mentioned: &MentionedModels) -> Markup {
    html! {
        @if !mentioned.enums.is_empty() {
            h2 { "Words" }
            p { "The service may add to each of these lists at any time." }
        }
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

fn operation(manual: &Manual<'_>, mentioned: &mut MentionedModels, row: &OperationInfo) -> Markup {
    let request = sample::request(row.request, manual.edition.examples);
    let response = sample::response(row.response);
    html! {
        h2 id=(row.name) { (row.name) }
        p {
            span class={ "tag " (row.effect.as_str()) } { (row.effect.as_str()) }
            span.tag { (row.request.source.unwrap_or_default()) }
            @for path in std::iter::once(&row.path).chain(row.fallback_paths) { code { "POST " (path) } " " }
        }
        @for paragraph in prose::paragraphs(row.docs) { p { (marked(&api_names(&paragraph))) } }
        @if let Some(reconcile) = row.reconcile {
            p.hint { "After an unknown outcome: " (marked(&api_names(reconcile))) }
        }
        h3 { "Request" }
        pre tabindex="0" { (curl(manual, row, &request)) }
        (fields(mentioned, row.request))
        h3 { "Response" }
        p { (text(row.response.docs)) }
        details {
            summary { "Example of a response" }
            pre tabindex="0" { (pretty(&response)) }
        }
        (fields(mentioned, row.response))
    }
}

/// A command that makes the call.
fn curl(manual: &Manual<'_>, row: &OperationInfo, request: &Value) -> String {
    let base = manual.edition.servers.first().map(|server| server.api.as_str()).unwrap_or_default();
    let token = if row.effect == Effect::Token { "" } else { "  -H \"Authorization: Bearer $TOKEN\" \\\n" };
    if row.location == RequestLocation::Query {
        let fields = request.as_object().into_iter().flatten();
        let fields = fields.map(|(name, value)| {
            format!(
                "  --data-urlencode {}",
                quoted(&format!(
                    "{name}={}",
                    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
                ))
            )
        });
        let fields: Vec<String> = fields.collect();
        return format!("curl -G -X POST {base}{} \\\n{token}{}", row.path, fields.join(" \\\n"));
    }
    let body = quoted(&pretty(request));
    format!(
        "curl -X POST {base}{} \\\n{token}  -H 'Content-Type: application/json' \\\n  --data {body}",
        row.path
    )
}

/// A text as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
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
    use crate::Server;

    fn shown(area: Option<&str>) -> String {
        let manual = Manual { style: "/style.css", root: "/docs", back: None, edition: Edition::published() };
        page(&manual, area).expect("an area")
    }

    #[test]
    fn the_pages_show_every_operation_and_load_nothing() {
        let first = shown(None);
        for area in areas() {
            let page = shown(Some(area));
            for row in operations::ALL.iter().filter(|row| row.area == area) {
                assert!(page.contains(&format!(r#"<h2 id="{}">"#, row.name)), "{}", row.name);
                assert!(first.contains(&format!(r#"<li id="{}">"#, row.name)), "{}", row.name);
                let command = format!("curl -X POST {}{}", Server::published()[0].api, row.path);
                assert!(page.contains(&command) || row.location == RequestLocation::Query, "{command}");
            }
            for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(page.contains(&format!(r#"id="{link}""#)), "{area}: {link} leads nowhere");
            }
            assert!(!page.contains("src=") && !page.contains("href=\"http"), "{area}");
            // Four screens of a large monitor for each operation, at most.
            assert!(page.len() < 200_000, "{area}: {} bytes", page.len());
        }
        let manual = Manual { style: "", root: "/docs", back: None, edition: Edition::published() };
        assert!(page(&manual, Some("other")).is_none());
    }

    #[test]
    fn what_a_documentation_says_is_text() {
        assert_eq!(marked("a < b, `x<y>`").into_string(), "a &lt; b, <code>x&lt;y&gt;</code>");
    }
}
