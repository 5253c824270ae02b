//! The texts of a code plan in every language of its questionnaire.
//!
//! A code plan has the texts of one language. The questionnaire has all of them. A label is found by the code of its choice:
//! the texts of both may differ, in markup for example. The questionnaire names columns only by the code of their question.
//! So a row, or a choice that has a column of its own, is found by its text in the questionnaire's default language, and if
//! several have that text, by the end of the column's name. What is not found stays in the language of the code plan, and is
//! counted.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sondage::internals::plain_text;
use sondage::model::{Choice, SurveyDefinition, SurveyElement, Translation};

use super::code_plan::TEXT_BESIDE;
use super::{CodePlan, NOT_AVAILABLE, ValueLabel, Variable};
use crate::error::Warning;

/// The texts of a variable in one language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct VariableTexts {
    /// The text of the question.
    pub question: Option<String>,
    /// The row of a matrix.
    pub row: Option<String>,
    /// The choice of a multiple choice question.
    pub choice: Option<String>,
    /// The labels of the values, in the order of the values.
    pub labels: Vec<String>,
    /// How many of these texts are not in the questionnaire, so that they are those of the code plan, in its language.
    #[serde(default)]
    pub untranslated: usize,
    /// The texts with the markup of the questionnaire, if these have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Box<VariableTexts>>,
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
    let is_of = |language: &&String| {
        language.split(['-', '_']).next().is_some_and(|language| language.eq_ignore_ascii_case(name))
    };
    let mut regions = known.iter().filter(is_of);
    // `de` is `de-CH` where that is the only one.
    let only = regions.next().filter(|_| regions.next().is_none());
    let matching = known.iter().find(|language| language.eq_ignore_ascii_case(name)).or(only);
    matching.cloned().ok_or_else(|| UnknownLanguage { name: name.to_owned(), known: known.to_vec() })
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
            untranslated: texts.untranslated,
            original: texts.original.clone(),
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
            let element = elements.iter().find(|element| element.code.as_ref() == Some(code)).copied();
            let default = &definition.default_language;
            let texts = |language: &String| {
                let texts = match element {
                    _ if language.eq_ignore_ascii_case(default) => variable.texts(),
                    Some(element) => Phrasebook { element, default, language }.texts(variable),
                    None => VariableTexts { untranslated: translatable(variable), ..variable.texts() },
                };
                (language.clone(), texts)
            };
            let translations: BTreeMap<_, _> = definition.languages.iter().map(texts).collect();
            let required = element.and_then(|element| element.force_response);
            let highest = element.and_then(|element| element.max_value).filter(|_| variable.is_scale());
            let range = element.and_then(|element| range(element, variable));
            Variable { required, highest, range, translations, ..variable.clone() }
        };
        Self::new(self.variables().map(translated))
    }

    /// The plan with its texts in this language.
    #[must_use]
    pub fn in_language(&self, language: &str) -> Self {
        Self::new(self.variables().map(|variable| variable.in_language(language)))
    }
}

/// The answers that a question accepts, if it has limits.
fn range(element: &SurveyElement, variable: &Variable) -> Option<String> {
    let (from, to) = if variable.is_scale() {
        (element.min_value.map(|value| value.to_string()), element.max_value.map(|value| value.to_string()))
    } else {
        let checked = element.content_validation.as_ref()?;
        let limit = |number: Option<f64>, day: &Option<String>| {
            number.map(|number| number.to_string()).or_else(|| day.clone())
        };
        (limit(checked.min_value, &checked.earliest_date), limit(checked.max_value, &checked.latest_date))
    };
    match (from, to) {
        (Some(from), Some(to)) => Some(format!("{from} to {to}")),
        (Some(from), None) => Some(format!("{from} or more")),
        (None, Some(to)) => Some(format!("{to} or less")),
        (None, None) => None,
    }
}

/// How many texts the questionnaire can have. The labels of a column of 0 and 1 are the service's own words.
fn translatable(variable: &Variable) -> usize {
    let texts = [&variable.question, &variable.row, &variable.choice].into_iter().flatten().count();
    texts + if variable.choice.is_some() { 0 } else { variable.values.len() }
}

