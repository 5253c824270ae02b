//! Filters that a person writes: `Division = Sales and (age >= 18 or Language in [de, fr])`.
//!
//! This is what [`Display`](std::fmt::Display) writes, and less strict: a text without spaces needs no quotes, signs stand without
//! spaces, words in any case.

use super::display::{KINDS, words};
use super::operators::{self, Takes};
use super::{ConditionValue, Expression, Operand, Variable, variable};
use crate::error::{Error, Result, Text};
use crate::model::{ConditionOperator, ConditionType, Timestamp};
use crate::text;
use chrono::{NaiveDate, NaiveDateTime};

/// The system columns of interviews that conditions take.
// API 11.3, published
const SYSTEM_COLUMNS: [&str; 16] = [
    "Id",
    "DistributorId",
    "SamplingProjectId",
    "PanelId",
    "PanelMemberId",
    "Language",
    "StartDate",
    "EndDate",
    "Link",
    "State",
    "Mode",
    "ExpiryDate",
    "CreatedAt",
    "CreatedBy",
    "UpdatedAt",
    "UpdatedBy",
];

/// The maximum nesting of parentheses.
const MAX_DEPTH: usize = 50;

impl Expression {
    /// Reads a filter of members that a person has written. A name is a field of the panel; `column(Id)`, `question(NPS)`,
    /// `custom(Source)` and `url(ref)` are other variables.
    ///
    /// ```
    /// use sondage::condition::{Expression, field};
    ///
    /// let filter = Expression::of_members("Division = Sales and Age >= 18")?;
    /// assert_eq!(filter, field("Division").is_equal_to("Sales") & field("Age").is_greater_than_or_equal_to(18));
    /// # Ok::<(), sondage::Error>(())
    /// ```
    ///
    /// | written | means |
    /// |---|---|
    /// | `=` `!=` `<` `<=` `>` `>=` | a comparison with one value |
    /// | `in [de, fr]`, `not in [de, fr]` | equal to one of the values, different from each of them |
    /// | `contains`, `does not contain`, `match regex`, `does not match regex` | a comparison of texts |
    /// | `is empty`, `is not empty` | has no value, has one |
    /// | `and`, `or`, `not`, parentheses | `and` binds closer than `or` |
    /// | `'New York'`, `"New York"` | a name or a text with spaces or signs |
    /// | `2024-05-01`, `2024-05-01T12:30:00Z` | a day, a time |
    ///
    /// # Errors
    ///
    /// `InvalidArgument` says at which character something else was expected, and never repeats a value, which may be personal data.
    pub fn of_members(text: &str) -> Result<Self> {
        Reader::new(text, |_| ConditionType::Panel).filter()
    }

    /// The same for interviews: a name is a system column if it is the name of one, such as `State`, and a question otherwise.
    ///
    /// # Errors
    ///
    /// Those of [`Expression::of_members`].
    pub fn of_interviews(text: &str) -> Result<Self> {
        let of_name = |name: &str| {
            if SYSTEM_COLUMNS.contains(&name) { ConditionType::SQL } else { ConditionType::Question }
        };
        Reader::new(text, of_name).filter()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    /// `= != < <= > >=`, brackets and commas.
    Sign(&'static str),
}

/// Longer signs first.
const SIGNS: [&str; 13] = ["!=", "<>", "<=", ">=", "==", "=", "<", ">", "(", ")", "[", "]", ","];

/// Splits a text. Each token has the number of its first character, from 1.
fn tokens(text: &str) -> Result<Vec<(usize, Token)>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let position = text[..text.len() - rest.len()].chars().count() + 1;
        let token = if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            rest = &rest[sign.len()..];
            Token::Sign(sign)
        } else if matches!(first, '\'' | '"') {
            let (quoted, after) =
                quoted(rest, first).ok_or_else(|| unreadable(position, "the end of this quoted text"))?;
            rest = after;
            Token::Quoted(quoted)
        } else {
            let is_end = |c: char| c.is_whitespace() || "=<>()[],".contains(c);
            let end = rest.find(is_end).unwrap_or(rest.len());
            // `Division!=Sales`
            let end = if rest[end..].starts_with('=') && rest[..end].ends_with('!') { end - 1 } else { end };
            let word = rest[..end].to_owned();
            rest = &rest[end..];
            Token::Word(word)
        };
        tokens.push((position, token));
    }
}

