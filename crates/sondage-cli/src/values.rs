//! Values of arguments, checked before anything is sent. Those with known words are completed by shells.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use sondage::arguments::InterviewState;
use sondage::internals::schema::{Describe, Type};
use sondage::model::EventType;
use sondage::operations;
use std::str::FromStr;
use std::time::Duration;

/// The channels of a message that can be planned.
// API 7.2, published
const CHANNELS: [&str; 3] = ["Email", "Sms", "WhatsApp"];

/// A channel.
pub fn channel() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(CHANNELS)
}

/// A state of an interview.
pub fn state() -> impl TypedValueParser<Value = InterviewState> {
    PossibleValuesParser::new(InterviewState::KNOWN).try_map(|name| name.parse::<InterviewState>())
}

/// An operation.
pub fn operation() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(operations::ALL.iter().map(|row| row.name))
}

/// An event of the service.
pub fn event() -> impl TypedValueParser<Value = String> {
    let Type::Enum(events) = <EventType as Describe>::TYPE else { return PossibleValuesParser::new([""; 0]) };
    PossibleValuesParser::new(events.values)
}

/// How many: at least one.
pub fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number: T = text.parse().map_err(|_| "it must be a number".to_owned())?;
    if number < T::from(1) { Err("it must be 1 or more".to_owned()) } else { Ok(number) }
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(number);
    duration.map_err(|_| "it must be a number of seconds, 0 or more".to_owned())
}

/// The id of a survey, a panel or another object.
pub fn id(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "it must be the number of an object, for example 1004".to_owned())
}

/// A language as templates name it.
pub fn two_letters(text: &str) -> Result<String, String> {
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        Ok(text.to_owned())
    } else {
        Err("it must be a language of 2 letters, for example de".to_owned())
    }
}
