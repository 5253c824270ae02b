//! Incremental loads, over HTTP from the sandbox.

use crate::support::service::{client, wait};
use crate::support::{names, texts, values};
use serde_json::{Value, json};
use sondage::ErrorKind;
use sondage::condition::field;
use sondage_data::{Delta, DeltaLoad, FileFormat, Interviews, Labels, Tables};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const OPERATION: &str = "ReadInterviewListCompact";

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

/// A state file that does not exist yet.
fn state(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.state"));
    let _ = fs::remove_file(&path);
    path
}

fn feedback(sandbox: &Sandbox) -> Interviews {
    client(sandbox, 20).interviews(sandbox.feedback_survey_id()).fields(["State"])
}

fn begin(delta: &Delta) -> DeltaLoad {
    let delta = delta.clone();
    wait(async move { delta.begin().await }).expect("a load")
}

/// The removed interviews, and whether each still exists.
fn removed(changes: &DeltaLoad) -> Vec<(&str, bool)> {
    changes.removed.iter().map(|removed| (&*removed.id, removed.reset)).collect()
}

/// The ids of interviews that nobody has answered yet.
fn unanswered(sandbox: &Sandbox) -> Vec<String> {
    let query = client(sandbox, 100)
        .interviews(sandbox.feedback_survey_id())
        .fields(["Id"])
        .state(sondage::arguments::InterviewState::NotResponded);
    values(&wait(async move { query.table().await }).expect("a table"), "Id")
}

#[test]
fn each_change_comes_once_and_counts_when_it_was_taken() {
    let sandbox = sandbox();
    let delta = feedback(&sandbox).delta(state("once"));
    let first = begin(&delta);
    let all = first.table.num_rows();
    assert!(all > 20, "{all} interviews, in several pages");
    assert_eq!(names(&first.table), ["State"], "columns for internal use are not in the table");
    drop(first);

    let again = begin(&delta);
    assert_eq!(again.table.num_rows(), all, "changes that were not committed are returned again");
    assert!(again.watermark().is_some());
    again.commit().expect("a state file");
    assert_eq!(begin(&delta).table.num_rows(), 0);

    sandbox.clock().advance(Duration::from_secs(60));
    let changed = unanswered(&sandbox);
    assert!(sandbox.complete_interview(&changed[0], &[]));
    let next = begin(&delta);
    assert_eq!(values(&next.table, "State"), ["Completed"]);
    next.commit().expect("a state file");
    assert_eq!(begin(&delta).table.num_rows(), 0, "also within the overlap");

    sandbox.clock().advance(Duration::from_secs(30));
    assert!(sandbox.complete_interview(&changed[1], &[]));
    let (taken, failed) = (delta.clone(), delta.clone());
    let error = wait(async move {
        failed.load(async |_| Err::<(), _>(sondage::Error::invalid_argument("the warehouse is closed"))).await
    });
    assert!(error.is_err());
    let rows =
        wait(async move { taken.load(async |new| Ok::<_, sondage::Error>(new.table.num_rows())).await });
    assert_eq!(rows.expect("taken"), 1, "what failed comes again");
    assert_eq!(begin(&delta).table.num_rows(), 0);
}

#[test]
fn the_watermark_is_the_services_time_and_the_overlap_reaches_back() {
    let sandbox = sandbox();
    sandbox.change_profile(|profile| profile.keep_bodies = true);
    let delta = feedback(&sandbox).delta(state("watermark"));
    begin(&delta).commit().expect("a state file");
    sandbox.ledger().clear();
    let none = begin(&delta);
    let asked = sandbox.ledger().requests(OPERATION);
    let body: Value = serde_json::from_str(asked[0].body.as_deref().expect("a body")).expect("JSON");
    let sent = &body["conditions"][0];
    assert_eq!(
        (sent["identifier"].as_str(), sent["conditionOperator"].as_str()),
        (Some("UpdatedAt"), Some("IsGreaterThanOrEqualTo"))
    );
    let mark = none.watermark().expect("a watermark").0;
    let expected = (mark - chrono::TimeDelta::minutes(5)).format("%Y-%m-%d %H:%M:%S%.3f").to_string();
    assert_eq!(sent["value"].as_str(), Some(expected.as_str()));
    // Finds a change that was written late, with a time before the watermark.
    let row = json!({"Id": "late-1", "State": "Completed", "UpdatedAt": (mark - chrono::TimeDelta::minutes(2)).to_rfc3339()});
    let body = json!({"interviews": [row], "totalCount": 1, "isSuccess": true}).to_string();
    let fault = sandbox.fault(Fault::on(OPERATION).every().action(FaultAction::Body { text: body }));
    drop(none);
    let late = begin(&delta);
    assert_eq!(late.table.num_rows(), 1);
    late.commit().expect("a state file");
    assert_eq!(begin(&delta).table.num_rows(), 0);
    fault.remove();
}