/// The text in quotes, with `\"`, `\\`, `\n`, `\r`, `\t` and `\u{..}` replaced, and what follows it.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text[1..].chars();
    loop {
        let character = match characters.next()? {
            '\\' => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let (code, after) = characters.as_str().strip_prefix('{')?.split_once('}')?;
                    characters = after.chars();
                    char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                }
                other => other,
            },
            character if character == quote => return Some((value, characters.as_str())),
            character => character,
        };
        value.push(character);
    }
}

fn unreadable(position: usize, expected: impl Into<Text>) -> Error {
    let expected = expected.into();
    Error::invalid_argument(text!("the filter cannot be read: {expected} is expected at character {position}")).with_hint(
        "Write for example `Division = Sales and (Age >= 18 or Language in [de, fr])`; names and texts with spaces or signs \
         stand in quotes.",
    )
}

struct Reader<F> {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
    depth: usize,
    text: String,
    kind_of_name: F,
}

impl<F: Fn(&str) -> ConditionType> Reader<F> {
    fn new(text: &str, kind_of_name: F) -> Self {
        let end = text.chars().count() + 1;
        Self { tokens: Vec::new(), next: 0, end, depth: 0, text: text.to_owned(), kind_of_name }
    }

    fn filter(mut self) -> Result<Expression> {
        self.tokens = tokens(&self.text)?;
        let filter = self.any()?;
        if self.next < self.tokens.len() {
            return Err(self.expected("`and`, `or` or the end"));
        }
        Ok(filter)
    }

