//! The ways through a questionnaire: which conditions hold when a question is asked, and where an interview ends early.

use crate::console::submit_to;
use crate::console_respondent::{public_link, read as page};
use crate::editor::{Export, question, questionnaire, text};
use crate::http::Api;
use serde_json::{Value, json};
use sondage_sandbox::{AcceptedAnswers, Cause, Fill, GivenRows, Sandbox};

fn equals(identifier: &str, operator: &str, value: &str) -> Value {
    json!({ "conjunction": "And", "conditionType": "Question", "identifier": identifier, "conditionOperator": operator,
            "value": value })
}

/// A group of conditions of the editor's form.
fn rule(conjunction: &str, condition: &Value) -> Value {
    json!({ "conditionAction": "Passes", "conjunction": conjunction, "elements": [condition] })
}

fn under(mut element: Value, rules: &[Value]) -> Value {
    element["conditions"] = json!(rules);
    element
}

fn forwarding(id: i64, state: &str, rules: &[Value]) -> Value {
    let element = json!({ "id": id, "elementType": "UrlForwarding", "interviewState": state,
        "action": { "actionType": "ShowEndOfSurveyText", "endOfSurveyText": text("<b>Only for</b> visitors.") } });
    under(element, rules)
}

fn required(id: i64, code: &str) -> Value {
    let mut element = question(id, code);
    element["forceResponse"] = json!(true);
    element
}

fn start(name: &str, elements: &[Value]) -> Sandbox {
    Export::new(name, &questionnaire(elements).to_string()).start().unwrap()
}

fn rows(sandbox: &Sandbox) -> Vec<Value> {
    let all = Api::new(sandbox).ok("ReadInterviewListCompact", &json!({ "surveyId": sandbox.survey_id() }));
    all["interviews"].as_array().unwrap().clone()
}

fn answer(sandbox: &Sandbox, row: &Value) -> Result<Value, String> {
    let rows = vec![row.as_object().unwrap().clone()];
    let given = GivenRows { survey_id: sandbox.survey_id(), rows };
    let ids = sandbox.answer(&given).map_err(|error| error.to_string())?;
    Ok(self::rows(sandbox).into_iter().find(|row| row["Id"] == ids[0]).unwrap())
}

fn listed(sandbox: &Sandbox) -> Vec<String> {
    sandbox.not_carried_out(sandbox.survey_id()).unwrap()
}

/// `visited` screens people out before `why`; a full quota of the second choice of `why` before `end`.
fn screened(name: &str) -> Sandbox {
    start(
        name,
        &[
            required(1, "visited"),
            forwarding(2, "Screenout", &[rule("And", &equals("visited", "IsEqualTo", "2"))]),
            required(3, "why"),
            forwarding(4, "Quotafull", &[rule("And", &equals("why", "IsEqualTo", "2"))]),
            question(5, "end"),
        ],
    )
}

#[test]
fn a_forwarding_ends_invented_interviews_in_its_state() {
    let sandbox = screened("fill");
    assert_eq!(listed(&sandbox), Vec::<String>::new());
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(200).seed(1).unfinished(0.0)).unwrap();
    let mut states = [0; 3];
    for row in rows(&sandbox) {
        let (state, place) = match (row["visited"].as_i64(), row["why"].as_i64()) {
            (Some(2), None) => ("Screenout", 0),
            (Some(1), Some(2)) => ("Quotafull", 1),
            (Some(1), Some(1)) => ("Completed", 2),
            other => panic!("{other:?}"),
        };
        assert!(row["State"] == state && row["EndDate"].is_string(), "{row}");
        assert!(place == 2 || row["end"].is_null(), "{row}");
        states[place] += 1;
    }
    assert!(states.iter().all(|count| *count > 5), "{states:?}");
}

