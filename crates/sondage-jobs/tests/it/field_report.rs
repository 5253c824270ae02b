//! The groups of a field report.

use crate::support::sandbox::config;
use sondage::blocking::Client;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::FieldReportOptions;
use sondage_sandbox::Sandbox;

#[test]
fn answers_have_their_labels_in_the_order_of_the_questionnaire() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let client = Client::new(config(&sandbox, 400)).unwrap();
    let survey = sandbox.feedback_survey_id();
    let of = |by: &str| client.field_report(FieldReportOptions::new(survey).by(by));
    let report = of("aspects_1").unwrap();
    assert!(report.by_label.as_ref().is_some_and(|label| label.contains(" – ")), "{report:?}");
    let (answers, none): (Vec<_>, Vec<_>) = report.groups.iter().partition(|group| group.value.is_some());
    let codes: Vec<i64> =
        answers.iter().map(|group| group.value.as_ref().unwrap().parse().unwrap()).collect();
    assert!(codes.len() > 2 && codes.is_sorted(), "{codes:?}");
    assert!(answers.iter().all(|group| group.label.is_some() && group.label != group.value));
    assert_eq!((none.len(), report.groups.last().unwrap().value.is_none()), (1, true));
    assert_eq!(report.groups.iter().map(|group| group.cases).sum::<usize>(), report.cases);
    // A page, the check of the end, and the code plan, which a column of the service does without.
    let calls = || sandbox.ledger().requests("ReadInterviewListCompact").len();
    assert_eq!(calls(), 3);
    let languages = of("Language").unwrap();
    assert_eq!(calls(), 5);
    assert!(languages.groups.is_sorted_by(|a, b| a.cases >= b.cases) && languages.by_label.is_none());
}

#[test]
fn what_makes_no_groups_is_refused_with_what_does() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let client = Client::new(config(&sandbox, 400)).unwrap();
    for (by, expected) in [
        ("Id", "tells each interview apart"),
        ("remark", "has no answers to choose from"),
        ("topics", "Name one of them: topics_1, "),
        ("aspects_l", "Did you mean aspects_1"),
        ("id", "tells each interview apart"),
        ("Languag", "Did you mean Language?"),
        ("nothing_like_it", "It can be DistributorId, "),
    ] {
        let options = FieldReportOptions::new(sandbox.feedback_survey_id()).by(by);
        let refused = client.field_report(options).unwrap_err();
        assert_eq!(refused.kind(), sondage::ErrorKind::InvalidArgument, "{by}: {refused}");
        assert!(refused.to_string().contains(expected), "{by}: {refused}");
    }
}
