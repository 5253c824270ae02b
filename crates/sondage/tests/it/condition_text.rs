//! Filters that people write: what is read, what is displayed, and what is refused.

use sondage::condition::{Expression, column, custom, field, question, url};
use sondage::{ErrorKind, Timestamp};

fn members(text: &str) -> Expression {
    Expression::of_members(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    let error = Expression::of_members(text).expect_err(text);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    error.to_string()
}

#[test]
fn what_people_write_is_read() {
    let sales = || field("Division").is_equal_to("Sales");
    for (text, expected) in [
        ("Division=Sales", sales()),
        ("Division == 'Sales'", sales()),
        ("Division<>\"New York\"", field("Division").is_not_equal_to("New York")),
        ("Division!=x", field("Division").is_not_equal_to("x")),
        ("age>=18", field("age").is_greater_than_or_equal_to(18)),
        ("Plz = 08001", field("Plz").is_equal_to("08001")),
        ("share < 0.5", field("share").is_less_than(0.5)),
        ("Year of birth <= 2000", field("Year of birth").is_less_than_or_equal_to(2000)),
        ("'Name (given)' contains ü", field("Name (given)").contains("ü")),
        ("Name DOES NOT CONTAIN 'a b'", field("Name").does_not_contain("a b")),
        ("Name match regex '^a{1,2}$'", field("Name").matches("^a{1,2}$")),
        ("Email is empty", field("Email").is_empty()),
        ("Email is not empty AND Division=Sales", field("Email").is_not_empty() & sales()),
        (
            "Language in [de, 'fr', 1]",
            field("Language").is_in::<sondage::condition::ConditionValue>([
                "de".into(),
                "fr".into(),
                1.into(),
            ]),
        ),
        ("Language not in (de,fr)", field("Language").is_not_in(["de", "fr"])),
        (
            "a=1 or b=2 and c=3",
            Expression::Or(vec![
                field("a").is_equal_to(1),
                field("b").is_equal_to(2) & field("c").is_equal_to(3),
            ]),
        ),
        (
            "(a=1 or b=2) and not c=3",
            (field("a").is_equal_to(1) | field("b").is_equal_to(2)) & !field("c").is_equal_to(3),
        ),
        ("not (a=1)", !field("a").is_equal_to(1)),
        ("not = 1", field("not").is_equal_to(1)),
        ("question(NPS) < 7", question("NPS").is_less_than(7)),
        (
            "custom(Source)=x and url('a b')=y",
            custom("Source").is_equal_to("x") & url("a b").is_equal_to("y"),
        ),
        (
            "Joined >= 2024-05-01",
            field("Joined").is_greater_than_or_equal_to(chrono::NaiveDate::from_ymd_opt(2024, 5, 1).unwrap()),
        ),
        (
            "column(CreatedAt) > 2024-05-01T12:30:00Z",
            column("CreatedAt").is_after("2024-05-01T12:30:00Z".parse::<Timestamp>().unwrap()),
        ),
        ("Active = true", field("Active").is_equal_to(true)),
    ] {
        assert_eq!(members(text), expected, "{text}");
    }
}

#[test]
fn a_value_is_sent_as_it_is_written() {
    for value in [
        "1",
        "01",
        "1.50",
        "1e3",
        "-0",
        "+1",
        "True",
        "NaN",
        "inf",
        "2024-5-1",
        "9223372036854775808",
        "de-CH",
        "a@b.example",
    ] {
        let conditions = members(&format!("X = {value}")).compile().unwrap();
        assert_eq!(conditions[0].value, value);
    }
}

#[test]
fn a_name_of_interviews_is_a_system_column_or_a_question() {
    let filter = Expression::of_interviews("State = Completed and vote = 1 and column(NPS) > 2").unwrap();
    assert_eq!(
        filter,
        column("State").is_equal_to("Completed")
            & question("vote").is_equal_to(1)
            & column("NPS").is_greater_than(2)
    );
}

#[test]
fn what_is_displayed_is_read_again() {
    let time = || "2024-05-01T12:30:00.250Z".parse::<Timestamp>().unwrap();
    let texts = [
        "Sales",
        "New York",
        "it's",
        "a \"quote\"",
        "line\nbreak\t\\",
        "ü😀\u{1b}",
        "and",
        "1",
        "true",
        "[x]",
    ];
    let mut filters = vec![
        column("UpdatedAt").is_since(time()),
        column("UpdatedAt").is_since(time()) & field("a").is_equal_to(1),
        field("a").is_equal_to(1) & (field("b").is_equal_to(2) | field("c").is_equal_to(3)),
        !(field("Name (given)").is_empty() | question("x(1)").any_is_not_empty()),
        field("a").any_is_not_equal([1, 2])
            & field("b").any_matches(["a.", "b"])
            & field("c").any_does_not_match(["x"]),
        field("a").does_not_match("^x") | field("a").any_is_empty(),
    ];
    filters.extend(texts.map(|text| field("Year of birth").is_not_equal_to(text)));
    filters.push(field("x").is_in(texts));
    for filter in filters {
        let text = filter.to_string();
        assert_eq!(members(&text), filter, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_where_it_stands_without_its_values() {
    for (text, expected) in [
        ("", "the name of a field or question is expected at character 1"),
        ("Division", "a comparison (`=`"),
        ("Division =", "a value is expected at character 11"),
        ("Division = Secret Person", "`and`, `or` or the end is expected at character 19"),
        ("Division = 'Secret Person", "the end of this quoted text is expected at character 12"),
        ("(a=1 or b=2", "`)` is expected at character 12"),
        ("a=1)", "`and`, `or` or the end is expected at character 4"),
        ("a in Secret", "a list of values, such as [de, fr], is expected at character 6"),
        ("a in []", "a value is expected at character 7"),
        ("a = 1 and", "the name of a field or question is expected at character 10"),
        ("ü = 1 und b = 2", "expected at character 7"),
        ("question() = 1", "the name of a field or question is expected at character 10"),
        ("a = =", "a value is expected at character 5"),
        ("'\\u{110000}' = 1", "quoted text is expected at character 1"),
    ] {
        let error = refused(text);
        assert!(error.contains(expected), "{text}: {error}");
        assert!(!error.contains("Secret") && !error.contains("Person"), "{error}");
    }
    assert!(refused(&"(".repeat(10_000)).contains("nested deeper than 50"));
    assert!(refused(&"not ".repeat(10_000)).contains("nested deeper"));
}
