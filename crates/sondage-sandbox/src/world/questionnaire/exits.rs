//! The places of a questionnaire where an interview may end early: its forwardings.

use super::conditions::{ColumnIndex, CompiledRules, DisplayRules, names_of_all};
use super::texts::label;
use crate::profile::Profile;
use crate::world::survey::{Interview, STATES};
use crate::world::word::Word;
use serde_json::Value;
use sondage::internals::plain_text;
use sondage::model::{EndAction, SurveyElement};

/// A forwarding: an invisible step that ends the interview of everybody for whom its conditions hold.
// API 5.3
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// How many columns come before it.
    pub(crate) asked: usize,
    /// The state of the interviews that it ends.
    pub(crate) state: Word,
    /// When its section is shown.
    section: DisplayRules,
    own: DisplayRules,
    action: Option<EndAction>,
}

impl Exit {
    /// `asked`: how many columns come before the element.
    pub(super) fn new(element: &SurveyElement, section: &DisplayRules, asked: usize) -> Self {
        let state = ending_state(element.interview_state.as_deref()).unwrap_or("Completed");
        let own = DisplayRules::new().and(element.condition.as_ref(), &element.extra);
        Self { asked, state, section: section.clone(), own, action: element.action.clone() }
    }

    /// The rules, unless some of its own conditions are not evaluated: nobody is screened out by mistake.
    pub(super) fn compile<'a>(
        &'a self,
        columns: &ColumnIndex<'_>,
        profile: &Profile,
    ) -> Option<CompiledExit<'a>> {
        let own = self.own.compile(columns, self.asked, profile);
        own.is_whole().then(|| CompiledExit {
            exit: self,
            rules: [self.section.compile(columns, self.asked, profile), own],
        })
    }

    /// What is said of an answer to a question after it.
    pub(crate) fn ends_before(&self) -> String {
        let (what, cure) = match self.names() {
            names if names.is_empty() => ("whatever is answered".to_owned(), "leave the answer out"),
            names => (format!("what decides is {names}"), "leave the answer out or change what decides"),
        };
        format!(
            "the interview ends before this question as {}; {what}: {cure}, or set `acceptedAnswers` of the profile to `alsoNotAsked`",
            self.state
        )
    }

    /// What is said of an interview that shall be completed in spite of it.
    pub(crate) fn is_not_completed(&self) -> String {
        match self.names() {
            names if names.is_empty() => format!(
                "every interview ends as {}, not as Completed, whatever is answered: leave the state out",
                self.state
            ),
            names => format!(
                "these answers end the interview as {}, not as Completed; what decides is {names}: change that",
                self.state
            ),
        }
    }

    fn names(&self) -> String {
        names_of_all([&self.section, &self.own])
    }

    /// What the respondent sees at the end.
    pub(crate) fn message(&self, language: &str) -> Option<String> {
        let action = self.action.as_ref()?;
        let text = plain_text(&label(action.end_of_survey_text.as_deref(), language)).into_owned();
        let url = label(action.forward_url.as_deref(), language);
        if url.is_empty() {
            return Some(text).filter(|text| !text.is_empty());
        }
        Some(format!("The platform would go on to {url}"))
    }
}

/// The state with which an interview ends.
pub(crate) fn ending_state(state: Option<&str>) -> Option<Word> {
    let ends = STATES.into_iter().filter(|known| !matches!(*known, "NotResponded" | "InProgress"));
    ends.into_iter().find(|known| state.is_some_and(|state| state.eq_ignore_ascii_case(known)))
}

/// A forwarding, for the columns of a survey.
pub(super) struct CompiledExit<'a> {
    exit: &'a Exit,
    rules: [CompiledRules; 2],
}

impl<'a> CompiledExit<'a> {
    /// Itself, if it is the step after so many columns, and ends this interview.
    pub(super) fn taken(&self, asked: usize, interview: &Interview, answers: &[Value]) -> Option<&'a Exit> {
        let is_taken =
            self.exit.asked == asked && self.rules.iter().all(|rules| rules.hold(interview, answers));
        is_taken.then_some(self.exit)
    }
}