#[test]
fn a_program_s_answers_end_where_the_forwarding_does() {
    let sandbox = screened("answer");
    assert_eq!(answer(&sandbox, &json!({ "visited": 2 })).unwrap()["State"], "Screenout");
    assert_eq!(answer(&sandbox, &json!({ "visited": 1, "why": 2 })).unwrap()["State"], "Quotafull");
    assert_eq!(answer(&sandbox, &json!({ "visited": 1, "why": 1 })).unwrap()["State"], "Completed");
    assert_eq!(
        answer(&sandbox, &json!({ "visited": 2, "State": "InProgress" })).unwrap()["State"],
        "InProgress"
    );
    let error = answer(&sandbox, &json!({ "visited": 2, "why": 1, "State": "Completed" })).unwrap_err();
    for said in [
        "rows[0].why: the interview ends before this question as Screenout; what decides is visited: leave the answer out",
        "rows[0].State: these answers end the interview as Screenout, not as Completed; what decides is visited: change that",
    ] {
        assert!(error.contains(said), "{error}");
    }
    let id =
        answer(&sandbox, &json!({ "State": "NotResponded" })).unwrap()["Id"].as_str().unwrap().to_owned();
    let complete = |answers: Value| {
        let answers = answers.as_object().unwrap().clone();
        sandbox.try_emit(Cause::Complete { id: id.clone(), answers }).map_err(|error| error.to_string())
    };
    let error = complete(json!({ "visited": 2 })).unwrap_err();
    assert!(error.contains("answers: these answers end the interview as Screenout"), "{error}");
    assert!(complete(json!({ "visited": 1, "why": 1 })).unwrap());
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::AlsoNotAsked);
    let stored = answer(&sandbox, &json!({ "visited": 2, "why": 1, "State": "Completed" })).unwrap();
    assert!(stored["why"] == 1 && stored["State"] == "Completed", "{stored}");
}

#[test]
fn a_browser_s_interview_ends_with_the_forwarding_s_text() {
    let sandbox = screened("page");
    let public = public_link(&sandbox, sandbox.survey_id());
    let first = page(&public);
    assert!(first.contains("Page 1 of 3") && !first.contains("name=\"why\""), "{first}");
    let end = submit_to(&sandbox, &public, &[("visited", "2"), ("do", "next")]);
    assert!(end.status == 200 && end.text().contains("Only for visitors."), "{}", end.text());
    let rows = rows(&sandbox);
    assert!(rows.len() == 1 && rows[0]["State"] == "Screenout" && rows[0]["why"].is_null(), "{rows:?}");
    let onward = submit_to(&sandbox, &public, &[("visited", "1"), ("do", "next")]);
    assert_eq!(onward.status, 303, "{}", onward.text());
    let second = page(&format!("{}{}", sandbox.base_url(), onward.header("location").unwrap()));
    assert!(second.contains("name=\"why\"") && !second.contains("name=\"end\""), "{second}");
}

/// Nobody is screened out by a condition that is not understood, and what is not carried out is listed.
#[test]
fn forwardings_and_quotas_that_are_not_carried_out_are_listed() {
    let calculated = json!({ "conjunction": "And", "conditionType": "Calculation", "identifier": "sum",
                             "conditionOperator": "IsGreaterThan", "value": "1" });
    let mut unreadable = forwarding(5, "Screenout", &[]);
    unreadable["conditions"] = json!([{ "conditionAction": "Passes", "elements": [7] }]);
    let quota = json!({ "id": 6, "elementType": "QuotaCheck", "interviewState": "Quotafull" });
    let sandbox = start(
        "unknown",
        &[
            question(1, "a"),
            forwarding(3, "Screenout", &[rule("And", &calculated)]),
            unreadable,
            quota,
            forwarding(7, "Elsewhere", &[rule("And", &equals("a", "IsEqualTo", "2"))]),
            question(8, "b"),
        ],
    );
    assert_eq!(
        listed(&sandbox),
        [
            "a check of quotas, which are never full: a questionnaire does not have their counts: 6",
            "a forwarding whose state ends no interview, and is taken as Completed: 7",
            "a forwarding with a condition that is not evaluated, which ends no interview: 3, 5",
        ]
    );
    assert_eq!(answer(&sandbox, &json!({ "a": 1, "b": 1 })).unwrap()["State"], "Completed");
    let error = answer(&sandbox, &json!({ "a": 2, "b": 1 })).unwrap_err();
    assert!(error.contains("rows[0].b: the interview ends before this question as Completed"), "{error}");
}

