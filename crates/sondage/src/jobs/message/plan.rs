//! What would be sent, and to whom.

use super::audience::{Audience, LeftOut, LeftOutReason};
use super::order::Message;
use crate::Client;
use crate::error::{Error, Result};
use crate::text;
use ring::digest::{SHA256, digest};
use sondage_macros::report;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A message that would be sent, before it is.
///
/// `Display` says how many get it and why others do not, what sending costs, and the token that [`MessagePlan::run`] wants to have
/// back. It names nobody.
#[must_use = "nothing is sent before `run`"]
#[derive(Clone)]
pub struct MessagePlan(pub(super) Arc<Planned>);

/// What a plan says, as data.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MessagePlanFacts {
    /// The survey.
    pub survey_id: i64,
    /// The panel or sample.
    pub panel_id: i64,
    /// How many members match, with those who are left out.
    pub matches: usize,
    /// The members who get the message, by their numbers.
    pub members: Vec<i64>,
    /// The members who match and get none.
    pub left_out: Vec<LeftOut>,
    /// How many calls running it makes: those that read the audience again, and the one that sends. It is exact as long as the
    /// lists do not change.
    pub calls: u64,
    /// What `run` wants to have back. It begins with the number of messages.
    pub token: String,
    /// How many get the message, why others do not, and what it costs, in sentences that name nobody.
    pub text: String,
}

pub(super) struct Planned {
    pub client: Client,
    pub message: Message,
    pub audience: Audience,
    pub token: String,
    pub made: Instant,
    pub max_age: Duration,
    /// Whether it was sent, or may have been.
    pub used: AtomicBool,
}

pub(super) async fn plan(client: Client, message: Message, max_age: Duration) -> Result<MessagePlan> {
    message.check()?;
    let audience = message.audience(&client).await?;
    if audience.members.is_empty() {
        return Err(Error::invalid_argument(text!("nobody would get the message: {}", reached(&audience)))
            .with_hint("Nothing was sent. Choose other members."));
    }
    let token = token(&client, &message, &audience.members)?;
    let (made, used) = (Instant::now(), AtomicBool::new(false));
    Ok(MessagePlan(Arc::new(Planned { client, message, audience, token, made, max_age, used })))
}

/// The same for the same message to the same members, so that a command can plan, be confirmed, and plan again.
fn token(client: &Client, message: &Message, members: &[i64]) -> Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let config = client.config();
    let request = message.written(members)?;
    let sum = digest(&SHA256, format!("{}\n{}\n{request}", config.base_url, config.tenant).as_bytes());
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
    let letters: String = sum.as_ref().iter().take(6).map(letter).collect();
    Ok(format!("{}-{letters}", members.len()))
}

impl MessagePlan {
    /// The survey.
    pub fn survey_id(&self) -> i64 {
        self.0.audience.survey_id
    }

    /// The panel or sample.
    pub fn panel_id(&self) -> i64 {
        self.0.audience.panel_id
    }

    /// How many members match, with those who are left out.
    pub fn matches(&self) -> usize {
        self.0.audience.members.len() + self.0.audience.left_out.len()
    }

    /// The members who get the message, by their numbers.
    pub fn members(&self) -> &[i64] {
        &self.0.audience.members
    }

    /// The members who match and get none.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.0.audience.left_out
    }

    /// How many calls [`MessagePlan::run`] makes: those that read the audience again, and the one that sends. It is exact as long as
    /// the lists do not change.
    pub fn calls(&self) -> u64 {
        self.0.audience.calls + 1
    }

    /// All of it as data.
    pub fn facts(&self) -> MessagePlanFacts {
        MessagePlanFacts {
            survey_id: self.survey_id(),
            panel_id: self.panel_id(),
            matches: self.matches(),
            members: self.members().to_vec(),
            left_out: self.left_out().to_vec(),
            calls: self.calls(),
            token: self.token().to_owned(),
            text: self.to_string(),
        }
    }

    /// What [`MessagePlan::run`] wants to have back. It begins with the number of messages.
    pub fn token(&self) -> &str {
        &self.0.token
    }
}

/// `58 of 66: 6 have no address, 2 opted out`
fn reached(audience: &Audience) -> String {
    let members = audience.members.len();
    let told = |reason: LeftOutReason| {
        let count = audience.left_out.iter().filter(|left| left.reason == reason).count();
        (count > 0).then(|| format!("{count} {}", reason.of(count)))
    };
    let reasons: Vec<String> = LeftOutReason::ALL.into_iter().filter_map(told).collect();
    let joint = if reasons.is_empty() { "" } else { ": " };
    format!("{members} of {}{joint}{}", members + audience.left_out.len(), reasons.join(", "))
}

impl fmt::Display for MessagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Planned { audience, token, max_age, .. } = &*self.0;
        let (survey, panel) = (self.survey_id(), self.panel_id());
        writeln!(f, "survey {survey}, panel {panel}: reaches {}", reached(audience))?;
        writeln!(
            f,
            "  running it costs {} calls: {} to read again, and 1 to send",
            self.calls(),
            audience.calls
        )?;
        write!(f, "  confirm with {token} within {} minutes", max_age.as_secs().div_ceil(60))
    }
}

impl fmt::Debug for MessagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessagePlan({self})")
    }
}
