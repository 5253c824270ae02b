//! The same seed, survey and clock give the same interviews on every machine: these digests are constants.
//!
//! After a change of what is invented, the message of the failed assertion has the new ones.

use crate::http::Api;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sondage::internals::hex::sha256;
use sondage_sandbox::{Content, Fill, Sandbox};
use std::collections::BTreeMap;
use std::path::Path;

/// The digest of a survey's interviews, whatever the order of the columns.
fn digest(sandbox: &Sandbox) -> String {
    let api = Api::new(sandbox);
    let id = json!({ "surveyId": sandbox.survey_id() });
    let found = api.ok("ReadInterviewListCompact", &id);
    let mut rows: Vec<BTreeMap<String, Value>> =
        serde_json::from_value(found["interviews"].clone()).expect("a list of objects");
    // It has the port.
    for row in &mut rows {
        row.remove("Link");
    }
    assert!(rows.len() >= 50, "{}", rows.len());
    sha256(serde_json::to_string(&rows).expect("JSON").as_bytes())
}

#[test]
fn the_same_seed_survey_and_clock_give_the_same_bytes() {
    let now: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().expect("a time");
    let demo = Sandbox::demo_blocking().expect("a sandbox");
    let waves = Sandbox::builder().content(Content::Waves).start_blocking().expect("a sandbox");
    let shape = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/shapes/survey-5.json");
    let filled = Sandbox::builder().survey(shape).start_blocking().expect("a sandbox");
    filled.clock().freeze(now);
    filled.fill(&Fill::new(filled.survey_id()).people(50).seed(7)).expect("answers");
    let digests = [&demo, &waves, &filled].map(digest);
    assert_eq!(
        digests.each_ref().map(String::as_str),
        [
            "7b6907cd2ea8a77a5e9f1de9b174893a29c5557883e41a4a2364b9ed94e6b256",
            "79b623b017d0a2f9cb1bbbe1ea576e9ca18e0d65b0a662adb511caf23bf57761",
            "74ee528e98d206543c402f826095d73286b6fa96ddcfb8e4e6872e6c1d2e5db5",
        ]
    );
}
