//! What the service does in one exchange: steps, as a line of text in `cells/*.toml`.
//!
//! `head; body 0.5; rst` reads the head and half of the body and resets the connection. `all; say 503 "retry-after: 1"` reads
//! everything and responds. The first step that needs HTTP performs the proxy's `CONNECT` and the TLS handshake first.

use crate::ledger::Verdict;

/// An amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Bytes(usize),
    /// All but this many bytes.
    But(usize),
    Share(f64),
}

impl Amount {
    pub fn of(self, whole: usize) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.min(whole),
            Self::But(bytes) => whole.saturating_sub(bytes),
            #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            Self::Share(share) => (whole as f64 * share) as usize,
        }
    }
}

/// A response description: `503 "retry-after: 1" =words`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptAnswer {
    pub status: u16,
    pub headers: Vec<String>,
    /// The name of a body in `service/answers.rs`, with an argument after a colon.
    pub body: Option<String>,
    /// Its meaning, if that does not follow from status and body: `as maybe`.
    pub means: Option<Verdict>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScriptStep {
    /// Reads the head, or some bytes of it.
    Head(Option<usize>),
    /// Reads until it has this much of the body.
    Body(Amount),
    /// Reads head and body.
    All,
    /// Reads until the request is complete or the client closes the connection.
    Drain,
    Say(ScriptAnswer),
    /// Sends a part of a response.
    Part(Amount, ScriptAnswer),
    /// Sends a response in chunks, with a delay before each.
    Drip {
        pieces: usize,
        pause: u64,
        answer: ScriptAnswer,
    },
    /// Sends raw bytes with this meaning.
    Send(Vec<u8>, Verdict),
    /// Sends bytes below TLS, or before it.
    Raw(Vec<u8>),
    Wait(u64),
    Silence,
    Fin,
    Rst,
    /// Sends nothing more, and continues to read.
    Half,
    /// Reads the proxy's `CONNECT` without a response yet.
    Connect,
    /// Waits for the first bytes of the client.
    Hello,
    /// Performs the proxy's part and the TLS handshake.
    Tls,
    /// Closes the connection after this many bytes of its own side of the TLS handshake.
    TlsCut(usize),
    /// Presents another certificate: `untrusted`, `expired` or `name`.
    Cert(String),
}

/// The steps of a line.
pub fn parse(line: &str) -> Result<Vec<ScriptStep>, String> {
    let mut steps = Vec::new();
    for words in split(line)? {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        steps.push(step(&words).ok_or_else(|| format!("`{}` in `{line}` is no step", words.join(" ")))?);
    }
    Ok(steps)
}

fn step(words: &[&str]) -> Option<ScriptStep> {
    Some(match *words {
        ["head"] => ScriptStep::Head(None),
        ["head", bytes] => ScriptStep::Head(Some(bytes.parse().ok()?)),
        ["body", amount] => ScriptStep::Body(amount_of(amount)?),
        ["all"] => ScriptStep::All,
        ["drain"] => ScriptStep::Drain,
        ["say", ref rest @ ..] => ScriptStep::Say(answer(rest)?),
        ["part", amount, "say", ref rest @ ..] => ScriptStep::Part(amount_of(amount)?, answer(rest)?),
        ["drip", pieces, pause, "say", ref rest @ ..] => ScriptStep::Drip {
            pieces: pieces.parse().ok()?,
            pause: pause.parse().ok()?,
            answer: answer(rest)?,
        },
        ["send", bytes] => ScriptStep::Send(unescape(bytes)?, Verdict::Unknown),
        ["send", bytes, "as", means] => ScriptStep::Send(unescape(bytes)?, means_of(means)?),
        ["raw", bytes] => ScriptStep::Raw(unescape(bytes)?),
        ["wait", time] => ScriptStep::Wait(time.parse().ok()?),
        ["silence"] => ScriptStep::Silence,
        ["fin"] => ScriptStep::Fin,
        ["rst"] => ScriptStep::Rst,
        ["half"] => ScriptStep::Half,
        ["connect"] => ScriptStep::Connect,
        ["hello"] => ScriptStep::Hello,
        ["tls"] => ScriptStep::Tls,
        ["tls", "cut", bytes] => ScriptStep::TlsCut(bytes.parse().ok()?),
        ["cert", kind] => ScriptStep::Cert(kind.to_owned()),
        _ => return None,
    })
}

