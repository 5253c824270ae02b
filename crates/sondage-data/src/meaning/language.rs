//! The texts of a code plan in every language of its questionnaire.
//!
//! A code plan has the texts of one language. The questionnaire has all of them, but it names columns only by the code of
//! their question. So the text that a column has in the code plan is looked up in the questionnaire's default language, and
//! nothing is assumed about the names of columns.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sondage::model::{Choice, SurveyDefinition, SurveyElement, Translation};

use super::{CodePlan, ValueLabel, Variable};

/// The texts of a variable in one language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VariableTexts {
    /// The text of the question.
    pub question: Option<String>,
    /// The row of a matrix.
    pub row: Option<String>,
    /// The choice of a multiple choice question.
    pub choice: Option<String>,
    /// The labels of the values, in the order of the values.
    pub labels: Vec<String>,
}

/// A language that a survey or a table does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownLanguage {
    pub(crate) name: String,
    pub(crate) known: Vec<String>,
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no language {:?}; there is {}", self.name, self.known.join(", "))
    }
}

/// The language as the survey spells it.
pub(crate) fn spelled(name: &str, known: &[String]) -> Result<String, UnknownLanguage> {
    let found = known.iter().find(|language| language.eq_ignore_ascii_case(name));
    found.cloned().ok_or_else(|| UnknownLanguage { name: name.to_owned(), known: known.to_vec() })
}

impl Variable {
    /// The variable with its texts in this language; unchanged if it has none in it.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Self {
        let Some(texts) = self.translations.get(language) else { return self.clone() };
        let value = |(value, label): (&ValueLabel, &String)| ValueLabel {
            label: label.clone(),
            code: value.code.clone(),
        };
        Variable {
            question: texts.question.clone(),
            row: texts.row.clone(),
            choice: texts.choice.clone(),
            values: self.values.iter().zip(&texts.labels).map(value).collect(),
            ..self.clone()
        }
    }
}

impl CodePlan {
    /// The plan with the texts of all languages of this questionnaire.
    #[must_use]
    pub fn with_languages(&self, definition: &SurveyDefinition) -> Self {
        let elements: Vec<&SurveyElement> =
            definition.sections.iter().flat_map(|section| &section.elements).collect();
        let translated = |variable: &Variable| {
            let code = variable.question_code.as_ref().unwrap_or(&variable.code);
            let element = elements.iter().find(|element| element.code.as_ref() == Some(code));
            let Some(element) = element else { return variable.clone() };
            let texts = |language: &String| {
                let book = Phrasebook { element, default: &definition.default_language, language };
                (language.clone(), book.texts(variable))
            };
            let translations: BTreeMap<_, _> = definition.languages.iter().map(texts).collect();
            Variable { translations, required: element.force_response, ..variable.clone() }
        };
        Self::new(self.variables().map(translated))
    }

    /// The plan with its texts in this language.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Self {
        Self::new(self.variables().map(|variable| variable.in_language(language)))
    }
}

/// Looks up the texts of one question in another language.
struct Phrasebook<'a> {
    element: &'a SurveyElement,
    /// The language of the code plan.
    default: &'a str,
    language: &'a str,
}

