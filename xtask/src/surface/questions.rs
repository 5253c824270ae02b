//! The question types of a questionnaire that only have a text and choices.

use super::{Generated, node, python};
use std::fmt::Write;

/// A question: its name, the kind of its element, its documentation, and whether it offers choices.
pub struct Question {
    pub name: &'static str,
    pub kind: &'static str,
    pub docs: &'static str,
    pub choices: bool,
}

macro_rules! expand {
    (
        choices { $($(#[doc = $doc:literal])* $choosing:ident $Choosing:ident;)* }
        plain { $($(#[doc = $about:literal])* $plain:ident $Plain:ident;)* }
    ) => {
        /// All question types.
        pub const QUESTIONS: &[Question] = &[
            $(question(stringify!($choosing), stringify!($Choosing), concat!($($doc),*), true),)*
            $(question(stringify!($plain), stringify!($Plain), concat!($($about),*), false),)*
        ];
    };
}
sondage::questions!(expand);

const fn question(name: &'static str, kind: &'static str, docs: &'static str, choices: bool) -> Question {
    Question { name, kind, docs, choices }
}

const FROM: &str = "crates/sondage/src/questionnaire.rs";

/// Both languages.
pub fn files() -> [Generated; 2] {
    let (mut types, mut code) = (String::from(TYPES), String::from(CODE));
    for Question { name, kind, docs, choices } in QUESTIONS {
        let docs = docs.trim();
        let (taken, asked, handed) = if *choices {
            (", choices: Choices", ", choices: Choices", ", choices=ask._choices(choices)")
        } else {
            ("", "", "")
        };
        let camel = node::words::camel(name);
        let _ = write!(
            types,
            "\n/** {docs} */\nexport declare function {camel}(code: string, text: Texts{asked}, more?: MoreOfElement): SurveyElement;\n"
        );
        let _ = write!(
            code,
            "\n\ndef {name}(code: str, text: Texts{taken}, **more: Unpack[QuestionFields]) -> SurveyElement:\n    \"\"\"{docs}\"\"\"\n    \
             from . import questionnaire as ask\n\n    \
             return ask.element(\"{kind}\", code=code, text=ask.texts(text){handed}, **more)\n"
        );
    }
    [
        node::generated("node/types/questions.d.ts", FROM, &types),
        python::generated("python/sondage/_questions.py", FROM, &code),
    ]
}

const TYPES: &str = "import type { SurveyElement } from './element.js';
import type { Choices, MoreOfElement, Texts } from './questionnaire_helpers.js';
";

const CODE: &str = r#""""Questions that have nothing beyond a text and choices."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._models import SurveyElement
    from ._models._fields import QuestionFields, Unpack
    from .questionnaire import Choices, Texts
"#;
