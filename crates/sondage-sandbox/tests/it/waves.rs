//! The two waves of the invented survey: what they have of real surveys, how they differ, and that they are the same in every run.

use crate::features::{Counts, list, objects};
use crate::http::Api;
use serde_json::{Map, Value, json};
use sondage_sandbox::{Content, Sandbox};
use std::collections::{BTreeMap, BTreeSet};

const QUESTIONNAIRE: &str = include_str!("../../data/library-visitors.json");
const README: &str = include_str!("../../README.md");
const NAMES: [&str; 2] = ["Library visitors 2025", "Library visitors 2026"];
const NOT_AVAILABLE: i64 = 9_999_999;

fn sandbox() -> Sandbox {
    Sandbox::builder().content(Content::Waves).start_blocking().expect("a sandbox")
}

/// A wave as the API shows it.
struct Wave {
    id: i64,
    questionnaire: Value,
    plan: Vec<Value>,
    rows: Vec<Value>,
}

impl Wave {
    fn both(sandbox: &Sandbox) -> [Self; 2] {
        let api = Api::new(sandbox);
        NAMES.map(|name| {
            let id = sandbox.survey_ids()[name];
            let questionnaire = api.ok("ReadSurvey", &json!({ "surveyId": id }))["survey"].clone();
            let whole = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id, "loadCodePlan": true }));
            let (plan, rows) = (list(&whole, "codePlan").to_vec(), list(&whole, "interviews").to_vec());
            Self { id, questionnaire, plan, rows }
        })
    }

    fn completed(&self) -> impl Iterator<Item = &Value> {
        self.rows.iter().filter(|row| row["State"] == "Completed")
    }

    /// The answers of a column in completed interviews: numbers other than "not available".
    fn numbers(&self, code: &str) -> Vec<f64> {
        let answers = self.completed().map(|row| &row[code]).filter(|answer| **answer != NOT_AVAILABLE);
        answers.filter_map(Value::as_f64).collect()
    }

    fn mean(&self, code: &str) -> f64 {
        mean(&self.numbers(code))
    }

    fn share(&self, code: &str, is_counted: fn(f64) -> bool) -> f64 {
        let counted = |number| if is_counted(number) { 1.0 } else { 0.0 };
        mean(&self.numbers(code).into_iter().map(counted).collect::<Vec<_>>())
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / f64::from(u32::try_from(numbers.len()).unwrap())
}

#[test]
fn the_newer_wave_is_the_survey_of_the_sandbox() {
    let sandbox = sandbox();
    assert_eq!(sandbox.survey_ids().keys().collect::<Vec<_>>(), NAMES);
    assert_eq!(sandbox.survey_id(), sandbox.survey_ids()[NAMES[1]]);
    assert!(!sandbox.not_carried_out(sandbox.survey_id()).unwrap().is_empty());
    // What the demo has otherwise is there as well, with the same ids.
    let demo = Sandbox::demo_blocking().unwrap();
    assert_eq!(demo.panel_id(), sandbox.panel_id());
    assert!(demo.survey_ids().is_empty() && !sandbox.survey_ids().values().any(|id| *id == demo.survey_id()));
    let study = |sandbox| {
        let request =
            json!({ "surveyId": demo.survey_id(), "fieldsToDownload": ["Id", "StartDate", "vote"] });
        Api::new(sandbox).ok("ReadInterviewListCompact", &request)
    };
    assert_eq!(study(&demo), study(&sandbox));
}

#[test]
fn an_unknown_content_is_refused_with_the_known_ones() {
    let read =
        |content: &str| serde_json::from_value::<sondage_sandbox::Builder>(json!({ "content": content }));
    assert!(read("waves").is_ok() && read("demo").is_ok());
    let why = read("wave").unwrap_err().to_string();
    assert!(why.contains("unknown variant `wave`, expected `demo` or `waves`"), "{why}");
}

#[test]
fn each_wave_has_what_real_surveys_have() {
    let sandbox = sandbox();
    let editor: Value = serde_json::from_str(QUESTIONNAIRE).unwrap();
    for (wave, questionnaire) in Wave::both(&sandbox).iter().zip([Some(&editor), None]) {
        let mut counts = Counts::default();
        counts.add(&Api::new(&sandbox), wave.id, questionnaire.unwrap_or(&wave.questionnaire));
        println!("| feature | in the questionnaire | in the data |\n|---|--:|--:|");
        let mut features = 0;
        for (feature, shapes, data) in counts.iter() {
            println!("| {feature} | {shapes} | {data} |");
            assert!(shapes > 0 && data > 0, "{feature}: {shapes} in the questionnaire, {data} in the data");
            features += 1;
        }
        assert_eq!(features, 25, "features that neither has are not listed");
    }
}

