//! The steps of jobs in the trace of a client.

use crate::support::sandbox::builder;
use sondage::ErrorKind;
use sondage::arguments::TraceOptions;
use sondage::trace::TraceKind;
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{ImportOptions, InviteOptions, UpdateOptions};
use sondage_jobs::{RowStatus, Rows};
use sondage_sandbox::{Fault, Sandbox};

#[tokio::test(flavor = "multi_thread")]
async fn steps_of_jobs_are_entries() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client =
        builder(&sandbox).client_secret(sandbox.client_secret()).trace_entries(1000_u32).build().unwrap();
    let panel = sandbox.panel_id();
    let people = |name: &'static str| {
        Rows::of(
            (0..5)
                .map(move |n| [("Email", format!("step{n}@steps.example")), ("FirstName", name.to_owned())]),
        )
    };
    let steps = async || -> Vec<(String, Option<u64>, Option<String>)> {
        let entries = client.trace(TraceOptions::new()).await.unwrap().entries.into_iter();
        let steps = entries.filter(|entry| entry.kind == TraceKind::Step);
        steps.map(|step| (step.operation, step.rows, step.error)).collect()
    };
    let step =
        |job: &str, rows: u64, error: Option<&str>| (job.to_owned(), Some(rows), error.map(str::to_owned));

    let report = client
        .import_members(ImportOptions::new(panel, "Email").chunk_size(2_usize))
        .run(people("Ada"))
        .await
        .unwrap();
    assert_eq!(report.count(RowStatus::Created), 5, "{report}");
    let import: Vec<_> = [2, 2, 1].map(|rows| step("import_members", rows, None)).into();
    assert_eq!(steps().await, import);

    sandbox.fault(Fault::on("UpdateMembers").status(403));
    let plan = client
        .update_members_by(UpdateOptions::new(panel, "Email").chunk_size(3_usize))
        .plan(people("Grace"))
        .await
        .unwrap();
    assert!(plan.apply().await.stopped.is_some());
    let refused = step("plan_update", 3, Some(ErrorKind::PermissionDenied.as_str()));
    assert_eq!(steps().await[3..], [refused]);

    let options = InviteOptions::new(sandbox.survey_id(), panel, sandbox.message_template_id());
    let plan = client.plan_invite(options).await.unwrap();
    plan.run(plan.token()).await.unwrap();
    let sent: u64 = steps().await[4..]
        .iter()
        .map(|(job, rows, error)| {
            assert_eq!((job.as_str(), error), ("plan_invite", &None));
            rows.unwrap()
        })
        .sum();
    assert_eq!(sent, plan.count() as u64);
}
