//! Lists of the account that can name a person: opt-outs, bounces, invitations, incentives.

use super::found::{Found, OptedOut};
use super::source::{allowed, beyond};
use crate::plan::Reader;
use sondage::error::Result;
use sondage::model::{
    OptOutItem, ReadBounceListRequest, ReadDistributorListRequest, ReadIncentiveTransactionListRequest,
    ReadOptOutListRequest, ReadSamplingProjectRequest, ReadWorkspaceListRequest, SamplingProject,
};
use sondage::operation::Operation;
use sondage::operations::{
    DeleteSamplingProject, ReadBounceList, ReadDistributorList, ReadIncentiveTransactionList, ReadOptOutList,
    ReadWorkspaceList,
};
use std::collections::BTreeSet;

pub(super) async fn read(reader: &mut Reader, found: &mut Found) -> Result<()> {
    let mut sources = std::mem::take(&mut found.sources);
    let read = opted_out(reader, found).await;
    let about = "opt-outs of these panels and of every workspace";
    found.opted_out = allowed(&mut sources, "opt_outs", about, read, Vec::len)?;

    let mut bounces = Vec::new();
    let read = bounced(reader, found, &mut bounces).await;
    found.bounces = allowed(&mut sources, "bounces", "bounced messages", read.map(|()| bounces), Vec::len)?;

    let mut distributors = Vec::new();
    let read = invited(reader, found, &mut distributors).await;
    let about = "the distributors of these members' invitations";
    found.distributors = allowed(&mut sources, "distributors", about, read.map(|()| distributors), Vec::len)?;

    let mut projects = Vec::new();
    let read = sampled(reader, found, &mut projects).await;
    let about = "the sampling projects of these invitations";
    found.projects = allowed(&mut sources, "sampling_projects", about, read.map(|()| projects), Vec::len)?;

    let interviews: BTreeSet<String> = found.interviews().into_iter().map(|it| it.id).collect();
    let mut transactions = Vec::new();
    let read = reader
        .list::<ReadIncentiveTransactionList>(ReadIncentiveTransactionListRequest::new(), |it| {
            if it.response_id.as_ref().is_some_and(|id| interviews.contains(id)) {
                transactions.push(it);
            }
        })
        .await;
    let about = "credits that these interviews have earned";
    found.transactions = allowed(&mut sources, "incentives", about, read.map(|()| transactions), Vec::len)?;
    sources.extend(beyond());
    found.sources = sources;
    Ok(())
}

async fn opted_out(reader: &mut Reader, found: &Found) -> Result<Vec<OptedOut>> {
    let (emails, phones) = found.addresses();
    let is_theirs = |item: &OptOutItem| {
        item.email.as_ref().is_some_and(|email| emails.contains(&email.to_lowercase()))
            || item.phone.is_some_and(|phone| phones.contains(&phone))
    };
    let mut theirs = Vec::new();
    for (panel, _) in &found.members {
        let mut request = ReadOptOutListRequest::new();
        request.panel_id = Some(*panel);
        let mut keep = |item: OptOutItem| {
            if is_theirs(&item) {
                theirs.push(OptedOut { panel_id: Some(*panel), workspace_id: None, item });
            }
        };
        reader.list::<ReadOptOutList>(request, &mut keep).await?;
    }
    let mut workspaces = Vec::new();
    reader.list::<ReadWorkspaceList>(ReadWorkspaceListRequest::new(), |it| workspaces.push(it.id)).await?;
    for workspace in workspaces {
        let mut request = ReadOptOutListRequest::new();
        request.workspace_id = Some(workspace);
        let mut keep = |item: OptOutItem| {
            if is_theirs(&item) {
                theirs.push(OptedOut { panel_id: None, workspace_id: Some(workspace), item });
            }
        };
        reader.list::<ReadOptOutList>(request, &mut keep).await?;
    }
    Ok(theirs)
}

async fn bounced(reader: &mut Reader, found: &Found, theirs: &mut Vec<sondage::model::Bounce>) -> Result<()> {
    for (panel, member) in &found.members {
        let surveys: BTreeSet<i64> = member.interviews.iter().filter_map(|it| it.survey_id).collect();
        for survey in surveys {
            let mut request = ReadBounceListRequest::new(survey);
            request.panel_id = Some(*panel);
            reader
                .list::<ReadBounceList>(request, |bounce| {
                    if bounce.panel_member_id == Some(member.id) {
                        theirs.push(bounce);
                    }
                })
                .await?;
        }
    }
    Ok(())
}

/// A call for each project. A deleted project no longer exists, which is not an error.
async fn sampled(reader: &mut Reader, found: &Found, theirs: &mut Vec<SamplingProject>) -> Result<()> {
    let interviews = found.members.iter().flat_map(|(_, member)| &member.interviews);
    let ids: BTreeSet<i64> = interviews.filter_map(|it| it.sampling_project_id).collect();
    for id in ids {
        reader.calls += 1;
        match reader.client.read_sampling_project(ReadSamplingProjectRequest::new(id)).await {
            Ok(answer) => theirs.extend(answer.sampling_project),
            Err(error) if error.error_code() == DeleteSamplingProject::INFO.gone.map(|gone| gone.code) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

async fn invited(
    reader: &mut Reader,
    found: &Found,
    theirs: &mut Vec<sondage::model::Distributor>,
) -> Result<()> {
    for (panel, member) in &found.members {
        let ids: BTreeSet<i64> = member.interviews.iter().filter_map(|it| it.distributor_id).collect();
        if ids.is_empty() {
            continue;
        }
        let mut request = ReadDistributorListRequest::new();
        request.panel_id = Some(*panel);
        reader
            .list::<ReadDistributorList>(request, |it| {
                if ids.contains(&it.distributor_id) {
                    theirs.push(it);
                }
            })
            .await?;
    }
    Ok(())
}
