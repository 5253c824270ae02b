//! What a plan sends, as its engine sees it.

use super::seen::{Detail, Seen};
use crate::Client;
use crate::arguments::{
    CreateAndInviteOptions, InviteOptions, JournalPlace, RedeemOptions, RemindOptions, SendMailOptions,
    TransitionOptions,
};
use crate::call::sent_writes::SentWrite;
use crate::error::{Error, ErrorKind, Result, Text};
use crate::jobs::message::{invite, mail, newcomers, remind};
use crate::jobs::{redeem, transition};
use crate::model::{
    CreateAndInviteMembersRequest, ExecuteSendMailRequest, ExecuteWorkflowTransitionRequest,
    InviteMembersRequest, RedeemIncentiveCodeRequest, RemindMembersRequest, Secret, Timestamp,
    ValidationIssue,
};
use crate::{operations, text};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The job whose journals have rows instead of members.
pub(in crate::jobs) const CREATE_AND_INVITE: &str = "plan_create_and_invite";

/// The options of a plan, of any kind.
#[derive(Debug)]
#[non_exhaustive]
pub enum Order {
    /// An invitation.
    Invite(InviteOptions),
    /// Members to create and invite.
    CreateAndInvite(CreateAndInviteOptions),
    /// A reminder.
    Remind(RemindOptions),
    /// Single mails.
    SendMail(SendMailOptions),
    /// Vouchers.
    Redeem(RedeemOptions),
    /// A workflow transition.
    Transition(TransitionOptions),
}

/// A call.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::jobs) enum Request {
    Invite(Box<InviteMembersRequest>),
    CreateAndInvite(Box<CreateAndInviteMembersRequest>),
    Remind(Box<RemindMembersRequest>),
    SendMail(Box<ExecuteSendMailRequest>),
    Redeem(RedeemIncentiveCodeRequest),
    Transition(Box<ExecuteWorkflowTransitionRequest>),
}

/// The result of a call.
#[derive(Clone, Default)]
pub(super) struct Made {
    pub sampling_project: Option<i64>,
    pub distributor: Option<i64>,
    pub reminder: Option<i64>,
    pub voucher: Option<Secret>,
    /// Why members were not created, if the call creates some.
    pub issues: Vec<ValidationIssue>,
    /// The part of the result that was lost, in words.
    pub lost: Option<&'static str>,
}

impl Made {
    /// The ids of the answer, by which its effect is told from others.
    pub(super) fn written(&self) -> String {
        let Self { sampling_project, distributor, reminder, .. } = self;
        let ids = json!({ "samplingProjectId": sampling_project, "distributorId": distributor, "reminderId": reminder });
        ids.to_string()
    }

    /// What was read back, which never includes the code of a voucher.
    pub(super) fn read_back(answer: &Value) -> Self {
        let number = |name: &str| answer[name].as_i64();
        let (sampling_project, distributor) = (number("samplingProjectId"), number("distributorId"));
        Self { sampling_project, distributor, ..Self::default() }
    }
}

macro_rules! orders {
    ($($Kind:ident($Options:ident) $name:expr),*) => {
        $(impl From<$Options> for Order {
            fn from(options: $Options) -> Self {
                Self::$Kind(options)
            }
        })*

        impl Order {
            /// Its name in journals.
            pub(super) fn name(&self) -> &'static str {
                match self {
                    $(Self::$Kind(_) => $name),*
                }
            }

            pub(super) fn take_journal(&mut self) -> Option<JournalPlace> {
                match self {
                    $(Self::$Kind(options) => options.journal.take()),*
                }
            }

            pub(super) fn max_age(&self) -> Option<Duration> {
                match self {
                    $(Self::$Kind(options) => options.max_age),*
                }
            }
        }
    };
}

orders! {
    Invite(InviteOptions) "plan_invite",
    CreateAndInvite(CreateAndInviteOptions) CREATE_AND_INVITE,
    Remind(RemindOptions) "plan_remind",
    SendMail(SendMailOptions) "plan_send_mail",
    Redeem(RedeemOptions) "plan_redeem",
    Transition(TransitionOptions) "plan_transition"
}

impl Order {
    /// Checks everything that needs no reading.
    pub(super) fn check(&self) -> Result<()> {
        let cap = match self {
            Self::Invite(options) => {
                invite::check(options)?;
                options.cap
            }
            Self::CreateAndInvite(options) => {
                newcomers::check(options)?;
                options.cap
            }
            Self::Remind(options) => {
                remind::check(options)?;
                options.cap
            }
            Self::SendMail(options) => {
                mail::check(options)?;
                options.cap
            }
            Self::Redeem(options) => return redeem::check(options),
            Self::Transition(options) => return transition::check(options),
        };
        if cap == Some(0) {
            let hint = "Leave it out to write to everybody who can be reached.";
            return Err(wrong("`cap` is 0, so nobody could get the message", hint));
        }
        Ok(())
    }