#[test]
fn what_went_away_is_found_on_request() {
    let sandbox = sandbox();
    let open = client(&sandbox, 20)
        .interviews(sandbox.feedback_survey_id())
        .fields(["Id"])
        .state(sondage::arguments::InterviewState::NotResponded);
    let delta = open.delta(state("removed")).find_removed(true);
    let first = begin(&delta);
    assert!(first.removed.is_empty());
    first.commit().expect("a state file");
    let nothing = begin(&delta);
    assert_eq!((nothing.table.num_rows(), &*nothing.removed), (0, &[][..]));
    drop(nothing);

    // The interview no longer matches the filter, as after a reset.
    let ids = unanswered(&sandbox);
    assert!(sandbox.complete_interview(&ids[0], &[]));
    let changes = begin(&delta);
    assert_eq!(removed(&changes), [(&*ids[0], true)]);
    changes.commit().expect("a state file");
    assert!(begin(&delta).removed.is_empty(), "it is said once");

    // One interview no longer exists: the service does not list its id, with or without the filter. The call before
    // that finds that nothing has changed.
    let left: Vec<_> = ids[2..].iter().map(|id| json!({"Id": id})).collect();
    let body = json!({"interviews": left, "totalCount": left.len(), "isSuccess": true}).to_string();
    let fault = sandbox.fault(Fault::on(OPERATION).skip(1).every().action(FaultAction::Body { text: body }));
    let changes = begin(&delta);
    fault.remove();
    assert_eq!(removed(&changes), [(&*ids[1], false)]);
}

#[test]
fn a_state_file_belongs_to_one_query_and_one_load() {
    let sandbox = sandbox();
    let path = state("belongs");
    let delta = feedback(&sandbox).delta(&path);
    let open = begin(&delta);
    let second = delta.clone();
    let error = wait(async move { second.begin().await }).expect_err("it is in use");
    assert!(error.to_string().contains("another load"), "{error}");
    open.commit().expect("a state file");
    let other = feedback(&sandbox).completed().delta(&path);
    let error = wait(async move { other.begin().await }).expect_err("another query");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("another query"), "{error}");
    fs::write(&path, "{").expect("written");
    let error = wait(async move { delta.begin().await }).expect_err("garbage");
    assert!(error.to_string().contains("not a state file"), "{error}");
}

#[test]
fn a_table_in_memory_goes_to_a_file() {
    let sandbox = sandbox();
    let query = client(&sandbox, 500).interviews(sandbox.survey_id()).fields(["vote"]);
    let table = wait(async move { query.table().await }).expect("a table");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved.csv");
    let size = table.with_labels(Labels::Both).save(&path, FileFormat::Csv).expect("a file").size;
    let text = fs::read_to_string(&path).expect("there");
    assert_eq!((text.len() as u64, text.lines().count()), (size, 945));
    assert!(text.starts_with("vote,vote_label\n"));
    assert_eq!(texts(&table, "vote").len(), 944);
    let error = table.save("/nowhere/at/all.csv", FileFormat::Csv).expect_err("no folder");
    assert!(error.to_string().contains("no folder"), "{error}");
}

#[test]
fn an_estimate_costs_one_call() {
    let sandbox = sandbox();
    let query = client(&sandbox, 100).interviews(sandbox.survey_id()).fields(["vote", "age"]);
    sandbox.ledger().clear();
    let (estimated, whole) = (query.clone(), query.clone());
    let estimate = wait(async move { estimated.estimate().await }).expect("an estimate");
    assert_eq!(sandbox.ledger().requests(OPERATION).len(), 1);
    assert_eq!((estimate.rows, estimate.calls), (Some(944), Some(10)));
    let took = wait(async move {
        let mut reading = whole.without_code_plan().read()?;
        while reading.step().await? {}
        Ok(reading.progress())
    });
    let (took, guess) = (took.expect("read").bytes, estimate.bytes.expect("a guess").unsigned_abs());
    assert!(guess.abs_diff(took) < took / 5, "{guess} bytes were expected, {took} came");
}

