//! The pages of a long questionnaire: one for each section, or several.

use crate::world::SurveyVariable;
use crate::world::questionnaire::Exit;

/// The most questions of a page; a survey with at most so many has one page.
const QUESTIONS: usize = 12;

/// The pages of the questions that are asked.
pub(super) struct Pages {
    /// The page of each column, counted from 0.
    places: Vec<usize>,
    pub(super) count: usize,
}

impl Pages {
    /// `exits`: before which columns the interview may end; a page ends there.
    pub(super) fn of(variables: &[SurveyVariable], exits: &[Exit], shown: &[bool]) -> Self {
        let same = |a: &SurveyVariable, b: &SurveyVariable| {
            a.question_code == b.question_code && a.section == b.section
        };
        let questions: Vec<&[SurveyVariable]> = variables.chunk_by(same).collect();
        let (mut at, mut after_exit) = (0, false);
        let mut asked = Vec::with_capacity(questions.len());
        for question in &questions {
            after_exit |= exits.iter().any(|exit| exit.asked == at);
            let is_asked = shown[at..at + question.len()].contains(&true);
            asked.push((is_asked, is_asked && std::mem::take(&mut after_exit)));
            at += question.len();
        }
        let is_short = asked.iter().filter(|(asked, _)| *asked).count() <= QUESTIONS;
        let (mut places, mut page, mut on_page, mut section) =
            (Vec::with_capacity(variables.len()), 0, 0, None);
        for (question, (asked, is_after_exit)) in questions.iter().zip(asked) {
            let own = question.first().map(|first| first.section.as_str());
            if asked {
                let is_full = !is_short && (on_page == QUESTIONS || own != section);
                if on_page > 0 && (is_full || is_after_exit) {
                    (page, on_page) = (page + 1, 0);
                }
                (on_page, section) = (on_page + 1, own);
            }
            places.extend(std::iter::repeat_n(page, question.len()));
        }
        Self { places, count: page + 1 }
    }

    /// Which of these columns are on a page.
    pub(super) fn on(&self, page: usize, shown: &[bool]) -> Vec<bool> {
        shown.iter().zip(&self.places).map(|(shown, place)| *shown && *place == page).collect()
    }
}
