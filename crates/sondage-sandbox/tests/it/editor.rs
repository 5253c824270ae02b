//! Exports of the editor that are wrong, unusual or large: each is read, or refused with all places in one sentence.

use crate::http::Api;
use serde_json::{Value, json};
use sondage_sandbox::{Fill, Sandbox};
use std::path::PathBuf;

/// A file that is removed at the end of the test.
pub struct Export(PathBuf);

impl Export {
    pub fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sondage-editor-{}-{name}.json", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    pub fn start(&self) -> std::io::Result<Sandbox> {
        Sandbox::builder().survey(&self.0).start_blocking()
    }

    pub fn refused(&self) -> String {
        let error = self.start().expect_err("a refusal").to_string();
        assert!(error.contains("sondage-editor"), "the file is named: {error}");
        error
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

pub fn text(text: &str) -> Value {
    json!([{ "languageCode": "en", "text": text }])
}

pub fn question(id: i64, code: &str) -> Value {
    let choice = |id: i64| {
        json!({ "id": id, "code": id.to_string(), "text": text("A"), "allowTextEntry": false, "forceInput": false,
                "autocomplete": false, "exclusive": false })
    };
    json!({ "id": id, "elementType": "SingleChoice", "code": code, "text": text("Q"), "choices": [choice(1), choice(2)] })
}

pub fn questionnaire(elements: &[Value]) -> Value {
    json!({
        "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false, "codeAccessMode": "None",
        "defaultLanguage": "en", "languages": ["en"], "customVariables": [], "surveyEndText": text("Bye"),
        "sections": [{ "id": 1, "name": "S", "randomizePages": false, "excludeFromRandomization": false, "elements": elements }],
    })
}

#[test]
fn a_file_of_another_tool_or_half_a_file_is_named_with_the_place() {
    let whole = questionnaire(&[question(1, "a")]).to_string();
    let half = Export::new("half", &whole[..whole.len() / 2]).refused();
    assert!(half.contains("is not JSON") && half.contains("line 1 column"), "{half}");
    assert!(half.contains("it was cut, so export or copy it again"), "{half}");
    let other = Export::new("other", r#"{"survey_title": "x", "pages": []}"#).refused();
    assert!(
        other.contains("not a questionnaire of the platform's editor: it has no list `sections`: export the"),
        "{other}"
    );
    let text = Export::new("text", "question;answer").refused();
    assert!(text.contains("export the questionnaire from the editor as JSON"), "{text}");
}

#[test]
fn a_file_of_another_encoding_is_read_or_has_a_cure() {
    let whole = questionnaire(&[question(1, "a")]).to_string().replace("Bye", "Tschüss");
    let export = Export::new("utf16", "");
    let units = std::iter::once(0xfeff).chain(whole.encode_utf16());
    std::fs::write(&export.0, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    assert_eq!(export.start().unwrap().survey_ids().len(), 1);
    let latin: Vec<u8> = whole.chars().map(|sign| u8::try_from(sign).unwrap()).collect();
    std::fs::write(&export.0, latin).unwrap();
    let error = export.refused();
    assert!(error.contains("is not in UTF-8 (line 1") && error.contains("save it as UTF-8"), "{error}");
}

#[test]
fn all_files_that_are_wrong_are_named_at_once() {
    let (half, other) = (Export::new("first", "{"), Export::new("second", "[]"));
    let good = Export::new("good", &questionnaire(&[question(1, "a")]).to_string());
    let builder = Sandbox::builder().survey(&half.0).survey(&good.0).survey(&other.0).survey(&good.0);
    let error = builder.start_blocking().expect_err("a refusal").to_string();
    for part in
        ["-first.json: is not JSON", "-second.json: is not a questionnaire", "two of the surveys are called"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn all_mistakes_are_named_at_once() {
    let mut broken = questionnaire(&[question(1, "a"), question(2, "b")]);
    broken["languages"] = json!("en");
    broken["sections"][0]["elements"][0]["elementType"] = json!(7);
    broken["sections"][0]["elements"][1]["choices"][0].as_object_mut().unwrap().remove("code");
    let error = Export::new("types", &broken.to_string()).refused();
    for place in [
        "languages is a string",
        "sections[0].elements[0].elementType",
        "elements[1].choices[0].code is missing",
    ] {
        assert!(error.contains(place), "{place}: {error}");
    }
    let mut bare = questionnaire(&[question(1, "a"), question(1, "a")]);
    for name in ["languages", "defaultLanguage", "surveyEndText"] {
        bare.as_object_mut().unwrap().remove(name);
    }
    let error = Export::new("bare", &bare.to_string()).refused();
    for said in [
        "languages is missing: list the tags of its languages, such as [\"en\", \"de\"]",
        "defaultLanguage is missing: name one of",
        "surveyEndText is missing: export the questionnaire again, or add it",
        "elements[1].id: another element has the number 1",
        "elements[1].code: another",
    ] {
        assert!(error.contains(said), "{said}: {error}");
    }
    let twice = questionnaire(&[question(1, "a"), question(1, "b"), question(3, "a"), question(4, "b")]);
    let error = Export::new("twice", &twice.to_string()).refused();
    for place in ["elements[1].id: another", "elements[2].code: another", "elements[3].code: another"] {
        assert!(error.contains(place), "{place}: {error}");
    }
}

/// The last one won, and nobody saw it.
#[test]
fn keys_that_are_there_twice_are_refused_with_all_places() {
    let whole = questionnaire(&[question(1, "a"), question(2, "b")]).to_string();
    let twice =
        whole.replace("\"defaultLanguage\":\"en\"", "\"defaultLanguage\":\"de\",\"defaultLanguage\":\"en\"");
    let twice = twice.replace("\"code\":\"b\"", "\"code\":\"c\",\"code\":\"b\"");
    let error = Export::new("keys", &twice).refused();
    for said in [
        "defaultLanguage is there twice: remove one of the two.",
        "sections[0].elements[1].code is there twice: remove one of the two.",
    ] {
        assert!(error.contains(said), "{said}: {error}");
    }
    let wrong = twice.replace("\"languages\":[\"en\"]", "\"languages\":\"en\"");
    let error = Export::new("keys-and-more", &wrong).refused();
    assert!(
        error.contains("defaultLanguage is there twice") && error.contains("languages is a string"),
        "{error}"
    );
}

#[test]
fn conditions_that_cannot_be_evaluated_are_listed_and_scripts_are_only_text() {
    let mut lost = question(2, "b");
    lost["text"] = text("<script>alert(1)</script>Why <b>not</b>?");
    lost["conditions"] = json!([{ "conditionAction": "Passes", "conjunction": null, "trapCondition": null, "elements": [
        { "conjunction": "And", "conditionType": "Question", "identifier": "nowhere", "conditionOperator": "IsEqualTo", "value": "1" }] }]);
    let mut no_choice = question(3, "c");
    no_choice["conditions"] = lost["conditions"].clone();
    no_choice["conditions"][0]["elements"][0]["identifier"] = json!("a");
    no_choice["conditions"][0]["elements"][0]["value"] = json!("77");
    let mut fine = question(4, "d");
    fine["conditions"] = no_choice["conditions"].clone();
    fine["conditions"][0]["elements"][0]["value"] = json!("1");
    let elements = [question(1, "a"), lost, no_choice, fine];
    let sandbox = Export::new("lost", &questionnaire(&elements).to_string()).start().unwrap();
    let id = sandbox.survey_id();
    assert_eq!(
        sandbox.not_carried_out(id).unwrap(),
        [
            "a condition on a choice that does not exist: c",
            "a condition on a question that does not exist, and is taken as fulfilled: b",
        ]
    );
    sandbox.fill(&Fill::new(id).people(50).seed(1)).unwrap();
    let api = Api::new(&sandbox);
    let whole = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id, "loadCodePlan": true }));
    assert!(whole["interviews"].as_array().unwrap().iter().any(|row| row["b"].is_number()));
    assert_eq!(
        whole["codePlan"][1]["question"], "<script>alert(1)</script>Why <b>not</b>?",
        "stored as it is"
    );
}

#[test]
fn forty_languages_and_thirty_megabytes_are_read() {
    let languages: Vec<String> = (0..40).map(|number| format!("x{number}-CH")).collect();
    let texts = |label: &str| -> Value {
        languages
            .iter()
            .map(|language| json!({ "languageCode": language, "text": format!("{label} {language}") }))
            .collect()
    };
    let mut elements = Vec::new();
    for number in 0..2_000 {
        let mut element = question(number, &format!("q{number}"));
        element["text"] = texts(&"A long question, asked of everybody. ".repeat(7));
        element["choices"][0]["text"] = texts(&"One of two answers, of which each is long. ".repeat(5));
        elements.push(element);
    }
    let mut large = questionnaire(&elements);
    (large["languages"], large["defaultLanguage"]) = (json!(languages), json!("X7-ch"));
    let export = Export::new("large", &large.to_string());
    assert!(std::fs::metadata(&export.0).unwrap().len() > 30_000_000);
    let sandbox = export.start().unwrap();
    let id = sandbox.survey_id();
    sandbox.fill(&Fill::new(id).people(20).seed(1)).unwrap();
    let request = json!({ "surveyId": id, "loadCodePlan": true });
    let whole = Api::new(&sandbox).ok("ReadInterviewListCompact", &request);
    assert_eq!(whole["codePlan"].as_array().unwrap().len(), 2_000);
    assert!(whole["codePlan"][0]["question"].as_str().unwrap().ends_with(" x7-CH"));
}

/// A range without numbers used to panic when people were invented, a column of two questions used to hold the answers of one, and an
/// element of an unknown kind used to vanish.
#[test]
fn columns_that_cannot_be_are_refused_all_at_once_and_unknown_elements_are_listed() {
    let number = |id: i64, code: &str, min: f64, max: f64| {
        json!({ "id": id, "elementType": "OpenQuestion", "code": code, "text": text("Q"),
                "contentValidation": { "validationType": "Number", "minValue": min, "maxValue": max } })
    };
    let mut several = question(2, "q4");
    several["elementType"] = json!("MultipleChoice");
    let elements =
        [number(1, "upside", 10.0, 5.0), several, question(3, "q4_1"), question(4, "State"), question(5, "")];
    let refused = Export::new("columns", &questionnaire(&elements).to_string()).refused();
    for part in [
        "upside takes numbers from 10 to 5, which are none: exchange the limits",
        "q4 and q4_1 both have a column q4_1: give one of them another code",
        "The question State has the name of a column that every survey has: give it another code",
        "The question \"Q\" in the section \"S\", after State, has an empty code: give it one",
    ] {
        assert!(refused.contains(part), "{part}: {refused}");
    }

    let twice = |id: i64, words: &str| json!({ "id": id, "elementType": "OpenQuestion", "code": "q", "text": text(words) });
    let elements = [twice(1, "First"), twice(2, "Second"), twice(3, "Third")];
    let refused = Export::new("same-code", &questionnaire(&elements).to_string()).refused();
    for pair in ["\"First\" and \"Second\"", "\"Second\" and \"Third\""] {
        assert!(
            refused.contains(&format!("The questions {pair} have the same code q: give one")),
            "{refused}"
        );
    }

    // An element that is no element hides nothing in the others.
    let mut wrong = question(4, "q5");
    wrong["choices"] = json!("abc");
    let elements = [twice(1, "First"), twice(2, "Second"), wrong];
    let refused = Export::new("wrong-type", &questionnaire(&elements).to_string()).refused();
    for part in ["sections[0].elements[2].choices", "have the same code q"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }

    let mut unknown = question(2, "future");
    unknown["elementType"] = json!("Hologram");
    let export =
        Export::new("unknown", &questionnaire(&[number(1, "narrow", 0.2, 0.4), unknown]).to_string());
    let sandbox = export.start().unwrap();
    let survey = *sandbox.survey_ids().values().next().unwrap();
    let listed = sandbox.not_carried_out(survey).unwrap();
    assert!(listed.iter().any(|line| line.contains("kind that is not known")), "{listed:?}");
    sandbox.fill(&Fill::new(survey).people(20).seed(1)).unwrap();
}
