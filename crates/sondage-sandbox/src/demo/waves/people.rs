//! Invented visitors, whose answers hang together: who comes more often is more satisfied, older people live in smaller households, a
//! longer way is not walked. Between the waves a few shares move by some points.

use super::Wave;
use crate::random::SeededRng;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The shares of the age groups among those who answer.
const AGES: [f64; 5] = [0.12, 0.20, 0.30, 0.28, 0.10];
/// The youngest age of each group.
const YOUNGEST: [i64; 5] = [16, 30, 45, 60, 75];
/// How people were invited: name, share, and the correction of their weights.
pub(super) const CHANNELS: [(&str, f64, f64); 3] =
    [("mail", 0.40, 0.62), ("counter", 0.35, 1.0), ("poster", 0.25, 1.1)];
/// How much better than others the rows of `rating` are rated.
const RATINGS: [(&str, f64); 6] = [
    ("rating_1", 0.2),
    ("rating_2", -0.5),
    ("rating_3", 0.5),
    ("rating_4", 0.0),
    ("rating_5", -0.3),
    ("rating_6", -0.8),
];
const POSTCODES: [i64; 8] = [8001, 8004, 8032, 8400, 8600, 3011, 1003, 9000];
/// Postcodes that are no numbers, or lose a zero as one.
const FOREIGN: [&str; 4] = ["D-79539", "F-68300", "01067", "FL-9490"];

/// What people write, in English, German, French and Italian.
type Phrases = [&'static [&'static str]; 4];

const REMARKS: Phrases = [
    &[
        "Keep it up 🙂",
        "More seats at the windows, please.",
        "Love the reading room.",
        "It is too cold in winter; \"arctic\", even.",
    ],
    &[
        "Danke, es ist super hier!",
        "Bitte länger offen lassen",
        "Die Rückgabe ist kompliziert,\nbitte einfacher.",
        "Grüsse ans Team 🎉",
    ],
    &["Merci à toute l’équipe !", "Plus de livres en français, s’il vous plaît.", "Très bien, rien à redire"],
    &["Tutto bene, grazie", "Più libri in italiano!"],
];
const OBSTACLES: Phrases = [
    &["No time", "It closes before I finish work", "Too far away"],
    &["Keine Zeit", "Zu weit weg", "Die Öffnungszeiten"],
    &["Le manque de temps", "C’est trop loin"],
    &["Non ho tempo"],
];
const OTHER: Phrases = [
    &["Meet people", "The café", "Print documents"],
    &["Leute treffen", "Das Café", "Etwas drucken"],
    &["Rencontrer des gens", "Le café"],
    &["Il caffè"],
];
const VEHICLES: Phrases =
    [&["Kick scooter", "Boat"], &["Trottinett", "Taxi"], &["Trottinette", "Bateau"], &["Monopattino"]];

/// Somebody who takes part.
pub(super) struct Person {
    pub(super) language: &'static str,
    pub(super) channel: &'static str,
    /// The answers by columns, for the questions that are asked and answered.
    pub(super) planned: HashMap<&'static str, Value>,
}

/// What the answers of a person depend on.
struct Traits {
    wave: Wave,
    /// The place of the language in [`Phrases`].
    language: usize,
    /// 0 to 4.
    age: usize,
    /// 0 (daily) to 4.
    frequency: usize,
    /// 1 to 5, with decimals.
    satisfaction: f64,
}

impl Person {
    pub(super) fn draw(wave: Wave, rng: &mut SeededRng) -> Self {
        let languages: &[f64] =
            if wave == Wave::First { &[0.25, 0.52, 0.23] } else { &[0.24, 0.48, 0.21, 0.07] };
        let language = one_of(rng, languages);
        let channel = CHANNELS[one_of(rng, &CHANNELS.map(|(_, share, _)| share))].0;
        let frequency = one_of(
            rng,
            match wave {
                Wave::First => &[0.06, 0.24, 0.30, 0.20, 0.20],
                Wave::Second => &[0.07, 0.31, 0.29, 0.17, 0.16],
            },
        );
        let better = if wave == Wave::First { 0.0 } else { 0.2 };
        let satisfaction = (4.3 - 0.3 * float(frequency) + better + 1.7 * deviation(rng)).clamp(1.0, 5.0);
        let traits = Traits { wave, language, age: one_of(rng, &AGES), frequency, satisfaction };
        let mut person =
            Self { language: ["en", "de-CH", "fr", "it"][language], channel, planned: HashMap::new() };
        person.plan_visits(&traits, rng);
        person.plan_opinions(&traits, rng);
        person.plan_use(&traits, rng);
        person.plan_life(&traits, rng);
        person.plan_texts(&traits, rng);
        person
    }

