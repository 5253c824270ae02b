//! What filters are made of, in the languages in which it is not expanded.

use super::node::words::{camel, in_javascript};
use super::prose::paragraphs;
use super::{Generated, node, python, uniffi};

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

/// A template for each section: `$name`, `$camel`, `$Word` and `$word` stand for the names of a row.
type Texts = [(&'static str, &'static str)];

/// The rows of the variables, and those of the comparisons.
fn written(texts: &Texts, docs: impl Fn(&[String]) -> String) -> [String; 2] {
    let mut out = [String::new(), String::new()];
    for [section, name, operator, argument, field, about] in ROWS {
        let Some((_, text)) = texts.iter().find(|(name, _)| name == section) else { continue };
        let (first, rest) = operator.split_at(1);
        let small = if *operator == "SQL" { "sql".into() } else { first.to_lowercase() + rest };
        let argument = if argument.is_empty() { "name" } else { argument };
        let mut about = paragraphs(about);
        // A list of the arguments, which uniffi's languages show.
        about.retain(|paragraph| !paragraph.starts_with("- `"));
        let text = [
            ("$docs", docs(&about).trim_end()),
            ("$argument", argument),
            ("$key", &camel(field)),
            ("$arg", &camel(argument)),
            ("$name", name),
            ("$camel", &camel(name)),
            ("$Word", operator),
            ("$word", &small),
        ]
        .iter()
        .fold((*text).to_owned(), |text, (mark, value)| text.replace(mark, value));
        out[usize::from(*section != "variables")] += &text;
    }
    out
}

const PYTHON: &Texts = &[
    (
        "variables",
        "\n    def $name(self, $argument: str) -> Variable:\n$docs\n        return self.variable(\"$Word\", $argument)\n",
    ),
    ("forms", "\n    def $name(self) -> Variable:\n$docs\n        return self._with(form=\"$name\")\n"),
    (
        "with",
        "\n    def $name(self, $argument: $Word) -> Variable:\n$docs\n        return self._with($key=$argument)\n",
    ),
    (
        "one",
        "\n    def $name(self, value: Value) -> Expression:\n$docs\n        return self.compare(\"$Word\", value)\n",
    ),
    (
        "time",
        "\n    def $name(self, time: datetime) -> Expression:\n$docs\n        return self.compare(\"$Word\", time)\n",
    ),
    (
        "many",
        "\n    def $name(self, values: Iterable[Value]) -> Expression:\n$docs\n        return self._any(\"$Word\", values)\n",
    ),
    (
        "each",
        "\n    def $name(self, values: Iterable[Value]) -> Expression:\n$docs\n        return self._each(\"$Word\", values)\n",
    ),
    ("nothing", "\n    def $name(self) -> Expression:\n$docs\n        return self.compare(\"$Word\")\n"),
];
const TYPES: &Texts = &[
    ("variables", "$docs\n  $camel($argument: string): Variable;\n"),
    ("forms", "$docs\n  $camel(): Variable;\n"),
    ("with", "$docs\n  $camel($arg: $Word): Variable;\n"),
    ("one", "$docs\n  $camel(value: Comparable): Expression;\n"),
    ("time", "$docs\n  $camel(time: Date): Expression;\n"),
    ("many", "$docs\n  $camel(values: Iterable<Comparable>): Expression;\n"),
    ("each", "$docs\n  $camel(values: Iterable<Comparable>): Expression;\n"),
    ("nothing", "$docs\n  $camel(): Expression;\n"),
];
const CODE: &Texts = &[
    ("variables", "  $camel: '$Word',\n"),
    ("forms", "\n  $camel() {\n    return this.with({ form: '$name' });\n  }\n"),
    ("with", "\n  $camel($arg) {\n    return this.with({ $key: $arg });\n  }\n"),
    ("one", "\n  $camel(value) {\n    return this.compare('$Word', value);\n  }\n"),
    ("time", "\n  $camel(time) {\n    return this.compare('$Word', time);\n  }\n"),
    ("many", "\n  $camel(values) {\n    return this.compare('$Word', list(values));\n  }\n"),
    ("each", "\n  $camel(values) {\n    return each(this, '$Word', list(values));\n  }\n"),
    ("nothing", "\n  $camel() {\n    return this.compare('$Word', undefined);\n  }\n"),
];
const KOTLIN: &Texts = &[
    (
        "one",
        "\n$docs\n    public infix fun $camel(value: Any): Filter = variable.compare(ConditionOperator.$Word, comparand(value))\n",
    ),
    (
        "time",
        "\n$docs\n    public infix fun $camel(time: Instant): Filter = variable.compare(ConditionOperator.$Word, Comparand.Time(time))\n",
    ),
    (
        "many",
        "\n$docs\n    public infix fun $camel(values: Iterable<Any>): Filter =\n        variable.compareAny(ConditionOperator.$Word, values.map(::comparand))\n",
    ),
    (
        "each",
        "\n$docs\n    public infix fun $camel(values: Iterable<Any>): Filter =\n        allOf(values.map { variable.compare(ConditionOperator.$Word, comparand(it)) })\n",
    ),
    ("nothing", "\n$docs\n    public fun $camel(): Filter = variable.test(ConditionOperator.$Word)\n"),
];
const SWIFT: &Texts = &[
    (
        "variables",
        "\n$docs\n    public static func $camel(_ name: String) -> Variable { Sondage.$camel(name: name) }\n",
    ),
    (
        "one",
        "\n$docs\n    public func $camel(_ value: some ComparisonValue) -> Filter { compare(comparison: .$word, value: value.comparand) }\n",
    ),
    (
        "time",
        "\n$docs\n    public func $camel(_ time: Date) -> Filter { compare(comparison: .$word, value: time.comparand) }\n",
    ),
    (
        "many",
        "\n$docs\n    public func $camel(_ values: [some ComparisonValue]) -> Filter {\n        compareAny(comparison: .$word, values: values.map(\\.comparand))\n    }\n",
    ),
    (
        "each",
        "\n$docs\n    public func $camel(_ values: [some ComparisonValue]) -> Filter {\n        allOf(filters: values.map { compare(comparison: .$word, value: $0.comparand) })\n    }\n",
    ),
    ("nothing", "\n$docs\n    public func $camel() -> Filter { test(comparison: .$word) }\n"),
];