/// A warning about the texts of these variables that are in another language.
pub(crate) fn untranslated<'a>(variables: impl IntoIterator<Item = &'a Variable>) -> Option<Warning> {
    let concerned: Vec<&Variable> =
        variables.into_iter().filter(|variable| variable.untranslated > 0).collect();
    let texts: usize = concerned.iter().map(|variable| variable.untranslated).sum();
    let named: Vec<&str> = concerned.iter().take(MOST_NAMED).map(|variable| variable.code.as_str()).collect();
    let more = if concerned.len() > MOST_NAMED { ", .." } else { "" };
    (texts > 0).then(|| {
        Warning::general(format!(
            "texts that are not in the questionnaire stay in the language of the code plan: {texts}, of the columns {}{more}",
            named.join(", ")
        ))
    })
}

/// The most columns that the warning names.
const MOST_NAMED: usize = 10;

/// Looks up the texts of one question in another language.
struct Phrasebook<'a> {
    element: &'a SurveyElement,
    /// The language of the code plan.
    default: &'a str,
    language: &'a str,
}

/// The texts that something has, by language.
type Texts<'a> = &'a [Translation];

impl<'a> Phrasebook<'a> {
    fn texts(&self, variable: &Variable) -> VariableTexts {
        let untranslated = Cell::new(0);
        let text = |own: &String, found: Option<Texts<'a>>, counts: bool| {
            untranslated.set(untranslated.get() + usize::from(found.is_none() && counts));
            // Found, but translated by nobody: the text of the code plan is that of the default language.
            found.and_then(|texts| said(texts, self.language)).map_or_else(|| own.clone(), str::to_owned)
        };
        // The text beside a choice is called by the text of that choice.
        let is_beside = variable.code.ends_with("_text");
        let part = |own: &String| {
            let choice = own.strip_suffix(TEXT_BESIDE).filter(|_| is_beside);
            match choice.and_then(|choice| self.part(variable, choice)) {
                Some(found) => said(found, self.language)
                    .map_or_else(|| own.clone(), |text| text.to_owned() + TEXT_BESIDE),
                None => text(own, self.part(variable, own), true),
            }
        };
        let question = match (&variable.question, self.element.text.as_deref()) {
            (Some(own), found) => Some(text(own, found, true)),
            (None, found) => found.and_then(|texts| said(texts, self.language)).map(str::to_owned),
        };
        let (row, choice) = (variable.row.as_ref().map(part), variable.choice.as_ref().map(part));
        let flags = variable.choice.is_some();
        let label = |value: &ValueLabel| {
            let found = self.label(value, flags);
            text(&value.label, found, !flags && !self.is_own_word(&value.code))
        };
        let labels = variable.values.iter().map(label).collect();
        VariableTexts { question, row, choice, labels, untranslated: untranslated.get(), original: None }
    }

    /// The choices of the question, and those of the columns of a matrix.
    fn choices(&self) -> impl Iterator<Item = &'a Choice> {
        let columns = self.element.column_groups.iter().flatten().flat_map(|group| &group.choices);
        self.element.choices.iter().flatten().chain(columns)
    }

    /// The texts of the choice that is not available, of the question or of columns of a matrix.
    fn not_available(&self) -> impl Iterator<Item = Texts<'a>> {
        let groups = self.element.column_groups.iter().flatten();
        let groups = groups.filter_map(|group| group.not_available_choice_text.as_deref());
        self.element.not_available_choice_text.as_deref().into_iter().chain(groups)
    }

    /// Whether the label of a code is a word of the service, which no questionnaire has: "not available", if the question says nothing.
    fn is_own_word(&self, code: &str) -> bool {
        code == NOT_AVAILABLE
            && self.not_available().next().is_none()
            && !self.choices().any(|choice| choice.code == code)
    }

    /// The texts of a code. In a column of 0 and 1 the codes are those of no choice, so only a choice that has the same text
    /// is meant.
    fn label(&self, value: &ValueLabel, flags: bool) -> Option<Texts<'a>> {
        let of_code =
            || self.choices().filter(|choice| choice.code == value.code).map(|choice| &*choice.text);
        let by_text = || self.of_text(&value.label, self.choices().map(|choice| &*choice.text));
        if flags {
            return self.of_text(&value.label, of_code());
        }
        if value.code == NOT_AVAILABLE && of_code().next().is_none() {
            return self.only(self.not_available()).or_else(by_text);
        }
        // A matrix with several groups of columns may have the code more than once.
        self.only(of_code()).or_else(|| self.of_text(&value.label, of_code())).or_else(by_text)
    }

    /// The texts of a row, or of a choice that has a column of its own.
    fn part(&self, variable: &Variable, text: &str) -> Option<Texts<'a>> {
        let rows = || self.element.rows.iter().flatten();
        let all = self.choices().map(|choice| &*choice.text).chain(rows().map(|row| &*row.left_text));
        self.of_text(text, all).or_else(|| {
            let question = variable.question_code.as_deref()?;
            let code = variable.code.strip_prefix(question)?.strip_prefix('_')?;
            let of_code = |code: &str| {
                let choices = self.choices().map(|choice| (&choice.code, &*choice.text));
                let coded = choices.chain(rows().map(|row| (&row.code, &*row.left_text)));
                self.only(coded.filter(|(of_part, _)| *of_part == code).map(|(_, texts)| texts))
            };
            of_code(code).or_else(|| of_code(code.strip_suffix("_text")?))
        })
    }

    /// The texts that are this one in the default language.
    fn of_text(&self, text: &str, among: impl Iterator<Item = Texts<'a>>) -> Option<Texts<'a>> {
        // The same text may have other markup in the code plan.
        let text = plain_text(text);
        self.only(among.filter(|texts| said(texts, self.default).is_some_and(|own| plain_text(own) == text)))
    }

    /// The texts, unless several differ: a wrong label would be worse than one in another language.
    fn only(&self, mut found: impl Iterator<Item = Texts<'a>>) -> Option<Texts<'a>> {
        let first = found.next()?;
        let same = |other| said(other, self.language) == said(first, self.language);
        found.all(same).then_some(first)
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
    fn texts_are_found_by_their_codes_and_what_is_not_found_is_counted() {
        let both = |en, de| [("en", en), ("de", de)];
        let other = ask::choice("2", both("Other", "Anderes"));
        let survey = Questionnaire::new(["en", "de"]).section(
            "S",
            [
                ask::single_choice(
                    "q1",
                    both("Again?", "Wieder?"),
                    [ask::choice("1", both("<b>Yes</b>", "Ja")), other.clone()],
                )
                .not_available_choice_text(
                    both("n/a", "Keine Angabe").map(|(language, text)| Translation::new(language).text(text)),
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
            variable("q1", None, &[("1", "Yes"), ("2", "Other"), ("9", "Refused"), ("9999999", "N/A")]),
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
        assert_eq!(labels("q1"), ["Ja", "Anderes", "Refused", "Keine Angabe"]);
        assert_eq!(plan.get("q1").unwrap().question.as_deref(), Some("Wieder?"));
        // Two choices are "Other", and the name of the column says which of them it is.
        assert_eq!(plan.get("q2_2").unwrap().choice.as_deref(), Some("Anderes"));
        assert_eq!(labels("q2_2"), ["No", "Yes"]);
        // Not translated, and not in the questionnaire.
        assert_eq!(plan.get("q2_3").unwrap().choice.as_deref(), Some("New"));
        assert_eq!(labels("q9"), ["Yes"]);
        let warning = untranslated(plan.variables()).unwrap().detail;
        assert!(warning.ends_with(": 3, of the columns q1, q9"), "{warning}");
        assert_eq!(spelled("FR", &["en".to_owned(), "fr".to_owned()]).unwrap(), "fr");
        let unknown = spelled("it", &["en".to_owned(), "fr".to_owned()]).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no language \"it\"; there is en, fr");
    }
}