/// An estimate includes all calls that a client then makes, including those beyond the ends of the list. An early version
/// said 1 for a survey of one page, which takes 2 or 3.
#[test]
fn an_estimate_is_what_a_download_costs() {
    for page_size in [50, 200, 944, 1000] {
        let sandbox = sandbox();
        let query = client(&sandbox, page_size).interviews(sandbox.survey_id()).fields(["vote"]);
        // The first list of a client may request the page before its first, later ones do not.
        for _ in 0..2 {
            let (estimated, whole) = (query.clone(), query.clone().without_code_plan());
            let estimate = wait(async move { estimated.estimate().await }).expect("an estimate");
            sandbox.ledger().clear();
            assert_eq!(wait(async move { whole.table().await }).expect("a table").num_rows(), 944);
            let calls = i64::try_from(sandbox.ledger().requests(OPERATION).len()).ok();
            assert_eq!(estimate.calls, calls, "pages of {page_size}");
        }
    }
}

/// The same for members: the calls for the pages, and the one for the definition that labels need, as does a table without
/// members.
#[test]
fn an_estimate_of_members_is_what_their_table_costs() {
    for page_size in [50, 150, 200, 500] {
        let sandbox = sandbox();
        let client = client(&sandbox, 1000);
        let members = client.members(sandbox.panel_id()).page_size(page_size);
        let nobody = members.clone().filter(field("Email").is_equal_to("nobody@example.invalid"));
        for (query, rows) in [
            (client.member_table(members.clone()), 200),
            (client.member_table(members).with_definition(None), 200),
            (client.member_table(nobody.clone()), 0),
            (client.member_table(nobody).with_definition(None), 0),
        ] {
            let (estimated, whole) = (query.clone(), query);
            let estimate = wait(async move { estimated.estimate().await }).expect("an estimate");
            sandbox.ledger().clear();
            assert_eq!(wait(async move { whole.table().await }).expect("a table").num_rows(), rows);
            let calls = sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count();
            assert_eq!(estimate.calls, i64::try_from(calls).ok(), "pages of {page_size}");
            assert!(estimate.minutes.is_some_and(|minutes| minutes > 0.0 && minutes < 10.0));
        }
    }
}

/// A state without recorded ids cannot show which interviews were removed. An early version did not warn about this.
#[test]
fn a_state_that_did_not_note_who_was_there_says_so_and_begins_to() {
    let sandbox = sandbox();
    let path = state("no-census");
    let query = feedback(&sandbox);
    begin(&query.delta(&path)).commit().expect("a state file");
    let gone = unanswered(&sandbox);
    let removing = query.delta(&path).find_removed(true);
    let second = begin(&removing);
    let warnings: Vec<_> = second.table.warnings().map(ToString::to_string).collect();
    assert!(second.removed.is_empty());
    assert!(
        warnings.len() == 1 && warnings[0].contains("interviews that were removed before it are not found"),
        "{warnings:?}"
    );
    second.commit().expect("a state file");

    // From now on the ids are recorded.
    let service = client(&sandbox, 20);
    let (survey, id) = (sandbox.feedback_survey_id(), gone[0].clone());
    wait(async move {
        service.delete_interview(sondage::model::DeleteInterviewRequest::new(survey, id)).await
    })
    .expect("deleted");
    let third = begin(&removing);
    assert_eq!(removed(&third), [(&*gone[0], false)]);
    assert!(third.table.warnings().next().is_none());
}

