//! Every paged list of the API as a table, over HTTP against the sandbox, compared with the rows as objects.

use crate::support::service::{client, wait};
use crate::support::{array_texts, names, texts, type_of};
use arrow_schema::DataType;
use sondage::model::*;
use sondage::operation::{Operation, Paged};
use sondage::{Client, ErrorKind, operations};
use sondage_data::{Names, Table, Tables, metadata};
use sondage_sandbox::{Fault, Sandbox};
use std::collections::BTreeSet;

/// A sandbox that contains one object of every kind: invitations, bounces, opt-outs, a voucher.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    sandbox.change_profile(|profile| profile.bounces_per_thousand = 200);
    let client = client(&sandbox, 50);
    let (survey, panel) = (sandbox.survey_id(), sandbox.panel_id());
    let template = sandbox.message_template_id();
    for member in [3, 5, 8] {
        sandbox.opt_out(member);
    }
    wait(async move {
        client.invite_members(InviteMembersRequest::new(survey, panel, template).channel("Email")).await?;
        let offers = client.read_incentive_list(ReadIncentiveListRequest::new()).await?.panel_incentives;
        client.redeem_incentive_code(RedeemIncentiveCodeRequest::new(offers[0].id)).await?;
        let more = ["+@example.com", "++@example.com"].map(|email| EmailItem::new(email, "Add"));
        let request = WriteOptOutListRequest::new().panel_id(panel).emails(more);
        client.write_opt_out_list(request).await
    })
    .expect("what has happened");
    sandbox
}

/// Values for the required fields of all lists.
fn request<O: Operation>(sandbox: &Sandbox) -> O::Request {
    let known: [(&str, serde_json::Value); 6] = [
        ("surveyId", sandbox.survey_id().into()),
        ("panelId", sandbox.panel_id().into()),
        ("workspaceId", sandbox.workspace_id().into()),
        ("interviewsRequired", true.into()),
        ("language", "en".into()),
        ("fieldsToDownload", serde_json::json!(["Email", "FirstName"])),
    ];
    let has = |name: &str| O::INFO.request.fields.iter().any(|field| field.wire == name);
    let survey = O::INFO.area == "interview";
    let known = known.into_iter().filter(|(name, _)| has(name) && !(survey && *name == "fieldsToDownload"));
    serde_json::from_value(
        known.map(|(name, value)| (name.to_owned(), value)).collect::<serde_json::Map<_, _>>().into(),
    )
    .expect("a request")
}

fn table<O: Paged>(client: &Client, request: O::Request, names: Names) -> sondage::Result<Table> {
    let list = client.list_table(client.pages::<O>(request)).names(names);
    wait(async move { list.table().await })
}

/// Compares the table of a list with its rows as objects.
fn check<O: Paged>(sandbox: &Sandbox) -> usize {
    let client = client(sandbox, 50);
    let name = O::INFO.name;
    let table = table::<O>(&client, request::<O>(sandbox), Names::Wire).expect("a table");
    let pages = client.pages::<O>(request::<O>(sandbox));
    let rows = wait(async move { pages.collect_all().await }).expect("rows");
    let rows: Vec<serde_json::Value> =
        rows.iter().map(|row| serde_json::to_value(row).expect("JSON")).collect();
    assert_eq!(table.num_rows(), rows.len(), "{name}");
    let schema = table.schema();
    for (place, column) in schema.fields().iter().enumerate() {
        let texts: Vec<_> =
            table.batches().iter().flat_map(|batch| array_texts(batch.column(place))).collect();
        for (row, text) in rows.iter().zip(texts) {
            let value = row.get(column.name()).cloned().unwrap_or_default();
            let json = column.metadata().get(metadata::FORMAT).is_some();
            let wanted = match value {
                serde_json::Value::Null => None,
                serde_json::Value::String(text) if matches!(column.data_type(), DataType::Timestamp(..)) => {
                    let time: Timestamp = text.parse().expect("a time");
                    Some(time.0.timestamp_micros().to_string())
                }
                serde_json::Value::String(text) if !json => Some(text),
                value => Some(value.to_string()),
            };
            let text = if json {
                text.map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON").to_string())
            } else {
                text
            };
            assert_eq!(text, wanted, "{name}: {}", column.name());
        }
    }
    rows.len()
}

/// For every paged operation of the table: its name, and a check of its list.
macro_rules! paged {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        const PAGED: &[(&str, Option<fn(&Sandbox) -> usize>)] =
            &[$((stringify!($Name), paged!(@ $Name $($row)*))),*];
    };
    (@ $Name:ident pages $items:ident of $($rest:tt)*) => { Some(check::<operations::$Name>) };
    (@ $Name:ident $first:tt $($rest:tt)*) => { paged!(@ $Name $($rest)*) };
    (@ $Name:ident) => { None };
}
sondage::operations!(paged);

