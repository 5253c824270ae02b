//! Conditions over HTTP: every operator on every kind of column, groups, both forms of identifiers, and refusals.

use crate::http::{Api, field};
use serde_json::{Value, json};
use sondage::model::ConditionOperator;
use sondage_sandbox::Sandbox;
use std::collections::BTreeSet;

fn condition(kind: &str, identifier: &str, operator: &str, value: &str) -> Value {
    json!({
        "conjunction": "And", "conditionType": kind, "identifier": identifier,
        "conditionOperator": operator, "value": value,
    })
}

fn or(mut condition: Value) -> Value {
    condition["conjunction"] = json!("Or");
    condition
}

/// The letters of the rows that pass, for example `acd`.
struct Rows {
    sandbox: Sandbox,
    api: Api,
}

impl Rows {
    /// Five customers, `a` to `e`, with a number, a text, a date and a decimal; `d` has neither decimal nor date, `e` an
    /// empty date.
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().unwrap();
        let api = Api::new(&sandbox);
        let customer = |name: &str, number: i64, since: Value, revenue: Value| {
            json!({ "fields": {
                "Email": field("Email", "String", format!("{name}@filter.example")),
                "CustomerNumber": field("CustomerNumber", "Number", number),
                "Since": field("Since", "Date", since),
                "Revenue": field("Revenue", "Real", revenue),
            } })
        };
        let rows = [
            customer("a", 1, json!("2020-01-01"), json!(0.5)),
            customer("b", 2, json!("2021-06-15"), json!(-3)),
            customer("c", 10, json!("2022-12-31 23:59:59.500"), json!(100.25)),
            customer("d", 9_007_199_254_740_992, Value::Null, Value::Null),
            customer("e", 9_007_199_254_740_995 + 100, json!(""), json!(0)),
        ];
        let request = json!({ "tenant": "demo", "panelId": sandbox.customer_panel_id(), "members": rows });
        let created = api.ok("CreateMembers", &request);
        assert_eq!(created["validationIssues"], json!([]), "{created}");
        Self { sandbox, api }
    }

    fn request(&self, conditions: &[Value]) -> Value {
        // The customers of the seed are left out.
        let mut all = vec![];
        let mine = condition("Panel", "Email", "Contains", "@filter.example");
        for condition in conditions {
            let starts = all.is_empty() || condition["conjunction"] == json!("Or");
            all.push(condition.clone());
            if starts {
                all.push(mine.clone());
            }
        }
        json!({ "tenant": "demo", "panelId": self.sandbox.customer_panel_id(), "conditions": all })
    }

    fn passing(&self, conditions: &[Value]) -> String {
        let answer = self.api.ok("ReadMemberList", &self.request(conditions));
        let rows = answer["members"].as_array().unwrap();
        rows.iter()
            .map(|row| row["fields"]["Email"]["value"].as_str().unwrap().chars().next().unwrap())
            .collect()
    }

    fn refused(&self, condition: &Value) -> String {
        let request = json!({ "tenant": "demo", "panelId": self.sandbox.customer_panel_id(), "conditions": [condition] });
        let (status, code, message) = self.api.refused("ReadMemberList", &request);
        assert_eq!((status, code.as_str()), (400, "ValidationError"), "{message}");
        assert!(message.contains("conditions[0]"), "{message}");
        message
    }
}