/// The sentence named nothing: `what decides is : leave the answer out`.
#[test]
fn what_decides_on_a_forwarding_is_also_what_shows_its_section() {
    let mut whole = questionnaire(&[question(1, "visited")]);
    let channel = json!({ "conjunction": "And", "conditionType": "CustomVariable", "identifier": "channel",
        "conditionOperator": "IsNotEqualTo", "value": "9", "valueType": "String" });
    whole["sections"].as_array_mut().unwrap().push(json!({
        "id": 9, "elementType": "Section", "name": "Out", "randomizePages": false, "excludeFromRandomization": false,
        "conditions": [rule("And", &equals("visited", "IsEqualTo", "2")), rule("And", &channel)],
        "elements": [forwarding(3, "Screenout", &[])],
    }));
    whole["sections"].as_array_mut().unwrap().push(json!({
        "id": 10, "elementType": "Section", "name": "Rest", "randomizePages": false, "excludeFromRandomization": false,
        "elements": [question(4, "why"), forwarding(5, "Quotafull", &[]), question(6, "never")],
    }));
    let sandbox = Export::new("outs", &whole.to_string()).start().unwrap();
    let error = answer(&sandbox, &json!({ "visited": 2, "why": 1, "State": "Completed" })).unwrap_err();
    for said in [
        "rows[0].why: the interview ends before this question as Screenout; what decides is custom.channel, visited: leave",
        "rows[0].State: these answers end the interview as Screenout, not as Completed; what decides is custom.channel, visited",
    ] {
        assert!(error.contains(said), "{error}");
    }
    let error = answer(&sandbox, &json!({ "visited": 1, "never": 1, "State": "Completed" })).unwrap_err();
    for said in [
        "rows[0].never: the interview ends before this question as Quotafull; whatever is answered: leave the answer out, or set",
        "rows[0].State: every interview ends as Quotafull, not as Completed, whatever is answered: leave the state out",
    ] {
        assert!(error.contains(said), "{error}");
    }
}

/// `fee` was asked of people who were not asked anything else of its section.
#[test]
fn an_or_of_a_question_does_not_undo_the_condition_of_its_section() {
    let mut whole = questionnaire(&[question(1, "visited"), question(2, "often")]);
    let either =
        [rule("And", &equals("often", "IsEqualTo", "1")), rule("Or", &equals("often", "IsEqualTo", "2"))];
    whole["sections"].as_array_mut().unwrap().push(json!({
        "id": 9, "elementType": "Section", "name": "Visits", "randomizePages": false, "excludeFromRandomization": false,
        "conditions": [rule("And", &equals("visited", "IsEqualTo", "1"))],
        "elements": [under(question(3, "fee"), &either)],
    }));
    let sandbox = Export::new("levels", &whole.to_string()).start().unwrap();
    assert_eq!(listed(&sandbox), Vec::<String>::new());
    for often in [1, 2] {
        assert_eq!(answer(&sandbox, &json!({ "visited": 1, "often": often, "fee": 1 })).unwrap()["fee"], 1);
        let error = answer(&sandbox, &json!({ "visited": 2, "often": often, "fee": 1 })).unwrap_err();
        assert!(error.contains("rows[0].fee: this question is not shown"), "{error}");
    }
}

/// `fill` asked the question of nobody, and a program's answers, which come all at once, of some.
#[test]
fn a_question_that_is_asked_later_has_no_answer_yet() {
    let sandbox = start(
        "later",
        &[
            under(question(1, "early"), &[rule("And", &equals("late", "IsEqualTo", "1"))]),
            under(question(2, "self"), &[rule("And", &equals("self", "IsNotEmpty", ""))]),
            under(question(3, "without"), &[rule("And", &equals("late", "IsEmpty", ""))]),
            // Whether a text is shown makes no difference to the answers.
            under(
                json!({ "id": 6, "elementType": "TextBlock", "text": text("T") }),
                &[rule("And", &equals("after", "IsEmpty", ""))],
            ),
            question(4, "late"),
            under(question(5, "after"), &[rule("And", &equals("late", "IsEqualTo", "1"))]),
        ],
    );
    assert_eq!(
        listed(&sandbox),
        [
            "a condition on a question that is asked later, which has no answer when it is evaluated: early, without",
            "a condition on its own question, which has no answer when it is evaluated: self",
        ]
    );
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(60).seed(1)).unwrap();
    let filled = rows(&sandbox);
    assert!(filled.iter().all(|row| row["early"].is_null() && row["self"].is_null()));
    assert!(
        filled.iter().any(|row| !row["without"].is_null())
            && filled.iter().any(|row| !row["after"].is_null())
    );
    let error =
        answer(&sandbox, &json!({ "late": 1, "early": 1, "self": 1, "without": 1, "after": 1 })).unwrap_err();
    assert!(error.contains("rows[0].early: this question is not shown"), "{error}");
    assert!(
        error.contains("rows[0].self: this question is not shown") && !error.contains("without:"),
        "{error}"
    );
    assert!(!error.contains("after:"), "{error}");
}

