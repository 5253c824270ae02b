//! Answers that go together: what a survey excludes is neither invented nor stored, and every mistake of given rows is named.

use crate::editor::{Export, question, questionnaire, text};
use crate::http::{Api, send};
use serde_json::{Value, json};
use sondage_sandbox::{AcceptedAnswers, Cause, Content, Fill, Frame, GivenRows, Sandbox};
use std::collections::BTreeSet;

fn coded(id: i64, kind: &str, code: &str, codes: &[&str]) -> Value {
    let mut element = question(id, code);
    element["elementType"] = json!(kind);
    let choice = element["choices"][0].clone();
    let choices = codes.iter().enumerate().map(|(place, code)| {
        let mut choice = choice.clone();
        (choice["id"], choice["code"]) = (json!(place + 1), json!(code));
        choice
    });
    element["choices"] = choices.collect();
    element
}

/// A multiple choice with "not available" and, as its last choice, one that excludes the others; a single choice with a text; a
/// ranking of two of three; numbers.
fn whole() -> Value {
    let mut several = coded(1, "MultipleChoice", "m", &["1", "2", "3"]);
    several["choices"][2]["exclusive"] = json!(true);
    several["hasNotAvailableChoice"] = json!(true);
    let mut beside = coded(2, "SingleChoice", "s", &["01", "02"]);
    beside["choices"][1]["allowTextEntry"] = json!(true);
    let mut ranked = coded(3, "RankOrder", "r", &["1", "2", "3"]);
    ranked["numberOfRanks"] = json!(2);
    let number = |id: i64, code: &str, kind: &str| {
        json!({ "id": id, "elementType": "OpenQuestion", "code": code, "text": text(code),
                "contentValidation": { "validationType": kind } })
    };
    let mut why = number(6, "why", "None");
    why["conditions"] = json!([{ "conditionAction": "Passes", "conjunction": null, "elements": [
        { "conjunction": "And", "conditionType": "Question", "identifier": "s", "conditionOperator": "IsEqualTo", "value": "01" }] }]);
    questionnaire(&[several, beside, ranked, number(4, "n", "Number"), number(5, "x", "Real"), why])
}

fn read(sandbox: &Sandbox) -> Vec<Value> {
    let all = Api::new(sandbox).ok("ReadInterviewListCompact", &json!({ "surveyId": sandbox.survey_id() }));
    all["interviews"].as_array().unwrap().clone()
}

fn answer(sandbox: &Sandbox, rows: &Value) -> Result<Value, String> {
    let rows = serde_json::from_value(rows.clone()).unwrap();
    let given = GivenRows { survey_id: sandbox.survey_id(), rows };
    let ids = sandbox.answer(&given).map_err(|error| error.to_string())?;
    Ok(read(sandbox).into_iter().find(|row| row["Id"] == ids[0]).unwrap())
}

/// `01` was stored as 1, and rankings were numbers from 1 to 5.
#[test]
fn invented_answers_have_the_codes_of_choices_and_rankings_are_rankings() {
    let mut elements = whole()["sections"][0]["elements"].as_array().unwrap().clone();
    elements.push(coded(7, "Dropdown", "d", &["007", "08", "9"]));
    let sandbox = Export::new("codes", &questionnaire(&elements).to_string()).start().unwrap();
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(200).seed(1)).unwrap();
    let rows = read(&sandbox);
    let values = |column: &str| -> BTreeSet<String> {
        rows.iter().map(|row| &row[column]).filter(|value| !value.is_null()).map(Value::to_string).collect()
    };
    assert_eq!(values("s"), ["\"01\"", "\"02\""].map(str::to_owned).into());
    assert_eq!(values("d"), ["\"007\"", "\"08\"", "\"9\""].map(str::to_owned).into());
    assert!(rows.iter().any(|row| row["why"].is_string()), "the follow-up of 01 is asked");
    let mut rankings = BTreeSet::new();
    for row in &rows {
        let ranks = ["r_1", "r_2", "r_3"].map(|column| row[column].as_i64());
        let mut given: Vec<i64> = ranks.into_iter().flatten().collect();
        given.sort_unstable();
        assert!(given.is_empty() || given == [1, 2], "{ranks:?}");
        rankings.insert(ranks);
    }
    assert!(rankings.len() > 4, "{rankings:?}");
}

#[test]
fn labelled_codes_of_a_frame_keep_their_zeros() {
    let frame = Frame::new("empty").labelled("k", [Value::Null], [("01", "Aargau"), ("02", "Bern")]);
    let sandbox = Sandbox::builder().frame(frame).start_blocking().unwrap();
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(30).seed(1)).unwrap();
    assert!(read(&sandbox).iter().any(|row| row["k"] == "01"));
}