#[test]
fn every_list_is_a_table_of_its_rows() {
    let sandbox = sandbox();
    let lists = PAGED.iter().filter_map(|(name, check)| check.map(|check| (*name, check)));
    let mut checked = BTreeSet::new();
    for (name, check) in lists.filter(|(name, _)| *name != "ReadInterviewListCompact") {
        assert!(check(&sandbox) > 0, "{name} has rows to compare");
        checked.insert(name);
    }
    assert!(checked.len() >= 10, "{checked:?}");
}

#[test]
fn bounces_have_types() {
    let sandbox = sandbox();
    let client = client(&sandbox, 50);
    let bounces = table::<operations::ReadBounceList>(
        &client,
        ReadBounceListRequest::new(sandbox.survey_id()),
        Names::default(),
    )
    .expect("a table");
    assert_eq!(names(&bounces)[..4], ["distributor_id", "interview_id", "panel_id", "panel_member_id"]);
    assert_eq!(type_of(&bounces, "panel_member_id"), DataType::Int64);
    assert!(matches!(type_of(&bounces, "timestamp"), DataType::Timestamp(_, Some(_))));
    assert!(bounces.num_rows() > 10);
    assert!(
        texts(&bounces, "bounce_type")
            .iter()
            .flatten()
            .all(|kind| BounceType::KNOWN.contains(&kind.as_str()))
    );
    assert!(!names(&bounces).contains(&"extra".to_owned()));
    let label = bounces.field("reason").and_then(|field| field.metadata().get(metadata::LABEL).cloned());
    assert_eq!(label.as_deref(), Some("The reason that the mail server or the mobile operator gave."));
}

#[test]
fn nobody_who_opted_out_is_a_table_with_the_same_columns() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let client = client(&sandbox, 50);
    let request = || ReadOptOutListRequest::new().panel_id(sandbox.customer_panel_id());
    let none = table::<operations::ReadOptOutList>(&client, request(), Names::Wire).expect("a table");
    assert_eq!(none.num_rows(), 0);
    let some = client.list_table(
        client.pages::<operations::ReadOptOutList>(ReadOptOutListRequest::new().panel_id(sandbox.panel_id())),
    );
    let some = wait(async move { some.names(Names::Wire).table().await }).expect("a table");
    assert_eq!(names(&none), names(&some));
}

#[test]
fn fields_that_nobody_knows_yet_are_kept() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let body = r#"{"bounces":[
        {"bounceType":"Hard","timestamp":"2024-05-01T12:00:00.1234567Z","reason":"x","weight":1.50},
        {"bounceType":"Melted","timestamp":"2024-05-01T12:00:00Z","reason":"y"}
    ],"totalCount":2,"isSuccess":true}"#;
    sandbox.fault(Fault::on("ReadBounceList").status(200).body(body).times(5));
    let request = ReadBounceListRequest::new(sandbox.survey_id());
    let table =
        table::<operations::ReadBounceList>(&client(&sandbox, 50), request, Names::Snake).expect("a table");
    assert_eq!(texts(&table, "extra"), [Some(r#"{"weight":1.50}"#.to_owned()), None]);
    assert_eq!(texts(&table, "bounce_type"), ["Hard", "Melted"].map(|text| Some(text.to_owned())));
    assert_eq!(texts(&table, "timestamp")[0].as_deref(), Some("1714564800123456700"), "no digit is lost");
}

/// Tables are printed and saved, so links that open a person's answers must not be in them, neither as a column nor in
/// `extra`.
#[test]
fn a_link_that_is_a_secret_has_no_column() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let body = r#"{"incentiveTransactions":[{"id":1,"interviewLink":"https://x.example/a-secret-link"}],
        "totalCount":1,"isSuccess":true}"#;
    sandbox.fault(Fault::on("ReadIncentiveTransactionList").status(200).body(body).times(5));
    let request = request::<operations::ReadIncentiveTransactionList>(&sandbox);
    let read = table::<operations::ReadIncentiveTransactionList>(&client(&sandbox, 50), request, Names::Wire);
    let table = read.expect("a table");
    assert_eq!(table.num_rows(), 1);
    assert!(!names(&table).iter().any(|name| name == "extra" || name == "interviewLink"), "{table:?}");
}

#[test]
fn a_list_that_is_not_whole_is_no_table() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadMemberList").skip(1).times(100).cut_before_request());
    let request = ReadMemberListRequest::new(sandbox.panel_id());
    let error = table::<operations::ReadMemberList>(&client(&sandbox, 50), request, Names::Snake)
        .expect_err("no table");
    assert!(matches!(error.kind(), ErrorKind::Network | ErrorKind::Incomplete), "{error}");
    let request = ReadInterviewListRequest::new(sandbox.survey_id());
    let error = table::<operations::ReadInterviewListCompact>(&client(&sandbox, 50), request, Names::Snake)
        .expect_err("no fields of its own");
    assert!(error.kind() == ErrorKind::InvalidArgument && error.hint().contains("interviews"), "{error}");
}
