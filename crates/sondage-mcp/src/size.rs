//! Limits the size of a result, because it must fit into a model's context.

use serde_json::Value;

/// The maximum size of the data of a result, in bytes of JSON.
pub const LIMIT: usize = 48 * 1024;

/// A list or text that was shortened.
struct Shortened {
    /// Where it is, for example `/members`.
    place: String,
    was: usize,
    now: usize,
    unit: &'static str,
}

/// Shortens the largest lists and texts until the data fit, and returns a sentence for each.
pub fn cut(data: &mut Value, limit: usize) -> Vec<String> {
    let mut cuts: Vec<Shortened> = Vec::new();
    while weight(data) > limit {
        let largest_list = largest(data);
        let Some(value) = data.pointer_mut(&largest_list) else { break };
        let Some((was, now, unit)) = halve(value) else { break };
        match cuts.iter_mut().find(|cut| cut.place == largest_list) {
            Some(cut) => cut.now = now,
            None => cuts.push(Shortened { place: largest_list, was, now, unit }),
        }
    }
    cuts.iter().map(said).collect()
}

fn said(cut: &Shortened) -> String {
    let Shortened { place, was, now, unit } = cut;
    format!(
        "`{place}` is too long to show: it has {was} {unit}, and the first {now} are here. Ask for the rest in pages \
         (`paging`, with `page` and a `pageSize` of at most {}), or for less (a filter or single ids).",
        (*now).max(1)
    )
}

fn weight(value: &Value) -> usize {
    value.to_string().len()
}

/// The path of the outermost list with several items, or of the innermost value, following the largest parts.
fn largest(value: &Value) -> String {
    let mut path = String::new();
    let mut at = value;
    loop {
        let next = match at {
            Value::Array(items) if items.len() > 1 => return path,
            Value::Array(items) => items.first().map(|item| ("0".to_owned(), item)),
            Value::Object(fields) => {
                let heaviest = fields.iter().max_by_key(|(_, value)| weight(value));
                // Many small fields: the object itself is shortened.
                match heaviest {
                    Some((_, value)) if fields.len() > 100 && weight(value) < weight(at) / 50 => {
                        return path;
                    }
                    heaviest => {
                        heaviest.map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
                    }
                }
            }
            _ => None,
        };
        let Some((name, value)) = next else { return path };
        path = format!("{path}/{name}");
        at = value;
    }
}

fn halve(value: &mut Value) -> Option<(usize, usize, &'static str)> {
    match value {
        Value::Array(items) if items.len() > 1 => {
            let was = items.len();
            items.truncate(was / 2);
            Some((was, items.len(), "rows"))
        }
        Value::String(text) if text.len() > 1 => {
            let was = text.chars().count();
            *text = text.chars().take(was / 2).collect();
            Some((was, was / 2, "characters"))
        }
        Value::Object(fields) if fields.len() > 1 => {
            let was = fields.len();
            let names: Vec<String> = fields.keys().skip(was / 2).cloned().collect();
            for name in names {
                fields.remove(&name);
            }
            Some((was, fields.len(), "fields"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_longest_list_is_cut_and_said() {
        let rows: Vec<Value> = (0..1000).map(|id| json!({ "id": id })).collect();
        let mut data = json!({ "totalCount": 1000, "members": rows, "few": [1, 2] });
        let notes = cut(&mut data, 4_000);
        assert!(weight(&data) <= 4_000 && data["few"] == json!([1, 2]), "{data}");
        assert_eq!(notes.len(), 1);
        let member_count = data["members"].as_array().unwrap().len();
        assert!(notes[0].starts_with(&format!(
            "`/members` is too long to show: it has 1000 rows, and the first {member_count}"
        )));
    }

    #[test]
    fn a_single_text_or_map_fits_too() {
        let fields: serde_json::Map<String, Value> =
            (0..1000).map(|n| (format!("q{n}"), json!("yes"))).collect();
        for mut data in [
            json!({ "row": [{ "text": "é".repeat(9_000) }] }),
            json!({ "responseData": fields }),
            json!("x".repeat(9_000)),
        ] {
            assert!(!cut(&mut data, 1_000).is_empty());
            assert!(weight(&data) <= 1_000, "{data}");
        }
        assert!(cut(&mut json!({ "small": 1 }), 1_000).is_empty());
    }
}
