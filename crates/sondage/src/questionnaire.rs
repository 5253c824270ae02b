//! Helpers for building questionnaires: texts in several languages, element ids, required switches.
//!
//! ```
//! use sondage::questionnaire::{self as ask, Questionnaire};
//!
//! let survey = Questionnaire::new(["en", "de"])
//!     .section(
//!         "Visit",
//!         [
//!             ask::single_choice(
//!                 "coming_back",
//!                 [("en", "Will you come back?"), ("de", "Kommen Sie wieder?")],
//!                 [ask::choice("1", [("en", "Yes"), ("de", "Ja")]), ask::choice("2", [("en", "No"), ("de", "Nein")])],
//!             ),
//!             ask::open_question("why", [("en", "Why?"), ("de", "Warum?")]),
//!         ],
//!     )
//!     .end([("en", "Thank you!"), ("de", "Danke!")])
//!     .definition();
//! assert_eq!(survey.sections[0].elements[1].code.as_deref(), Some("why"));
//! ```
//!
//! The results are plain [`SurveyDefinition`] and [`SurveyElement`] values: set any other field with their own methods,
//! for example `.force_response(true)` or `.condition(...)`.

use crate::condition::Expression;
use crate::error::Result;
use crate::model::{
    Choice, ChoiceType, CodeAccessMode, ColumnGroup, ColumnType, ConditionAction, ConditionDefinition,
    ElementType, Section, SurveyDefinition, SurveyElement, Translation,
};

/// One text in several languages, as pairs of language code and text.
pub fn texts<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Translation> {
    texts.into_iter().map(|(language, text)| Translation::new(language).text(text)).collect()
}

/// A questionnaire that is built section by section. Sections and elements get their ids from their order.
#[derive(Clone, Debug)]
pub struct Questionnaire {
    definition: SurveyDefinition,
    last_id: i64,
}

impl Questionnaire {
    /// A questionnaire in these languages, of which the first is the default. Each person can answer once, and can go
    /// back.
    pub fn new<'a>(languages: impl IntoIterator<Item = &'a str>) -> Self {
        let languages: Vec<String> = languages.into_iter().map(str::to_owned).collect();
        let default = languages.first().cloned().unwrap_or_default();
        let none = Vec::<Translation>::new;
        let definition = SurveyDefinition::new(
            false,
            true,
            false,
            CodeAccessMode::None,
            default,
            languages,
            Vec::<Section>::new(),
            Vec::<crate::model::CustomVariable>::new(),
            none(),
        );
        Self { definition, last_id: 0 }
    }

    /// Adds a section.
    #[must_use]
    pub fn section(self, name: &str, elements: impl IntoIterator<Item = SurveyElement>) -> Self {
        self.with(section(name, elements))
    }

    /// Adds an existing section.
    #[must_use]
    pub fn with(mut self, mut section: Section) -> Self {
        section.id = self.next();
        for element in &mut section.elements {
            element.id = self.next();
        }
        self.definition.sections.push(section);
        self
    }

    /// Sets the text at the end.
    #[must_use]
    pub fn end<'a>(mut self, text: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.definition.survey_end_text = texts(text);
        self
    }

    /// The questionnaire as `create_survey` takes it.
    pub fn definition(self) -> SurveyDefinition {
        self.definition
    }

    fn next(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }
}

/// A section of a questionnaire. Its name is not displayed.
pub fn section(name: &str, elements: impl IntoIterator<Item = SurveyElement>) -> Section {
    Section::new(0, name, false, false, elements)
}

/// An element of any kind, with only its kind set.
pub fn element(kind: ElementType) -> SurveyElement {
    SurveyElement::new(0, kind)
}

fn question<'a>(
    kind: ElementType,
    code: &str,
    text: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> SurveyElement {
    element(kind).code(code).text(texts(text))
}