    /// Whether the time of sending is in the future.
    pub(super) fn check_schedule(&self) -> Result<()> {
        let time = match self {
            Self::Invite(options) => options.schedule_date_time,
            Self::CreateAndInvite(options) => options.schedule_date_time,
            Self::Remind(options) => options.schedule_date_time,
            Self::SendMail(_) | Self::Redeem(_) | Self::Transition(_) => None,
        };
        match time {
            Some(time) if time < Timestamp::now() => Err(wrong(
                text!("`schedule_date_time` is {time}, which has passed"),
                "Give a time in the future, or leave it out to send immediately.",
            )),
            _ => Ok(()),
        }
    }

    /// Reads whom it would reach at this moment.
    pub(super) async fn read(&self, client: &Client) -> Result<Seen> {
        match self {
            Self::Invite(options) => invite::audience(client, options).await,
            Self::CreateAndInvite(options) => newcomers::audience(client, options).await,
            Self::Remind(options) => remind::audience(client, options).await,
            Self::SendMail(options) => mail::audience(client, options).await,
            Self::Redeem(options) => redeem::read(client, options).await,
            Self::Transition(options) => transition::read(client, options).await,
        }
    }

    /// What can be derived from the remaining recipients.
    pub(super) fn settle(&self, client: &Client, seen: &mut Seen) -> Result<()> {
        match self {
            Self::CreateAndInvite(_) => {
                newcomers::settle(client, seen);
                Ok(())
            }
            Self::Redeem(options) => redeem::settle(options, seen),
            _ => Ok(()),
        }
    }

    /// The maximum number of recipients of one call.
    pub(super) fn max_targets_per_call(&self) -> usize {
        match self {
            Self::Invite(_) | Self::CreateAndInvite(_) | Self::Remind(_) | Self::Transition(_) => usize::MAX,
            Self::SendMail(_) | Self::Redeem(_) => 1,
        }
    }

    /// Whether a refusal concerns one recipient only, so that the next ones are tried.
    pub(super) fn continues_after(&self, error: &Error) -> bool {
        matches!(self, Self::SendMail(_)) && error.kind() == ErrorKind::Api
    }

    /// The call for these recipients.
    pub(super) fn request(&self, seen: &Seen, targets: &[i64]) -> Result<Request> {
        Ok(match self {
            Self::Invite(options) => Request::Invite(Box::new(invite::request(options, targets)?)),
            Self::CreateAndInvite(options) => {
                Request::CreateAndInvite(Box::new(newcomers::request(options, seen, targets)?))
            }
            Self::Remind(options) => Request::Remind(Box::new(remind::request(options)?)),
            Self::SendMail(options) => Request::SendMail(Box::new(mail::request(options, seen, targets)?)),
            Self::Redeem(options) => Request::Redeem(RedeemIncentiveCodeRequest::new(options.incentive_id)),
            Self::Transition(options) => Request::Transition(Box::new(transition::request(options)?)),
        })
    }

    /// The call that reached these targets, if its effects can be read back.
    pub(super) async fn trace(&self, client: &Client, targets: &[i64]) -> Result<Option<Request>> {
        Ok(match self {
            Self::Remind(_) | Self::SendMail(_) => None,
            Self::CreateAndInvite(options) => {
                let sent = newcomers::sent(client, options, targets).await?;
                sent.map(|request| Request::CreateAndInvite(Box::new(request)))
            }
            _ => Some(self.request(&Seen::default(), targets)?),
        })
    }

    /// How long the service may still be processing a call of an earlier run.
    pub(super) fn quiet(&self) -> Option<Duration> {
        match self {
            Self::Invite(options) => options.quiet,
            Self::CreateAndInvite(options) => options.quiet,
            Self::Redeem(options) => options.quiet,
            Self::Transition(options) => options.quiet,
            Self::Remind(_) | Self::SendMail(_) => None,
        }
    }

    /// The part of the calls that is the same for all recipients.
    pub(super) fn identity(&self) -> Result<String> {
        match self {
            Self::SendMail(options) => mail::identity(options),
            Self::CreateAndInvite(options) => newcomers::identity(options),
            _ => self.request(&Seen::default(), &[])?.written(),
        }
    }

