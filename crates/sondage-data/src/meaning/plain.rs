//! Texts without the markup of the questionnaire.

use std::sync::Arc;

use sondage::internals::{has_media, plain_text};

use super::{CodePlan, ValueLabel, Variable, VariableTexts};

impl CodePlan {
    /// The plan with texts as readers of the questionnaire see them: without tags, entities and superfluous blanks. Each variable
    /// keeps its [`original`](Variable::original) texts.
    #[must_use]
    pub fn plain(&self) -> Self {
        Self::new(self.shared_variables().map(|variable| Variable::clone(&plain(variable))))
    }
}

/// The variable with plain texts. One that has such texts already is returned as it is.
fn plain(variable: &Arc<Variable>) -> Arc<Variable> {
    let own = variable.texts();
    let texts = own.clone().plain(&variable.values);
    let translations = variable.translations.iter();
    let translations: Vec<_> = translations
        .map(|(language, texts)| (language.clone(), texts.clone().plain(&variable.values)))
        .collect();
    if texts == own
        && translations.iter().all(|(language, texts)| variable.translations.get(language) == Some(texts))
    {
        return Arc::clone(variable);
    }
    let VariableTexts { question, row, choice, labels, original, .. } = texts;
    let value = |(value, label): (&ValueLabel, String)| ValueLabel { code: value.code.clone(), label };
    Arc::new(Variable {
        question,
        row,
        choice,
        values: variable.values.iter().zip(labels).map(value).collect(),
        original: original.or_else(|| variable.original.clone()),
        translations: translations.into_iter().collect(),
        ..Variable::clone(variable)
    })
}

impl Variable {
    /// The texts of the variable.
    pub(crate) fn texts(&self) -> VariableTexts {
        VariableTexts {
            question: self.question.clone(),
            row: self.row.clone(),
            choice: self.choice.clone(),
            labels: self.values.iter().map(|value| value.label.clone()).collect(),
            untranslated: 0,
            original: None,
        }
    }
}

impl VariableTexts {
    /// The same texts without markup; the original ones are kept if they differ.
    fn plain(self, values: &[ValueLabel]) -> Self {
        let bare = |text: &Option<String>| text.as_ref().map(|text| without_markup(text));
        let label = |(label, value): (&String, &ValueLabel)| match plain_text(label) {
            // Nothing is left of a picture.
            text if text.is_empty() => value.code.clone(),
            text => text.into_owned(),
        };
        let texts = VariableTexts {
            question: bare(&self.question),
            row: bare(&self.row),
            choice: bare(&self.choice),
            labels: self.labels.iter().zip(values).map(label).collect(),
            untranslated: self.untranslated,
            original: self.original.clone(),
        };
        if texts == self {
            return self;
        }
        let original = self.original.clone().or_else(|| Some(Box::new(self)));
        VariableTexts { original, ..texts }
    }
}

/// The text without markup; a text that is nothing but a picture stays. Tags around blanks leave an empty text: the
/// service's editor stores `<undefined> </undefined>` for a text that nobody wrote.
fn without_markup(text: &str) -> String {
    match plain_text(text) {
        bare if bare.is_empty() && has_media(text) => text.to_owned(),
        bare => bare.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_around_blanks_are_no_text() {
        let variable = Variable {
            code: "q_1_1".to_owned(),
            question: Some("How old?".to_owned()),
            row: Some("Ann".to_owned()),
            choice: Some("<undefined> </undefined>".to_owned()),
            ..Variable::default()
        };
        let plan = CodePlan::new([variable]).plain();
        let clean = plan.get("q_1_1").unwrap();
        assert_eq!(clean.choice.as_deref(), Some(""));
        assert_eq!(clean.label().as_deref(), Some("How old? – Ann"));
    }

    #[test]
    fn texts_are_plain_and_the_original_ones_stay() {
        let value = |code: &str, label: &str| ValueLabel { code: code.to_owned(), label: label.to_owned() };
        let variable = Variable {
            code: "q_1".to_owned(),
            question: Some("<p>How&nbsp;good?</p>".to_owned()),
            row: Some("<img src=\"a.png\">".to_owned()),
            values: vec![
                value("1", "<strong>Very</strong> good"),
                value("2", "<img src='b.png'>"),
                value("3", "2 < 3"),
            ],
            ..Variable::default()
        };
        let plan =
            CodePlan::new([variable.clone(), Variable { code: "b".to_owned(), ..Variable::default() }])
                .plain();
        let clean = plan.get("q_1").unwrap();
        assert_eq!(clean.question.as_deref(), Some("How good?"));
        assert_eq!(clean.row, variable.row, "a row needs a text");
        let labels: Vec<&str> = clean.values.iter().map(|value| value.label.as_str()).collect();
        assert_eq!(labels, ["Very good", "2", "2 < 3"], "a picture is its code");
        let original = clean.original.as_deref().unwrap();
        assert_eq!(
            (&original.question, &original.labels[0]),
            (&variable.question, &variable.values[0].label)
        );
        assert!(plan.get("b").unwrap().original.is_none());
        assert_eq!(plan.plain().get("q_1"), Some(clean), "once more changes nothing");
    }
}
