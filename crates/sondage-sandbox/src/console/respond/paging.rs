//! The pages of a long questionnaire: one for each section, or several.

use crate::world::SurveyVariable;

/// The most questions of a page; a survey with at most so many has one page.
const QUESTIONS: usize = 12;

/// The pages of the questions that are asked.
pub(super) struct Pages {
    /// The page of each column, counted from 0.
    places: Vec<usize>,
    pub(super) count: usize,
}

impl Pages {
    pub(super) fn of(variables: &[SurveyVariable], shown: &[bool]) -> Self {
        let same = |a: &SurveyVariable, b: &SurveyVariable| {
            a.question_code == b.question_code && a.section == b.section
        };
        let questions: Vec<&[SurveyVariable]> = variables.chunk_by(same).collect();
        let mut at = 0;
        let mut asked = Vec::with_capacity(questions.len());
        for question in &questions {
            asked.push(shown[at..at + question.len()].contains(&true));
            at += question.len();
        }
        let is_short = asked.iter().filter(|asked| **asked).count() <= QUESTIONS;
        let (mut places, mut page, mut on_page, mut section) =
            (Vec::with_capacity(variables.len()), 0, 0, None);
        for (question, asked) in questions.iter().zip(asked) {
            let own = question.first().map(|first| first.section.as_str());
            if asked && !is_short {
                if on_page > 0 && (on_page == QUESTIONS || own != section) {
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