    fn plan(&mut self, code: &'static str, answer: impl Into<Value>) {
        self.planned.insert(code, answer.into());
    }

    fn plan_visits(&mut self, traits: &Traits, rng: &mut SeededRng) {
        self.plan("visited", if rng.one_in(25) { 2 } else { 1 });
        self.plan("frequency", traits.frequency + 1);
        let branches: &[f64] = &[0.38, 0.16, 0.14, 0.12, 0.10, 0.06, 0.04];
        let open = if traits.wave == Wave::First { branches } else { &branches[..6] };
        self.plan("branch", one_of(rng, open) + 1);
        self.plan(
            "duration",
            5 * whole(2.0 + 40.0 * rng.share() * rng.share() + 60.0 * power(rng.share(), 9)),
        );
        let distance = 0.2 + 12.0 * power(rng.share(), 3);
        self.plan("distance", decimals(distance, 10.0));
        let mode = match distance + 2.0 * deviation(rng) {
            near if near < 1.0 => 1,
            near if near < 2.5 => 2,
            near if near < 6.0 => 3,
            _ => 4,
        };
        let mode = if rng.one_in(20) { 5 } else { mode };
        self.plan("travel_mode", mode);
        self.plan("transport", mode);
        self.plan(
            "sunday",
            1 + one_of(rng, if traits.age < 3 { &[0.5, 0.3, 0.2] } else { &[0.2, 0.3, 0.5] }),
        );
    }

    fn plan_opinions(&mut self, traits: &Traits, rng: &mut SeededRng) {
        let mut scale = |offset: f64, spread: f64, most: f64| {
            whole((traits.satisfaction + offset + spread * deviation(rng)).clamp(1.0, most))
        };
        self.plan("satisfaction", scale(0.0, 0.0, 5.0));
        for (row, offset) in RATINGS {
            self.plan(row, scale(offset, 1.4, 5.0));
        }
        for (row, offset) in [("online_1", 0.3), ("online_2", -0.6), ("online_3", 0.0)] {
            self.plan(row, scale(offset, 1.6, 5.0));
        }
        let informed = scale(-0.9, 1.2, 4.0);
        self.plan("informed", if traits.wave == Wave::First { informed } else { 5 - informed });
        let score = 2.5 * (traits.satisfaction - 1.0) + 1.5 * deviation(rng);
        self.plan("score", decimals(score.clamp(0.0, 10.0), 10.0));
    }

    fn plan_use(&mut self, traits: &Traits, rng: &mut SeededRng) {
        let visits = [180.0, 50.0, 26.0, 11.0, 4.0][traits.frequency];
        let rows = [
            ("use_1_times", "use_1_hours", "use_1_note", 0.8),
            ("use_2_times", "use_2_hours", "use_2_note", if traits.age == 0 { 0.9 } else { 0.3 }),
            ("use_3_times", "use_3_hours", "use_3_note", if traits.age < 3 { 1.2 } else { 0.4 }),
        ];
        for (times, hours, note, share) in rows {
            let count = whole((visits * share * rng.share()).min(366.0));
            self.plan(times, count);
            let each = decimals(0.5 + 3.0 * rng.share() * rng.share(), 2.0);
            self.plan(hours, if count == 0 { Value::Null } else { json!(each) });
            let phrase = phrase(traits, &OTHER, rng);
            self.plan(note, if rng.one_in(12) { json!(phrase) } else { Value::Null });
        }
        let events = power(rng.share(), 2) * (150.0 - 25.0 * float(traits.frequency));
        self.plan("spend", if rng.one_in(4) { json!(0.0) } else { json!(decimals(40.0 + events, 20.0)) });
    }