#[test]
fn a_program_s_answers_go_together() {
    let sandbox = Export::new("together", &whole().to_string()).start().unwrap();
    for (row, said) in [
        (json!({ "m_1": 1, "m_3": 1 }), "rows[0].m_3: this choice excludes the others, such as m_1"),
        (
            json!({ "m_1": 9_999_999 }),
            "rows[0].m_1: \"not available\" is the answer to the whole question: give it to m_2, m_3",
        ),
        (json!({ "m_1": 9_999_999, "m_2": 1 }), "give it to m_2, m_3, too, or leave it out"),
        (
            json!({ "s": "01", "s_02_text": "x" }),
            "rows[0].s_02_text: a text beside a choice that was not taken: give 02 to s",
        ),
        (json!({ "s_02_text": "x" }), "or leave the text out"),
        (json!({ "r_1": 3 }), "rows[0].r_1: a number from 1 to 2 is needed"),
        (json!({ "r_1": 0 }), "rows[0].r_1: a number from 1 to 2 is needed"),
        (json!({ "r_1": 1, "r_3": 1 }), "rows[0].r_3: r_1 has the rank 1, too: give each rank once"),
        (json!({ "n": "1'234" }), "rows[0].n: a number is needed, and this text is none: write it as 1234.5"),
        (json!({ "x": "1,5" }), "rows[0].x: a number is needed, and this text is none"),
        (json!({ "n": "1.5" }), "rows[0].n: a number without decimals is needed"),
        (json!({ "s": "1" }), "rows[0].s: this answer is not one of the choices; their codes are 01, 02"),
    ] {
        let error = answer(&sandbox, &json!([row])).unwrap_err();
        assert!(error.contains(said) && error.ends_with(". Nothing was changed"), "{said}: {error}");
    }
    let not_available = 9_999_999;
    let stored = answer(
        &sandbox,
        &json!([{ "m_1": not_available, "m_2": "9999999", "m_3": not_available, "s": "02", "s_02_text": "x", "r_1": 2, "r_3": 1,
                  "n": "5", "x": "1.5" }]),
    );
    let stored = stored.unwrap();
    assert!(stored["m_2"] == not_available && stored["n"] == 5 && stored["x"] == 1.5, "{stored}");
}

/// `why` is asked after `s` = 01 only.
#[test]
fn a_program_s_answers_are_to_questions_that_are_asked() {
    let sandbox = Export::new("asked", &whole().to_string()).start().unwrap();
    let rows = json!([{ "s": "01", "why": "so" }, { "s": "02", "why": "never" }, { "why": "never", "n": 1 }, { "s": "02", "why": null }]);
    let error = answer(&sandbox, &rows).unwrap_err();
    let said = ": this question is not shown to somebody with these answers; what decides is s: leave the answer out";
    assert!(error.contains(&format!("rows[1].why{said}")) && error.contains("; rows[2].why: "), "{error}");
    assert!(!error.contains("rows[0]") && !error.contains("rows[3]") && !error.contains("never"), "{error}");
    assert!(error.contains("`acceptedAnswers` of the profile to `alsoNotAsked`"), "{error}");
    assert!(read(&sandbox).is_empty());
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::AlsoNotAsked);
    let stored = answer(&sandbox, &json!([{ "s": "02", "why": "kept" }])).unwrap();
    assert_eq!(stored["why"], "kept");
    assert!(answer(&sandbox, &json!([{ "s": "03" }])).is_err(), "the rest is checked");
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::Any);
    assert_eq!(answer(&sandbox, &json!([{ "s": "03", "m_1": "x" }])).unwrap()["s"], "03");
}

