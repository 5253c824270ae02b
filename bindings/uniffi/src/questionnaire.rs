//! Helpers for building questionnaires, as in the core.

use crate::convert::{ConversionError, IntoFfi, TryFromFfi, argument};
use crate::{
    Choice, ConditionDefinition, ElementType, Filter, Section, SondageError, SurveyDefinition, SurveyElement,
    Translation,
};
use sondage::questionnaire::{self as core, Questionnaire};
use sondage::{condition, model};
use std::sync::Arc;

/// One text in several languages, by their codes: a `Map` in Kotlin, `KeyValuePairs` in Swift. Both keep their order.
#[derive(Debug)]
pub struct Texts(Vec<(String, String)>);

// uniffi has no map that keeps its order in both languages, so they are passed as alternating codes and texts.
uniffi::custom_type!(Texts, Vec<String>, {
    lower: |texts| texts.0.into_iter().flat_map(|(language, text)| [language, text]).collect(),
    try_lift: |parts| Ok(Texts(parts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())),
});

impl Texts {
    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(language, text)| (language.as_str(), text.as_str()))
    }
}

/// Builds questionnaires: texts in several languages, ids in their order, and the required switches of each question.
///
/// It has no state; `ask` is an instance. The results are plain values: change their other fields directly.
#[derive(uniffi::Object)]
pub struct Ask;

type Made<T> = Result<T, SondageError>;

fn choices(name: &str, given: Vec<Choice>) -> Made<Vec<model::Choice>> {
    Ok(argument(name, given)?)
}

macro_rules! questions {
    (
        choices { $($(#[doc = $doc:literal])* $choosing:ident $Choosing:ident;)* }
        plain { $($(#[doc = $about:literal])* $plain:ident $Plain:ident;)* }
    ) => {
        #[uniffi::export]
        impl Ask {
            $(
                $(#[doc = $doc])*
                ///
                /// - `code`: The code of its variable, of which a questionnaire has one.
                /// - `text`: What is asked, by the codes of languages.
                /// - `choices`: The choices, in order.
                pub fn $choosing(&self, code: String, text: Texts, choices: Vec<Choice>) -> Made<SurveyElement> {
                    let choices = self::choices("choices", choices)?;
                    Ok(core::$choosing(&code, text.pairs(), choices).into_ffi())
                }
            )*
            $(
                $(#[doc = $about])*
                ///
                /// - `code`: The code of its variable, of which a questionnaire has one.
                /// - `text`: What is asked, by the codes of languages.
                pub fn $plain(&self, code: String, text: Texts) -> Made<SurveyElement> {
                    Ok(core::$plain(&code, text.pairs()).into_ffi())
                }
            )*
        }
    };
}
sondage::questions!(questions);

#[uniffi::export]
#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours
impl Ask {
    /// Makes an instance.
    #[uniffi::constructor]
    pub fn new() -> Arc<Self> {
        Arc::new(Self)
    }

    /// A questionnaire for a new survey. Each person can answer once, and can go back.
    ///
    /// - `languages`: Their codes. The first is the default.
    /// - `sections`: Its sections, in order. They and their elements get their ids here.
    /// - `end`: The text at the end.
    #[uniffi::method(default(end = None))]
    pub fn questionnaire(
        &self,
        languages: Vec<String>,
        sections: Vec<Section>,
        end: Option<Texts>,
    ) -> Made<SurveyDefinition> {
        let sections: Vec<model::Section> = argument("sections", sections)?;
        let questionnaire = Questionnaire::new(languages.iter().map(String::as_str));
        let questionnaire = sections.into_iter().fold(questionnaire, Questionnaire::with);
        let questionnaire = match &end {
            Some(text) => questionnaire.end(text.pairs()),
            None => questionnaire,
        };
        Ok(questionnaire.definition().into_ffi())
    }

    /// A section of a questionnaire. Its name is not displayed.
    ///
    /// - `name`: The name.
    /// - `elements`: Its elements, in order.
    pub fn section(&self, name: String, elements: Vec<SurveyElement>) -> Made<Section> {
        let elements: Vec<model::SurveyElement> = argument("elements", elements)?;
        Ok(core::section(&name, elements).into_ffi())
    }

    /// One text in several languages, as models hold it.
    ///
    /// - `text`: The texts, by the codes of languages.
    pub fn texts(&self, text: Texts) -> Vec<Translation> {
        core::texts(text.pairs()).into_ffi()
    }

    /// One of the choices of a question: its value in the data, and its label.
    ///
    /// - `code`: The value.
    /// - `text`: The label, by the codes of languages.
    pub fn choice(&self, code: String, text: Texts) -> Choice {
        core::choice(&code, text.pairs()).into_ffi()
    }

    /// An element of any kind, with only its kind set.
    ///
    /// - `kind`: The kind.
    pub fn element(&self, kind: ElementType) -> Made<SurveyElement> {
        Ok(core::element(argument("kind", kind)?).into_ffi())
    }

    /// A slider from one value to another.
    ///
    /// - `code`: The code of its variable, of which a questionnaire has one.
    /// - `text`: What is asked, by the codes of languages.
    /// - `from`: The lowest value.
    /// - `to`: The highest value.
    pub fn slider(&self, code: String, text: Texts, from: i64, to: i64) -> SurveyElement {
        core::slider(&code, text.pairs(), from, to).into_ffi()
    }

    /// A matrix: rows that share the same columns, with one choice per row.
    ///
    /// - `code`: The code of its variable, of which a questionnaire has one.
    /// - `text`: What is asked, by the codes of languages.
    /// - `rows`: The rows, in order.
    /// - `columns`: The columns, in order.
    pub fn matrix(
        &self,
        code: String,
        text: Texts,
        rows: Vec<Choice>,
        columns: Vec<Choice>,
    ) -> Made<SurveyElement> {
        let (rows, columns) = (choices("rows", rows)?, choices("columns", columns)?);
        Ok(core::matrix(&code, text.pairs(), rows, columns).into_ffi())
    }

    /// A text between questions.
    ///
    /// - `text`: The text, by the codes of languages.
    pub fn text_block(&self, text: Texts) -> SurveyElement {
        core::text_block(text.pairs()).into_ffi()
    }

    /// A page break.
    pub fn page_break(&self) -> SurveyElement {
        core::page_break().into_ffi()
    }

    /// The condition under which an element is shown. Fails if the filter cannot be written as conditions of the service.
    ///
    /// - `filter`: What has to hold.
    pub fn show_when(&self, filter: Arc<Filter>) -> Made<ConditionDefinition> {
        let expression: condition::Expression =
            filter.try_from_ffi().map_err(ConversionError::into_argument_error)?;
        Ok(core::shown_when(&expression)?.into_ffi())
    }
}
