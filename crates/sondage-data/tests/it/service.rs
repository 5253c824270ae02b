//! Tables over HTTP, from the sandbox.

use crate::support::service::{client, wait};
use crate::support::{categories, everything, kinds, names, texts, type_of, values, warnings};
use arrow_schema::{DataType, TimeUnit};
use sondage::ErrorKind;
use sondage::condition::{column, field};
use sondage::model::ReadPanelRequest;
use sondage_data::{Labels, PayloadLayout, Tables};
use sondage_sandbox::{Fault, FaultAction, Sandbox, TotalCount};

const FILE: &str = include_str!("../../../sondage-sandbox/data/anes96.csv");

/// A column of the file.
fn in_file(column: &str) -> Vec<String> {
    let mut lines = FILE.lines().map(|line| line.split('\t').map(|cell| cell.trim_matches('\'')));
    let place = lines.next().and_then(|mut names| names.position(|name| name == column)).expect("a column");
    lines.map(|mut cells| cells.nth(place).expect("a cell").to_owned()).collect()
}

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

#[test]
fn the_real_survey_comes_whole_in_both_forms_and_any_page_size() {
    let sandbox = sandbox();
    let mut tables = Vec::new();
    for (page_size, calls) in [(1000, 3 + 1), (100, 10), (944, 4 + 1), (59, 16 + 1)] {
        let client = client(&sandbox, page_size);
        for form in [PayloadLayout::Compact, PayloadLayout::Structured] {
            sandbox.ledger().clear();
            let query = client.interviews(sandbox.survey_id());
            let query = if form == PayloadLayout::Structured { query.structured() } else { query };
            let table = wait(async move { query.table().await }).expect("a table");
            for column in
                ["popul", "TVnews", "selfLR", "ClinLR", "DoleLR", "PID", "age", "educ", "income", "vote"]
            {
                let mut ours = values(&table, column);
                let mut theirs = in_file(column);
                ours.sort();
                theirs.sort();
                assert_eq!(ours, theirs, "{column}");
            }
            let reads = ["ReadInterviewList", "ReadInterviewListCompact"];
            let made: usize = reads.iter().map(|name| sandbox.ledger().requests(name).len()).sum();
            assert!(made <= calls, "{made} calls with pages of {page_size}");
            assert_eq!(warnings(&table), [""; 0]);
            tables.push(everything(&table));
        }
    }
    for pair in tables.windows(2) {
        assert!(pair[0] == pair[1], "the table does not depend on format or page size");
    }
}

#[test]
fn its_labels_come_with_it() {
    let sandbox = sandbox();
    let query = client(&sandbox, 500).interviews(sandbox.survey_id()).fields(["vote", "age", "StartDate"]);
    let table = wait(async move { query.table().await }).expect("a table");
    assert_eq!(
        names(&table),
        ["vote", "age", "StartDate"].map(String::from),
        "in the order of the request, and no Id, because it was not requested"
    );
    assert_eq!(type_of(&table, "StartDate"), DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())));
    let labels = table.with_labels(Labels::Labels);
    assert_eq!(categories(&labels, "vote"), ["Clinton", "Dole"]);
    assert_eq!(values(&labels, "vote").iter().filter(|vote| *vote == "Clinton").count(), 551);
    assert_eq!(values(&labels, "age"), values(&table, "age"));
    assert_eq!(table.codebook().len(), 3);
    assert!(table.survey().name.is_some());
}

#[test]
fn conditions_choose_the_rows() {
    let sandbox = sandbox();
    let client = client(&sandbox, 100);
    let query = client.interviews(sandbox.feedback_survey_id()).fields(["State"]).completed();
    let table = wait(async move { query.table().await }).expect("a table");
    assert!(table.num_rows() > 0 && table.num_rows() < 60);
    assert!(values(&table, "State").iter().all(|state| state == "Completed"));

    let query = client
        .interviews(sandbox.feedback_survey_id())
        .filter(column("State").is_equal_to("Completed"))
        .filter(column("State").is_equal_to("NotResponded"));
    let nothing = wait(async move { query.table().await }).expect("an empty table");
    assert_eq!(nothing.num_rows(), 0);
    assert!(nothing.num_columns() > 0, "an empty table has the columns of its questionnaire");
}

