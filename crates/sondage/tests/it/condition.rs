//! Filters: what is sent to the service, and what is refused before.

use chrono::{FixedOffset, NaiveDate, TimeZone};
use serde::de::{Deserialize as _, IntoDeserializer as _, value::I128Deserializer};
use sondage::condition::{
    ConditionTime, Expression, Form, MAX_CONDITIONS, Operand, column, custom, field, panel, question, url,
    variable,
};
use sondage::model::{Condition, ConditionOperator, ConditionType, VariableType};
use sondage::{ErrorKind, Timestamp};

/// `And Division IsEqualTo Sales`, one line per condition.
fn flat(expression: &Expression) -> Vec<String> {
    let line = |c: Condition| {
        format!("{} {} {} {}", c.conjunction, c.identifier, c.condition_operator, c.value)
            .trim_end()
            .to_owned()
    };
    expression.compile().expect("a filter that can be sent").into_iter().map(line).collect()
}

fn refused(expression: &Expression) -> String {
    let error = expression.compile().expect_err("a filter that must be refused");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    error.to_string()
}

fn test(name: &str) -> Expression {
    field(name).is_equal_to(1)
}

#[test]
fn every_operator_has_a_method() {
    let x = || field("X");
    let all = [
        (x().is_less_than(1), "IsLessThan", "1"),
        (x().is_less_than_or_equal_to(1), "IsLessThanOrEqualTo", "1"),
        (x().is_greater_than(1), "IsGreaterThan", "1"),
        (x().is_greater_than_or_equal_to(1), "IsGreaterThanOrEqualTo", "1"),
        (x().is_equal_to("a,b"), "IsEqualTo", "a,b"),
        (x().is_not_equal_to("a"), "IsNotEqualTo", "a"),
        (x().is_empty(), "IsEmpty", ""),
        (x().is_not_empty(), "IsNotEmpty", ""),
        (x().contains("ü😀"), "Contains", "ü😀"),
        (x().does_not_contain("a"), "DoesNotContain", "a"),
        (x().matches("^a{1,2}$"), "MatchRegex", "^a{1,2}$"),
        (x().does_not_match("a"), "DoesNotMatchRegex", "a"),
        (x().any_is_equal(["a", "b"]), "AnyIsEqual", "a,b"),
        (x().any_is_not_equal([1, 2]), "AnyIsNotEqual", "1,2"),
        (x().any_is_empty(), "AnyIsEmpty", ""),
        (x().any_is_not_empty(), "AnyIsNotEmpty", ""),
        (x().any_matches(["a.", "b"]), "AnyMatchRegex", "a.,b"),
        (x().any_does_not_match(["a"]), "AnyDoesNotMatchRegex", "a"),
    ];
    let mut known: Vec<&str> = ConditionOperator::KNOWN.to_vec();
    for (expression, operator, value) in all {
        let conditions = expression.compile().unwrap();
        assert_eq!(
            (conditions[0].condition_operator.as_str(), conditions[0].value.as_str()),
            (operator, value)
        );
        known.retain(|name| *name != operator);
    }
    assert!(known.is_empty(), "no method makes {known:?}");
}

#[test]
fn values_are_written_as_the_service_reads_them() {
    let zurich = FixedOffset::east_opt(2 * 3600).unwrap().with_ymd_and_hms(2024, 5, 1, 14, 30, 0).unwrap();
    let values = [
        (field("X").is_equal_to(9_007_199_254_740_993_i64), "9007199254740993"),
        (field("X").is_equal_to(1.5), "1.5"),
        (field("X").is_equal_to(2.0), "2"),
        (field("X").is_equal_to(true), "true"),
        (field("X").is_equal_to(NaiveDate::from_ymd_opt(2024, 5, 1).unwrap()), "2024-05-01"),
        (column("UpdatedAt").is_since(zurich), "2024-05-01 12:30:00.000"),
        (
            column("UpdatedAt").is_after("2024-05-01T12:30:00.9876Z".parse::<Timestamp>().unwrap()),
            "2024-05-01 12:30:00.987",
        ),
    ];
    for (expression, value) in values {
        assert_eq!(expression.compile().unwrap()[0].value, value);
    }
    assert_eq!(ConditionTime::from(zurich).to_string(), "2024-05-01 12:30:00.000");
}