fn warnings(changes: &DeltaLoad) -> Vec<String> {
    changes.table.warnings().map(ToString::to_string).collect()
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A survey with two interviews that nobody has answered, and one with this time of change.
fn survey_with(name: &str, updated_at: &str) -> Sandbox {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (data, plan) = (folder.join(format!("{name}.csv")), folder.join("ahead.json"));
    let row = |number, state, time: &str| format!("{},{state},{time},1\n", id(number));
    let rows = [
        row(1, "Completed", updated_at),
        row(2, "InProgress", "2024-05-01T12:00:00Z"),
        row(3, "InProgress", "2024-05-01T12:00:00Z"),
    ];
    fs::write(&data, format!("Id,State,UpdatedAt,Q1\n{}", rows.concat())).expect("written");
    let code_plan = json!({"codePlan": [{"code": "Q1", "dataType": "Number", "type": "SingleChoice"}]});
    fs::write(&plan, code_plan.to_string()).expect("written");
    Sandbox::builder().data(data).code_plan(plan).start_blocking().expect("a sandbox")
}

/// Whatever one interview's time of change is, later changes are found, and each is returned once.
#[test]
fn a_time_of_change_ahead_of_the_clock_hides_no_later_change() {
    let now = chrono::Utc::now();
    let ahead = |minutes| (now + chrono::TimeDelta::minutes(minutes)).to_rfc3339();
    for (at, removed) in [
        (ahead(10), false),
        (ahead(120), true),
        ("2099-01-01T00:00:00Z".to_owned(), true),
        ("9999-12-31T23:59:59.9999999Z".to_owned(), false),
    ] {
        let sandbox = survey_with("ahead", &at);
        let survey = sandbox.data_survey_id().expect("a survey");
        let query = client(&sandbox, 20).interviews(survey).fields(["Id"]);
        let delta = query.delta(state("ahead")).find_removed(removed);
        let first = begin(&delta);
        assert_eq!(first.table.num_rows(), 3, "{at}");
        let said = warnings(&first);
        assert!(said.len() == 1 && said[0].starts_with("1 interview has an `UpdatedAt` that"), "{said:?}");
        assert!(first.watermark().is_some_and(|mark| mark.0 <= chrono::Utc::now()), "{at}");
        first.commit().expect("a state file");
        for number in [2, 3] {
            assert!(sandbox.complete_interview(&id(number), &[]));
            let next = begin(&delta);
            assert_eq!(values(&next.table, "Id"), [id(number)], "{at}");
            assert!(warnings(&next).is_empty() && next.removed.is_empty(), "{at}");
            next.commit().expect("a state file");
        }
        assert_eq!(begin(&delta).table.num_rows(), 0, "{at}");
        if removed {
            let service = client(&sandbox, 20);
            let gone = sondage::model::DeleteInterviewRequest::new(survey, id(1));
            wait(async move { service.delete_interview(gone).await }).expect("deleted");
            assert_eq!(begin(&delta).removed.len(), 1, "{at}");
        }
    }
}

/// What is ahead becomes an ordinary change when its time comes, and is not returned again.
#[test]
fn a_change_ahead_of_the_clock_comes_once_also_when_its_time_has_come() {
    let sandbox = survey_with("soon", &(chrono::Utc::now() + chrono::TimeDelta::minutes(10)).to_rfc3339());
    let query = client(&sandbox, 20).interviews(sandbox.data_survey_id().expect("a survey")).fields(["Id"]);
    let delta = query.delta(state("soon"));
    begin(&delta).commit().expect("a state file");
    for minutes in [9, 2, 60] {
        sandbox.clock().advance(Duration::from_secs(minutes * 60));
        let next = begin(&delta);
        assert_eq!((next.table.num_rows(), warnings(&next)), (0, Vec::new()));
        next.commit().expect("a state file");
    }
    assert!(sandbox.complete_interview(&id(1), &[]));
    assert_eq!(values(&begin(&delta).table, "Id"), [id(1)], "a change that follows it");
}

/// Version 1 wrote the newest time of change as the watermark, whatever it was.
#[test]
fn a_state_file_whose_watermark_is_ahead_of_the_clock_heals() {
    for (minutes, removed) in [(-60, false), (10, false), (60 * 24 * 365 * 70, true)] {
        let now = chrono::DateTime::from_timestamp(chrono::Utc::now().timestamp(), 0).expect("a time");
        let at = now + chrono::TimeDelta::minutes(minutes);
        let sandbox = survey_with("heals", &at.to_rfc3339());
        let path = state("heals");
        let query =
            client(&sandbox, 20).interviews(sandbox.data_survey_id().expect("a survey")).fields(["Id"]);
        let delta = query.delta(&path).find_removed(removed);
        begin(&delta).commit().expect("a state file");
        let mut old: Value = serde_json::from_slice(&fs::read(&path).expect("there")).expect("JSON");
        let fields = old.as_object_mut().expect("an object");
        fields.remove("ahead");
        fields.insert("version".to_owned(), 1.into());
        fields.insert("watermark".to_owned(), at.to_rfc3339().into());
        fields.insert("recent".to_owned(), json!({ id(1): at.to_rfc3339() }));
        fs::write(&path, old.to_string()).expect("written");

        assert!(sandbox.complete_interview(&id(2), &[]));
        let healed = begin(&delta);
        let said = warnings(&healed);
        if minutes < 0 {
            assert_eq!((values(&healed.table, "Id"), said), (vec![id(2)], vec![]));
            continue;
        }
        assert_eq!(values(&healed.table, "Id"), [id(2), id(3)], "all but what it knows");
        assert!(said.len() == 1 && said[0].contains("all interviews were read again"), "{said:?}");
        healed.commit().expect("a state file");
        let next = begin(&delta);
        assert_eq!((next.table.num_rows(), warnings(&next)), (0, Vec::new()));
    }
}
