//! Rows from which one call creates and invites members: which of them are invited, and the request.

use super::audience::{Candidate, Chooser, Rules};
use super::invite::channel;
use crate::Rows;
use crate::import::prints::RowPrints;
use crate::import::{Checked, ComparedPrints, ImportColumns, Match, RowRules, RowsFormat, member_of};
use crate::journal::{CREATE_AND_INVITE, new_salt};
use crate::options::{CreateAndInviteOptions, Duplicates, JournalPlace, RowSource};
use crate::plan::{
    CommonOptions, Detail, LeftOut, LeftOutReason, Reader, Request, Seen, SendKind, SendResult, TargetKind,
    wrong,
};
use crate::update::fit;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::internals::runtime::blocking;
use sondage::model::{
    CreateAndInviteMembersRequest, FieldValue, Member, NewMember, PanelField, ReadPanelRequest, VariableType,
};
use sondage::operations::CreateAndInviteMembers;
use sondage::paging::ListShape;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

/// What was read about the rows.
pub(crate) struct Newcomers {
    /// The members as they are sent, by row.
    members: BTreeMap<i64, NewMember>,
    /// Their keys.
    keys: HashMap<String, i64>,
    /// The key field and its type.
    key: (String, VariableType),
    /// The existing members that have the key of a row.
    pub existing_members: BTreeMap<i64, i64>,
    /// What is wrong with rows.
    pub why: BTreeMap<i64, Arc<str>>,
    /// The list of the panel's members.
    list: ListShape,
    /// How the file was read from which the rows are.
    pub format: Option<RowsFormat>,
}

/// Checks everything that needs no reading.
fn check(options: &CreateAndInviteOptions) -> Result<()> {
    channel(options.channel.as_ref())?;
    super::check_blocks(options.text_blocks.as_ref())?;
    rows(options).map(|_| ())
}

fn rows(options: &CreateAndInviteOptions) -> Result<Rows> {
    match &options.rows {
        Some(source @ RowSource { objects: Some(objects), .. }) => {
            let row = |row: &IndexMap<String, FieldValue>| row.clone().into_iter();
            Ok(Rows::of(objects.iter().map(row)).in_format(source.format()))
        }
        Some(RowSource { path: Some(_), .. } | RowSource { ipc: Some(_), .. }) => {
            Err(wrong("the rows are in a file that was not read", "Read it into `Rows` first."))
        }
        _ => Err(wrong("there are no rows", "Give a row for each person.")),
    }
}

/// The rows, checked against the definition of the panel.
struct TypedRows {
    columns: ImportColumns,
    prints: RowPrints,
    checked: Checked,
}

impl TypedRows {
    async fn new(options: &CreateAndInviteOptions, fields: &[PanelField]) -> Result<Self> {
        let rows = rows(options)?;
        let columns = ImportColumns::of(&options.key, rows.names(), fields)?;
        columns.check(rows.len())?;
        let prints = columns.prints(&new_salt()?);
        let rules = RowRules { duplicates: options.duplicates, strip: options.strip, first_row: 0 };
        blocking(move || {
            let no_prints = ComparedPrints::default();
            let checked = Checked::read(&columns, &prints, no_prints, &mut rows.stream(), rules)?;
            Ok(Self { columns, prints, checked })
        })
        .await
    }

    /// Why a row cannot create a member.
    fn refusal(&self, row: u32) -> Option<(LeftOutReason, Arc<str>)> {
        let Checked { reasons, same_keys, lacking, .. } = &self.checked;
        let row_reason = reasons.get(&row).or(lacking.get(&row)).cloned().or_else(|| self.columns.lack())?;
        let reason = if same_keys.contains(&row) { LeftOutReason::SameKey } else { LeftOutReason::Invalid };
        Some((reason, row_reason))
    }

    fn key(&self) -> (String, VariableType) {
        let column = &self.columns.all[self.columns.key];
        (column.name.clone(), column.kind.clone())
    }