#[test]
fn types_and_identifiers_are_those_of_the_sources() {
    let sent = |expression: Expression| {
        let condition = expression.compile().unwrap().remove(0);
        (condition.condition_type, condition.identifier)
    };
    let of = |kind: ConditionType, name: &str| (kind, name.to_owned());
    assert_eq!(sent(test("Division")), of(ConditionType::Panel, "Division"));
    assert_eq!(sent(panel("Division").prefixed().is_empty()), of(ConditionType::Panel, "member.Division"));
    assert_eq!(
        sent(panel("member.Division").prefixed().is_empty()),
        of(ConditionType::Panel, "member.Division")
    );
    assert_eq!(sent(custom("Source").is_empty()), of(ConditionType::CustomVariable, "custom.Source"));
    assert_eq!(sent(custom("custom.Source").is_empty()), of(ConditionType::CustomVariable, "custom.Source"));
    assert_eq!(sent(custom("Source").bare().is_empty()), of(ConditionType::CustomVariable, "Source"));
    assert_eq!(sent(question("Q1").prefixed().is_empty()), of(ConditionType::Question, "Q1"));
    assert_eq!(sent(url("ref").is_empty()), of(ConditionType::UrlVariable, "ref"));
    assert_eq!(sent(column("State").is_empty()), of(ConditionType::SQL, "State"));
    assert_eq!(sent(variable(ConditionType::Device, "D").is_empty()), of(ConditionType::Device, "D"));
    assert_eq!(sent((!test("A")).written(Form::Prefixed)), of(ConditionType::Panel, "member.A"));
    let json =
        variable(ConditionType::RemoteString, "R").of_type(VariableType::Json).at_json_path("a.b").is_empty();
    let json = json.compile().unwrap().remove(0);
    assert_eq!(
        (json.variable_type, json.json_value, json.json_path.as_deref()),
        (Some(VariableType::Json), Some(true), Some("a.b"))
    );
}

