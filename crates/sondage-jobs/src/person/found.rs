//! The data found about a person.

use super::source::PersonSource;
use serde::Serialize;
use sondage::budget::Cost;
use sondage::model::{
    Bounce, Distributor, FieldValue, IncentiveTransaction, Member, MemberInterview, OptOutItem,
    SamplingProject,
};
use sondage_macros::report;
use std::collections::BTreeSet;
use std::time::Duration;

/// A member of a panel.
#[report]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PersonMember {
    /// The panel or sample.
    pub panel_id: i64,
    /// Id of the member.
    pub member_id: i64,
}

/// An address or a number on an opt-out list.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OptedOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<i64>,
    pub item: OptOutItem,
}

/// An interview of the person.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Answered {
    pub survey: Option<i64>,
    pub id: String,
    /// Whether it has answers.
    pub begun: bool,
    pub completed: bool,
}

/// Everything that was found about a person.
#[derive(Default)]
pub(super) struct Found {
    /// Members by panel.
    pub members: Vec<(i64, Member)>,
    /// Members whose key differs only in case or surrounding spaces.
    pub similar: Vec<PersonMember>,
    pub opted_out: Vec<OptedOut>,
    pub bounces: Vec<Bounce>,
    pub distributors: Vec<Distributor>,
    pub projects: Vec<SamplingProject>,
    pub transactions: Vec<IncentiveTransaction>,
    pub sources: Vec<PersonSource>,
    /// The number of calls for reading everything once more.
    pub calls: u64,
    /// Bytes of the lists.
    pub bytes: u64,
    /// How long reading took.
    pub took: Duration,
}

impl Found {
    /// The cost of this many calls, if each takes as long as those that were made.
    pub fn cost(&self, calls: u64) -> Cost {
        let each = self.took / u32::try_from(self.calls).unwrap_or(u32::MAX).max(1);
        Cost::new(calls, self.bytes, Some(each))
    }

    pub fn people(&self) -> Vec<PersonMember> {
        self.members
            .iter()
            .map(|(panel_id, member)| PersonMember { panel_id: *panel_id, member_id: member.id })
            .collect()
    }

    /// Each interview once.
    pub fn interviews(&self) -> Vec<Answered> {
        let all = self.members.iter().flat_map(|(_, member)| &member.interviews);
        let answered = |it: &MemberInterview| Answered {
            survey: it.survey_id,
            id: it.id.clone(),
            begun: it.state.as_deref() != Some("NotResponded"),
            completed: it.state.as_deref() == Some("Completed"),
        };
        all.map(answered).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Addresses in lower case, and numbers.
    pub fn addresses(&self) -> (BTreeSet<String>, BTreeSet<i64>) {
        let (mut emails, mut phones) = (BTreeSet::new(), BTreeSet::new());
        for (_, member) in &self.members {
            emails.extend(member.text("Email").filter(|text| !text.is_empty()).map(str::to_lowercase));
            phones.extend(member.value("CellPhoneNumber").and_then(FieldValue::as_i64));
        }
        (emails, phones)
    }
}