    /// What must not change before the plan is run.
    fn frozen_terms(&self) -> String {
        let columns = self.columns.all.iter().map(|it| format!("{} ({})", it.name, it.kind.as_str()));
        format!("the fields {}", columns.collect::<Vec<_>>().join(", "))
    }
}

/// The value by which a member is found.
fn key_of(member: &Member, (name, kind): &(String, VariableType)) -> Option<String> {
    fit::key(member.value(name)?, kind, false)
}

/// Reads who would be created and invited at this moment.
async fn audience(client: &Client, options: &CreateAndInviteOptions, before: Option<&Seen>) -> Result<Seen> {
    let mut reader = Reader::again(client, before);
    let rules = Rules {
        survey_id: Some(options.survey_id),
        panel_id: options.panel_id,
        message_template_id: Some(options.message_template_id),
        channel: channel(options.channel.as_ref())?.1,
        workspace_id: options.workspace_id,
        contacted_since: None,
        again: true,
        other_languages: options.other_languages,
        cap: options.cap,
        chooser: Chooser::Plan,
        each_address_once: false,
    };
    // The types of the fields decide what can be created: they are read again.
    reader.fields.clear();
    reader.calls += 1;
    let fields = rules.definition(&mut reader).await?;
    let mut typed = TypedRows::new(options, &fields).await?;
    if typed.checked.len() == 0 {
        // There is nothing to do, so the members need not be read.
        let mut audience = rules.divide(reader, Vec::new()).await?.seen;
        audience.kind = TargetKind::Rows;
        return Ok(audience);
    }
    let key = typed.key();
    let (mut existing_members, mut near) = (BTreeMap::new(), BTreeMap::new());
    let members = client.members(options.panel_id).fields([key.0.as_str()]);
    let list = reader
        .all(members.pages()?, |member| {
            let member_key = key_of(&member, &key);
            match member_key.and_then(|member_key| typed.checked.find(&typed.prints, &member_key)) {
                Some(Match::Exact(row)) => drop(existing_members.insert(i64::from(row), member.id)),
                Some(Match::Near(row, difference)) => {
                    near.insert(i64::from(row), (member.id, difference));
                }
                None => {}
            }
        })
        .await?;
    let (mut left_out, mut candidates) = (Vec::new(), Vec::new());
    let (mut members, mut keys, mut why) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
    for row in 0..u32::try_from(typed.checked.len()).unwrap_or(u32::MAX) {
        let number = i64::from(row);
        let member_id = existing_members.get(&number).copied();
        if let Some((reason, text)) = typed.refusal(row) {
            left_out.push(LeftOut::new(number, reason));
            why.insert(number, text);
            continue;
        }
        if let Some((id, difference)) = near.get(&number).filter(|_| member_id.is_none()) {
            let text = format!("the member {id} has the same key, except for {difference}");
            why.insert(number, text.into());
        }
        if member_id.is_some() || near.contains_key(&number) {
            left_out.push(LeftOut::new(number, LeftOutReason::Exists));
            continue;
        }
        let member = member_of(&mut typed.checked, &typed.columns, row)?;
        let own = member.fields.get(&key.0).and_then(|field| fit::key(&field.value, &key.1, false));
        keys.extend(own.map(|own| (own, number)));
        candidates.push(Candidate::new(number, &member, options.survey_id));
        members.insert(number, member);
    }
    let mut audience = rules.divide(reader, candidates).await?.seen;
    audience.kind = TargetKind::Rows;
    audience.left_out.extend(left_out);
    audience.left_out.sort_by_key(|left| left.member);
    let format = typed.checked.format.take();
    audience.frozen_terms = typed.frozen_terms();
    audience.notes = typed.columns.note() + &format.as_ref().map_or_else(String::new, RowsFormat::note);
    audience.detail =
        Detail::Newcomers(Box::new(Newcomers { members, keys, key, existing_members, why, list, format }));
    Ok(audience)
}

