//! How the second wave differs from the first one, as questionnaires change between two years. The README of this crate lists the
//! same changes.

use sondage::model::{Choice, ContentValidationType, SurveyDefinition, SurveyElement, Translation};
use sondage::questionnaire::{self as ask, texts};

/// Texts in the language that the second wave adds. Everything else has none in it.
const ITALIAN: [(&str, &str); 8] = [
    ("visited", "Ha visitato una biblioteca pubblica negli ultimi dodici mesi?"),
    ("frequency", "Quanto spesso va in biblioteca?"),
    ("branch", "Quale biblioteca frequenta di più?"),
    ("satisfaction", "Nel complesso, quanto è soddisfatto della biblioteca?"),
    ("score", "Consiglierebbe la biblioteca a un amico o a una collega?"),
    ("age_group", "Quanti anni ha?"),
    ("gender", "Qual è il suo genere?"),
    ("remark", "Desidera aggiungere qualcosa?"),
];

pub(super) fn apply(questionnaire: &mut SurveyDefinition) {
    remove(questionnaire, "companions");
    insert_after(questionnaire, "duration", sunday());
    change(questionnaire, "travel_mode", |question| question.code = Some("transport".to_owned()));
    change(questionnaire, "reasons", add_workshop);
    change(questionnaire, "branch", |question| choices(question).retain(|branch| branch.code != "7"));
    change(questionnaire, "frequency", |question| {
        recode(question, "5", |choice| {
            choice.text = texts([
                ("en", "Less than once a month"),
                ("de-ch", "Seltener als einmal im Monat"),
                ("FR", "Moins d’une fois par mois"),
            ]);
        });
    });
    change(questionnaire, "informed", reverse);
    change(questionnaire, "postcode", |question| {
        if let Some(validation) = &mut question.content_validation {
            validation.validation_type = ContentValidationType::None;
            (validation.min_value, validation.max_value) = (None, None);
        }
    });
    if let Some(spend) = remove(questionnaire, "spend") {
        insert_after(questionnaire, "household", spend);
    }
    change(questionnaire, "income", |question| {
        recode(question, "98", |choice| "99".clone_into(&mut choice.code));
    });
    questionnaire.languages.push("it".to_owned());
    for (code, text) in ITALIAN {
        change(questionnaire, code, |question| {
            question.text.get_or_insert_default().push(Translation::new("it").text(text));
        });
    }
}

/// A question of the second wave only.
fn sunday() -> SurveyElement {
    let question = [
        ("en", "Would you come on Sundays if the library were open?"),
        ("de-CH", "Würden Sie am Sonntag kommen, wenn die Bibliothek geöffnet wäre?"),
        ("fr", "Viendriez-vous le dimanche si la bibliothèque était ouverte\u{a0}?"),
        ("it", "Verrebbe la domenica, se la biblioteca fosse aperta?"),
    ];
    let choices = [
        ask::choice("1", [("en", "Yes"), ("de-CH", "Ja"), ("fr", "Oui"), ("it", "Sì")]),
        ask::choice("2", [("en", "Perhaps"), ("de-CH", "Vielleicht"), ("fr", "Peut-être"), ("it", "Forse")]),
        ask::choice("3", [("en", "No"), ("de-CH", "Nein"), ("fr", "Non"), ("it", "No")]),
    ];
    let mut sunday = ask::single_choice("sunday", question, choices);
    (sunday.force_response, sunday.has_not_available_choice) = (Some(true), Some(true));
    sunday
}

/// A further choice, before the one that excludes the others.
fn add_workshop(question: &mut SurveyElement) {
    let choices = choices(question);
    let mut workshop = ask::choice(
        "9",
        [("en", "Use the workshop"), ("de-CH", "Die Werkstatt benutzen"), ("fr", "Utiliser l’atelier")],
    );
    workshop.id = 9;
    choices.insert(choices.len().saturating_sub(1), workshop);
}

/// The same labels in the other order: the code of the worst one becomes the code of the best one.
fn reverse(question: &mut SurveyElement) {
    let choices = choices(question);
    let codes: Vec<String> = choices.iter().map(|choice| choice.code.clone()).collect();
    choices.reverse();
    for (choice, code) in choices.iter_mut().zip(codes) {
        choice.code = code;
    }
}

fn choices(question: &mut SurveyElement) -> &mut Vec<Choice> {
    question.choices.get_or_insert_default()
}

fn recode(question: &mut SurveyElement, code: &str, to: impl FnOnce(&mut Choice)) {
    if let Some(choice) = choices(question).iter_mut().find(|choice| choice.code == code) {
        to(choice);
    }
}

/// The section of a question, and its place there.
fn place(questionnaire: &SurveyDefinition, code: &str) -> Option<(usize, usize)> {
    questionnaire.sections.iter().enumerate().find_map(|(section, parts)| {
        let place = parts.elements.iter().position(|element| element.code.as_deref() == Some(code));
        place.map(|place| (section, place))
    })
}

fn change(questionnaire: &mut SurveyDefinition, code: &str, to: impl FnOnce(&mut SurveyElement)) {
    if let Some((section, place)) = place(questionnaire, code) {
        to(&mut questionnaire.sections[section].elements[place]);
    }
}

fn remove(questionnaire: &mut SurveyDefinition, code: &str) -> Option<SurveyElement> {
    let (section, place) = place(questionnaire, code)?;
    Some(questionnaire.sections[section].elements.remove(place))
}

fn insert_after(questionnaire: &mut SurveyDefinition, code: &str, mut element: SurveyElement) {
    let Some((section, place)) = place(questionnaire, code) else { return };
    if element.id == 0 {
        let sections = questionnaire.sections.iter();
        let ids = sections.flat_map(|section| section.elements.iter().map(|one| one.id).chain([section.id]));
        element.id = ids.max().unwrap_or(0) + 1;
    }
    questionnaire.sections[section].elements.insert(place + 1, element);
}