/// Features of the questionnaire that leave no trace of their own in the answers.
#[test]
fn the_questionnaire_has_the_rest_of_what_real_ones_have() {
    assert!(QUESTIONNAIRE.len() < 60_000, "it can be read");
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut tags = BTreeMap::<String, BTreeSet<&str>>::new();
    let editor: Value = serde_json::from_str(QUESTIONNAIRE).unwrap();
    objects(&editor, &mut |part| {
        if let Some(tag) = part.get("languageCode").and_then(Value::as_str) {
            tags.entry(tag.to_lowercase()).or_default().insert(tag);
        }
        for (feature, is_there) in stored_features(part) {
            *counts.entry(feature).or_default() += usize::from(is_there);
        }
    });
    for (feature, count) in counts {
        assert!(count > 0, "{feature}");
    }
    assert_eq!(tags.keys().collect::<Vec<_>>(), ["de-ch", "en", "fr"]);
    assert!(tags["de-ch"].len() == 2 && tags["fr"].len() == 2, "{tags:?}");
}

fn stored_features(part: &Map<String, Value>) -> [(&'static str, bool); 19] {
    let is = |name: &str, value: &str| part.get(name).is_some_and(|field| field == value);
    let has_comma =
        |name: &str| part.get(name).and_then(Value::as_str).is_some_and(|text| text.contains(','));
    let validates = |plain: bool| {
        let kind = is("validationType", "Number") || is("validationType", "Real");
        kind && part.get("disableThousandSeparator") == Some(&json!(plain))
    };
    let languages = part.get("text").and_then(Value::as_array).map_or(3, Vec::len);
    [
        ("conditions that pass", is("conditionAction", "Passes")),
        ("conditions that fail", is("conditionAction", "Fails")),
        ("conditions joined by Or", is("conjunction", "Or") && part.contains_key("identifier")),
        ("groups of conditions joined by Or", is("conjunction", "Or") && part.contains_key("elements")),
        ("list of values", is("conditionOperator", "AnyIsEqual") && has_comma("value")),
        ("list of identifiers", has_comma("identifier")),
        ("condition on a custom variable", is("conditionType", "CustomVariable")),
        ("condition on a calculation", is("conditionType", "Calculation")),
        ("calculation", is("elementType", "ValueAssignment")),
        ("validation", is("elementType", "Validation")),
        ("screening out", is("interviewState", "Screenout")),
        ("Invalid kind of assignment", is("valueAssignmentType", "Invalid")),
        ("Invalid size", is("textFieldSize", "Invalid")),
        ("Invalid synchronisation", is("panelSyncBehaviour", "Invalid")),
        ("unknown field", part.contains_key("aiFollowUpEnabled") || part.contains_key("reusableListId")),
        ("number with separators", validates(false)),
        ("number without separators", validates(true)),
        ("slider with a label in the middle", part.get("showCenterLabel") == Some(&json!(true))),
        ("text in some languages", (1..3).contains(&languages)),
    ]
}

#[test]
fn the_waves_differ_as_the_readme_says() {
    let [first, second] = Wave::both(&sandbox());
    let mut differences = differences(&first.plan, &second.plan);
    for language in list(&second.questionnaire, "languages") {
        if !list(&first.questionnaire, "languages").contains(language) {
            differences.push(format!("{}: language added", language.as_str().unwrap()));
        }
    }
    let expected = [
        "companions: removed",
        "travel_mode: removed",
        "travel_mode_5_text: removed",
        "sunday: added",
        "reasons_9: added",
        "transport: added",
        "transport_5_text: added",
        "frequency: 5: Less often -> Less than once a month",
        "branch: 7: Book bus -> none",
        "informed: 1: Very badly -> Very well",
        "informed: 2: Rather badly -> Rather well",
        "informed: 3: Rather well -> Rather badly",
        "informed: 4: Very well -> Very badly",
        "spend: section: Use -> You",
        "postcode: type: Number -> String",
        "income: 98: Don’t know / no answer -> none",
        "income: 99: none -> Don’t know / no answer",
        "it: language added",
    ];
    assert_eq!(
        differences.iter().collect::<BTreeSet<_>>(),
        expected.map(str::to_owned).iter().collect(),
        "{differences:#?}"
    );
    // The renamed question is the same one.
    let question = |wave: &Wave, code: &str| {
        let entry = wave.plan.iter().find(|entry| entry["code"] == code).unwrap();
        (entry["question"].clone(), entry["values"].clone())
    };
    assert_eq!(question(&first, "travel_mode"), question(&second, "transport"));
    let rows = README.lines().filter(|line| line.starts_with("| `")).collect::<Vec<_>>();
    let codes = [
        "companions",
        "sunday",
        "travel_mode",
        "reasons",
        "branch",
        "frequency",
        "informed",
        "postcode",
        "spend",
        "income",
        "it",
    ];
    assert_eq!(rows.len(), codes.len());
    for (row, code) in rows.iter().zip(codes) {
        assert!(row.starts_with(&format!("| `{code}`")), "{row}");
    }
}

/// What is different between two code plans: columns, and their types, sections, texts and labels.
fn differences(first: &[Value], second: &[Value]) -> Vec<String> {
    let by_code = |plan: &[Value]| -> BTreeMap<String, Value> {
        plan.iter().map(|entry| (entry["code"].as_str().unwrap().to_owned(), entry.clone())).collect()
    };
    let (first, second) = (by_code(first), by_code(second));
    let mut differences: Vec<String> = first
        .keys()
        .filter(|code| !second.contains_key(*code))
        .map(|code| format!("{code}: removed"))
        .collect();
    for (code, after) in &second {
        let Some(before) = first.get(code) else {
            differences.push(format!("{code}: added"));
            continue;
        };
        let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        for (field, name) in [
            ("sectionName", "section"),
            ("dataType", "type"),
            ("type", "kind"),
            ("question", "question"),
            ("row", "row"),
            ("choice", "choice"),
        ] {
            if before[field] != after[field] {
                differences.push(format!(
                    "{code}: {name}: {} -> {}",
                    text(&before[field]),
                    text(&after[field])
                ));
            }
        }
        let labels = |entry: &Value| -> BTreeMap<String, String> {
            list(entry, "values").iter().map(|label| (text(&label["id"]), text(&label["value"]))).collect()
        };
        let (old, new) = (labels(before), labels(after));
        let none = "none".to_owned();
        for value in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            let (old, new) = (old.get(value).unwrap_or(&none), new.get(value).unwrap_or(&none));
            if old != new {
                differences.push(format!("{code}: {value}: {old} -> {new}"));
            }
        }
    }
    differences
}