/// The cost of reading the new members back, once the recipients are known.
fn settle(client: &Client, seen: &mut Seen) {
    let Detail::Newcomers(newcomers) = &seen.detail else { return };
    let list = &newcomers.list;
    let more = i64::try_from(seen.targets.len()).unwrap_or(i64::MAX);
    let calls = list.calls(list.rows.saturating_add(more), client.config().page_size);
    seen.calls_after = if more == 0 { 0 } else { u64::try_from(calls).unwrap_or(0) };
}

/// The members who were created from rows, found by their keys.
async fn read_back(
    client: &Client,
    options: &CreateAndInviteOptions,
    newcomers: &Newcomers,
) -> Result<BTreeMap<i64, i64>> {
    let Newcomers { keys, key, .. } = newcomers;
    let mut existing = BTreeMap::new();
    let members = client.members(options.panel_id).fields([key.0.as_str()]);
    Reader::new(client)
        .all(members.pages()?, |member| {
            if let Some(row) = key_of(&member, key).and_then(|known| keys.get(&known)) {
                existing.insert(*row, member.id);
            }
        })
        .await?;
    Ok(existing)
}

/// The call that creates and invites.
fn request(
    options: &CreateAndInviteOptions,
    seen: &Seen,
    rows: &[i64],
) -> Result<CreateAndInviteMembersRequest> {
    let Detail::Newcomers(newcomers) = &seen.detail else {
        return Err(Error::internal("a plan has lost its rows"));
    };
    written(options, rows.iter().filter_map(|row| newcomers.members.get(row)).cloned().collect())
}

/// The same call as made by an earlier run, to find its effects. `None` if the panel has changed so that the rows can no
/// longer be written as they were.
async fn sent(
    client: &Client,
    options: &CreateAndInviteOptions,
    rows: &[i64],
) -> Result<Option<CreateAndInviteMembersRequest>> {
    let answer = client.read_panel(ReadPanelRequest::new(options.panel_id)).await?;
    let panel = answer.panel.ok_or_else(|| Error::unexpected_response("the response has no panel"))?;
    let fields: Vec<PanelField> = panel.groups.into_iter().flat_map(|group| group.fields).collect();
    let mut typed = TypedRows::new(options, &fields).await?;
    let numbers: Vec<u32> = rows.iter().filter_map(|row| u32::try_from(*row).ok()).collect();
    if numbers.iter().any(|row| typed.checked.reasons.contains_key(row)) {
        return Ok(None);
    }
    let members: Result<Vec<NewMember>> =
        numbers.into_iter().map(|row| member_of(&mut typed.checked, &typed.columns, row)).collect();
    written(options, members?).map(Some)
}

fn written(
    options: &CreateAndInviteOptions,
    members: Vec<NewMember>,
) -> Result<CreateAndInviteMembersRequest> {
    let mut request = CreateAndInviteMembersRequest::new(
        options.survey_id,
        options.panel_id,
        options.message_template_id,
        channel(options.channel.as_ref())?.0,
        members,
    );
    request.text_blocks = super::blocks(options.text_blocks.as_ref());
    request.schedule_date_time = options.schedule_date_time;
    request.sampling_project_id = options.sampling_project_id;
    request.interview_expiry_date.clone_from(&options.interview_expiry_date);
    request.from.clone_from(&options.sender);
    request.from_name.clone_from(&options.sender_name);
    request.reply_to.clone_from(&options.reply_to);
    request.reply_to_name.clone_from(&options.reply_to_name);
    Ok(request)
}