#[test]
fn the_code_of_a_question_stands_for_its_columns() {
    let sandbox = sandbox();
    let query = || client(&sandbox, 20).interviews(sandbox.feedback_survey_id());
    let asked = query().fields(["aspects", "nps", "topics"]);
    let columns = ["aspects_1", "aspects_2", "nps", "topics_1", "topics_2", "topics_3"];
    let table = wait(async move { asked.table().await }).expect("a table");
    assert_eq!(names(&table), columns);
    let spelt = query().fields(columns);
    let spelt = wait(async move { spelt.table().await }).expect("a table");
    assert!(everything(&table) == everything(&spelt) && table.num_rows() > 20);

    sandbox.ledger().clear();
    let wrong = query().fields(["topic"]);
    let error = wait(async move { wrong.table().await }).expect_err("there is no such question");
    assert!(error.to_string().contains("`topic`"), "{error}");
    // Each of the two pages is read with and without the id, and the code plan is read once.
    assert_eq!(sandbox.ledger().requests("ReadInterviewListCompact").len(), 5);
}

/// A night without interviews must not change the columns of a job.
#[test]
fn a_result_without_rows_has_the_columns_and_types_of_a_full_one() {
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let nobody = || column("State").is_equal_to("NoSuchState");
    let asked = ["UpdatedAt", "nps", "Id", "Mode"];
    for fields in [None, Some(asked)] {
        let query = client.interviews(sandbox.feedback_survey_id());
        let query = if let Some(fields) = fields { query.fields(fields) } else { query };
        let (full, empty) = (query.clone(), query.filter(nobody()));
        let full = wait(async move { full.table().await }).expect("a table");
        let empty = wait(async move { empty.table().await }).expect("a table");
        assert!(full.num_rows() > 0 && empty.num_rows() == 0);
        assert_eq!(kinds(&empty), kinds(&full));
        if let Some(fields) = fields {
            assert_eq!(names(&empty), fields);
        }
    }
}

/// The same for members: without a definition, their fields have their types from the members, and the panel's definition is
/// read if there are none.
#[test]
fn members_whom_nobody_matches_have_the_columns_and_types_of_others() {
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let nobody = field("Email").is_equal_to("nobody@example.invalid");
    let (reader, request) = (client.clone(), ReadPanelRequest::new(sandbox.panel_id()));
    let panel = wait(async move { reader.read_panel(request).await }).expect("a panel").panel.expect("there");
    let fields = panel.groups.iter().flat_map(|group| &group.fields).map(|field| field.name.clone());
    let backwards: Vec<String> = fields.rev().collect();
    for (definition, fields, interviews) in [
        (false, None, false),
        (false, None, true),
        (false, Some(&backwards), false),
        (true, None, false),
        (true, Some(&backwards), false),
    ] {
        let members = |nobody: Option<&_>| {
            let query = client.members(sandbox.panel_id());
            let query = if let Some(fields) = fields { query.fields(fields.clone()) } else { query };
            let query = if interviews { query.interviews() } else { query };
            let query = if let Some(nobody) = nobody { query.filter(Clone::clone(nobody)) } else { query };
            let query = client.member_table(query);
            if definition { query.with_definition(None) } else { query }
        };
        let (full, empty) = (members(None), members(Some(&nobody)));
        let full = wait(async move { full.table().await }).expect("a table");
        sandbox.ledger().clear();
        let empty = wait(async move { empty.table().await }).expect("a table");
        assert!(full.num_rows() > 0 && empty.num_rows() == 0);
        assert_eq!(empty.schema(), full.schema(), "{definition} {fields:?}");
        assert!(empty.num_columns() > 5 && warnings(&empty).is_empty());
        assert_eq!(names(&empty).iter().any(|name| name == "interviews"), interviews);
        assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 1);
    }
}

