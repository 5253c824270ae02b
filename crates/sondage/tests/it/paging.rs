//! Complete lists over HTTP, from a sandbox: panels of every size, and everything that can happen between two pages.

use crate::support;
use crate::support::sandbox::client;
use futures_util::TryStreamExt as _;
use sondage::condition::{column, field};
use sondage::model::*;
use sondage::operations::*;
use sondage::paging::Order;
use sondage::{Client, ErrorKind, blocking, internals::runtime};
use sondage_sandbox::{Fault, FaultAction, Profile, Sandbox, TotalCount};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

/// The demo's panel has 200 members: adds members up to this number.
fn with_members(count: u64) -> Sandbox {
    Sandbox::builder().extra_members(count - 200).start_blocking().expect("a sandbox")
}

/// All members of the demo's panel, each once.
fn all(client: &Client, sandbox: &Sandbox) -> sondage::Result<usize> {
    let members = client.members(sandbox.panel_id()).fields(["Email"]);
    let members = runtime::block_on(async move { members.collect_all().await })?;
    let ids: BTreeSet<i64> = members.iter().map(|member| member.id).collect();
    assert_eq!(ids.len(), members.len(), "a member came twice");
    Ok(ids.len())
}

fn calls(sandbox: &Sandbox) -> usize {
    sandbox.ledger().requests("ReadMemberList").len()
}

#[test]
fn panels_of_every_size_are_whole() {
    for (count, page_size, wanted) in
        [(10_000, 1000, 11), (10_001, 10_000, 2), (10_001, 1000, 11), (100_000, 10_000, 11)]
    {
        let sandbox = with_members(count);
        assert_eq!(all(&client(&sandbox, page_size), &sandbox).unwrap() as u64, count);
        assert_eq!(calls(&sandbox), wanted, "{count} members in pages of {page_size}");
    }
}

#[test]
fn nobody_and_somebody() {
    let sandbox = sandbox();
    let client = blocking::Client::from(client(&sandbox, 100));
    let panel = || client.members(sandbox.panel_id());
    assert_eq!(panel().filter(field("Email").is_equal_to("nobody@x.example")).iter().count(), 0);
    let first = panel().iter().next().unwrap().unwrap();
    let one: Vec<_> =
        panel().filter(column("Id").is_equal_to(first.id)).into_iter().map(Result::unwrap).collect();
    assert_eq!(one, [first]);
}

#[test]
fn no_fields_do_not_become_all_fields() {
    let sandbox = sandbox();
    let members = client(&sandbox, 100).members(sandbox.panel_id()).fields(Vec::<String>::new());
    let error = runtime::block_on(async move { members.collect_all().await }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("`fields` is an empty list"), "{error}");
    assert_eq!(calls(&sandbox), 0);
}

#[test]
fn a_page_is_read_when_its_first_row_is_asked_for() {
    let sandbox = sandbox();
    let mut rows = client(&sandbox, 50).members(sandbox.panel_id()).rows();
    let first = runtime::block_on(async move {
        for _ in 0..50 {
            rows.try_next().await?;
        }
        Ok(())
    });
    first.unwrap();
    assert_eq!(calls(&sandbox), 1);
}

#[test]
fn ids_beyond_2_53_stay_apart() {
    let first = 9_007_199_254_740_993;
    let sandbox = Sandbox::builder().first_member_id(first).start_blocking().unwrap();
    assert_eq!(all(&client(&sandbox, 30), &sandbox).unwrap(), 200);
}

#[test]
fn a_wrong_count_does_not_end_a_list() {
    for (total_count, wanted) in [(TotalCount::Zero, 200), (TotalCount::Page, 200)] {
        for page_size in [30, 200, 300] {
            let sandbox = Sandbox::builder()
                .profile(Profile { total_count, ..Profile::default() })
                .start_blocking()
                .unwrap();
            assert_eq!(
                all(&client(&sandbox, page_size), &sandbox).unwrap(),
                wanted,
                "{total_count:?} {page_size}"
            );
        }
    }
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadMemberList").every().action(FaultAction::TotalCount { value: 3 }));
    assert_eq!(all(&client(&sandbox, 30), &sandbox).unwrap(), 200);
}

/// One empty response used to make a panel of one page empty, and to hide that from the caller.
#[test]
fn an_empty_first_page_is_not_believed() {
    for total_count in [TotalCount::True, TotalCount::Zero, TotalCount::Page] {
        for (first_page, page_size) in [(0, 30), (0, 300), (1, 30), (1, 300)] {
            let profile = Profile { total_count, first_page, ..Profile::default() };
            let sandbox = Sandbox::builder().profile(profile).start_blocking().unwrap();
            let text = r#"{"isSuccess":true,"errors":[],"members":[],"totalCount":0}"#.to_owned();
            sandbox.fault(Fault::on("ReadMemberList").times(1).action(FaultAction::Body { text }));
            let count = all(&client(&sandbox, page_size), &sandbox).unwrap();
            assert_eq!(count, 200, "{total_count:?}, first page {first_page}, pages of {page_size}");
        }
    }
}

