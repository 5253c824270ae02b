//! Questionnaires built with the helpers are the same in every language: `tests/questionnaire.json`.

use serde_json::Value;
use sondage::condition::question;
use sondage::questionnaire::{self as ask, Questionnaire};

#[test]
fn it_is_the_same_as_in_the_other_languages() {
    let yes_no = || {
        [ask::choice("1", [("en", "Yes"), ("de", "Ja")]), ask::choice("2", [("en", "No"), ("de", "Nein")])]
    };
    let mut other = ask::choice("9", [("en", "Other"), ("de", "Anderes")]);
    other.allow_text_entry = true;
    let why = ask::open_question("why", [("en", "Why?"), ("de", "Warum?")]).force_response(true);
    let back = [("en", "Will you come back?"), ("de", "Kommen Sie wieder?")];
    let countries = [ask::choice("ch", [("en", "Switzerland")]), ask::choice("at", [("en", "Austria")])];
    let owls = ask::choice("1", [("en", "Owls")]);
    let visit = [
        ask::single_choice("back", back, yes_no()),
        ask::show_when(why, &question("back").is_equal_to("2")).expect("a condition"),
        ask::page_break(),
        ask::multiple_choice("seen", [("en", "What did you see?")], [owls, other]),
        ask::dropdown("from", [("en", "Where are you from?")], countries),
    ];
    let staff = [ask::choice("a", [("en", "was kind")]), ask::choice("b", [("en", "was quick")])];
    let rating = [
        ask::date("day", [("en", "When?")]),
        ask::nps("nps", [("en", "Would you recommend us?")]),
        ask::slider("warmth", [("en", "How warm was it?")], -10, 40),
        ask::matrix("staff", [("en", "Our staff")], staff, yes_no()),
        ask::text_block([("en", "That is all.")]),
    ];
    let made = Questionnaire::new(["en", "de"])
        .section("Visit", visit)
        .section("Rating", rating)
        .end([("en", "Thank you!"), ("de", "Danke!")])
        .definition();
    let expected: Value =
        serde_json::from_str(include_str!("../../../../tests/questionnaire.json")).expect("JSON");
    assert_eq!(serde_json::to_value(made).expect("JSON"), expected);
}