/// The end of a list may be asked for again: the panel's definition is read once.
#[test]
fn a_step_beyond_the_end_of_an_empty_list_costs_nothing() {
    let sandbox = sandbox();
    let nobody = field("Email").is_equal_to("nobody@example.invalid");
    let client = client(&sandbox, 500);
    let query = client.member_table(client.members(sandbox.panel_id()).filter(nobody));
    let ended = wait(async move {
        let mut reading = query.read().await?;
        while reading.step().await? {}
        reading.step().await
    });
    assert!(!ended.expect("the end"));
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 1);
}

/// A column that was requested is there, even if it holds nothing.
#[test]
fn requested_interviews_of_members_who_have_none_are_a_column() {
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let members = |email: Option<&str>| {
        let query = client.members(sandbox.panel_id()).interviews();
        let query =
            if let Some(email) = email { query.filter(field("Email").is_equal_to(email)) } else { query };
        let query = client.member_table(query);
        wait(async move { query.table().await }).expect("a table")
    };
    let everybody = members(None);
    let rows = values(&everybody, "interviews").into_iter().zip(texts(&everybody, "Email"));
    let mut rows = rows.filter(|(interviews, email)| interviews == "[]" && email.is_some());
    let (_, email) = rows.next().expect("some have none");
    let one = members(email.as_deref());
    assert_eq!(values(&one, "interviews"), ["[]"]);
}

/// The definition makes a table complete that would otherwise exist: without it there is a warning, not an error. But what
/// may be different next time is an error, and the reading continues where it was.
#[test]
fn without_the_panels_definition_an_empty_table_says_what_it_may_lack() {
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let nobody = field("Email").is_equal_to("nobody@example.invalid");
    let query = client.member_table(client.members(sandbox.panel_id()).fields(["Email"]).filter(nobody));

    sandbox.fault(Fault::on("ReadPanel").status(403));
    let table = query.clone();
    let table = wait(async move { table.table().await }).expect("a table");
    assert_eq!(names(&table), ["id", "Email", "created_at", "created_by", "updated_at", "updated_by"]);
    let warnings = warnings(&table);
    assert!(
        warnings.len() == 1 && warnings[0].contains("the panel's fields could not be read"),
        "{warnings:?}"
    );

    let fault = sandbox.fault(Fault::on("ReadPanel").times(4).status(503));
    let mut reading = wait(async move { query.read().await }).expect("a reading");
    let (reading, error) = wait(async move {
        let error = loop {
            if let Err(error) = reading.step().await {
                break error;
            }
        };
        Ok((reading, error))
    })
    .expect("an error");
    assert!(error.safe_to_retry() && fault.hits() > 0, "{error}");
    let table = wait(async move { reading.table().await }).expect("a table");
    assert_eq!(names(&table)[1], "Email");
}

#[test]
fn cuts_and_garbage_are_overcome() {
    let sandbox = sandbox();
    let operation = "ReadInterviewListCompact";
    let faults = [
        sandbox.fault(Fault::on(operation).cut_mid_answer()),
        sandbox.fault(Fault::on(operation).skip(2).action(FaultAction::Html)),
        sandbox.fault(Fault::on(operation).skip(4).action(FaultAction::TruncatedJson)),
        sandbox.fault(Fault::on(operation).skip(6).status(503)),
    ];
    let query = client(&sandbox, 100).interviews(sandbox.survey_id());
    let table = wait(async move { query.table().await }).expect("a table");
    assert_eq!(faults.map(|fault| fault.hits()), [1, 1, 1, 1]);
    assert_eq!(table.num_rows(), 944);
    let mut ages = values(&table, "age");
    let mut expected = in_file("age");
    ages.sort();
    expected.sort();
    assert_eq!(ages, expected, "rows of a response that was cut are not in the table");
}