/// They were stored unchecked, without the count of ticked choices, and unknown columns were ignored.
#[test]
fn an_interview_is_completed_with_answers_that_the_survey_accepts() {
    let sandbox = Export::new("completed", &whole().to_string()).start().unwrap();
    let id = {
        let rows = json!([{ "State": "InProgress", "s": "01", "why": "so", "n": 5 }]);
        answer(&sandbox, &rows).unwrap()["Id"].as_str().unwrap().to_owned()
    };
    let complete = |answers: Value| {
        let answers = answers.as_object().unwrap().clone();
        sandbox.try_emit(Cause::Complete { id: id.clone(), answers }).map_err(|error| error.to_string())
    };
    let wrong = json!({ "s": "02", "why": "x", "m_1": 1, "m_3": 1, "n": "many", "other": 1 });
    let error = complete(wrong).unwrap_err();
    for said in [
        "answers.other: the survey has no such column",
        "answers.n: a number is needed",
        "answers.why: this question is not shown",
        "answers.m_3: this choice excludes the others",
        ". Nothing was changed",
    ] {
        assert!(error.contains(said), "{said}: {error}");
    }
    assert!(read(&sandbox)[0]["State"] == "InProgress" && read(&sandbox)[0]["s"] == "01");
    assert_eq!(complete(json!({ "s": "02", "m_1": 1, "m_2": "1", "x": "1.5" })), Ok(true));
    let row = &read(&sandbox)[0];
    assert!(row["State"] == "Completed" && row["n"] == 5 && row["why"].is_null(), "{row}");
    assert!(row["m__count"] == 2 && row["m_2"] == 1 && row["x"] == 1.5, "{row}");
    assert_eq!(complete(json!({ "m_2": 0 })), Ok(true), "the count of before is not the caller's");
    assert_eq!(read(&sandbox)[0]["m__count"], 1);
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::Any);
    assert_eq!(complete(json!({ "s": "03" })), Ok(true));
    let nobody = Cause::Complete { id: "nobody".to_owned(), answers: serde_json::Map::new() };
    assert!(!sandbox.try_emit(nobody).unwrap());
}

/// They were all created when they ended.
#[test]
fn invented_people_take_their_time() {
    let frame = Frame::new("empty").labelled("k", [Value::Null], [("1", "a"), ("2", "b")]);
    let sandbox = Sandbox::builder().frame(frame).start_blocking().unwrap();
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(50).seed(1).unfinished(0.0)).unwrap();
    let time = |row: &Value, name: &str| {
        row[name].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap()
    };
    let rows = read(&sandbox);
    let rows: Vec<&Value> =
        rows.iter().filter(|row| row["StartDate"].is_string() && !row["k"].is_null()).collect();
    let times: BTreeSet<i64> = rows
        .iter()
        .map(|row| {
            assert_eq!(row["CreatedAt"], row["StartDate"]);
            (time(row, "EndDate") - time(row, "StartDate")).num_seconds()
        })
        .collect();
    assert!(rows.len() > 40 && times.len() > 30, "{times:?}");
    assert!(times.first() >= Some(&120) && times.last() <= Some(&1320), "{times:?}");
}

#[test]
fn every_mistake_of_all_rows_is_named_at_once() {
    let sandbox = Export::new("all-rows", &whole().to_string()).start().unwrap();
    let wrong = json!({ "m_1": 1, "m_3": 1, "n": true, "nothing": 1, "State": "Over" });
    let error = answer(&sandbox, &json!([{}, wrong, { "r_1": 7 }])).unwrap_err();
    for place in ["rows[1].m_3: ", "rows[1].n: ", "rows[1].nothing: ", "rows[1].State: ", "rows[2].r_1: "] {
        assert!(error.contains(place), "{place}: {error}");
    }
    let many: Vec<Value> = (0..50).map(|_| json!({ "n": true })).collect();
    let error = answer(&sandbox, &json!(many)).unwrap_err();
    assert!(error.contains("rows[19].n") && error.ends_with("; and 30 more. Nothing was changed"), "{error}");
    assert!(read(&sandbox).is_empty());
}