/// Public questionnaires have rows that are shown after an answer in another row of the same matrix.
#[test]
fn a_row_is_shown_after_another_row_of_its_matrix() {
    let mut grid = question(1, "grid");
    grid["elementType"] = json!("Matrix");
    grid["columnGroups"] = json!([{ "id": 1, "hasNotAvailableChoice": false, "choiceType": "Single",
        "randomizeColumns": false, "choices": question(1, "x")["choices"] }]);
    grid["choices"][1]["conditions"] = json!([rule("And", &equals("grid_1", "IsEqualTo", "2"))]);
    let sandbox = start("rows", &[grid]);
    assert_eq!(listed(&sandbox), Vec::<String>::new());
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(60).seed(1)).unwrap();
    let filled = rows(&sandbox);
    assert!(filled.iter().all(|row| row["grid_1"] == 2 || row["grid_2"].is_null()));
    assert!(filled.iter().any(|row| !row["grid_2"].is_null()));
    assert_eq!(answer(&sandbox, &json!({ "grid_1": 2, "grid_2": 1 })).unwrap()["grid_2"], 1);
    assert!(
        answer(&sandbox, &json!({ "grid_1": 1, "grid_2": 1 })).unwrap_err().contains("rows[0].grid_2: this")
    );
}

#[test]
fn a_condition_on_a_whole_question_holds_for_any_of_its_answers() {
    let choices = |id: i64, code: &str, kind: &str| {
        let mut element = question(id, code);
        element["elementType"] = json!(kind);
        element
    };
    let mut grid = choices(1, "grid", "Matrix");
    grid["columnGroups"] = json!([{ "id": 1, "hasNotAvailableChoice": false, "choiceType": "Single",
        "randomizeColumns": false, "choices": question(1, "x")["choices"] }]);
    let asked = |id: i64, code: &str, operator: &str, value: &str, of: &str| {
        under(question(id, code), &[rule("And", &equals(of, operator, value))])
    };
    let sandbox = start(
        "any",
        &[
            grid,
            choices(2, "many", "MultipleChoice"),
            asked(3, "answered", "IsNotEmpty", "", "grid"),
            asked(4, "empty", "IsEmpty", "", "grid"),
            asked(5, "two", "IsEqualTo", "2", "grid"),
            asked(6, "ticked", "IsEqualTo", "2", "many"),
        ],
    );
    assert_eq!(
        listed(&sandbox),
        [
            "a condition on a whole question of several columns, which any of its answers fulfils: answered, empty, two, ticked"
        ]
    );
    let asked = |row: Value| -> Vec<&str> {
        let mut all = row;
        let codes = ["answered", "empty", "two", "ticked"];
        for code in codes {
            all[code] = json!(1);
        }
        let error = answer(&sandbox, &all).unwrap_err();
        codes.into_iter().filter(|code| !error.contains(&format!("rows[0].{code}: "))).collect()
    };
    assert_eq!(asked(json!({})), ["empty"]);
    assert_eq!(asked(json!({ "grid_1": 1 })), ["answered"]);
    assert_eq!(asked(json!({ "grid_2": 2 })), ["answered", "two"]);
    // Two ticks are not the second choice, nor is a number of them.
    assert_eq!(asked(json!({ "many_1": 1, "many_2": 0 })), ["empty"]);
    assert_eq!(asked(json!({ "many_1": 0, "many_2": 1, "grid_1": 1 })), ["answered", "ticked"]);
}
