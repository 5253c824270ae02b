//! Where in a JSON text a reader stopped.

use std::fmt::Write as _;

/// An object or a list that has begun and not ended.
enum Open {
    /// The last name.
    Object(Option<String>),
    /// The index of the last element.
    List(usize),
}

/// The path of the value at the end of a part of a text, like `interviews[3].id`; `.` for the text as a whole. Its beginning
/// was read as JSON before.
pub fn of(read: &[u8]) -> String {
    let mut open = Vec::new();
    let mut at = 0;
    while at < read.len() {
        match read[at] {
            b'{' => open.push(Open::Object(None)),
            b'[' => open.push(Open::List(0)),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::Object(name)) => *name = None,
                Some(Open::List(index)) => *index += 1,
                None => {}
            },
            b'"' => {
                let text = text(&read[at + 1..]);
                at += text.len() + 1;
                if let Some(Open::Object(name @ None)) = open.last_mut() {
                    *name = Some(String::from_utf8_lossy(text).into_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for open in open {
        match open {
            Open::Object(Some(name)) if path.is_empty() => path = name,
            Open::Object(Some(name)) => {
                let _ = write!(path, ".{name}");
            }
            Open::Object(None) => {}
            Open::List(index) => {
                let _ = write!(path, "[{index}]");
            }
        }
    }
    if path.is_empty() { ".".to_owned() } else { path }
}

/// The text up to its closing quotation mark.
fn text(rest: &[u8]) -> &[u8] {
    let mut is_escaped = false;
    let end = rest.iter().position(|byte| match byte {
        _ if is_escaped => {
            is_escaped = false;
            false
        }
        b'\\' => {
            is_escaped = true;
            false
        }
        byte => *byte == b'"',
    });
    &rest[..end.unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_place_is_that_of_the_last_value() {
        for (read, place) in [
            ("", "."),
            (r#"{"isSuccess": true, "panel": {"id": "x""#, "panel.id"),
            (r#"{"panels": [{"id": 1}, {"id": 2, "name": 5"#, "panels[1].name"),
            (r#"{"panels": [{"id": 1}, {"id": 2}"#, "panels[1]"),
            (r#"{"panels": [[1, 2], [3, "#, "panels[1][1]"),
            (r#"{"a": "},]\\", "b\"c": "{", "d": "#, "d"),
            (r#"{"a": "x\"", "b": 1}"#, "."),
            ("[", "[0]"),
        ] {
            assert_eq!(of(read.as_bytes()), place, "{read}");
        }
    }
}