#[test]
fn a_browser_s_answers_go_together() {
    let sandbox = Export::new("together-page", &whole().to_string()).start().unwrap();
    let links =
        Api::new(&sandbox).ok("ReadSurveyLinks", &json!({ "surveyId": sandbox.survey_id() })).to_string();
    let url = links.split('"').find(|part| part.contains("/survey/")).unwrap().to_owned();
    let origin = sandbox.base_url().to_owned();
    let post = |form: &str| {
        let headers = [("origin", origin.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let page = send("POST", &url, &headers, form.as_bytes()).unwrap();
        (page.status, page.text())
    };
    for (form, said) in [
        ("m_1=1&m_3=1", "this choice excludes the others"),
        ("m_1=9999999", "is the answer to the whole question"),
        ("m_1=1&m__not_available=1", "but not both"),
        ("s=01&s_02_text=x", "a text beside a choice that was not taken"),
        ("r_1=9", "a number from 1 to 2"),
        ("r_1=1&r_2=1", "give each rank once"),
    ] {
        let (status, page) = post(form);
        assert!(status == 400 && page.contains(said), "{said}: {status} {page}");
    }
    assert!(read(&sandbox).is_empty());
    assert_eq!(post("m__not_available=1&s=02&s_02_text=x&r_1=2&r_2=1").0, 200);
    let row = &read(&sandbox)[0];
    assert!(row["m_2"] == 9_999_999 && row["s_02_text"] == "x" && row["r_2"] == 1, "{row}");
}

#[test]
fn the_case_of_a_language_tag_does_not_matter_in_filters() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let api = Api::new(&sandbox);
    let count = |value: &str, typed: bool| {
        let mut condition = json!({ "conjunction": "And", "conditionType": "SQL", "identifier": "Language",
                                    "conditionOperator": "IsEqualTo", "value": value });
        if typed {
            condition["variableType"] = json!("String");
        }
        let request = json!({ "surveyId": sandbox.survey_id(), "conditions": [condition] });
        api.ok("ReadInterviewListCompact", &request)["interviews"].as_array().unwrap().len()
    };
    let tags: BTreeSet<String> =
        read(&sandbox).iter().filter_map(|row| row["Language"].as_str()).map(str::to_owned).collect();
    for tag in tags {
        let found = count(&tag, false);
        assert!(found > 0);
        for other in [tag.to_lowercase(), tag.to_uppercase()] {
            assert_eq!((count(&other, false), count(&other, true)), (found, found), "{other}");
        }
    }
}

/// They were refused as columns that the survey does not have.
#[test]
fn custom_variables_are_given_with_the_answers() {
    let mut survey = whole();
    survey["customVariables"] = json!([{ "id": 1, "variableName": "office", "variableType": "String" }]);
    let sandbox = Export::new("custom", &survey.to_string()).start().unwrap();
    for (row, said) in [
        (json!({ "office": "1" }), "r_1, r_2, r_3, n, x, why; the custom variable is `custom.office`."),
        (json!({ "custom.other": "1" }), "rows[0].custom.other: the survey has no such column; it has"),
        (json!({ "custom.office": [1] }), "rows[0].custom.office: a text or a number is needed"),
    ] {
        let error = answer(&sandbox, &json!([row])).unwrap_err();
        assert!(error.contains(said), "{said}: {error}");
    }
    answer(&sandbox, &json!([{ "custom.office": 7, "n": 5 }, { "custom.office": null }])).unwrap();
    let request = json!({ "surveyId": sandbox.survey_id(), "fieldsToDownload": ["n", "custom.office"] });
    let rows = Api::new(&sandbox).ok("ReadInterviewListCompact", &request)["interviews"].clone();
    assert_eq!(rows, json!([{ "n": 5, "custom.office": "7" }, { "n": null, "custom.office": null }]));
}

#[test]
fn half_a_surrogate_pair_is_read_and_listed() {
    let json = whole().to_string().replace("\"Bye\"", "\"By\\ud83d\"");
    let sandbox = Export::new("half-pair", &json).start().unwrap();
    let listed = sandbox.not_carried_out(sandbox.survey_id()).unwrap();
    assert_eq!(listed, ["half of a surrogate pair, which is read as U+FFFD: line 1"]);
    let api = Api::new(&sandbox);
    let request = json!({ "surveyId": sandbox.survey_id() });
    let said = api.ok("ReadSurvey", &request)["survey"]["surveyEndText"][0]["text"].clone();
    assert_eq!(said, "By\u{fffd}");
    let error = sandbox.not_carried_out(424_242).unwrap_err().to_string();
    assert_eq!(error, "there is no survey 424242");
}

#[test]
fn all_places_of_what_is_not_carried_out_are_listed() {
    let elements: Vec<Value> = (0..12)
        .map(|id| {
            let mut element = question(id, &format!("q{id}"));
            element["aiFollowUpEnabled"] = json!(true);
            element
        })
        .collect();
    let sandbox = Export::new("places", &questionnaire(&elements).to_string()).start().unwrap();
    let listed = sandbox.not_carried_out(sandbox.survey_id()).unwrap();
    let places = (0..12).map(|id| format!("q{id}")).collect::<Vec<_>>().join(", ");
    assert_eq!(listed, [format!("follow-up questions, which are not asked: {places}")]);
}

#[test]
fn files_of_one_name_are_told_apart_and_a_frame_comes_first() {
    let folder = std::env::temp_dir().join(format!("sondage-names-{}", std::process::id()));
    let mut builder = Sandbox::builder();
    for wave in ["wave1", "wave2"] {
        std::fs::create_dir_all(folder.join(wave)).unwrap();
        let path = folder.join(wave).join("export.json");
        std::fs::write(&path, whole().to_string()).unwrap();
        builder = builder.survey(path);
    }
    let sandbox = builder.frame(Frame::new("mine").column("q", [1, 2])).start_blocking().unwrap();
    let names: Vec<&String> = sandbox.survey_ids().keys().collect();
    assert_eq!(names, ["wave1/export", "wave2/export", "mine"]);
    assert_eq!(sandbox.survey_id(), sandbox.survey_ids()["mine"]);
    std::fs::remove_dir_all(folder).unwrap();
}