#[test]
fn a_count_that_promises_more_is_an_error_that_names_it() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadMemberList").every().action(FaultAction::TotalCount { value: 207 }));
    let client = client(&sandbox, 100);
    let error = all(&client, &sandbox).unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Incomplete, Some("ReadMemberList")));
    assert!(error.to_string().contains("7 of 207 rows are missing"), "{error}");
    let members = client.members(sandbox.panel_id()).verify_total(false);
    assert_eq!(runtime::block_on(members.collect_all()).unwrap().len(), 200);
}

#[test]
fn a_page_that_repeats_once_is_asked_for_again_and_one_that_repeats_for_ever_is_an_error() {
    let repeats =
        |times: u64| Fault::on("ReadMemberList").skip(1).times(times).action(FaultAction::RepeatPage);
    let sandbox = sandbox();
    sandbox.fault(repeats(1));
    assert_eq!(all(&client(&sandbox, 50), &sandbox).unwrap(), 200);
    sandbox.clear_faults();
    sandbox.fault(repeats(u64::MAX));
    // Each call gets the page before the requested one, so that some pages are repeated and one is never returned.
    let error = all(&client(&sandbox, 50), &sandbox).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
}

#[test]
fn a_service_that_counts_pages_from_0_is_found_out() {
    for total_count in [TotalCount::True, TotalCount::Zero] {
        let profile = Profile { first_page: 0, total_count, ..Profile::default() };
        let sandbox = Sandbox::builder().profile(profile).start_blocking().unwrap();
        for page_size in [30, 200, 300] {
            let client = client(&sandbox, page_size);
            assert_eq!(all(&client, &sandbox).unwrap(), 200, "pages of {page_size}");
            // From now on the number is known: no call is wasted on the wrong page.
            let before = calls(&sandbox);
            assert_eq!(all(&client, &sandbox).unwrap(), 200);
            // A count that is not larger than a page is confirmed by a probe of the end, and without one there are two.
            let pages = match (page_size, total_count) {
                (30, TotalCount::True) => 7,
                (30, _) => 9,
                (200, TotalCount::True) => 2,
                (200, _) => 4,
                // A list of 200 rows was proven whole before.
                (_, TotalCount::True) => 1,
                _ => 3,
            };
            assert_eq!(calls(&sandbox) - before, pages, "pages of {page_size}");
        }
    }
}

/// Newest first, and a member is added between two pages: every row moves by one.
#[test]
fn a_page_that_shifts_loses_nobody_and_repeats_nobody() {
    let sandbox = sandbox();
    let client = client(&sandbox, 50);
    let panel_id = sandbox.panel_id();
    let newest = Order::By("Id".to_owned(), OrderDirection::Descending);
    let mut pager = client.members(panel_id).order(newest).pager().unwrap();
    let all = runtime::block_on(async move {
        let mut all: Vec<Member> = pager.next().await?.unwrap_or_default();
        let email = MemberField::new("Email", VariableType::String, "new@x.example");
        let member = NewMember::new(indexmap::IndexMap::from([("Email".to_owned(), email)]));
        client.create_members(CreateMembersRequest::new(panel_id, [member])).await?;
        while let Some(page) = pager.next().await? {
            all.extend(page);
        }
        Ok(all)
    })
    .unwrap();
    let ids: BTreeSet<i64> = all.iter().map(|member| member.id).collect();
    assert_eq!((ids.len(), all.len()), (201, 201));
}

/// A row leaves a page that has been read, so the next one moves up into it and would be missed.
#[test]
fn a_row_that_moves_up_is_found_by_reading_again() {
    let sandbox = sandbox();
    let open = column("State").is_not_equal_to("Completed").compile().unwrap();
    let request =
        ReadInterviewListRequest::new(sandbox.feedback_survey_id()).fields_to_download(["Id", "State"]);
    let list = client(&sandbox, 4).pages::<ReadInterviewListCompact>(request.conditions(open));
    let wanted = runtime::block_on(list.clone().collect_all()).unwrap();
    assert!(wanted.len() > 10, "{} interviews", wanted.len());
    let mut pager = list.pager().unwrap();
    let (mut pager, first) = runtime::block_on(async move {
        let page = pager.next().await?.unwrap_or_default();
        Ok((pager, page))
    })
    .unwrap();
    assert!(sandbox.complete_interview(first[0]["Id"].as_str().unwrap(), &[]));
    let rest = runtime::block_on(async move {
        let mut rest = Vec::new();
        while let Some(page) = pager.next().await? {
            rest.extend(page);
        }
        Ok(rest)
    })
    .unwrap();
    let ids = |rows: &[CompactInterview]| {
        rows.iter().map(|row| format!("{:?}", row["Id"])).collect::<BTreeSet<_>>()
    };
    assert_eq!(ids(&[first, rest].concat()), ids(&wanted));
}

