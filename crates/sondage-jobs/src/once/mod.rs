//! A write that is sent once under a key, in every process: a journal for each key records what was sent and the response.

mod attempt;

use super::JournalStore;
use super::import::prints::Prints;
use super::journal::{FileJournal, default_folder, is_busy, place_in, unusable};
use super::plan::wrong;
use super::reconcile::{Finding, Found, Inquiry, Verdict};
use crate::options::{MakeStore, SendOnceOptions};
use sondage::Client;
use sondage::error::{Error, ErrorKind, Result};
use sondage::internals::call::once::{Before, KeptOnce, MakeWrite, WriteKeeper};
use sondage::internals::call::sent_writes::SentWrite;
use sondage::internals::runtime::blocking;

use attempt::{Attempt, OnceJournal};
use futures_util::future::BoxFuture;
use serde_json::Value;
use sondage::text;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often to check whether another process has released a key.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Where journals are stored: one for each key, under a name that does not reveal it.
#[derive(Clone)]
pub(crate) enum Journals {
    Folder(Option<PathBuf>),
    Stores(Arc<MakeStore>),
}

/// What was sent under a key.
#[derive(Clone)]
struct OnceKeeper {
    /// Looks for the effect of an earlier call.
    client: Client,
    key: String,
    journals: Journals,
    inquiry: Inquiry,
}

impl WriteKeeper for OnceKeeper {
    fn before(&self, make: MakeWrite) -> BoxFuture<'static, Result<Before>> {
        let keeper = self.clone();
        Box::pin(async move { keeper.ask(&make).await })
    }
}

impl OnceKeeper {
    async fn ask(&self, make: &MakeWrite) -> Result<Before> {
        let mut journal = self.open().await?;
        let write = make();
        match journal.last() {
            Some(last) if !journal.is_of(last, &write) => Err(self.other(last, &write)),
            Some(Attempt { answer: Some(answer), .. }) => Ok(Before::Answered(answer.clone().into())),
            Some(last) => {
                self.remember(make, last).await?;
                let finding = last.call.find_out(&self.client, write, last.took, &self.inquiry).await;
                let (earlier, found) = finding?;
                match (found.finding.verdict, &found.finding.answer) {
                    (Verdict::Happened, Some(answer)) => {
                        let answer = as_answered(answer);
                        journal.answered(&answer).await?;
                        Ok(Before::Answered(answer.into()))
                    }
                    (Verdict::DidNotHappen, _) => {
                        journal.not_done().await?;
                        self.send(journal, make()).await
                    }
                    _ => Err(self.undecided(&journal.name(), &earlier, found)),
                }
            }
            None => self.send(journal, write).await,
        }
    }

    /// Makes the calls with other keys known that were the same request at that time, here or in another process: an effect that can
    /// be theirs is not taken for this one's. Journals that are no files are not known to each other.
    async fn remember(&self, make: &MakeWrite, last: &Attempt) -> Result<()> {
        if matches!(self.journals, Journals::Stores(_)) {
            return Ok(());
        }
        let (folder, name, write) = (self.folder()?, self.name(), make());
        let config = self.client.config();
        let (service, tenant) = (config.base_url.to_string(), config.tenant.clone());
        let others = blocking(move || {
            attempt::alike(&folder, &name, (&service, &tenant), &write)
                .map_err(|error| unusable(&folder.display().to_string(), &error))
        });
        for other in
            others.await?.into_iter().filter(|other| other.call.meets(&last.call, self.inquiry.quiet))
        {
            let Attempt { call, took, answer, .. } = other;
            call.remember(make(), took, answer.map(Into::into));
        }
        Ok(())
    }

    async fn send(&self, mut journal: OnceJournal, write: SentWrite) -> Result<Before> {
        journal.sends(&self.client, &self.key, &write).await?;
        Ok(Before::Send(Box::new(write), Box::new(journal)))
    }

