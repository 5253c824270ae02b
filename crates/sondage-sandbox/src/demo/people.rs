//! Invented people, drawn from lists and always the same for the same seed, with the irregularities of real lists:
//! umlauts, several languages, missing values.

use super::moment;
use crate::random::SeededRng;
use crate::world::{FieldFormat, Member, PanelField};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// 15 January 2024, 08:00 UTC.
const FIRST: i64 = 1_705_305_600;
const LANGUAGES: [&str; 5] = ["de", "de", "fr", "en", "it"];
const DIVISIONS: [&str; 5] = ["Sales", "Marketing", "Research", "Support", "Geschäftsleitung"];
const DOMAINS: [&str; 3] = ["example.com", "example.org", "example.net"];

fn first_names(language: &str) -> &'static [&'static str] {
    match language {
        "de" => {
            &["Jürg", "Käthe", "Björn", "Anneliese", "Götz", "Ruth", "Maximilian", "Änne", "Urs", "Sören"]
        }
        "fr" => &["Hélène", "François", "Zoë", "Benoît", "Anaïs", "Luc", "Chloé", "Jérôme"],
        "it" => &["Niccolò", "Giulia", "Alessandro", "Desirée", "Matteo", "Chiara"],
        _ => &["Grace", "Liam", "Siobhán", "Noah", "Chloe", "Renée", "Oliver", "Ada"],
    }
}

fn last_names(language: &str) -> &'static [&'static str] {
    match language {
        "de" => &["Müller", "Schäfer", "Groß", "Zürcher", "Böhm", "Weiß", "von Känel", "Müller-Lüdenscheidt"],
        "fr" => &["Lefèvre", "Dupré", "Garçon", "Béguin", "d’Arcy", "Noël"],
        "it" => &["Rossi", "Forlì", "De Luca", "Bernasconi", "Cefalù"],
        _ => &["O'Neil", "Smith", "Nguyễn", "Łukasik", "Brontë", "Okafor"],
    }
}

/// The fields that are known from examples.
// API 3.3
pub(super) fn fields() -> Vec<PanelField> {
    let mut gender = PanelField::new(5, "Gender", "Gender", "Number");
    gender.labels = vec![
        ("en", vec![("1", "Female"), ("2", "Male"), ("3", "Other")]),
        ("de", vec![("1", "Weiblich"), ("2", "Männlich"), ("3", "Divers")]),
    ];
    vec![
        PanelField::new(1, "Email", "E-mail address", "String").form(FieldFormat::Email),
        PanelField::new(2, "FirstName", "First name", "String"),
        PanelField::new(3, "LastName", "Last name", "String"),
        PanelField::new(4, "Language", "Language", "String").form(FieldFormat::Language),
        gender,
        PanelField::new(6, "CellPhoneNumber", "Mobile phone", "Number").form(FieldFormat::Phone),
        PanelField::new(7, "Division", "Division", "String"),
    ]
}

/// A member of the newsletter's panel.
pub(crate) fn member(seed: u64, number: u64, id: i64) -> Member {
    let mut rng = SeededRng::for_item(seed, number);
    let language = *rng.pick(&LANGUAGES);
    let first = *rng.pick(first_names(language));
    let last = *rng.pick(last_names(language));
    let domain = *rng.pick(&DOMAINS);
    let email = format!("{}.{}.{number}@{domain}", ascii(first), ascii(last));
    let phone = 41_790_000_000 + i64::try_from(rng.below(9_999_999)).unwrap_or(0);
    let mut some = |one_in: u64, value: Value| if rng.one_in(one_in) { Value::Null } else { value };
    let mut values = vec![
        some(16, json!(email)),
        some(30, json!(first)),
        some(30, json!(last)),
        some(20, json!(language)),
        some(10, json!(1 + number % 3)),
        some(4, json!(phone)),
    ];
    let division = *rng.pick(&DIVISIONS);
    values.push(match rng.below(12) {
        0 => Value::Null,
        1 => json!(""),
        _ => json!(division),
    });
    let mut member = born(id, number, values);
    if rng.one_in(5) {
        let later = TimeDelta::hours(24 + i64::try_from(rng.below(2000)).unwrap_or(0));
        member.updated_at = Some(member.created_at + later);
        member.updated_by = Some("import".to_owned());
    }
    member.opted_out = rng.one_in(25);
    member
}

/// A stricter panel: with a required and unique number, and fields of other types.
pub(super) fn customer_fields() -> Vec<PanelField> {
    vec![
        PanelField::new(1, "CustomerNumber", "Customer number", "Number").mandatory().unique(),
        PanelField::new(2, "Email", "E-mail address", "String").form(FieldFormat::Email).mandatory().unique(),
        PanelField::new(3, "Since", "Customer since", "Date"),
        PanelField::new(4, "Revenue", "Revenue in EUR", "Real"),
        PanelField::new(5, "Language", "Language", "String").form(FieldFormat::Language),
    ]
}

pub(super) fn customer(seed: u64, number: u64, id: i64) -> Member {
    let mut rng = SeededRng::for_item(seed, 1_000_000 + number);
    let cents = i32::try_from(rng.below(900_000)).unwrap_or(0);
    let values = vec![
        json!(9_007_199_254_740_993_i64 + i64::try_from(number).unwrap_or(0)),
        json!(format!("customer.{number}@example.com")),
        json!(format!("20{:02}-{:02}-{:02}", 10 + number, 1 + rng.below(12), 1 + rng.below(28))),
        if rng.one_in(6) { Value::Null } else { json!(f64::from(cents) / 100.0) },
        json!(*rng.pick(&LANGUAGES)),
    ];
    born(id, number, values)
}

fn born(id: i64, number: u64, values: Vec<Value>) -> Member {
    Member {
        id,
        values,
        created_at: moment(FIRST + 977 * i64::try_from(number).unwrap_or(0)),
        created_by: "import".to_owned(),
        updated_at: None,
        updated_by: None,
        opted_out: false,
        interviews: Vec::new(),
    }
}

/// A name as part of an address.
fn ascii(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'ß' => out.push_str("ss"),
            'à' | 'á' | 'â' => out.push('a'),
            'é' | 'è' | 'ê' | 'ë' | 'ễ' => out.push('e'),
            'ï' | 'î' | 'ì' => out.push('i'),
            'ò' | 'ô' => out.push('o'),
            'ù' => out.push('u'),
            'ç' => out.push('c'),
            'ł' => out.push('l'),
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ => {}
        }
    }
    out
}
