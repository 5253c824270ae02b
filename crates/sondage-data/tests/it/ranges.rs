//! Sliders and checked numbers whose ranges differ between two waves.

use crate::support::service::{client, wait};
use sondage::model::{ContentValidation, ContentValidationType, CreateSurveyRequest, SurveyElement};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::{Client, Result};
use sondage_data::{Crosswalk, Table, Tables};
use sondage_sandbox::Sandbox;

/// A slider and a number, in one language.
fn questions(scale: (i64, i64), number: Option<(f64, f64)>) -> Vec<SurveyElement> {
    let text = || [("en", "How much?")];
    let mut checked = ContentValidation::new(ContentValidationType::Number);
    if let Some((least, most)) = number {
        checked = checked.min_value(least).max_value(most);
    }
    let open = ask::open_question("hours", text()).content_validation(checked);
    vec![ask::slider("much", text(), scale.0, scale.1), open]
}

/// The questions of a new survey, read with its questionnaire if there is a language.
fn wave(sandbox: &Sandbox, client: &Client, elements: Vec<SurveyElement>, language: Option<&str>) -> Table {
    let definition = Questionnaire::new(["en"]).section("S", elements).end([("en", "Thanks")]).definition();
    let request = CreateSurveyRequest::new(sandbox.workspace_id(), "Hours", definition);
    let creator = client.clone();
    let made = wait(async move { creator.create_survey(request).await });
    let mut query = client.interviews(made.expect("created").survey_id.expect("an id"));
    if let Some(language) = language {
        query = query.language(language);
    }
    wait(async move { query.page(1, 1).await.map(|(table, _)| table) }).expect("a table")
}

fn found(before: &Table, after: &Table) -> Vec<String> {
    let changes = before.compare(after).changes.into_iter();
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    changes
        .map(|change| {
            let (severity, kind, column) = (change.severity, change.kind, change.column);
            format!("{severity} {kind} {column}: {}, {}", shown(change.before), shown(change.after))
        })
        .collect()
}

fn stack(before: &Table, after: &Table, crosswalk: &Crosswalk) -> Result<Table> {
    Table::stack([("2025", before), ("2026", after)], crosswalk)
}

#[test]
fn other_ranges_are_changes_and_a_slider_of_another_one_is_not_stacked() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let client = client(&sandbox, 20);
    let make = |scale, number| wave(&sandbox, &client, questions(scale, number), Some("en"));
    let before = make((0, 10), None);
    assert_eq!(found(&before, &make((0, 10), None)), [""; 0]);
    let after = make((0, 100), Some((0.0, 24.0)));
    let breaking = "breaking range_changed much: 0 to 10, 0 to 100";
    assert_eq!(found(&before, &after), [breaking, "notable range_changed hours: -, 0 to 24"]);
    let other = make((0, 100), Some((0.5, 24.0)));
    assert_eq!(found(&after, &other), ["notable range_changed hours: 0 to 24, 0.5 to 24"]);

    let refused = stack(&before, &after, &Crosswalk::default()).expect_err("another scale").to_string();
    assert!(refused.contains("`much` is a scale of 0 to 10 in 2025, and of 0 to 100 in 2026"), "{refused}");
    stack(&before, &after, &Crosswalk::default().column("2026", "much", "much"))
        .expect("said to be the same");
    stack(&after, &other, &Crosswalk::default()).expect("limits of a check change no number");
    // A range that was not read is none that has changed.
    let unread = wave(&sandbox, &client, questions((0, 10), None), None);
    assert_eq!(found(&unread, &after), [""; 0]);
    stack(&unread, &after, &Crosswalk::default()).expect("not known");
}