    /// Opens the journal of the key. If another call holds it, waits: that call's response is also the response to this one.
    async fn open(&self) -> Result<OnceJournal> {
        let end = tokio::time::Instant::now() + self.client.timeout();
        loop {
            let opened = match self.store() {
                Ok(store) => OnceJournal::open(store, &self.client, &self.key).await,
                Err(error) => Err(error),
            };
            match opened {
                Err(error) if is_busy(&error) => {
                    if tokio::time::Instant::now() >= end {
                        let hint = "Call again: when that call has ended, this one returns its response.";
                        return Err(wrong("another call with this key is under way", hint));
                    }
                }
                Err(error) if error.kind() == ErrorKind::Configuration && self.writes_files() => {
                    return Err(error.with_hint(
                        "Without it a second call could not find the first one, so nothing is sent. Name a folder that can be \
                         written as `folder`.",
                    ));
                }
                done => return done,
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn store(&self) -> Result<Box<dyn JournalStore>> {
        if let Journals::Stores(make) = &self.journals {
            return Ok(make(&self.name()));
        }
        Ok(Box::new(FileJournal::new(place_in(&self.folder()?, &self.name())?)))
    }

    fn writes_files(&self) -> bool {
        matches!(self.journals, Journals::Folder(_))
    }

    fn name(&self) -> String {
        let (service, tenant) = self.client.account();
        let sum = |salt: &str| Prints::new(salt).of(format!("{service}\n{tenant}\n{}", self.key).as_bytes());
        format!("{}{:016x}{:016x}", attempt::FILE, sum("sondage"), sum("once"))
    }

    fn folder(&self) -> Result<PathBuf> {
        match &self.journals {
            Journals::Folder(Some(folder)) => Ok(folder.clone()),
            _ => default_folder("Name a `folder`."),
        }
    }

    /// The error when another request was sent under this key.
    fn other(&self, last: &Attempt, write: &SentWrite) -> Error {
        let key = &self.key;
        let what = if last.operation == write.operation {
            text!("under the key {key:?} another request was sent before")
        } else {
            text!("under the key {key:?} another call was sent before: {}", last.operation)
        };
        wrong(what, "Give this call a key of its own, or make the call that the key stands for.")
    }

    fn undecided(&self, journal: &str, earlier: &SentWrite, found: Found) -> Error {
        let Found { finding: Finding { evidence, candidates, .. }, again_in } = found;
        let perhaps = if candidates.is_empty() {
            String::new()
        } else {
            format!("; it may be one of {}", candidates.join(", "))
        };
        let what =
            text!("an earlier call with the key {:?} may have happened: {evidence}{perhaps}", self.key);
        let advice = match again_in {
            Some(_) => "This call sent nothing. Make it again after `retry_after`.".to_owned(),
            None => format!(
                "This call sent nothing. Look at the account. If it shows that the earlier call did not happen, remove {journal}, and \
                 make this call again."
            ),
        };
        Error::outcome_unknown(what)
            .with_write_id(earlier.id.clone())
            .with_retry_after(again_in)
            .with_reconcile(Some(advice.into()))
    }
}

/// The effect that was read back, in the form of a response.
fn as_answered(answer: &Value) -> String {
    let mut answer = answer.clone();
    if let Value::Object(fields) = &mut answer {
        fields.insert("isSuccess".to_owned(), true.into());
    }
    answer.to_string()
}

pub(crate) fn client(of: &Client, options: SendOnceOptions, journals: Journals) -> Result<Client> {
    let SendOnceOptions { key, folder, journal, quiet, wait, created_by } = options;
    if key.trim().is_empty() {
        return Err(wrong("`key` is empty", "Give each call a key that no other call has."));
    }
    let journals = match (journals, folder, journal) {
        (Journals::Folder(_), Some(_), Some(_)) => {
            return Err(wrong(
                "`folder` and `journal` are both given",
                "Give the one in which the key is remembered.",
            ));
        }
        (Journals::Folder(_), None, Some(journal)) => Journals::Stores(journal.lend()?),
        (Journals::Folder(_), Some(folder), None) => Journals::Folder(Some(folder.0)),
        (journals, ..) => journals,
    };
    let default = Inquiry::default();
    let inquiry = Inquiry { quiet: quiet.unwrap_or(default.quiet), wait, created_by };
    let plain = of.call_options().unrecorded();
    let keeper = OnceKeeper { client: of.with(plain.clone()), key, journals, inquiry };
    Ok(of.with(plain.recorded(KeptOnce(Arc::new(keeper)))))
}