#[test]
fn the_answers_hang_together_and_move_between_the_waves() {
    let waves = Wave::both(&sandbox());
    for wave in &waves {
        assert_eq!(wave.rows.len(), 400);
        let state = |state: &str| wave.rows.iter().filter(|row| row["State"] == state).count();
        assert!(state("InProgress") > 10 && state("Screenout") > 5, "{}", state("Completed"));
        assert_eq!(state("Completed") + state("InProgress") + state("Screenout"), 400);
        // Who comes more often is more satisfied.
        let score = |is_counted: fn(i64) -> bool| {
            let rows = wave.completed().filter(|row| row["frequency"].as_i64().is_some_and(is_counted));
            let answers: Vec<f64> =
                rows.filter_map(|row| row["score"].as_f64()).filter(|score| *score <= 10.0).collect();
            mean(&answers)
        };
        assert!(score(|often| often <= 2) > score(|often| (4..6).contains(&often)) + 1.0);
        // The weights.
        let weights = wave.numbers("weight");
        assert_eq!(weights.len(), state("Completed"));
        assert!((wave.mean("weight") - 1.0).abs() < 1e-4, "{}", wave.mean("weight"));
        assert!(weights.iter().all(|weight| (0.4..=2.5).contains(weight)), "{weights:?}");
        let young: f64 = wave
            .completed()
            .filter(|row| row["age_group"] == 1)
            .filter_map(|row| row["weight"].as_f64())
            .sum();
        let share = young / weights.iter().sum::<f64>();
        assert!((share - 0.19).abs() < 1e-4, "the share of the population: {share}");
        assert!(weights.iter().map(|weight| weight.to_bits()).collect::<BTreeSet<_>>().len() > 8);
    }
    let [first, second] = &waves;
    let weekly = |wave: &Wave| wave.share("frequency", |often| often <= 2.0);
    assert!((0.03..0.2).contains(&(weekly(second) - weekly(first))));
    assert!((0.2..1.2).contains(&(second.mean("score") - first.mean("score"))));
    // Each wave was taken in its own year.
    for (wave, year) in waves.iter().zip(["2025-03-", "2026-03-"]) {
        assert!(wave.rows.iter().all(|row| row["StartDate"].as_str().unwrap().starts_with(year)));
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    let texts = |builder: sondage_sandbox::Builder| -> Vec<String> {
        let sandbox = builder.content(Content::Waves).start_blocking().unwrap();
        let api = Api::new(&sandbox);
        let text = |id: &i64| {
            let request = json!({ "surveyId": id, "loadCodePlan": true });
            let text = api.send("ReadInterviewListCompact", &request).unwrap().text();
            // The links to the interviews have the port of this run.
            text.replace(sandbox.base_url(), "")
        };
        sandbox.survey_ids().values().map(text).collect()
    };
    let first = texts(Sandbox::builder());
    assert!(first == texts(Sandbox::builder()), "two runs differ");
    let other = texts(Sandbox::builder().seed(7));
    assert!(first[0] != other[0] && first[1] != other[1], "another seed makes other people");
}

/// What the API shows of a wave is accepted as a new survey, and people can answer a wave.
#[test]
fn a_wave_can_be_copied_and_answered() {
    let sandbox = sandbox();
    let api = Api::new(&sandbox);
    for wave in Wave::both(&sandbox) {
        let create = json!({
            "workspaceId": sandbox.workspace_id(), "name": "Copy", "surveyDefinition": wave.questionnaire,
        });
        let copy = api.ok("CreateSurvey", &create)["surveyId"].clone();
        assert_eq!(api.ok("ReadSurvey", &json!({ "surveyId": copy }))["survey"], wave.questionnaire);
        sandbox.fill(&sondage_sandbox::Fill::new(wave.id).people(20).seed(7)).unwrap();
    }
}