#[test]
fn brackets_are_multiplied_out() {
    let (a, b, c, d) = (test("A"), test("B"), test("C"), test("D"));
    let names = |expression: &Expression| {
        let words = |line: String| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        flat(expression).into_iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(names(&(a.clone() & b.clone())), ["And A", "And B"]);
    assert_eq!(names(&(a.clone() | b.clone() & c.clone())), ["And A", "Or B", "And C"]);
    assert_eq!(
        names(&((a.clone() | b.clone()) & (c.clone() | d.clone()))),
        ["And A", "And C", "Or A", "And D", "Or B", "And C", "Or B", "And D"]
    );
    // Duplicate conditions are sent once.
    assert_eq!(names(&(a.clone() & a.clone())), ["And A"]);
    assert_eq!(names(&(a.clone() | a)), ["And A"]);
}

/// Every filter of four tests has the same meaning before and after compilation, for every combination of outcomes.
#[test]
fn the_flat_list_means_the_same() {
    const NAMES: [&str; 4] = ["A", "B", "C", "D"];
    let mut expressions: Vec<Expression> = NAMES.map(test).to_vec();
    for round in 0..3 {
        let mut more = Vec::new();
        for (i, left) in expressions.iter().enumerate() {
            let right = &expressions[(i * 7 + round + 1) % expressions.len()];
            more.extend([left.clone() & right.clone(), left.clone() | right.clone(), !left.clone()]);
        }
        expressions.extend(more);
    }
    assert!(expressions.len() > 200);
    for expression in &expressions {
        let conditions = expression.compile().unwrap();
        for outcome in 0..16_u32 {
            let holds = |name: &str| outcome >> NAMES.iter().position(|n| *n == name).unwrap() & 1 == 1;
            assert_eq!(flat_truth(&conditions, &holds), truth(expression, &holds), "{conditions:?}");
        }
    }
}

fn truth(expression: &Expression, holds: &dyn Fn(&str) -> bool) -> bool {
    match expression {
        Expression::Test(test) => holds(&test.identifier),
        Expression::And(of) => of.iter().all(|inner| truth(inner, holds)),
        Expression::Or(of) => of.iter().any(|inner| truth(inner, holds)),
        Expression::Not(inner) => !truth(inner, holds),
    }
}

/// The service's reading of a list: And binds closer than Or.
fn flat_truth(conditions: &[Condition], holds: &dyn Fn(&str) -> bool) -> bool {
    let mut alternatives = vec![true];
    for condition in conditions {
        if condition.conjunction.as_str() == "Or" {
            alternatives.push(true);
        }
        let passes =
            holds(&condition.identifier) == (condition.condition_operator == ConditionOperator::IsEqualTo);
        *alternatives.last_mut().unwrap() &= passes;
    }
    alternatives.contains(&true)
}

#[test]
fn opposites_exist_where_the_service_has_them() {
    let x = || field("X");
    assert_eq!(flat(&!x().is_less_than(1)), ["And X IsGreaterThanOrEqualTo 1"]);
    assert_eq!(flat(&!(x().is_empty() & x().contains("a"))), ["And X IsNotEmpty", "Or X DoesNotContain a"]);
    assert_eq!(flat(&!!x().is_empty()), ["And X IsEmpty"]);
    assert_eq!(flat(&x().is_not_in(["a,b", "c"])), ["And X IsNotEqualTo a,b", "And X IsNotEqualTo c"]);
    let text = refused(&!x().is_in(["a"]));
    assert!(
        text.contains("no operator for the negation of `AnyIsEqual`") && text.contains("is_not_in"),
        "{text}"
    );
}

#[test]
fn a_comma_in_a_list_is_refused_with_the_way_out() {
    let text = refused(&field("City").is_in(["Bern", "Paris, Texas"]));
    assert!(text.contains("`City`") && text.contains("comma") && text.contains("`is_equal_to`"), "{text}");
    assert!(!text.contains("Texas"), "a value may be personal data: {text}");
    assert_eq!(
        flat(&(field("City").is_equal_to("Bern") | field("City").is_equal_to("Paris, Texas"))),
        ["And City IsEqualTo Bern", "Or City IsEqualTo Paris, Texas"]
    );
    refused(&field("X").any_matches(["a{1,2}"]));
}

#[test]
fn what_could_select_the_wrong_people_is_refused() {
    assert!(refused(&field("X").is_equal_to("")).contains("is_empty"));
    assert!(refused(&field("X").is_in(Vec::<String>::new())).contains("empty"));
    assert!(refused(&Expression::all([])).contains("no test"));
    assert!(refused(&Expression::any([])).contains("no test"));
    assert!(refused(&field("X").is_equal_to(f64::NAN)).contains("NaN"));
    for year in [-1, 0, 10_000] {
        let day = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
        let time = day.and_hms_opt(12, 0, 0).unwrap().and_utc();
        assert!(refused(&field("X").is_equal_to(day)).contains("four digits"), "{year}");
        assert!(refused(&column("X").is_after(time)).contains("four digits"), "{year}");
    }
    assert!(refused(&field("").is_empty()).contains("identifier"));
    assert!(refused(&field("a;b").is_empty()).contains("';'"));
    let nested = |levels: i32| (0..levels).fold(test("A"), |inner, _| !inner);
    assert!(refused(&nested(200)).contains("nested") && refused(&nested(101)).contains("100 levels"));
    assert_eq!(nested(100).compile().unwrap().len(), 1, "the limit itself is allowed");
    let groups = [|inner| Expression::all([inner]), |inner| Expression::any([inner])];
    let grouped = |levels: usize| (0..levels).fold(test("A"), |inner, level| groups[level % 2](inner));
    assert!(refused(&grouped(101)).contains("100 levels"), "each kind of group is a level");
    assert_eq!(grouped(100).compile().unwrap().len(), 1);
}

#[test]
fn a_filter_that_explodes_is_refused_at_once() {
    let pair = |i: i32| field(format!("A{i}")).is_equal_to(i) | field(format!("B{i}")).is_equal_to(i);
    let text = refused(&Expression::all((0..40).map(pair)));
    assert!(text.contains(&MAX_CONDITIONS.to_string()), "{text}");
    let long = Expression::any((0..500).map(|i| field("Id").is_equal_to(i)));
    assert_eq!(long.compile().unwrap().len(), MAX_CONDITIONS);
    assert!(refused(&(long | field("Id").is_empty())).contains("500"));
}

#[test]
fn an_expression_travels_as_data() {
    let expression: Expression = serde_json::from_str(
        r#"{"and": [
            {"type": "Panel", "identifier": "Division", "operator": "IsEqualTo", "value": "Sales"},
            {"or": [
                {"type": "CustomVariable", "identifier": "Source", "operator": "AnyIsEqual", "value": ["a", 1, true]},
                {"not": {"type": "SQL", "identifier": "UpdatedAt", "operator": "IsLessThan", "value": {"time": "2024-05-01T14:30:00+02:00"}}}
            ]},
            {"type": "Panel", "identifier": "Born", "operator": "IsLessThan", "value": {"date": "2000-01-31"}, "form": "prefixed"},
            {"type": "Panel", "identifier": "Email", "operator": "IsNotEmpty"}
        ]}"#,
    )
    .unwrap();
    assert_eq!(
        flat(&expression),
        [
            "And Division IsEqualTo Sales",
            "And custom.Source AnyIsEqual a,1,true",
            "And member.Born IsLessThan 2000-01-31",
            "And Email IsNotEmpty",
            "Or Division IsEqualTo Sales",
            "And UpdatedAt IsGreaterThanOrEqualTo 2024-05-01 12:30:00.000",
            "And member.Born IsLessThan 2000-01-31",
            "And Email IsNotEmpty",
        ]
    );
    let again: Expression = serde_json::from_str(&serde_json::to_string(&expression).unwrap()).unwrap();
    assert_eq!(again, expression);
}