/// The identity of the job: a digest of the message, the key and every row, so that a journal is refused for other rows.
/// The order of columns does not matter, nor whether a number is stored as text.
fn identity(options: &CreateAndInviteOptions) -> Result<String> {
    let request = serde_json::to_string(&written(options, Vec::new())?);
    let mut text = request.map_err(|_| Error::internal("a request cannot be written"))?;
    let rows = rows(options)?;
    let mut columns: Vec<(usize, &String)> = rows.names().iter().enumerate().collect();
    columns.sort_by_key(|(_, name)| *name);
    let _ = write!(text, "\n{:?}\n{:?}", options.key, rows.names().len());
    for row in 0..rows.len() {
        for (place, name) in &columns {
            match rows.value(row, *place) {
                FieldValue::Null => {}
                FieldValue::Bool(truth) => drop(write!(text, "\n{row} {name:?} {truth}")),
                FieldValue::Int(number) => drop(write!(text, "\n{row} {name:?} {:?}", number.to_string())),
                FieldValue::Float(number) => drop(write!(text, "\n{row} {name:?} {:?}", number.to_string())),
                FieldValue::Text(value) => drop(write!(text, "\n{row} {name:?} {value:?}")),
                FieldValue::Json(value) => drop(write!(text, "\n{row} {name:?} {}", value.as_str())),
            }
        }
    }
    let _ = write!(text, "\n{}", rows.len());
    // Which rows are sent, and with which values, depends on these, too.
    if options.duplicates != Duplicates::Error || options.strip {
        let _ = write!(text, "\n{} {}", options.duplicates.as_str(), options.strip);
    }
    if let Some(decimal) = rows.rows_format().and_then(|format| format.decimal.as_ref()) {
        let _ = write!(text, "\n{decimal:?}");
    }
    Ok(text)
}

fn call(request: CreateAndInviteMembersRequest) -> Request {
    Request::of::<CreateAndInviteMembers>(request, |answer| {
        let (sampling_project, distributor) = (answer.sampling_project_id, answer.distributor_id);
        SendResult {
            sampling_project,
            distributor,
            issues: answer.validation_issues,
            ..SendResult::default()
        }
    })
}

impl SendKind for CreateAndInviteOptions {
    fn name(&self) -> &'static str {
        CREATE_AND_INVITE
    }

    fn journal(&mut self) -> &mut Option<JournalPlace> {
        &mut self.journal
    }

    fn common(&self) -> CommonOptions {
        CommonOptions {
            max_age: self.max_age,
            cap: self.cap,
            schedule: self.schedule_date_time,
            quiet: self.quiet,
        }
    }

    fn check_options(&self) -> Result<()> {
        check(self)
    }

    fn read<'a>(&'a self, client: &'a Client, before: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>> {
        Box::pin(audience(client, self, before))
    }

    fn settle(&self, client: &Client, seen: &mut Seen) -> Result<()> {
        settle(client, seen);
        Ok(())
    }

    fn request(&self, seen: &Seen, rows: &[i64]) -> Result<Request> {
        request(self, seen, rows).map(call)
    }

    fn sent_request<'a>(
        &'a self,
        client: &'a Client,
        rows: &'a [i64],
    ) -> BoxFuture<'a, Result<Option<Request>>> {
        Box::pin(async move { Ok(sent(client, self, rows).await?.map(call)) })
    }

    fn identity(&self) -> Result<String> {
        identity(self)
    }

    fn summary(&self, seen: &Seen) -> String {
        match (seen.survey_id, seen.panel_id) {
            (Some(survey), Some(panel)) => {
                format!(
                    "survey {survey}, panel {panel}: creates and invites {}{}",
                    seen.reached(),
                    seen.notes
                )
            }
            // A plan that an earlier run has completed reads nothing.
            _ => seen.reached(),
        }
    }

    fn difference_of_key(&self) -> &'static str {
        "its rows, its message, its survey, its panel or its sender were different"
    }

    fn read_back<'a>(
        &'a self,
        client: &'a Client,
        seen: &'a Seen,
    ) -> BoxFuture<'a, Result<Option<BTreeMap<i64, i64>>>> {
        Box::pin(async move {
            let Detail::Newcomers(newcomers) = &seen.detail else { return Ok(None) };
            read_back(client, self, newcomers).await.map(Some)
        })
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan again: people who are in the panel are left out."
    }
}
