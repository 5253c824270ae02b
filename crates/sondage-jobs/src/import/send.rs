//! Sends the chunks of an import, each at most once.

use super::match_members::{SeenMembers, add_member};
use super::report::{Attribution, RowResult, RowStatus};
use super::resume::OpenChunk;
use super::run::Run;
use crate::journal::{ChunkKind, Record, spans, unfold};
use crate::timing::now;
use sondage::error::{Delivery, Error, ErrorKind, Result};
use sondage::model::{CreateMembersResponse, MemberChange, UpdateMembersRequest, ValidationIssue};
use sondage::operations::CreateMembers;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// After this many consecutive chunks without a response, the import stops.
const SILENT_ATTEMPTS: usize = 3;

impl Run {
    /// Sends every row that is to be sent. Returns the error that stopped it.
    pub async fn send_all(&mut self) -> Result<()> {
        let mut answered = None;
        let sent = self.send_chunks(&mut answered).await;
        let recorded = match answered {
            Some(record) => self.journal.write(vec![record]).await,
            None => Ok(()),
        };
        sent.and(recorded)
    }

    /// `answered`: what is to be recorded about the last chunk with a response. It is written with the next chunk, because a flush
    /// to disk takes as long as a hundred rows; if the process is killed before, the next run reads the chunk back.
    async fn send_chunks(&mut self, answered: &mut Option<Record>) -> Result<()> {
        let mut silent = 0;
        while let Some((what, rows)) = self.due() {
            let chunk = self.chunks;
            self.chunks += 1;
            let body = if what == ChunkKind::Create { self.body(&rows)? } else { Vec::new() };
            let at = now();
            let sent = Record::Send { chunk, what, rows: spans(&rows), at };
            self.journal.write(answered.take().into_iter().chain([sent]).collect()).await?;
            self.open.insert(chunk, OpenChunk { what, rows: spans(&rows), at, ids: None });
            let begun = Instant::now();
            let outcome = match what {
                ChunkKind::Create => self.create(chunk, &rows, body).await,
                ChunkKind::Update => self.update(chunk, &rows).await,
            };
            let tracer = self.import.client.tracer();
            tracer.step("import_members", rows.len(), outcome.as_ref().err(), begun);
            match outcome {
                Ok(record) => {
                    silent = 0;
                    *answered = Some(record);
                }
                Err(error) => {
                    if error.changed_nothing()
                        && (error.kind() != ErrorKind::Api || self.is_undone(chunk).await)
                    {
                        self.open.remove(&chunk);
                        self.refused_chunk = chunk_refusal(&error).map(|reason| (rows, reason));
                        self.journal.write(vec![Record::No { chunk }]).await?;
                        return Err(error);
                    }
                    silent += 1;
                    if error.kind() == ErrorKind::Api
                        || silent == SILENT_ATTEMPTS
                        || !self.read_back_chunk(chunk).await
                    {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// The rows of the next chunk: members to create first, then those to change.
    pub fn due(&mut self) -> Option<(ChunkKind, Vec<u32>)> {
        let size = self.import.chunk_size;
        let blocked: BTreeSet<u32> = self.open.values().flat_map(|open| unfold(&open.rows)).collect();
        for (what, begin) in [(ChunkKind::Create, 0), (ChunkKind::Update, 1)] {
            let is_pending = |kept: &RowResult| {
                kept.status == RowStatus::NotSent && (kept.id == 0) == (what == ChunkKind::Create)
            };
            let rows = self
                .checked
                .kept
                .iter()
                .enumerate()
                .skip(self.next[begin])
                .filter(|(_, kept)| is_pending(kept));
            let rows =
                rows.filter_map(|(row, _)| u32::try_from(row).ok()).filter(|row| !blocked.contains(row));
            let rows: Vec<u32> = rows.take(size).collect();
            self.next[begin] = rows.last().map_or(self.checked.kept.len(), |row| *row as usize + 1);
            if !rows.is_empty() {
                return Some((what, rows));
            }
        }
        None
    }

    /// Reads the panel after a response that refuses a whole chunk, and checks that none of its rows was created.
    async fn is_undone(&mut self, chunk: u64) -> bool {
        let Some(open) = self.open.get(&chunk) else { return false };
        if open.what == ChunkKind::Update {
            // Updates are idempotent.
            return true;
        }
        let rows = open.rows.clone();
        let members = self.look(false).await;
        members.is_ok_and(|members| unfold(&rows).all(|row| members.id(row).is_none()))
    }

    fn body(&mut self, rows: &[u32]) -> Result<Vec<u8>> {
        let mut body = Vec::with_capacity(self.size);
        body.extend_from_slice(&super::head(&self.import.client, self.import.panel_id)?);
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                body.push(b',');
            }
            add_member(&mut self.checked, &self.columns, *row, &mut body)?;
        }
        body.extend_from_slice(super::END);
        self.size = body.len() + body.len() / 16;
        Ok(body)
    }

    /// Returns what is to be recorded.
    async fn create(&mut self, chunk: u64, rows: &[u32], body: Vec<u8>) -> Result<Record> {
        let answer = self.import.client.with_response_written::<CreateMembers>(body).await?.value;
        Ok(if let Some(ids) = placed(rows.len(), &answer) {
            self.explain(
                rows.iter().zip(&ids).filter(|(_, id)| **id == 0).map(|(row, _)| *row),
                &answer.validation_issues,
            );
            self.decide(chunk, &ids, Attribution::Answer);
            Record::Got { chunk, ids }
        } else {
            let ids = answer.members_ids.iter().flatten().count();
            self.explain(rows.iter().copied(), &answer.validation_issues);
            if let Some(open) = self.open.get_mut(&chunk) {
                open.ids = Some(ids);
            }
            Record::Some { chunk, ids }
        })
    }

    /// The request that updates the members of rows.
    pub fn changes(&mut self, rows: &[u32]) -> Result<UpdateMembersRequest> {
        let (key, mut changes) =
            (self.columns.all[self.columns.key].name.clone(), Vec::with_capacity(rows.len()));
        for row in rows {
            let mut fields = self.member_of(*row)?.fields;
            fields.shift_remove(&key);
            changes.push(MemberChange::new(self.checked.kept[*row as usize].id, fields));
        }
        Ok(UpdateMembersRequest::new(self.import.panel_id, changes))
    }

    async fn update(&mut self, chunk: u64, rows: &[u32]) -> Result<Record> {
        let request = self.changes(rows)?;
        let issues = self.import.client.update_members(request).await?.validation_issues;
        let ids: Vec<i64> = rows.iter().map(|row| self.checked.kept[*row as usize].id).collect();
        if issues.is_empty() {
            self.decide(chunk, &ids, Attribution::Answer);
            return Ok(Record::Got { chunk, ids });
        }
        let accepted = ids.len().saturating_sub(issues.len());
        self.explain(rows.iter().copied(), &issues);
        if let Some(open) = self.open.get_mut(&chunk) {
            open.ids = Some(accepted);
        }
        Ok(Record::Some { chunk, ids: accepted })
    }

    /// Records the outcomes of a chunk's rows: an id for each, 0 for a refused one.
    fn decide(&mut self, chunk: u64, ids: &[i64], how: Attribution) {
        let Some(open) = self.open.remove(&chunk) else { return };
        let success_status =
            if open.what == ChunkKind::Create { RowStatus::Created } else { RowStatus::Updated };
        for (row, id) in unfold(&open.rows).zip(ids) {
            let status = if *id == 0 { RowStatus::Refused } else { success_status };
            self.checked.kept[row as usize] = RowResult { status, how, id: *id };
            if *id != 0 {
                self.checked.reasons.remove(&row);
            }
        }
    }

    /// Records why the service refused rows. An issue does not name its row, so if there are several, all are listed.
    fn explain(&mut self, rows: impl Iterator<Item = u32>, issues: &[ValidationIssue]) {
        let reason = refusal(issues);
        for row in rows {
            self.checked.reasons.insert(row, Arc::clone(&reason));
        }
    }

    /// Looks up the members of a chunk without a response: immediately, and if some are missing, again after the quiet time.
    /// Returns whether all outcomes are known afterwards.
    async fn read_back_chunk(&mut self, chunk: u64) -> bool {
        for wait in [false, true] {
            if wait {
                tokio::time::sleep(self.import.quiet).await;
                if self.is_writing() {
                    return false;
                }
            }
            let Some(open) = self.open.get(&chunk) else { return true };
            let updates = open.what == ChunkKind::Update;
            let Ok(seen) = self.look(updates).await else { return false };
            if self.take(chunk, &seen, wait).await.unwrap_or(false) {
                return true;
            }
        }
        false
    }

    /// Reads back all uncertain chunks, once, after the last call.
    pub async fn read_back(&mut self) -> Result<()> {
        let updates = self.open.values().any(|open| open.what == ChunkKind::Update);
        for wait in [false, true] {
            if wait {
                tokio::time::sleep(self.import.quiet).await;
            }
            let members = self.look(updates).await?;
            for chunk in self.open.keys().copied().collect::<Vec<_>>() {
                self.take(chunk, &members, false).await?;
            }
            if !self.open.values().any(|open| open.ids.is_some()) {
                break;
            }
        }
        Ok(())
    }

    /// Resolves what an earlier run left uncertain, after the panel was read following the quiet time.
    pub async fn settle(&mut self, seen: &SeenMembers) -> Result<()> {
        for chunk in self.open.keys().copied().collect::<Vec<_>>() {
            self.take(chunk, seen, true).await?;
        }
        Ok(())
    }

    /// Updates the outcomes of a chunk from the panel. `quiet`: members that do not exist now will not be created any more.
    /// Returns whether all outcomes are known afterwards.
    async fn take(&mut self, chunk: u64, seen: &SeenMembers, quiet: bool) -> Result<bool> {
        let Some(open) = self.open.get(&chunk) else { return Ok(true) };
        let update = open.what == ChunkKind::Update;
        let member_id = |row: u32| seen.id(row).filter(|_| !update || seen.is_same(row)).unwrap_or_default();
        let ids: Vec<i64> = unfold(&open.rows).map(member_id).collect();
        let count = ids.iter().filter(|id| **id != 0).count();
        let is_decided = match open.ids {
            Some(expected) if update => quiet || count >= expected,
            Some(expected) => count >= expected,
            None => quiet || count == ids.len(),
        };
        if !is_decided {
            return Ok(false);
        }
        let rows: Vec<u32> = unfold(&open.rows).collect();
        let answered = open.ids.is_some();
        self.journal.write(vec![Record::Found { chunk, ids: ids.clone() }]).await?;
        self.decide(chunk, &ids, Attribution::ReadBack);
        if !answered {
            // The rows were not created: they are sent again, in another chunk.
            self.next = [0; 2];
            for (row, id) in rows.iter().zip(&ids).filter(|(_, id)| **id == 0) {
                let member = if update { seen.id(*row).unwrap_or(*id) } else { 0 };
                self.checked.kept[*row as usize] =
                    RowResult { status: RowStatus::NotSent, how: Attribution::None, id: member };
            }
        }
        Ok(true)
    }
}

/// Why rows were refused.
pub(crate) fn refusal(issues: &[ValidationIssue]) -> Arc<str> {
    let messages: BTreeSet<&str> = issues.iter().filter_map(|issue| issue.error_message.as_deref()).collect();
    match messages.len() {
        0 => "the service refused it and did not say why".into(),
        1 => messages.into_iter().collect::<String>().into(),
        _ => {
            let message = messages.into_iter().collect::<Vec<_>>().join(" ");
            format!("the service refused rows of its chunk: {message}").into()
        }
    }
}

/// Why all rows of a chunk were refused, of which the error is certain that it changed nothing. `None`: the chunk was not sent.
pub(super) fn chunk_refusal(error: &Error) -> Option<Arc<str>> {
    (error.delivery() == Delivery::Answered)
        .then(|| format!("its chunk was refused: {}", error.what()).into())
}

/// The ids of the response by row, 0 for a refused one, if their positions identify the rows.
pub(super) fn placed(rows: usize, answer: &CreateMembersResponse) -> Option<Vec<i64>> {
    let ids: Vec<i64> = answer.members_ids.iter().map(|id| id.unwrap_or_default()).collect();
    let holes = ids.iter().filter(|id| **id == 0).count();
    let created_ids = || ids.iter().filter(|id| **id != 0);
    // A service that numbers in order saves the search for ids that came twice.
    let distinct = if created_ids().is_sorted_by(|one, next| one < next) {
        created_ids().count()
    } else {
        created_ids().collect::<BTreeSet<_>>().len()
    };
    let sure = ids.len() == rows
        && distinct + holes == rows
        && ids.iter().all(|id| *id >= 0)
        && (holes > 0) != answer.validation_issues.is_empty();
    sure.then_some(ids)
}
