//! What filters are made of, in the languages in which it is not expanded.

use super::prelude::*;

/// A row: its section, its name, the API's word, the name of its argument if that is not `name`, the field that it sets, and
/// its documentation.
type FilterRow = [&'static str; 6];

macro_rules! expand {
    ($($section:ident { $($(#[doc = $doc:literal])* $name:ident $Word:ident $($argument:ident $($field:ident)?)?;)* })*) => {
        const ROWS: &[FilterRow] = &[$($(
            [stringify!($section), stringify!($name), stringify!($Word), concat!($(stringify!($argument))?), concat!($($(stringify!($field))?)?), concat!($($doc, "\n"),*)],
        )*)*];
    };
}
sondage::comparisons!(expand);

const FROM: &str = "crates/sondage/src/condition/table.rs";

/// The text of a method, in which `@` and `#` stand for the two texts of its section. In all of them, `$name`, `$camel`, `$Word`
/// and `$word` stand for the names of a row.
type Texts = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

/// The rows of the variables, and those of the comparisons.
fn written((method, sections): Texts, docs: impl Fn(&[String]) -> String) -> [String; 2] {
    let mut out = [String::new(), String::new()];
    for [section, name, operator, argument, field, about] in ROWS {
        let Some((_, first, second)) = sections.iter().find(|(name, ..)| name == section) else { continue };
        let word = if *operator == "SQL" { "sql".into() } else { camel(&operator.to_snake_case()) };
        let argument = if argument.is_empty() { "name" } else { argument };
        let mut about = paragraphs(about);
        // A list of the arguments, which uniffi's languages show.
        about.retain(|paragraph| !paragraph.starts_with("- `"));
        let docs = docs(&about);
        let values = [
            ("@", *first),
            ("#", second),
            ("$operator", "ConditionOperator.$Word"),
            ("$is", "comparison: .$word"),
            ("$docs", docs.trim_end()),
            ("$argument", argument),
            ("$key", &camel(field)),
            ("$arg", &camel(argument)),
            ("$name", name),
            ("$camel", &camel(name)),
            ("$Word", operator),
            ("$word", &word),
        ];
        out[usize::from(*section != "variables")] += &replaced(method, &values);
    }
    out
}

const IN_PYTHON: Texts = (
    "\n    def $name(self@:\n$docs\n        return self.#\n",
    &[
        ("variables", ", $argument: str) -> Variable", "variable(\"$Word\", $argument)"),
        ("forms", ") -> Variable", "_with(form=\"$name\")"),
        ("with", ", $argument: $Word) -> Variable", "_with($key=$argument)"),
        ("one", ", value: Value) -> Expression", "compare(\"$Word\", value)"),
        ("time", ", time: datetime) -> Expression", "compare(\"$Word\", time)"),
        ("many", ", values: Iterable[Value]) -> Expression", "_any(\"$Word\", values)"),
        ("each", ", values: Iterable[Value]) -> Expression", "_each(\"$Word\", values)"),
        ("nothing", ") -> Expression", "compare(\"$Word\")"),
    ],
);
const TYPES: Texts = (
    "$docs\n  $camel(@): #;\n",
    &[
        ("variables", "$argument: string", "Variable"),
        ("forms", "", "Variable"),
        ("with", "$arg: $Word", "Variable"),
        ("one", "value: Comparable", "Expression"),
        ("time", "time: Date", "Expression"),
        ("many", "values: Iterable<Comparable>", "Expression"),
        ("each", "values: Iterable<Comparable>", "Expression"),
        ("nothing", "", "Expression"),
    ],
);
const VARIABLES: Texts = ("  $camel: '$Word',\n", &[("variables", "", "")]);
const CODE: Texts = (
    "\n  $camel(@) {\n    return #;\n  }\n",
    &[
        ("forms", "", "this.with({ form: '$name' })"),
        ("with", "$arg", "this.with({ $key: $arg })"),
        ("one", "value", "this.compare('$Word', value)"),
        ("time", "time", "this.compare('$Word', time)"),
        ("many", "values", "this.compare('$Word', list(values))"),
        ("each", "values", "each(this, '$Word', list(values))"),
        ("nothing", "", "this.compare('$Word', undefined)"),
    ],
);
const KOTLIN: Texts = (
    "\n$docs\n    public @: Filter =#\n",
    &[
        ("one", "infix fun $camel(value: Any)", " variable.compare($operator, comparand(value))"),
        ("time", "infix fun $camel(time: Instant)", " variable.compare($operator, Comparand.Time(time))"),
        (
            "many",
            "infix fun $camel(values: Iterable<Any>)",
            "\n        variable.compareAny($operator, values.map(::comparand))",
        ),
        (
            "each",
            "infix fun $camel(values: Iterable<Any>)",
            "\n        allOf(values.map { variable.compare($operator, comparand(it)) })",
        ),
        ("nothing", "fun $camel()", " variable.test($operator)"),
    ],
);
const SWIFT: Texts = (
    "\n$docs\n    public @ {#}\n",
    &[
        ("variables", "static func $camel(_ name: String) -> Variable", " Sondage.$camel(name: name) "),
        (
            "one",
            "func $camel(_ value: some ComparisonValue) -> Filter",
            " compare($is, value: value.comparand) ",
        ),
        ("time", "func $camel(_ time: Date) -> Filter", " compare($is, value: time.comparand) "),
        (
            "many",
            "func $camel(_ values: [some ComparisonValue]) -> Filter",
            "\n        compareAny($is, values: values.map(\\.comparand))\n    ",
        ),
        (
            "each",
            "func $camel(_ values: [some ComparisonValue]) -> Filter",
            "\n        allOf(filters: values.map { compare($is, value: $0.comparand) })\n    ",
        ),
        ("nothing", "func $camel() -> Filter", " test($is) "),
    ],
);

pub fn files() -> [Generated; 5] {
    let [variables, comparisons] = written(IN_PYTHON, |text| docstring(text, 8));
    let comparisons = comparisons.replace(": Text)", ": str)");
    let python = format!(
        "\"\"\"What filters are made of.\"\"\"\n\nfrom __future__ import annotations\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    \
         from collections.abc import Iterable\n    from datetime import datetime\n\n    \
         from ._condition import Expression, Value, Variable\n    from .types import ConditionOperator, ConditionType, VariableType\n\n\n\
         class Variables:\n    \"\"\"Makes variables.\"\"\"\n\n    __slots__ = ()\n\n    if TYPE_CHECKING:\n\n        \
         def variable(self, condition_type: ConditionType, identifier: str) -> Variable: ...\n{variables}\n\n\
         class Comparisons:\n    \"\"\"The comparisons of a variable.\"\"\"\n\n    __slots__ = ()\n\n    if TYPE_CHECKING:\n\n        \
         def compare(self, operator: ConditionOperator, value: Value | Iterable[Value] | None = None) -> Expression: ...\n        \
         def _with(self, **more: str) -> Variable: ...\n        \
         def _any(self, operator: ConditionOperator, values: Iterable[Value]) -> Expression: ...\n        \
         def _each(self, operator: ConditionOperator, values: Iterable[Value]) -> Expression: ...\n{comparisons}"
    );
    let [variables, comparisons] = written(TYPES, |text| comment(text, 2));
    let comparisons = comparisons.replace(": Text)", ": string)");
    let types = format!(
        "import type {{ VariableType }} from './common.js';\n\
         import type {{ Comparable, Expression, Variable }} from './condition.js';\n\n\
         /** Makes variables. */\nexport interface Variables {{\n{variables}}}\n\n\
         /** The comparisons of a variable. */\nexport interface Comparisons {{\n{comparisons}}}\n"
    );
    let ([variables, _], [_, comparisons]) =
        (written(VARIABLES, |_| String::new()), written(CODE, |_| String::new()));
    let code = format!(
        "'use strict';\n// What filters are made of.\n\nconst {{ each, list }} = require('./expression.js');\n\n\
         exports.VARIABLES = {{\n{variables}}};\n\nexports.Comparisons = class Comparisons {{{comparisons}}};\n"
    );
    let [_, comparisons] = written(KOTLIN, |text| comment(text, 4));
    let kotlin = format!(
        "package sondage\n\nimport java.time.Instant\n\n/** The comparisons of a variable. */\npublic interface Comparisons {{\n    \
         private val variable get() = this as VariableInterface\n{comparisons}}}\n"
    );
    let [variables, comparisons] =
        written(SWIFT, |text| rustdoc(&text.iter().map(|one| in_javascript(one)).collect::<Vec<_>>(), 4));
    // In both types, so that a parameter `where` accepts `.field("Division").isEqualTo("Research")`.
    let filter = in_swift("Filter");
    let swift = format!(
        "import Foundation\n\nextension Variable {{{variables}}}\n\nextension {filter} {{{variables}}}\n\nextension Variable {{{comparisons}}}\n"
    )
    .replace("-> Filter", &format!("-> {filter}"));
    [
        generated("python/sondage/_comparisons.py", FROM, &python),
        generated("node/types/comparisons.d.ts", FROM, &types),
        generated("node/lib/comparisons.js", FROM, &code),
        generated("kotlin/src/main/kotlin/sondage/Comparisons.kt", FROM, &kotlin),
        generated("swift/Sources/Sondage/Comparisons.swift", FROM, &swift),
    ]
}