    /// Whether a plan that reaches nobody is an error. A list of people may well have nobody left; an object of which nothing
    /// can be done was named.
    pub(super) fn check_reach(&self, seen: &Seen) -> Result<()> {
        match self {
            Self::Transition(_) => Err(wrong(text!("the {}", seen.frozen_terms), "There is nothing to do.")),
            _ => Ok(()),
        }
    }

    /// A summary in one line, without personal data.
    pub(super) fn says(&self, seen: &Seen) -> String {
        let reached = seen.reached();
        match (self, seen.survey_id, seen.panel_id) {
            (Self::Redeem(_) | Self::Transition(_), ..) => format!("{}{}", seen.frozen_terms, seen.notes),
            (Self::CreateAndInvite(_), Some(survey), Some(panel)) => {
                format!("survey {survey}, panel {panel}: creates and invites {reached}{}", seen.notes)
            }
            (_, Some(survey), Some(panel)) => format!("survey {survey}, panel {panel}: reaches {reached}"),
            (_, None, Some(panel)) => format!("panel {panel}: reaches {reached}"),
            _ => reached,
        }
    }

    /// The error text for a journal whose key differs.
    pub(super) fn difference_of_key(&self) -> &'static str {
        match self {
            Self::CreateAndInvite(_) => {
                "its rows, its message, its survey, its panel or its sender were different"
            }
            _ => "its message, its survey, its panel or its sender was different",
        }
    }

    /// The members who were created from rows, by row. Nothing if it creates none.
    pub(super) async fn read_back(&self, client: &Client, seen: &Seen) -> Result<Option<BTreeMap<i64, i64>>> {
        match (self, &seen.detail) {
            (Self::CreateAndInvite(options), Detail::Newcomers(newcomers)) => {
                newcomers::read_back(client, options, newcomers).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How to continue with what was not sent, if there is no journal.
    pub(super) fn continuation_hint(&self) -> &'static str {
        match self {
            Self::Invite(_) => "Plan again: members who were invited are left out.",
            Self::CreateAndInvite(_) => "Plan again: people who are in the panel are left out.",
            Self::Remind(_) => "Plan again.",
            Self::SendMail(_) => {
                "Plan mails only to the members that are `\"not_sent\"`: a plan of all would write to the others again. With \
                 a `journal` the same plan resumes."
            }
            Self::Redeem(_) => {
                "Plan the vouchers that are `\"not_sent\"`: a plan of all would buy the others again. With a `journal` the \
                 same plan resumes."
            }
            Self::Transition(_) => "Plan again: the state is read first.",
        }
    }
}

impl Request {
    /// The form in which it is sent.
    pub fn written(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|_| Error::internal("a request cannot be written"))
    }

    /// The record that this process keeps of it once it was sent.
    pub(super) fn into_sent(self, client: &Client) -> Result<SentWrite> {
        match self {
            Self::Invite(request) => client.as_sent::<operations::InviteMembers>(*request),
            Self::CreateAndInvite(request) => client.as_sent::<operations::CreateAndInviteMembers>(*request),
            Self::Remind(request) => client.as_sent::<operations::RemindMembers>(*request),
            Self::SendMail(request) => client.as_sent::<operations::ExecuteSendMail>(*request),
            Self::Redeem(request) => client.as_sent::<operations::RedeemIncentiveCode>(request),
            Self::Transition(request) => client.as_sent::<operations::ExecuteWorkflowTransition>(*request),
        }
    }

    /// Sends it.
    pub(super) async fn send(self, client: &Client) -> Result<Made> {
        Ok(match self {
            Self::Invite(request) => {
                let answer = client.invite_members(*request).await?;
                let (sampling_project, distributor) = (answer.sampling_project_id, answer.distributor_id);
                Made { sampling_project, distributor, ..Made::default() }
            }
            Self::CreateAndInvite(request) => {
                let answer = client.create_and_invite_members(*request).await?;
                let (sampling_project, distributor) = (answer.sampling_project_id, answer.distributor_id);
                Made { sampling_project, distributor, issues: answer.validation_issues, ..Made::default() }
            }
            Self::Remind(request) => {
                let answer = client.remind_members(*request).await?;
                Made { reminder: answer.reminder_id, ..Made::default() }
            }
            Self::SendMail(request) => {
                client.execute_send_mail(*request).await?;
                Made::default()
            }
            Self::Redeem(request) => {
                let answer = client.redeem_incentive_code(request).await?;
                Made { voucher: answer.voucher_code, ..Made::default() }
            }
            Self::Transition(request) => {
                client.execute_workflow_transition(*request).await?;
                Made::default()
            }
        })
    }
}

/// The error for an invalid argument.
pub(in crate::jobs) fn wrong(what: impl Into<Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was sent. {}", Text::from(hint)))
}
