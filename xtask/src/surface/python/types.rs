//! Names for annotations: the open enumerations, and the type of a member's field.

use super::super::Generated;
use super::super::catalogue::Catalogue;
use super::super::prose;
use super::{docstring, generated};
use sondage::Effect;
use sondage::arguments::InterviewState;
use std::fmt::Write;

const HEAD: &str = r#""""Names for annotations.

Enumerations are open: the service may use words that this version does not know, so any text is fine.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypeAlias

FieldValue: TypeAlias = str | int | float | bool | Decimal | list[Any] | dict[str, Any] | None
"""The value of a member's field: text, a number, a boolean or nothing. A number with more digits than a
float holds is a `Decimal`; lists and mappings are unusual."""
"#;

/// `python/sondage/types.py`.
pub fn file(catalogue: &Catalogue) -> Generated {
    let mut body = String::from(HEAD);
    let effects = [Effect::Read, Effect::IdempotentWrite, Effect::Create, Effect::SchemaChange, Effect::Send];
    let words: Vec<String> = effects.iter().map(|effect| format!("\"{}\"", effect.as_str())).collect();
    let _ = write!(body, "\nEffect: TypeAlias = Literal[{}]\n", words.join(", "));
    body.push_str("\"\"\"The effect of a call. It decides whether the call may be retried.\"\"\"\n");
    let states = InterviewState::KNOWN.iter().map(|state| format!("\"{state}\"")).collect::<Vec<_>>();
    let _ = write!(body, "\nInterviewState: TypeAlias = Literal[{}]\n", states.join(", "));
    body.push_str("\"\"\"The state of an interview, for `state`. Another one needs a filter by the column `State`.\"\"\"\n");
    for schema in &catalogue.enums {
        let values: Vec<String> = schema.values.iter().map(|value| format!("\"{value}\"")).collect();
        let line = format!("{}: TypeAlias = Literal[{}] | str\n", schema.name, values.join(", "));
        if line.len() <= prose::WIDTH {
            let _ = write!(body, "\n{line}");
        } else {
            let values = prose::lines(&values, "    ");
            let _ = write!(body, "\n{}: TypeAlias = Literal[\n{values}] | str\n", schema.name);
        }
        body.push_str(&docstring(&prose::paragraphs(schema.docs), 0));
    }
    generated("python/sondage/types.py", "crates/sondage/src/model/", &body)
}