fn answer(words: &[&str]) -> Option<ScriptAnswer> {
    let (status, rest) = words.split_first()?;
    let mut answer =
        ScriptAnswer { status: status.parse().ok()?, headers: Vec::new(), body: None, means: None };
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.strip_prefix('=') {
            Some(body) => answer.body = Some(body.to_owned()),
            None if *word == "as" => answer.means = Some(means_of(rest.next()?)?),
            None if word.contains(':') => answer.headers.push((*word).to_owned()),
            None => return None,
        }
    }
    Some(answer)
}

fn amount_of(word: &str) -> Option<Amount> {
    if word.contains('.') {
        return word.parse().ok().map(Amount::Share);
    }
    match word.strip_prefix('-') {
        Some(but) => but.parse().ok().map(Amount::But),
        None => word.parse().ok().map(Amount::Bytes),
    }
}

fn means_of(word: &str) -> Option<Verdict> {
    Some(match word {
        "success" => Verdict::Success,
        "maybe" => Verdict::Ambiguous,
        "refusal" => Verdict::Refusal,
        "doubt" => Verdict::Unknown,
        _ => return None,
    })
}

/// Steps are separated by `;`, words by spaces; quoted words may contain anything.
fn split(line: &str) -> Result<Vec<Vec<String>>, String> {
    let mut steps = vec![Vec::new()];
    let (mut word, mut quoted, mut begun) = (String::new(), false, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => (quoted, begun) = (!quoted, true),
            '\\' if quoted => {
                word.push('\\');
                word.extend(letters.next());
            }
            ' ' | ';' if !quoted => {
                if begun {
                    steps.last_mut().ok_or("no step")?.push(std::mem::take(&mut word));
                    begun = false;
                }
                if letter == ';' {
                    steps.push(Vec::new());
                }
            }
            _ => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if quoted {
        return Err(format!("a quotation in `{line}` does not end"));
    }
    if begun {
        steps.last_mut().ok_or("no step")?.push(word);
    }
    steps.retain(|words| !words.is_empty());
    Ok(steps)
}

/// Decodes `\r`, `\n`, `\x00`, `\"` and `\\` in a text to bytes.
pub fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(&rest.as_bytes()[..at]);
        let escape = rest.as_bytes().get(at + 1)?;
        let mut used = 2;
        bytes.push(match escape {
            b'r' => b'\r',
            b'n' => b'\n',
            b'"' | b'\\' => *escape,
            b'x' => {
                used = 4;
                u8::from_str_radix(rest.get(at + 2..at + 4)?, 16).ok()?
            }
            _ => return None,
        });
        rest = &rest[at + used..];
    }
    bytes.extend(rest.as_bytes());
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_steps() {
        let steps = parse(
            r#"head 10; body 0.5;body -1; say 503 "retry-after: 1" =words; send "a; \x41\r\n" as maybe; fin"#,
        );
        let answer = ScriptAnswer {
            status: 503,
            headers: vec!["retry-after: 1".to_owned()],
            body: Some("words".to_owned()),
            means: None,
        };
        let wanted = vec![
            ScriptStep::Head(Some(10)),
            ScriptStep::Body(Amount::Share(0.5)),
            ScriptStep::Body(Amount::But(1)),
            ScriptStep::Say(answer),
            ScriptStep::Send(b"a; A\r\n".to_vec(), Verdict::Ambiguous),
            ScriptStep::Fin,
        ];
        assert_eq!(steps.unwrap(), wanted);
    }

    #[test]
    fn refuses_what_is_no_step() {
        for line in
            ["jump", "say", "say 200 x", "body x", "send \"", "send \"\\q\"", "head; say 200 as nothing"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