#[test]
fn an_answer_that_stays_unreadable_is_an_error_that_says_where() {
    let sandbox = sandbox();
    let bad = r#"{"interviews":[{"Id":"a","Q1":1},{"Id":"b","Q1":"secret\x"}],"isSuccess":true}"#;
    sandbox.fault(
        Fault::on("ReadInterviewListCompact").every().action(FaultAction::Body { text: bad.to_owned() }),
    );
    let survey = sandbox.survey_id();
    let query = client(&sandbox, 100).interviews(survey);
    let error = wait(async move { query.table().await }).expect_err("unreadable");
    assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
    let said = error.to_string();
    assert!(said.contains(&format!("survey {survey}, page 1, interview 2, column Q1, byte ")), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn an_answer_without_an_envelope_is_no_table() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadInterviewListCompact").every().action(FaultAction::NoEnvelope));
    let query = client(&sandbox, 100).interviews(sandbox.survey_id());
    let error = wait(async move { query.table().await }).expect_err("no envelope");
    assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
}

#[test]
fn a_refusal_is_the_services_own_error() {
    let sandbox = sandbox();
    let query = client(&sandbox, 100).interviews(999_999).fields(["vote"]);
    let error = wait(async move { query.table().await }).expect_err("no such survey");
    assert_eq!(error.kind(), ErrorKind::Api, "{error}");
}

#[test]
fn a_list_that_is_short_is_never_a_table() {
    let sandbox = sandbox();
    sandbox.fault(
        Fault::on("ReadInterviewListCompact").every().action(FaultAction::TotalCount { value: 2_000 }),
    );
    let query = client(&sandbox, 300).interviews(sandbox.survey_id());
    let error = wait({
        let query = query.clone();
        async move { query.table().await }
    })
    .expect_err("fewer rows than the service counts");
    assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
    let table =
        wait(async move { query.verify_total(false).table().await }).expect("the caller knows better");
    assert_eq!(table.num_rows(), 944);
}

#[test]
fn wrong_counts_and_pages_from_0_make_no_difference() {
    let sandbox = sandbox();
    for (first, count) in
        [(0, TotalCount::True), (0, TotalCount::Zero), (1, TotalCount::Page), (1, TotalCount::Zero)]
    {
        sandbox.change_profile(|profile| {
            profile.first_page = first;
            profile.total_count = count;
        });
        let query = client(&sandbox, 118).interviews(sandbox.survey_id()).fields(["age"]);
        let table = wait(async move { query.table().await }).expect("a table");
        assert_eq!(table.num_rows(), 944, "first page {first}, {count:?}");
    }
}

#[test]
fn a_repeated_page_adds_nothing() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadInterviewListCompact").skip(3).action(FaultAction::RepeatPage));
    let query = client(&sandbox, 100).interviews(sandbox.survey_id()).fields(["Id", "age"]);
    let table = wait(async move { query.table().await }).expect("a table");
    let mut ids = values(&table, "Id");
    ids.sort();
    ids.dedup();
    assert_eq!((table.num_rows(), ids.len()), (944, 944));
}

#[test]
fn a_service_that_knows_no_id_column_is_read_without() {
    let sandbox = sandbox();
    let refusal =
        FaultAction::NotSuccess { error_code: "UnknownField".into(), error_message: "no field Id".into() };
    sandbox.fault(Fault::on("ReadInterviewListCompact").action(refusal));
    let query = client(&sandbox, 400).interviews(sandbox.survey_id()).fields(["age"]);
    let table = wait(async move { query.table().await }).expect("a table");
    assert_eq!((names(&table), table.num_rows()), (vec!["age".to_owned()], 944));
}

