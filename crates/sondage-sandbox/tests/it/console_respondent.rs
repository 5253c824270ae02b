//! The page of a respondent: where it goes on, what it accepts, and how it is written from right to left.

use crate::console::{open, submit_to};
use crate::editor::{Export, question, questionnaire};
use crate::http::{Api, send};
use serde_json::json;
use sondage_sandbox::{Content, Sandbox};

/// The address of the public link of a survey.
pub fn public_link(sandbox: &Sandbox, survey: i64) -> String {
    let links = Api::new(sandbox).ok("ReadSurveyLinks", &json!({ "surveyId": survey })).to_string();
    let path = links.split("/survey/").nth(1).and_then(|rest| rest.split(['"', '?']).next()).unwrap();
    format!("{}/survey/{path}", sandbox.base_url())
}

pub fn read(url: &str) -> String {
    let page = send("GET", url, &[("accept", "text/html")], b"").unwrap();
    assert_eq!(page.status, 200, "{}", page.text());
    page.text()
}

#[test]
fn an_interview_goes_on_at_the_page_where_it_stopped() {
    let sandbox = Sandbox::builder().generated_survey(1, 40).start_blocking().unwrap();
    let public = public_link(&sandbox, sandbox.generated_survey_id().unwrap());
    assert!(read(&public).contains("Page 1 of 4"));
    let next = |url: &str, wish: &str| {
        let answer = submit_to(&sandbox, url, &[("do", wish)]);
        format!("{}{}", sandbox.base_url(), answer.header("location").unwrap())
    };
    let second = next(&public, "next");
    let third = next(&second, "next");
    let link = third.split('?').next().unwrap();
    assert!(read(link).contains("Page 3 of 4"), "no answer was needed, so none says where it was");
    assert!(read(&format!("{link}?page=1")).contains("Page 1 of 4"), "a page that is named is shown");
    let back = next(&next(&third, "back"), "back");
    assert!(read(&back).contains("Page 1 of 4"), "{back}");
    assert!(read(link).contains("Page 1 of 4"));
}

#[test]
fn a_number_out_of_range_and_a_foreign_code_are_refused_in_words() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let public = public_link(&sandbox, sandbox.survey_id());
    let form = read(&public);
    assert!(form.contains("min=\"18\" max=\"120\""), "{form}");
    let refused = submit_to(&sandbox, &public, &[("age", "-5"), ("vote", "7"), ("do", "send")]);
    let text = refused.text();
    assert!(
        refused.status == 400 && text.contains("Age in years: a number from 18 to 120 is needed"),
        "{text}"
    );
    assert!(text.contains("Expected vote: choose one of the answers") && !text.contains("codes"), "{text}");
}

#[test]
fn an_answer_that_is_refused_is_not_missing_too() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let public = public_link(&sandbox, sandbox.survey_id());
    let missing = submit_to(&sandbox, &public, &[("do", "next")]).text();
    assert!(missing.contains("months?: an answer is required"), "{missing}");
    let refused = submit_to(&sandbox, &public, &[("visited", "99"), ("do", "next")]).text();
    assert!(refused.contains("choose one of the answers"), "{refused}");
    assert!(!refused.contains("months?: an answer is required"), "{refused}");
}

#[test]
fn a_survey_in_arabic_is_written_from_right_to_left() {
    let mut survey = questionnaire(&[question(1, "a")]);
    (survey["defaultLanguage"], survey["languages"]) = (json!("ar"), json!(["ar", "en"]));
    let sandbox = Export::new("arabic", &survey.to_string()).start().unwrap();
    let public = public_link(&sandbox, sandbox.survey_ids()[0]);
    let page = read(&public);
    assert!(
        page.contains("<main id=\"main\" tabindex=\"-1\" dir=\"rtl\">") && page.contains("lang=\"ar\""),
        "{page}"
    );
    let english = read(&format!("{public}?language=en"));
    assert!(english.contains("tabindex=\"-1\" dir=\"ltr\">"), "{english}");
    // A change of the language keeps the page.
    assert!(page.contains("href=\"?language=en&amp;page=1\""), "{page}");
    // Nothing of the console itself turns around.
    assert!(!open(&sandbox, "").text().contains("rtl"));
}