#[test]
fn data_that_is_no_expression_says_why() {
    let why = |text: &str| serde_json::from_str::<Expression>(text).unwrap_err().to_string();
    assert!(why(r#"{"type": "Panel", "operator": "IsEmpty"}"#).contains("identifier"));
    assert!(why(r#"{"and": [], "or": []}"#).contains("one of"));
    assert!(
        why(r#"{"identifier": "X", "operator": "IsEmpty", "typ": "Panel"}"#).contains("unknown field `typ`")
    );
    let day =
        r#"{"type": "Panel", "identifier": "X", "operator": "IsEqualTo", "value": {"date": "1.5.2024"}}"#;
    assert!(why(day).contains("not a day"));
    assert!(why("{}").contains("one of"));
    // Languages have integers that no JSON parser produces.
    let number: I128Deserializer<serde_json::Error> = (1_i128 << 70).into_deserializer();
    let text = Operand::deserialize(number).unwrap_err().to_string();
    assert!(
        text.contains(r#"expected text, a number, a boolean, {"date": ..}, {"time": ..} or a list"#),
        "{text}"
    );
}

/// An operator or a type that the service adds later passes through.
#[test]
fn unknown_words_pass_through() {
    let text = r#"{"type": "Moon", "identifier": "X", "operator": "IsNear", "value": "a,b"}"#;
    let conditions = serde_json::from_str::<Expression>(text).unwrap().compile().unwrap();
    assert_eq!(conditions[0].condition_type, ConditionType::Unknown("Moon".into()));
    assert_eq!((conditions[0].condition_operator.as_str(), conditions[0].value.as_str()), ("IsNear", "a,b"));
}

/// The characters that the builder accepts are those of the published pattern.
#[test]
fn identifiers_follow_the_published_pattern() {
    let pattern = <Condition as sondage::internals::schema::Model>::SCHEMA
        .fields
        .iter()
        .find_map(|field| (field.wire == "identifier").then_some(field.pattern))
        .flatten()
        .unwrap();
    let pattern = regex::Regex::new(pattern).unwrap();
    for c in ('\u{0}'..='\u{2FFF}').filter(|c| !c.is_whitespace()) {
        let name = format!("a{c}");
        assert_eq!(field(&name).is_empty().compile().is_ok(), pattern.is_match(&name), "{c:?}");
    }
}