#[test]
fn members_come_as_a_table_with_the_panels_types_and_labels() {
    let sandbox = sandbox();
    let client = client(&sandbox, 64);
    let query = client.member_table(client.members(sandbox.panel_id())).with_definition(None);
    let table = wait(async move { query.table().await }).expect("a table");
    assert_eq!(table.num_rows(), 200);
    assert_eq!(names(&table)[0], "id");
    assert_eq!(type_of(&table, "id"), DataType::Int64);
    assert_eq!(type_of(&table, "created_at"), DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())));
    let mut ids = values(&table, "id");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 200);

    let query =
        client.members(sandbox.panel_id()).fields(["Email"]).filter(field("Language").is_equal_to("de"));
    let query = client.member_table(query);
    let some = wait(async move { query.table().await }).expect("a table");
    assert!(some.num_rows() > 0 && some.num_rows() < 200);
    assert_eq!(names(&some)[..2], ["id", "Email"]);
}

#[test]
fn a_code_plan_can_be_left_out_or_brought_along() {
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let query = client.interviews(sandbox.survey_id());
    let bare = {
        let query = query.clone().without_code_plan();
        wait(async move { query.table().await }).expect("a table")
    };
    assert!(bare.code_plan().is_none());
    assert_eq!(bare.num_rows(), 944);
    let with = {
        let query = query.clone();
        wait(async move { query.table().await }).expect("a table")
    };
    let plan = with.code_plan().expect("a plan").clone();
    let given = wait(async move { query.code_plan(plan).table().await }).expect("a table");
    assert!(everything(&given) == everything(&with));
}

#[test]
fn a_reading_tells_how_far_it_is_and_is_no_table_before_its_end() {
    let sandbox = sandbox();
    let query = client(&sandbox, 100).interviews(sandbox.survey_id());
    let early = {
        let mut reading = query.read().expect("a reading");
        wait(async move {
            assert!(reading.step().await?);
            assert_eq!((reading.progress().rows, reading.progress().calls), (100, 1));
            reading.finish()
        })
    };
    assert_eq!(early.expect_err("one page of ten").kind(), ErrorKind::Incomplete);
    let mut reading = query.read().expect("a reading");
    let table = wait(async move {
        while reading.step().await? {}
        assert_eq!((reading.progress().rows, reading.progress().count), (944, Some(944)));
        reading.finish()
    });
    assert_eq!(table.expect("a table").num_rows(), 944);
}

#[test]
fn batches_have_the_columns_and_types_of_the_whole() {
    let sandbox = sandbox();
    let query = client(&sandbox, 300).interviews(sandbox.survey_id()).fields(["vote", "age", "PID"]);
    let whole = query.clone();
    let whole = wait(async move { whole.table().await }).expect("a table");
    sandbox.ledger().clear();
    let batches = wait(async move {
        let (mut batches, mut tables) = (query.batches()?, Vec::new());
        while let Some(table) = batches.next().await? {
            tables.push(table);
        }
        assert_eq!(batches.progress().rows, 944);
        Ok(tables)
    })
    .expect("batches");
    assert_eq!(batches.iter().map(sondage_data::Table::num_rows).collect::<Vec<_>>(), [300, 300, 300, 44]);
    for batch in &batches {
        assert_eq!(batch.schema(), whole.schema(), "with the labels, which come with the first page only");
    }
    for column in ["vote", "age", "PID"] {
        assert_eq!(
            batches.iter().flat_map(|batch| values(batch, column)).collect::<Vec<_>>(),
            values(&whole, column)
        );
    }

    let nobody =
        client(&sandbox, 300).interviews(sandbox.survey_id()).filter(column("State").is_equal_to("Never"));
    let none = wait(async move { Ok(nobody.batches()?.next().await?.is_none()) });
    assert!(none.expect("an empty list"));
    let unfinished = client(&sandbox, 300).interviews(404);
    let refused = wait(async move { Ok(unfinished.batches()?.next().await?.is_none()) });
    assert_eq!(refused.expect_err("no such survey").kind(), ErrorKind::Api);
}
