//! Cells for the client of another language: a driver requests the next one, makes the call, and posts its result.
//!
//! The driver finds the address in `CAMPAIGN_CONTROL`. `GET /next` returns a cell, or nothing at the end; the body of
//! `POST /report-ID` is a [`CallReport`]. The run ends when the standard input is closed, and the result is printed.

use crate::cells::{self, CampaignCell, CampaignLength};
use crate::drive::{call_id, other_ids};
use crate::minimums::LANGUAGE;
use crate::parallel::SharedTally;
use crate::report::CallReport;
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::service::{Protocol, certificates};
use crate::stage::CampaignStage;
use serde_json::json;
use std::collections::HashMap;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

struct ServedRun {
    cells: Vec<CampaignCell>,
    next: AtomicUsize,
    stages: Mutex<HashMap<usize, CampaignStage>>,
    tally: SharedTally,
}

/// Serves until the standard input is closed.
pub fn serve(form: CampaignLength) -> Result<(), String> {
    let run = Arc::new(ServedRun {
        cells: for_languages(form)?,
        next: AtomicUsize::new(0),
        stages: Mutex::default(),
        tally: SharedTally::default(),
    });
    let theirs = run.clone();
    let control =
        AnsweringService::start(move |arrived| theirs.answer(arrived)).map_err(|error| error.to_string())?;
    println!("{}", control.url());
    let mut end = Vec::new();
    std::io::stdin().read_to_end(&mut end).map_err(|error| error.to_string())?;
    let tally = run.tally.take();
    tally.print();
    let wanted = LANGUAGE.of(form);
    let missing = tally.cells < wanted || tally.cells < run.cells.len();
    if missing {
        println!("TOO FEW: {} cells of {}, at least {wanted} are required", tally.cells, run.cells.len());
    }
    println!("campaign: {} passed, {} failed", tally.cells - tally.bad, tally.bad + usize::from(missing));
    Ok(())
}

/// The same cells for each language, from all families: raw calls with a given token.
fn for_languages(form: CampaignLength) -> Result<Vec<CampaignCell>, String> {
    let mut cells = cells::all(CampaignLength::Long)?;
    cells.retain(|cell| {
        let setting = &cell.setting;
        setting.operation.is_none() && setting.leaves.is_none() && !setting.endpoint
    });
    // Spread over all of them; a few more than needed, because two steps may hit the same cell.
    let wanted = LANGUAGE.of(form) * 11 / 10;
    let (mut picked, all) = (Vec::new(), cells.len());
    for number in 0..wanted {
        picked.push(cells[(number * 7919 + number * all / wanted) % all].clone());
    }
    // The effects of one call on others: a pause that is waited for, and one that is reported as an error.
    for effect in ["read", "create", "send"] {
        let pause = |cell: &&CampaignCell| cell.family == "pause" && cell.effect == effect;
        picked.extend(cells.iter().find(pause).cloned());
    }
    // Pauses come last: one may last a day, and a later cell may get the same port.
    picked.sort_by_key(|cell| (cell.setting.others > 0, cell.id));
    picked.dedup_by_key(|cell| cell.id);
    Ok(picked)
}

impl ServedRun {
    fn answer(&self, arrived: &ReceivedRequest) -> RawReply {
        let answer = match arrived.call.strip_prefix("report-") {
            Some(id) => self.report(id, &arrived.body),
            None => self.next(),
        };
        answer.unwrap_or_else(|error| {
            println!("{error}");
            RawReply(500, String::new(), error.into())
        })
    }

    fn next(&self) -> Result<RawReply, String> {
        let Some(cell) = self.cells.get(self.next.fetch_add(1, Ordering::SeqCst)) else {
            return Ok(RawReply(204, String::new(), Vec::new()));
        };
        let stage = CampaignStage::set(cell)?;
        let setting = &cell.setting;
        let described = json!({
            "id": cell.id,
            "name": cell.name(),
            "baseUrl": stage.service.url(),
            "proxy": stage.service.proxy(),
            "caFile": (setting.way != Protocol::Plain).then(certificates::authority),
            // For a driver that cannot access our files.
            "caPem": (setting.way != Protocol::Plain).then(|| std::fs::read_to_string(certificates::authority()).ok()),
            "token": "a-token",
            "path": format!("/publicapi/Campaign/v3/{}", call_id(cell)),
            // Calls to make at once when the first one has ended, each by a client of its own.
            "others": other_ids(cell).iter().map(|id| format!("/publicapi/Campaign/v3/{id}")).collect::<Vec<_>>(),
            "size": cell.size,
            "effect": cell.effect,
            "attempts": setting.attempts,
            "deadlineMs": setting.deadline,
            "retryAfterCapMs": setting.timeout * 1000,
            "retryBaseMs": 2,
            "retryCapMs": 5,
            "answerBytes": 1 << 20,
        });
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).insert(cell.id, stage);
        Ok(RawReply::ok(described.to_string()))
    }

    fn report(&self, id: &str, body: &str) -> Result<RawReply, String> {
        let id = id.parse().map_err(|_| format!("`{id}` is no cell"))?;
        let report: CallReport =
            serde_json::from_str(body).map_err(|error| format!("a report of cell {id}: {error}"))?;
        let stage = self.stages.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let stage = stage.ok_or_else(|| format!("cell {id} was not handed out"))?;
        let cell = self.cells.iter().find(|cell| cell.id == id).ok_or("no such cell")?;
        self.tally.add(cell, Ok(stage.judge(cell, &report)));
        Ok(RawReply::ok("{}"))
    }
}