fn with_choices(element: SurveyElement, choices: impl IntoIterator<Item = Choice>) -> SurveyElement {
    let numbered = (1..).zip(choices).map(|(id, mut choice)| {
        choice.id = id;
        choice
    });
    element.choices(numbered.collect::<Vec<_>>())
}

/// The constructors of questions with and without choices, for macros. Only for this project's own crates.
#[doc(hidden)]
#[macro_export]
macro_rules! questions {
    ($then:ident) => {
        $then! {
            choices {
                /// A question with a single choice.
                single_choice SingleChoice;
                /// A question with multiple choices.
                multiple_choice MultipleChoice;
                /// A question with a single choice from a dropdown.
                dropdown Dropdown;
            }
            plain {
                /// An open question, answered with free text.
                open_question OpenQuestion;
                /// A question for a date.
                date Date;
                /// The question whether the respondent would recommend something, from 0 to 10.
                nps Nps;
            }
        }
    };
}

macro_rules! functions {
    (
        choices { $($(#[doc = $doc:literal])* $choosing:ident $Choosing:ident;)* }
        plain { $($(#[doc = $about:literal])* $plain:ident $Plain:ident;)* }
    ) => {
        $(
            $(#[doc = $doc])*
            pub fn $choosing<'a>(
                code: &str,
                text: impl IntoIterator<Item = (&'a str, &'a str)>,
                choices: impl IntoIterator<Item = Choice>,
            ) -> SurveyElement {
                with_choices(question(ElementType::$Choosing, code, text), choices)
            }
        )*
        $(
            $(#[doc = $about])*
            pub fn $plain<'a>(
                code: &str,
                text: impl IntoIterator<Item = (&'a str, &'a str)>,
            ) -> SurveyElement {
                question(ElementType::$Plain, code, text)
            }
        )*
    };
}
questions!(functions);

/// One of the choices of a question: its value in the data, and its label.
pub fn choice<'a>(code: &str, text: impl IntoIterator<Item = (&'a str, &'a str)>) -> Choice {
    Choice::new(0, code, texts(text), false, false, false, false)
}

/// A slider from `from` to `to`.
pub fn slider<'a>(
    code: &str,
    text: impl IntoIterator<Item = (&'a str, &'a str)>,
    from: i64,
    to: i64,
) -> SurveyElement {
    question(ElementType::Slider, code, text).min_value(from).max_value(to)
}

/// A matrix: rows that share the same columns, with one choice per row.
pub fn matrix<'a>(
    code: &str,
    text: impl IntoIterator<Item = (&'a str, &'a str)>,
    rows: impl IntoIterator<Item = Choice>,
    columns: impl IntoIterator<Item = Choice>,
) -> SurveyElement {
    let columns: Vec<Choice> = (1..)
        .zip(columns)
        .map(|(id, mut column)| {
            column.id = id;
            column
        })
        .collect();
    let group =
        ColumnGroup::new(1, false, false, ChoiceType::Single, columns).text(Vec::<Translation>::new());
    with_choices(question(ElementType::Matrix, code, text), rows)
        .column_type(ColumnType::Single)
        .column_groups([group])
}

/// A text between questions.
pub fn text_block<'a>(text: impl IntoIterator<Item = (&'a str, &'a str)>) -> SurveyElement {
    element(ElementType::TextBlock).text(texts(text))
}

/// A page break.
pub fn page_break() -> SurveyElement {
    element(ElementType::PageBreak)
}

/// Shows an element only if the expression holds.
///
/// Fails if the expression cannot be written as conditions of the service.
pub fn show_when(element: SurveyElement, expression: &Expression) -> Result<SurveyElement> {
    Ok(element.condition(shown_when(expression)?))
}

/// The condition under which an element is shown: see [`show_when`].
pub fn shown_when(expression: &Expression) -> Result<ConditionDefinition> {
    Ok(ConditionDefinition::new(ConditionAction::Passes, expression.compile()?))
}