    fn plan_life(&mut self, traits: &Traits, rng: &mut SeededRng) {
        let age = YOUNGEST[traits.age] + i64::try_from(rng.below(15)).unwrap_or(0);
        self.plan("age_group", traits.age + 1);
        self.plan("birth_year", traits.wave.year() - age);
        self.plan("gender", 1 + one_of(rng, &[0.55, 0.42, 0.03]));
        let household = 1 + one_of(
            rng,
            match traits.age {
                0 => &[0.25, 0.25, 0.25, 0.2, 0.05],
                1 | 2 => &[0.15, 0.2, 0.2, 0.3, 0.15],
                _ => &[0.42, 0.5, 0.05, 0.02, 0.01],
            },
        );
        self.plan("household", household);
        let children = if (1..3).contains(&traits.age) { household.saturating_sub(2) } else { 0 };
        self.plan("children", children.min(10));
        let missing = if traits.wave == Wave::First { 98 } else { 99 };
        let income =
            1 + one_of(rng, if traits.age == 0 { &[0.5, 0.3, 0.15, 0.05] } else { &[0.2, 0.35, 0.28, 0.17] });
        self.plan("income", if rng.one_in(7) { missing } else { income });
        let postcode = *rng.pick(&POSTCODES);
        let is_foreign = rng.one_in(15);
        let foreign = *rng.pick(&FOREIGN);
        self.plan(
            "postcode",
            match traits.wave {
                Wave::First => json!(postcode),
                Wave::Second if is_foreign => json!(foreign),
                Wave::Second => json!(postcode.to_string()),
            },
        );
        let years = i64::try_from(rng.below(age.unsigned_abs().min(30))).unwrap_or(0);
        let year = traits.wave.year() - 1 - years;
        self.plan("member_since", format!("{year}-{:02}-{:02}", 1 + rng.below(12), 1 + rng.below(28)));
    }

    fn plan_texts(&mut self, traits: &Traits, rng: &mut SeededRng) {
        for code in ["remark", "why_poor", "long_stay"] {
            let phrase = phrase(traits, &REMARKS, rng);
            self.plan(code, if rng.one_in(2) { json!(phrase) } else { Value::Null });
        }
        self.plan("why_rarely", phrase(traits, &OBSTACLES, rng));
        self.plan("reasons_7_text", phrase(traits, &OTHER, rng));
        self.plan("rating_6_text", phrase(traits, &OTHER, rng));
        self.plan("gender_3_text", ["non-binary", "nonbinär", "non binaire", "non binario"][traits.language]);
        let vehicle = phrase(traits, &VEHICLES, rng);
        self.plan("travel_mode_5_text", vehicle);
        self.plan("transport_5_text", vehicle);
    }
}

fn phrase(traits: &Traits, phrases: &Phrases, rng: &mut SeededRng) -> &'static str {
    rng.pick::<&str>(phrases[traits.language])
}

/// The place of one of these shares, which need not add up to 1.
fn one_of(rng: &mut SeededRng, shares: &[f64]) -> usize {
    let mut rest = rng.share() * shares.iter().sum::<f64>();
    let place = shares.iter().position(|share| {
        rest -= share;
        rest < 0.0
    });
    place.unwrap_or(0)
}

/// From -1.5 to 1.5, with a mean of 0 and a standard deviation of 0.5.
fn deviation(rng: &mut SeededRng) -> f64 {
    rng.share() + rng.share() + rng.share() - 1.5
}

/// The power of a share: that of the standard library has another last digit on other machines.
fn power(share: f64, exponent: usize) -> f64 {
    std::iter::repeat_n(share, exponent).product()
}

fn decimals(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

#[allow(clippy::cast_possible_truncation)] // in the range of a question
fn whole(number: f64) -> i64 {
    number.round() as i64
}

#[allow(clippy::cast_precision_loss)] // a place in a list
fn float(number: usize) -> f64 {
    number as f64
}
