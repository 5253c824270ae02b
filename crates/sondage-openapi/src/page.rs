//! The document as one page of HTML.

use crate::document::api_names;
use crate::prose;
use sondage::internals::schema::{EnumSchema, ModelSchema, Type};
use sondage::operation::OperationInfo;
use sondage::operations;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The beginning, up to the address of the style.
const HEAD: &str = r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Public API</title><link rel="icon" href="data:,"><link rel="stylesheet" href=""#;

const BAR: &str = r##""></head><body class="manual"><a class="skip" href="#main">Skip to the content</a>
<header class="bar"><p class="brand">sondage <span>API</span></p>"##;

const START: &str = r#"</header><main id="main" tabindex="-1">
<h1>Public API of Survalyzer accounts</h1>
<p>This is what sondage, an independent client, knows of it. Each call is a <code>POST</code> of JSON with a bearer token; every response
carries <code>isSuccess</code>, <code>errorMessage</code> and <code>errorCode</code>. The same as a document for programs:
<a href="/openapi.json">openapi.json</a>.</p>
"#;

/// The page, with [`STYLE`](crate::STYLE) at this address, and a link back to the console if the visitor comes from there.
pub fn page(style: &str, back: Option<&str>) -> String {
    let back = back.map(|path| format!(r#"<a href="{}">Back to the console</a>"#, path.replace('"', "%22")));
    let mut page = [HEAD, style, BAR, back.as_deref().unwrap_or_default(), START].concat();
    let mut areas: Vec<&str> = Vec::new();
    for row in operations::ALL {
        if !areas.contains(&row.area) {
            areas.push(row.area);
        }
    }
    let mut parts = MentionedModels::default();
    for area in areas {
        let _ = write!(page, "<h2>{0}</h2><nav aria-label=\"{0}\">", area.replace('_', " "));
        let rows = || operations::ALL.iter().filter(move |row| row.area == area);
        rows().for_each(|row| {
            let _ = write!(page, r##"<a href="#{0}">{0}</a>"##, row.name);
        });
        page.push_str("</nav>");
        rows().for_each(|row| operation(&mut page, &mut parts, row));
    }
    page.push_str("<h2>parts of requests and responses</h2>");
    for model in parts.models.values() {
        let _ = write!(page, r#"<h3 id="{0}">{0}</h3><p>{1}</p>"#, model.name, text(model.docs));
        fields(&mut page, &mut MentionedModels::default(), model);
    }
    page.push_str("<h2>words</h2><p>The service may add to each of these lists at any time.</p>");
    for known in parts.enums.values() {
        let values: Vec<_> = known.values.iter().map(|value| format!("<code>{value}</code>")).collect();
        let (docs, values) = (text(known.docs), values.join(", "));
        let _ = write!(page, r#"<h3 id="{0}">{0}</h3><p>{docs}<p>{values}</p>"#, known.name);
    }
    page.push_str("</main></body></html>\n");
    page
}

/// The models that the operations mention, explained at the end of the page.
#[derive(Default)]
struct MentionedModels {
    models: BTreeMap<&'static str, &'static ModelSchema>,
    enums: BTreeMap<&'static str, &'static EnumSchema>,
}

fn operation(page: &mut String, parts: &mut MentionedModels, row: &OperationInfo) {
    let (effect, source) = (row.effect.as_str(), row.request.source.unwrap_or_default());
    let _ = write!(
        page,
        r#"<h3 id="{name}">{name}</h3><p><span class="tag {effect}">{effect}</span><span class="tag">{source}</span>"#,
        name = row.name
    );
    for path in std::iter::once(&row.path).chain(row.fallback_paths) {
        let _ = write!(page, "<code>POST {path}</code> ");
    }
    for paragraph in prose::paragraphs(row.docs) {
        let _ = write!(page, "<p>{}</p>", marked(&api_names(&paragraph)));
    }
    if let Some(reconcile) = row.reconcile {
        let _ = write!(
            page,
            r#"<p class="hint">After an unknown outcome: {}</p>"#,
            marked(&api_names(reconcile))
        );
    }
    fields(page, parts, row.request);
    let _ = write!(page, "<p>Response: {}</p>", text(row.response.docs));
    fields(page, parts, row.response);
}

fn fields(page: &mut String, parts: &mut MentionedModels, model: &'static ModelSchema) {
    if model.fields.is_empty() {
        return;
    }
    page.push_str("<table>");
    for field in model.fields {
        let must = if field.required { "" } else { "?" };
        let limit = field.max_length.map(|max| format!(" At most {max} characters.")).unwrap_or_default();
        let (ty, docs) = (type_name(field.ty, parts), text(field.docs));
        let _ = write!(page, "<tr><td><code>{}{must}</code><td>{ty}<td>{docs}{limit}", field.wire);
    }
    page.push_str("</table>");
}

fn type_name(ty: &'static Type, parts: &mut MentionedModels) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int => "integer".to_owned(),
        Type::Float => "number".to_owned(),
        Type::Text | Type::Secret => "text".to_owned(),
        Type::Timestamp => "time (ISO 8601)".to_owned(),
        Type::FieldValue => "text, number, boolean or null".to_owned(),
        Type::Json => "any JSON".to_owned(),
        Type::Optional(inner) => type_name(inner, parts),
        Type::List(inner) => format!("list of {}", type_name(inner, parts)),
        Type::Map(inner) => format!("map from text to {}", type_name(inner, parts)),
        Type::Enum(known) => {
            parts.enums.insert(known.name, known);
            format!(r##"<a href="#{0}">{0}</a>"##, known.name)
        }
        Type::Model(schema) => {
            let model = schema();
            if parts.models.insert(model.name, model).is_none() {
                model.fields.iter().for_each(|field| drop(type_name(field.ty, parts)));
            }
            format!(r##"<a href="#{0}">{0}</a>"##, model.name)
        }
    }
}

fn text(docs: &str) -> String {
    marked(&prose::line(docs))
}

/// Text as HTML: the parts between backticks are code.
fn marked(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts = safe.split('`').enumerate();
    parts
        .map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() })
        .collect()
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
        assert_eq!(marked("a < b, `x<y>`"), "a &lt; b, <code>x&lt;y&gt;</code>");
    }
}