impl Phrasebook<'_> {
    fn texts(&self, variable: &Variable) -> VariableTexts {
        let question = self.element.text.as_deref().and_then(|texts| said(texts, self.language));
        let value = |value: &ValueLabel| self.label(value).unwrap_or(&value.label).to_owned();
        VariableTexts {
            question: question.map(str::to_owned).or_else(|| variable.question.clone()),
            row: self.part(variable.row.as_ref()),
            choice: self.part(variable.choice.as_ref()),
            labels: variable.values.iter().map(value).collect(),
        }
    }

    /// The choices of the question, and those of the columns of a matrix.
    fn choices(&self) -> impl Iterator<Item = &Choice> {
        let columns = self.element.column_groups.iter().flatten().flat_map(|group| &group.choices);
        self.element.choices.iter().flatten().chain(columns)
    }

    /// Every text that may stand for a row or a choice.
    fn parts(&self) -> impl Iterator<Item = &[Translation]> {
        let rows = self.element.rows.iter().flatten().map(|row| &*row.left_text);
        self.choices().map(|choice| &*choice.text).chain(rows)
    }

    /// The label of a code. A matrix with several groups of columns may have the code more than once.
    fn label(&self, value: &ValueLabel) -> Option<&str> {
        let of_code = self.choices().filter(|choice| choice.code == value.code);
        self.only(value.label.as_str(), of_code.map(|choice| &*choice.text))
    }

    fn part(&self, text: Option<&String>) -> Option<String> {
        let text = text?;
        Some(self.only(text, self.parts()).unwrap_or(text).to_owned())
    }

    /// The translation of the text in the default language, unless several differ: a wrong label would be worse than one
    /// in another language.
    fn only<'t>(&self, text: &str, among: impl Iterator<Item = &'t [Translation]>) -> Option<&'t str> {
        let same = among.filter(|texts| said(texts, self.default) == Some(text));
        let mut found = same.map(|texts| said(texts, self.language));
        let first = found.next()?;
        if found.all(|other| other == first) { first } else { None }
    }
}

/// The text in this language, unless it is empty.
fn said<'t>(texts: &'t [Translation], language: &str) -> Option<&'t str> {
    let text = texts.iter().find(|text| text.language_code.eq_ignore_ascii_case(language))?;
    text.text.as_deref().filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sondage::questionnaire::{self as ask, Questionnaire};

    #[test]
    fn texts_are_found_by_what_they_are_in_the_default_language() {
        let both = |en, de| [("en", en), ("de", de)];
        let other = ask::choice("2", both("Other", "Anderes"));
        let survey = Questionnaire::new(["en", "de"]).section(
            "S",
            [
                ask::single_choice(
                    "q1",
                    both("Again?", "Wieder?"),
                    [ask::choice("1", both("Yes", "Ja")), other.clone()],
                ),
                ask::multiple_choice(
                    "q2",
                    both("Which?", "Welche?"),
                    [ask::choice("1", both("Other", "Sonstige")), other, ask::choice("3", [("en", "New")])],
                ),
            ],
        );
        let variable = |code: &str, choice: Option<&str>, values: &[(&str, &str)]| Variable {
            code: code.to_owned(),
            question_code: Some(code[..2].to_owned()),
            question: Some("Again?".to_owned()),
            choice: choice.map(str::to_owned),
            values: values
                .iter()
                .map(|(code, label)| ValueLabel { code: (*code).to_owned(), label: (*label).to_owned() })
                .collect(),
            ..Variable::default()
        };
        let plan = CodePlan::new([
            variable("q1", None, &[("1", "Yes"), ("2", "Other"), ("9", "Refused")]),
            variable("q2_2", Some("Other"), &[("0", "No"), ("1", "Yes")]),
            variable("q2_3", Some("New"), &[]),
            variable("q9", None, &[("1", "Yes")]),
        ]);
        let plan = plan.with_languages(&survey.definition()).in_language("de");
        let labels = |code| {
            let labels: Vec<&str> =
                plan.get(code).unwrap().values.iter().map(|value| &*value.label).collect();
            labels
        };
        assert_eq!(labels("q1"), ["Ja", "Anderes", "Refused"]);
        assert_eq!(plan.get("q1").unwrap().question.as_deref(), Some("Wieder?"));
        // Two choices are "Other", and nothing says which of them this column is.
        assert_eq!(plan.get("q2_2").unwrap().choice.as_deref(), Some("Other"));
        assert_eq!(labels("q2_2"), ["No", "Yes"]);
        // Not translated, and not in the questionnaire.
        assert_eq!(plan.get("q2_3").unwrap().choice.as_deref(), Some("New"));
        assert_eq!(labels("q9"), ["Yes"]);
        assert_eq!(spelled("FR", &["en".to_owned(), "fr".to_owned()]).unwrap(), "fr");
        let unknown = spelled("it", &["en".to_owned(), "fr".to_owned()]).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no language \"it\"; there is en, fr");
    }
}