/// Operator, column, operand, and the rows that pass.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("IsLessThan", "CustomerNumber", "10", "ab"),
    ("IsLessThan", "Since", "2021-06-15", "a"),
    ("IsLessThan", "Revenue", "0", "b"),
    ("IsLessThan", "Email", "c", "ab"),
    ("IsLessThanOrEqualTo", "CustomerNumber", "10", "abc"),
    ("IsLessThanOrEqualTo", "CustomerNumber", "9.5", "ab"),
    ("IsLessThanOrEqualTo", "Since", "2021-06-15 00:00", "ab"),
    ("IsGreaterThan", "CustomerNumber", "9007199254740991", "de"),
    ("IsGreaterThan", "CustomerNumber", "9007199254740992", "e"),
    ("IsGreaterThan", "Since", "2022-12-31 23:59:59.499", "c"),
    ("IsGreaterThan", "Since", "2022-12-31 23:59:59.5", ""),
    ("IsGreaterThanOrEqualTo", "Since", "2021-06-15", "bc"),
    ("IsGreaterThanOrEqualTo", "Revenue", "0.5", "ac"),
    ("IsEqualTo", "CustomerNumber", "10", "c"),
    ("IsEqualTo", "CustomerNumber", "10.0", "c"),
    ("IsEqualTo", "CustomerNumber", "9007199254740993", ""),
    ("IsEqualTo", "Email", "a@filter.example", "a"),
    ("IsEqualTo", "Email", "A@filter.example", ""),
    ("IsEqualTo", "Revenue", "0", "e"),
    ("IsNotEqualTo", "CustomerNumber", "10", "abde"),
    ("IsNotEqualTo", "Revenue", "0", "abcd"),
    ("IsEmpty", "Since", "", "de"),
    ("IsEmpty", "Revenue", "ignored", "d"),
    ("IsNotEmpty", "Since", "", "abc"),
    ("Contains", "Email", "b@", "b"),
    ("Contains", "CustomerNumber", "1", "acde"),
    ("Contains", "Since", "06-15", "b"),
    ("DoesNotContain", "Email", "b@", "acde"),
    ("DoesNotContain", "Since", "20", "de"),
    ("MatchRegex", "Email", "^[ab]@", "ab"),
    ("MatchRegex", "CustomerNumber", "^1.?$", "ac"),
    ("DoesNotMatchRegex", "Email", "^[ab]@", "cde"),
    ("DoesNotMatchRegex", "Revenue", r"\.", "bde"),
    ("AnyIsEqual", "CustomerNumber", "1, 10,77", "ac"),
    ("AnyIsEqual", "Email", "a@filter.example,e@filter.example", "ae"),
    ("AnyIsEqual", "Since", "2020-01-01,2021-06-15", "ab"),
    ("AnyIsNotEqual", "CustomerNumber", "1,10", "bde"),
    ("AnyIsEmpty", "Since", "", "de"),
    ("AnyIsNotEmpty", "Since", "", "abc"),
    ("AnyMatchRegex", "Email", "^a,^c", "ac"),
    ("AnyDoesNotMatchRegex", "Email", "^a,^c", "bde"),
];

#[test]
fn all_18_operators_on_numbers_texts_dates_and_nothing() {
    let rows = Rows::new();
    for (operator, column, operand, expected) in CASES {
        let passing = rows.passing(&[condition("Panel", column, operator, operand)]);
        assert_eq!(passing, *expected, "{column} {operator} `{operand}`");
    }
    let tried: BTreeSet<&str> = CASES.iter().map(|case| case.0).collect();
    let known: BTreeSet<&str> = ConditionOperator::KNOWN.iter().copied().collect();
    assert_eq!((tried.len(), &tried), (18, &known), "every operator of the contract is tested");
}

#[test]
fn and_binds_inside_groups_separated_by_or() {
    let rows = Rows::new();
    let number = |operator: &str, value: &str| condition("Panel", "CustomerNumber", operator, value);
    let a_or_c = [number("IsEqualTo", "1"), or(number("IsEqualTo", "10"))];
    assert_eq!(rows.passing(&a_or_c), "ac");
    // 1, or (10 and a revenue over 1000): if `Or` were grouped first, nobody would match.
    let more = [a_or_c[0].clone(), a_or_c[1].clone(), condition("Panel", "Revenue", "IsGreaterThan", "1000")];
    assert_eq!(rows.passing(&more), "a");
    // (below 10 and a revenue below 0) or empty.
    let two = [
        number("IsLessThan", "10"),
        condition("Panel", "Revenue", "IsLessThan", "0"),
        or(condition("Panel", "Since", "IsEmpty", "")),
    ];
    assert_eq!(rows.passing(&two), "bde");
    assert_eq!(rows.passing(&[or(number("IsEqualTo", "2"))]), "b", "the first conjunction is ignored");
}

#[test]
fn both_forms_of_identifiers_and_the_services_own_columns() {
    let rows = Rows::new();
    for identifier in ["CustomerNumber", "member.CustomerNumber"] {
        assert_eq!(rows.passing(&[condition("Panel", identifier, "IsEqualTo", "2")]), "b");
    }
    assert_eq!(rows.passing(&[condition("SQL", "CreatedBy", "IsEqualTo", "demo_api")]), "abcde");
    assert_eq!(rows.passing(&[condition("SQL", "CreatedAt", "IsGreaterThan", "2025-01-01")]), "abcde");
    assert_eq!(rows.passing(&[condition("SQL", "UpdatedAt", "IsNotEmpty", "")]), "");
}

#[test]
fn what_is_not_understood_is_refused_and_never_means_everybody() {
    let rows = Rows::new();
    let good = || condition("Panel", "CustomerNumber", "IsEqualTo", "1");
    for (name, value) in [
        ("conditionOperator", "Invalid"),
        ("conditionOperator", "IsAboutEqualTo"),
        ("conditionType", "Invalid"),
        ("conditionType", "Device"),
        ("conjunction", "Xor"),
        ("conjunction", "Invalid"),
        ("identifier", "Nonsense"),
        ("identifier", "member."),
        ("identifier", ""),
        ("identifier", "Email;drop"),
        ("identifier", "custom.CustomerNumber"),
        ("value", "ten"),
        ("value", ""),
        ("variableType", "Matrix"),
        ("jsonPath", "$.x"),
    ] {
        let mut bad = good();
        bad[name] = json!(value);
        let message = rows.refused(&bad);
        assert!(message.contains(name), "{name} = {value}: {message}");
    }
    for kind in ["Question", "CustomVariable", "UrlVariable"] {
        // Panel members have no such columns.
        assert!(rows.refused(&condition(kind, "CustomerNumber", "IsEqualTo", "1")).contains("identifier"));
    }
    let since = |value: &str| condition("Panel", "Since", "IsEqualTo", value);
    for value in
        ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00", "01.01.2020", "2020-13-01", "2020-1-1", "yesterday"]
    {
        rows.refused(&since(value));
    }
    rows.refused(&condition("Panel", "Email", "MatchRegex", "(["));
    rows.refused(&condition("Panel", "Email", "AnyMatchRegex", "a,(["));
}