    /// Alternatives.
    fn any(&mut self) -> Result<Expression> {
        let mut parts = vec![self.all()?];
        while self.takes_word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Or(parts) })
    }

    /// Tests that must all hold.
    fn all(&mut self) -> Result<Expression> {
        let mut parts = vec![self.part()?];
        while self.takes_word("and") {
            parts.push(self.part()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::And(parts) })
    }

    /// A test, a negation, or a filter in parentheses.
    fn part(&mut self) -> Result<Expression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::invalid_argument(text!(
                "the filter is nested deeper than {MAX_DEPTH} levels"
            )));
        }
        let part = if self.takes_sign("(") {
            let inner = self.any()?;
            self.closes(")")?;
            inner
        } else if self.is_word("not") && !self.is_sign_at(1) {
            self.next += 1;
            Expression::Not(Box::new(self.part()?))
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(part)
    }

    fn test(&mut self) -> Result<Expression> {
        let variable = self.variable()?;
        if self.takes_words(&["not", "in"]) {
            let values = self.values()?;
            return Ok(variable.is_not_in(values));
        }
        let operator = self.operator()?;
        let operand = match operators::takes(&operator) {
            Some(Takes::Nothing) => Operand::Nothing,
            Some(Takes::Many) => Operand::Many(self.values()?),
            Some(Takes::One) | None => Operand::One(self.value()?),
        };
        Ok(variable.compare(operator, operand))
    }

    /// A name, of one word or several, or `question(name)`.
    fn variable(&mut self) -> Result<Variable> {
        let kind = match self.tokens.get(self.next) {
            Some((_, Token::Word(word))) => {
                KINDS.iter().find(|(kind, _)| kind == word).map(|(_, kind)| kind.clone())
            }
            _ => None,
        };
        if let Some(kind) = kind
            && matches!(self.tokens.get(self.next + 1), Some((_, Token::Sign("("))))
        {
            self.next += 2;
            let name = self.name()?;
            self.closes(")")?;
            return Ok(variable(kind, name));
        }
        let name = self.name()?;
        Ok(variable((self.kind_of_name)(&name), name))
    }

    fn name(&mut self) -> Result<String> {
        if let Some((_, Token::Quoted(name))) = self.tokens.get(self.next) {
            let name = name.clone();
            self.next += 1;
            return Ok(name);
        }
        let mut words_of_name: Vec<&str> = Vec::new();
        while let Some((_, Token::Word(word))) = self.tokens.get(self.next) {
            let begins_operator =
                !words_of_name.is_empty() && (self.operator_at().is_some() || self.are_words(&["not", "in"]));
            if begins_operator {
                break;
            }
            words_of_name.push(word);
            self.next += 1;
        }
        if words_of_name.is_empty() {
            return Err(self.expected("the name of a field or question"));
        }
        Ok(words_of_name.join(" "))
    }

    fn operator(&mut self) -> Result<ConditionOperator> {
        let (operator, length) = self.operator_at().ok_or_else(|| {
            self.expected("a comparison (`=`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `contains`, `is empty`, ...)")
        })?;
        self.next += length;
        Ok(operator)
    }

    /// The operator that comes next, and how many tokens it is.
    fn operator_at(&self) -> Option<(ConditionOperator, usize)> {
        let mut known = ConditionOperator::KNOWN.iter().map(|name| ConditionOperator::from(*name));
        if let Some((_, Token::Sign(sign))) = self.tokens.get(self.next) {
            let sign = match *sign {
                "==" => "=",
                "<>" => "!=",
                sign => sign,
            };

            return known.find(|operator| words(operator) == sign).map(|operator| (operator, 1));
        }
        let lengths = known.filter_map(|operator| {
            let text = words(&operator);
            let all: Vec<&str> = text.split(' ').collect();
            self.are_words(&all).then_some((operator, all.len()))
        });
        lengths.max_by_key(|(_, length)| *length)
    }

    /// Values in brackets.
    fn values(&mut self) -> Result<Vec<ConditionValue>> {
        let end = if self.takes_sign("[") {
            "]"
        } else if self.takes_sign("(") {
            ")"
        } else {
            return Err(self.expected("a list of values, such as [de, fr],"));
        };
        let mut values = vec![self.value()?];
        while self.takes_sign(",") {
            values.push(self.value()?);
        }
        self.closes(end)?;
        Ok(values)
    }

    fn value(&mut self) -> Result<ConditionValue> {
        let value = match self.tokens.get(self.next) {
            Some((_, Token::Quoted(text))) => ConditionValue::Text(text.clone()),
            Some((_, Token::Word(word))) => {
                // A time as it is displayed and sent, in UTC: `2024-05-01 12:30:00.000`.
                let time = match self.tokens.get(self.next + 1) {
                    Some((_, Token::Word(more))) => time_in_utc(&format!("{word} {more}")),
                    _ => None,
                };
                if let Some(time) = time {
                    self.next += 1;
                    time
                } else {
                    bare(word)
                }
            }
            _ => return Err(self.expected("a value")),
        };
        self.next += 1;
        Ok(value)
    }

    fn closes(&mut self, sign: &str) -> Result<()> {
        if self.takes_sign(sign) { Ok(()) } else { Err(self.expected(text!("`{}`", sign.to_owned()))) }
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let matches = matches!(self.tokens.get(self.next), Some((_, Token::Sign(next))) if *next == sign);
        self.next += usize::from(matches);
        matches
    }

    fn is_sign_at(&self, ahead: usize) -> bool {
        matches!(self.tokens.get(self.next + ahead), Some((_, Token::Sign(sign))) if *sign != "(")
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes_words(&[word])
    }

    fn is_word(&self, word: &str) -> bool {
        self.are_words(&[word])
    }

    fn takes_words(&mut self, all: &[&str]) -> bool {
        let matches = self.are_words(all);
        self.next += if matches { all.len() } else { 0 };
        matches
    }

    fn are_words(&self, all: &[&str]) -> bool {
        all.iter().enumerate().all(|(ahead, word)| {
            let next = self.tokens.get(self.next + ahead);
            matches!(next, Some((_, Token::Word(next))) if next.eq_ignore_ascii_case(word))
        })
    }

    fn expected(&self, expected: impl Into<Text>) -> Error {
        unreadable(self.tokens.get(self.next).map_or(self.end, |(position, _)| *position), expected)
    }
}

/// A text without quotes: a number, a truth value, a day or a time if it is sent as it is written, and otherwise a text.
fn bare(word: &str) -> ConditionValue {
    if let Ok(number) = word.parse::<i64>()
        && number.to_string() == word
    {
        return number.into();
    }
    if let Ok(number) = word.parse::<f64>()
        && number.to_string() == word
        && number.is_finite()
    {
        return number.into();
    }
    if let Ok(day) = NaiveDate::parse_from_str(word, "%Y-%m-%d")
        && day.to_string() == word
    {
        return day.into();
    }
    match word {
        "true" => true.into(),
        "false" => false.into(),
        _ if word.contains('T') => {
            word.parse::<Timestamp>().map_or_else(|_| word.into(), ConditionValue::from)
        }
        _ => word.into(),
    }
}

fn time_in_utc(text: &str) -> Option<ConditionValue> {
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").ok()?;
    Some(time.and_utc().into())
}
