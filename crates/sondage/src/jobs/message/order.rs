//! What is to be sent: an invitation or a reminder. A plan asks nothing else of them.

use super::audience::Audience;
use super::{invite, remind};
use crate::Client;
use crate::arguments::{InviteOptions, RemindOptions};
use crate::error::{Error, Result, Text};
use crate::model::Timestamp;
use crate::text;

/// A message that is planned.
pub(super) enum Message {
    Invite(InviteOptions),
    Remind(RemindOptions),
}

/// What was made to carry it.
#[derive(Default)]
pub(super) struct Made {
    pub sampling_project: Option<i64>,
    pub distributor: Option<i64>,
    pub reminder: Option<i64>,
}

impl Message {
    /// What can be known to be wrong before anything is read.
    pub fn check(&self) -> Result<()> {
        let cap = match self {
            Self::Invite(options) => {
                invite::channel(options)?;
                options.cap
            }
            Self::Remind(options) => options.cap,
        };
        if cap == Some(0) {
            let hint = "Leave it out to write to everybody who can be reached.";
            return Err(wrong("`cap` is 0, so nobody could get the message", hint));
        }
        self.in_future()
    }

    /// Whether the time to send is still to come.
    pub fn in_future(&self) -> Result<()> {
        let time = match self {
            Self::Invite(options) => options.schedule_date_time,
            Self::Remind(options) => options.schedule_date_time,
        };
        match time {
            Some(time) if time < Timestamp::now() => Err(wrong(
                text!("`schedule_date_time` is {time}, which has passed"),
                "Give a time to come, or leave it out to send at once.",
            )),
            _ => Ok(()),
        }
    }

    /// Reads who would get it now.
    pub async fn audience(&self, client: &Client) -> Result<Audience> {
        match self {
            Self::Invite(options) => invite::audience(client, options).await,
            Self::Remind(options) => remind::audience(client, options).await,
        }
    }

    /// Sends it.
    pub async fn send(&self, client: &Client, members: &[i64]) -> Result<Made> {
        match self {
            Self::Invite(options) => {
                let made = client.invite_members(invite::request(options, members)?).await?;
                let (sampling_project, distributor) = (made.sampling_project_id, made.distributor_id);
                Ok(Made { sampling_project, distributor, reminder: None })
            }
            Self::Remind(options) => {
                let made = client.remind_members(remind::request(options)?).await?;
                Ok(Made { reminder: made.reminder_id, ..Made::default() })
            }
        }
    }

    /// All that it says and to whom, for the token.
    pub fn written(&self, members: &[i64]) -> Result<String> {
        let written = match self {
            Self::Invite(options) => serde_json::to_string(&invite::request(options, members)?),
            Self::Remind(options) => serde_json::to_string(&remind::request(options)?)
                .map(|request| format!("{request}{members:?}")),
        };
        written.map_err(|_| Error::internal("a request cannot be written"))
    }
}

/// An argument that is wrong.
pub(super) fn wrong(what: impl Into<Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was sent. {}", Text::from(hint)))
}