#[test]
fn a_variable_type_decides_how_to_compare() {
    let rows = Rows::new();
    let mut number = condition("Panel", "CustomerNumber", "IsLessThan", "2");
    assert_eq!(rows.passing(&[number.clone()]), "a");
    number["variableType"] = json!("String");
    assert_eq!(rows.passing(&[number]), "ac", "as texts, 10 is before 2");
}

#[test]
fn the_profile_decides_about_nothing_and_about_case() {
    let rows = Rows::new();
    rows.sandbox.change_profile(|profile| profile.empty_matches_negation = false);
    assert_eq!(rows.passing(&[condition("Panel", "Revenue", "IsNotEqualTo", "0")]), "abc");
    assert_eq!(rows.passing(&[condition("Panel", "Since", "IsNotEmpty", "")]), "abc");
    rows.sandbox.change_profile(|profile| profile.ignore_case = true);
    assert_eq!(rows.passing(&[condition("Panel", "Email", "IsEqualTo", "A@FILTER.example")]), "a");
}

#[test]
fn interviews_are_filtered_by_answers_columns_members_and_variables() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let count = |survey: i64, conditions: &[Value]| {
        let request =
            json!({ "surveyId": survey, "conditions": conditions, "fieldsToDownload": ["Id", "State"] });
        api.ok("ReadInterviewListCompact", &request)["interviews"].as_array().unwrap().len()
    };
    let (anes, feedback) = (sandbox.survey_id(), sandbox.feedback_survey_id());
    let dole = condition("Question", "vote", "IsEqualTo", "1");
    let clinton = condition("Question", "vote", "IsEqualTo", "0");
    let alone = |one: &Value| count(anes, std::slice::from_ref(one));
    assert_eq!((alone(&dole), alone(&clinton)), (393, 551));
    assert_eq!(count(anes, &[dole, or(clinton)]), 944);
    let completed = condition("SQL", "State", "IsEqualTo", "Completed");
    let since = condition("SQL", "UpdatedAt", "IsGreaterThanOrEqualTo", "1996-10-05");
    let recent = count(anes, &[completed.clone(), since]);
    assert!(recent > 0 && recent < 944, "{recent}");
    // A question with several variables: any of them may match.
    let everything = count(feedback, &[]);
    let topics = condition("Question", "topics", "AnyIsEqual", "1");
    let one = condition("Question", "topics_1", "AnyIsEqual", "1");
    assert!(count(feedback, &[one]) < count(feedback, &[topics]));
    assert!(count(feedback, &[completed]) < everything);
    let waves: usize = ["1", "2", "3"]
        .iter()
        .map(|wave| count(feedback, &[condition("CustomVariable", "custom.Wave", "IsEqualTo", wave)]))
        .sum();
    assert_eq!(waves, everything);
    let url = condition("UrlVariable", "utm_source", "IsEqualTo", "newsletter");
    assert_eq!(count(feedback, &[url]), everything / 2);
    let german = condition("Panel", "member.Language", "IsEqualTo", "de");
    let german = count(feedback, &[german]);
    assert!(german > 0 && german < everything);
    let unknown =
        json!({ "surveyId": anes, "conditions": [condition("Question", "Nonsense", "IsEmpty", "")] });
    assert_eq!(api.refused("ReadInterviewList", &unknown).0, 400);
}

#[test]
fn short_lists_are_filtered_by_their_own_columns() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let by_name = condition("SQL", "Name", "Contains", "1996");
    let request = json!({ "workspaceId": sandbox.workspace_id(), "conditions": [by_name] });
    let surveys = api.ok("ReadSurveyList", &request)["surveys"].clone();
    assert_eq!((surveys.as_array().unwrap().len(), &surveys[0]["id"]), (1, &json!(sandbox.survey_id())));
    let bad = json!({ "conditions": [condition("SQL", "Nonsense", "IsEmpty", "")] });
    for operation in ["ReadWorkspaceList", "ReadDistributorList"] {
        assert_eq!(
            api.refused(operation, &bad).1,
            "ValidationError",
            "{operation}: also when the list is empty"
        );
    }
}