/// All languages.
pub fn files() -> [Generated; 5] {
    let [variables, comparisons] = written(PYTHON, |text| python::docstring(text, 8));
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
    let [variables, comparisons] = written(TYPES, |text| node::comment(text, 2));
    let comparisons = comparisons.replace(": Text)", ": string)");
    let types = format!(
        "import type {{ VariableType }} from './common.js';\n\
         import type {{ Comparable, Expression, Variable }} from './condition.js';\n\n\
         /** Makes variables. */\nexport interface Variables {{\n{variables}}}\n\n\
         /** The comparisons of a variable. */\nexport interface Comparisons {{\n{comparisons}}}\n"
    );
    let [variables, comparisons] = written(CODE, |_| String::new());
    let code = format!(
        "'use strict';\n// What filters are made of.\n\nconst {{ each, list }} = require('./expression.js');\n\n\
         exports.VARIABLES = {{\n{variables}}};\n\nexports.Comparisons = class Comparisons {{{comparisons}}};\n"
    );
    let [_, kotlin] = written(KOTLIN, |text| node::comment(text, 4));
    let kotlin = format!(
        "package sondage\n\nimport java.time.Instant\n\n/** The comparisons of a variable. */\npublic interface Comparisons {{\n    \
         private val variable get() = this as VariableInterface\n{kotlin}}}\n"
    );
    let swift = |indent| {
        written(SWIFT, |text| {
            uniffi::docs(&text.iter().map(|one| in_javascript(one)).collect::<Vec<_>>(), indent)
        })
    };
    let [variables, comparisons] = swift(4);
    // In both types, so that a parameter `where` accepts `.field("Division").isEqualTo("Research")`.
    let filter = uniffi::in_swift("Filter");
    let swift = format!(
        "import Foundation\n\nextension Variable {{{variables}}}\n\nextension {filter} {{{variables}}}\n\nextension Variable {{{comparisons}}}\n"
    )
    .replace("-> Filter", &format!("-> {filter}"));
    [
        python::generated("python/sondage/_comparisons.py", FROM, &python),
        node::generated("node/types/comparisons.d.ts", FROM, &types),
        node::generated("node/lib/comparisons.js", FROM, &code),
        uniffi::generated("kotlin/src/main/kotlin/sondage/Comparisons.kt", FROM, &kotlin),
        uniffi::generated("swift/Sources/Sondage/Comparisons.swift", FROM, &swift),
    ]
}
