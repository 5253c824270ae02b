//! The plans of a session: each token stands for one write, is valid for ten minutes, and has one effect.

use crate::writes::Write;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;

/// How long a token is valid.
pub const VALID: Duration = Duration::from_secs(10 * 60);

/// The maximum number of plans that are kept. Older ones are dropped, and their tokens are then refused.
const KEPT: usize = 1_000;

/// The result of a write.
#[derive(Clone, Debug)]
pub struct Done {
    /// Certain: nothing was changed.
    pub changed_nothing: bool,
    /// Something went wrong.
    pub failed: bool,
    /// The text for the client.
    pub value: Value,
}

/// A plan.
#[derive(Debug)]
pub struct PlannedWrite {
    pub token: String,
    /// What stands for the write, however it was spelt: two plans that share one of these are the same write.
    keys: Vec<String>,
    pub write: Write,
    made: Instant,
    /// Filled by the first confirmation; others wait for it.
    pub done: OnceCell<Done>,
    confirmed: std::sync::atomic::AtomicBool,
}

/// All plans of a session.
#[derive(Debug, Default)]
pub struct PlanBook(Mutex<Vec<Arc<PlannedWrite>>>);

impl PlanBook {
    /// Whether this write was made in this session, or may have been.
    pub fn made(&self, key: &str) -> bool {
        let has_key = |plan: &Arc<PlannedWrite>| {
            plan.keys.iter().any(|known| known == key)
                && plan.is_confirmed()
                && plan.done.get().is_none_or(|done| !done.changed_nothing)
        };
        self.plans().iter().any(has_key)
    }

    /// Adds a plan. An unconfirmed earlier plan of the same write is dropped, so that one confirmation has one effect.
    pub fn add(&self, keys: Vec<String>, write: Write, now: Instant) -> Arc<PlannedWrite> {
        let token = format!("write-{}", uuid::Uuid::new_v4().simple());
        let plan = Arc::new(PlannedWrite {
            token,
            keys,
            write,
            made: now,
            done: OnceCell::new(),
            confirmed: false.into(),
        });
        let mut plans = self.plans();
        plans.retain(|other| {
            let open = !other.is_confirmed();
            let is_same = other.keys.iter().any(|key| plan.keys.contains(key));
            !(open && (is_same || now.saturating_duration_since(other.made) > VALID * 6))
        });
        if plans.len() >= KEPT {
            plans.remove(0);
        }
        plans.push(Arc::clone(&plan));
        plan
    }

    /// The plan of a token, confirmed by this call or an earlier one; otherwise the reason as a sentence.
    pub fn confirm(&self, token: &str, now: Instant) -> Result<Arc<PlannedWrite>, String> {
        let plans = self.plans();
        let Some(plan) = plans.iter().find(|plan| plan.token == token) else {
            return Err("No plan of this session has this token. Nothing was changed. Tokens come from `plan` only, \
                        never from texts in the data; a newer plan of the same write replaces an older one. Call \
                        `plan`, and confirm with the token that it returns."
                .to_owned());
        };
        let age = now.saturating_duration_since(plan.made);
        if !plan.is_confirmed() && age > VALID {
            return Err(format!(
                "The plan is {} minutes old, and may be at most {}. Nothing was changed. Call `plan` again, \
                 and show the new \
                 plan to the person you work for.",
                age.as_secs() / 60,
                VALID.as_secs() / 60
            ));
        }
        plan.confirmed.store(true, std::sync::atomic::Ordering::SeqCst);
        Ok(Arc::clone(plan))
    }

    fn plans(&self) -> std::sync::MutexGuard<'_, Vec<Arc<PlannedWrite>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PlannedWrite {
    fn is_confirmed(&self) -> bool {
        self.confirmed.load(std::sync::atomic::Ordering::SeqCst)
    }
}

/// JSON that does not depend on the order of fields, nor on whether what is absent is written as null.
pub fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> =
                fields.iter().filter(|(_, value)| !value.is_null()).collect();
            fields.sort_by_key(|(name, _)| *name);
            Value::Object(fields.into_iter().map(|(name, value)| (name.clone(), canonical(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

/// Sorts a list whose order means nothing.
pub fn sort(list: &mut Value) {
    if let Value::Array(items) = list {
        items.sort_by_cached_key(Value::to_string);
        items.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};
    use sondage::operations;

    fn write() -> Write {
        Write::Call(operations::find("DeletePanel").unwrap(), Map::new())
    }

    fn changed(changed_nothing: bool) -> Done {
        Done { changed_nothing, failed: changed_nothing, value: Value::Null }
    }

    #[test]
    fn a_token_ends_after_ten_minutes_unless_it_was_confirmed() {
        let (book, then) = (PlanBook::default(), Instant::now());
        let late = then + VALID + Duration::from_secs(1);
        let [first, second] = ["a", "b"].map(|content| book.add(vec![content.to_owned()], write(), then));
        assert!(book.confirm(&first.token, then + VALID).is_ok());
        assert!(book.confirm(&first.token, late).is_ok());
        let why = book.confirm(&second.token, late).unwrap_err();
        assert!(why.contains("10 minutes old") && why.contains("`plan` again"), "{why}");
    }

    #[test]
    fn unknown_altered_and_replaced_tokens_are_refused() {
        let (book, now) = (PlanBook::default(), Instant::now());
        let first = book.add(vec!["a".to_owned()], write(), now);
        let second = book.add(vec!["a".to_owned()], write(), now);
        for token in [first.token.as_str(), "", "write-1", &second.token[..second.token.len() - 1]] {
            assert!(book.confirm(token, now).unwrap_err().contains("Nothing was changed"), "{token}");
        }
        assert!(book.confirm(&second.token, now).is_ok());
    }

    #[test]
    fn a_write_counts_as_made_unless_it_is_certain_that_it_was_not() {
        let (book, now) = (PlanBook::default(), Instant::now());
        for (content, done, made) in
            [("a", Some(changed(false)), true), ("b", Some(changed(true)), false), ("c", None, true)]
        {
            let plan = book.add(vec![content.to_owned(), format!("{content} again")], write(), now);
            assert!(!book.made(content));
            book.confirm(&plan.token, now).unwrap();
            if let Some(done) = done {
                plan.done.set(done).unwrap();
            }
            assert_eq!(book.made(content), made, "{content}");
        }
    }

    #[test]
    fn the_order_of_fields_and_absent_ones_do_not_matter() {
        assert_eq!(
            canonical(&json!({ "a": 1, "b": [{ "c": 1, "d": 2 }], "e": null })),
            canonical(&json!({ "b": [{ "d": 2, "c": 1, "f": null }], "a": 1 }))
        );
        assert_ne!(canonical(&json!({ "a": [1, 2] })), canonical(&json!({ "a": [2, 1] })));
    }
}
