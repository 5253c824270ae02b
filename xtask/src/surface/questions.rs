//! The question types of a questionnaire that only have a text and choices.

use super::prelude::*;

macro_rules! expand {
    (
        choices { $($(#[doc = $doc:literal])* $choosing:ident $Choosing:ident;)* }
        plain { $($(#[doc = $about:literal])* $plain:ident $Plain:ident;)* }
    ) => {
        /// The name of each question, the kind of its element, its documentation, and whether it offers choices.
        const QUESTIONS: &[(&str, &str, &str, bool)] = &[
            $((stringify!($choosing), stringify!($Choosing), concat!($($doc),*), true),)*
            $((stringify!($plain), stringify!($Plain), concat!($($about),*), false),)*
        ];
    };
}
sondage::questions!(expand);

const FROM: &str = "crates/sondage/src/questionnaire.rs";
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

pub fn files() -> [Generated; 2] {
    let (mut types, mut code) = (String::from(TYPES), String::from(CODE));
    for (name, kind, docs, choices) in QUESTIONS {
        let (docs, camel) = (docs.trim(), camel(name));
        let (taken, handed) =
            if *choices { (", choices: Choices", ", choices=ask._choices(choices)") } else { ("", "") };
        put!(
            types,
            "\n/** {docs} */\nexport declare function {camel}(code: string, text: Texts{taken}, more?: MoreOfElement): SurveyElement;\n"
        );
        put!(
            code,
            "\n\ndef {name}(code: str, text: Texts{taken}, **more: Unpack[QuestionFields]) -> SurveyElement:\n    \"\"\"{docs}\"\"\"\n    \
             from . import questionnaire as ask\n\n    \
             return ask.element(\"{kind}\", code=code, text=ask.texts(text){handed}, **more)\n"
        );
    }
    [
        generated("node/types/questions.d.ts", FROM, &types),
        generated("python/sondage/_questions.py", FROM, &code),
    ]
}