#[test]
fn a_cut_in_the_middle_of_a_page_halves_it_and_goes_on_from_the_same_row() {
    let sandbox = sandbox();
    // The second page, in each attempt.
    sandbox.fault(Fault::on("ReadMemberList").skip(1).times(3).cut_mid_answer());
    assert_eq!(all(&client(&sandbox, 100), &sandbox).unwrap(), 200);
    // Page 1 of 100; three attempts at page 2; pages 3 and 4 of 50; an empty one.
    assert_eq!(calls(&sandbox), 1 + 3 + 2 + 1);
}

/// The deadline applies to a page including the smaller pages that replace it. It used to apply to each of the up to six
/// halvings.
#[test]
fn a_service_that_says_nothing_costs_the_deadline_once() {
    let sandbox = sandbox();
    let mut config = support::sandbox::config(&sandbox, 100);
    config.deadline = Duration::from_millis(700);
    sandbox.fault(Fault::on("ReadMemberList").every().delay(2 * support::DEADLINE));
    let begun = Instant::now();
    let error = all(&Client::new(config).unwrap(), &sandbox).unwrap_err();
    assert_eq!((error.kind(), error.safe_to_retry()), (ErrorKind::Network, true));
    assert!(error.to_string().contains("deadline"), "{error}");
    assert!(begun.elapsed() < support::DEADLINE);
    assert!(calls(&sandbox) <= 1, "{} calls", calls(&sandbox));
}

#[test]
fn a_service_that_is_cut_off_for_good_ends_in_an_error_and_not_in_a_short_list() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("ReadMemberList").skip(1).every().cut_mid_answer());
    let error = all(&client(&sandbox, 100), &sandbox).unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Network, Some("ReadMemberList")));
}

/// A response over the limit is too large for one page.
#[test]
fn a_page_above_the_ceiling_is_halved() {
    let sandbox = sandbox();
    let mut config = support::sandbox::config(&sandbox, 200);
    config.limits.answer_bytes = 20_000;
    assert_eq!(all(&Client::new(config).unwrap(), &sandbox).unwrap(), 200);
    assert!(calls(&sandbox) > 2);
}

#[test]
fn every_paged_operation_gives_a_complete_list() {
    let sandbox = sandbox();
    let client = client(&sandbox, 2);
    let (workspace, survey) = (sandbox.workspace_id(), sandbox.feedback_survey_id());
    runtime::block_on(async move {
        let surveys =
            client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(workspace)).collect_all().await?;
        assert!(surveys.iter().any(|row| row.id == survey));
        let workspaces =
            client.pages::<ReadWorkspaceList>(ReadWorkspaceListRequest::new()).collect_all().await?;
        assert!(workspaces.iter().any(|row| row.id == workspace));
        let templates = ReadMessageTemplateListRequest::new("en").workspace_id(workspace);
        assert!(!client.pages::<ReadMessageTemplateList>(templates).collect_all().await?.is_empty());
        client.pages::<ReadDistributorList>(ReadDistributorListRequest::new()).collect_all().await?;
        let interviews = ReadInterviewListRequest::new(survey);
        let structured =
            client.pages::<ReadInterviewList>(interviews.clone()).page_size(7).collect_all().await?;
        let compact =
            client.pages::<ReadInterviewListCompact>(interviews).page_size(60).collect_all().await?;
        assert_eq!((structured.len(), compact.len()), (60, 60));
        Ok(())
    })
    .unwrap();
}

#[test]
fn what_cannot_be_a_list_is_refused_before_anything_is_sent() {
    let sandbox = sandbox();
    let client = blocking::Client::from(client(&sandbox, 100));
    let panel = || client.members(sandbox.panel_id());
    let kind = |members: sondage::paging::Members| members.iter().next().unwrap().unwrap_err().kind();
    assert_eq!(kind(panel().page_size(0)), ErrorKind::InvalidArgument);
    assert_eq!(kind(panel().filter(field("Email").is_in(["a,b"]))), ErrorKind::InvalidArgument);
    assert_eq!(
        kind(panel().filter(field("Email").is_empty()).conditions(Vec::new())),
        ErrorKind::InvalidArgument
    );
    let third = ReadMemberListRequest::new(5).paging(Paging::new(10, 3));
    let error = client.pages::<ReadMemberList>(third).iter().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("not with page 3"), "{error}");
    assert_eq!(calls(&sandbox), 0);
}

/// The service's message about a refused list is passed to the caller.
#[test]
fn a_refusal_is_told_as_it_is() {
    let sandbox = sandbox();
    let error = runtime::block_on(client(&sandbox, 10).members(987_654_321).collect_all()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Api);
}
