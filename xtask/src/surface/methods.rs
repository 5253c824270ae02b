//! The table of methods for the generators: rows, and the options that they name.

use super::prelude::*;
use super::structs::OF_TABLES;
use sondage::reports;
use sondage_jobs::options_of_all_crates;

/// Where the header of a generated file says that the rows are.
pub const FROM_METHODS: &str = "the methods.rs of crates/sondage and crates/sondage-data";

pub struct MethodRow {
    /// The object that it belongs to.
    pub object: &'static str,
    pub name: &'static str,
    /// The name of its argument; empty if it has none.
    pub named: &'static str,
    /// The type of its argument; empty if it has none.
    pub argument: &'static str,
    pub docs: &'static str,
    /// What is passed in addition to the argument; empty if nothing is.
    pub with: &'static str,
    /// The type of its progress reports; empty if there are none.
    pub progress: &'static str,
    /// Whether its result is a `value`, a `handle` or `json`.
    pub class: &'static str,
    pub result: &'static str,
    pub kind: &'static str,
}

macro_rules! expand {
    ($(
        $(#[doc = $about:literal])*
        $object:ident { $(
            $(#[doc = $doc:literal])*
            fn $method:ident($($argument:ident: $Argument:ty)?) -> $class:ident $Result:ty: $kind:ident
            $(, progress $Progress:ty)? $(, with $with:ident)? $(, called $called:literal)?;
        )* }
    )*) => {
        /// The objects, with their documentation.
        pub const OBJECTS: &[(&str, &str)] = &[$((stringify!($object), concat!($($about, "\n"),*))),*];
        pub const ROWS: &[super::MethodRow] = &[$($(super::MethodRow {
            object: stringify!($object),
            name: stringify!($method),
            named: concat!($(stringify!($argument))?),
            argument: concat!($(stringify!($Argument))?),
            docs: concat!($($doc, "\n"),*),
            with: concat!($(stringify!($with))?),
            progress: concat!($(stringify!($Progress))?),
            class: stringify!($class),
            result: stringify!($Result),
            kind: stringify!($kind),
        }),*),*];
    };
}

pub mod core {
    sondage::methods!(expand);
}

pub mod jobs {
    sondage_jobs::methods!(expand);
}

/// The table of `sondage-data` is included as text, because xtask must not depend on Arrow.
#[path = "../../../crates/sondage-data/src/methods.rs"]
mod rows_of_data;

pub mod data {
    crate::methods!(expand);
}

/// The table of `sondage-sandbox` is included as text too, because xtask must not depend on a server.
#[path = "../../../crates/sondage-sandbox/src/methods.rs"]
mod rows_of_sandbox;

#[allow(dead_code)] // its objects are classes that are written by hand
pub mod sandbox {
    crate::sandbox_methods!(expand);
}

/// Rows of the client that each language implements by hand, and why.
pub const BY_HAND: [(&str, &str); 7] = [
    ("with_options", "each language writes the options of a call in its own way"),
    ("whole", "`with_response` and its like are written in each language"),
    ("member_table", "`members` is both a list and a table"),
    ("confirm_event", "its argument is an object of the language"),
    ("raw", "the body may contain secrets, which no stack frame may hold"),
    ("close", "each language has its own convention for `close`"),
    ("explain", "settings are displayed as a table"),
];

/// The rows that need no Arrow, which phones have too.
pub fn rows_without_arrow() -> impl Iterator<Item = &'static MethodRow> {
    core::ROWS.iter().chain(jobs::ROWS)
}

/// The objects that need no Arrow, with their documentation.
pub fn objects_without_arrow() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    core::OBJECTS.iter().chain(jobs::OBJECTS)
}

/// All rows but those of the sandbox.
pub fn rows() -> impl Iterator<Item = &'static MethodRow> {
    rows_without_arrow().chain(data::ROWS)
}

/// The rows of an object, in the order of the tables.
pub fn rows_of(object: &str) -> impl Iterator<Item = &'static MethodRow> {
    rows().chain(sandbox::ROWS).filter(move |row| row.object == object)
}

/// The rows of the client that are generated in each language.
pub fn of_the_client() -> impl Iterator<Item = &'static MethodRow> {
    for (name, _) in BY_HAND {
        assert!(rows_of("client").any(|row| row.name == name), "`{name}` is not a row any more");
    }
    rows_of("client").filter(|row| BY_HAND.iter().all(|(name, _)| *name != row.name))
}

/// Objects that methods of the client return, with their documentation: plans, and reports with tables.
pub fn objects() -> impl Iterator<Item = (&'static str, &'static str)> {
    let given =
        |name: &str| of_the_client().any(|row| row.class == "handle" && row.result.to_snake_case() == name);
    let told = |name: &str| rows_of(name).any(|row| row.name == "facts");
    objects_without_arrow().chain(data::OBJECTS).copied().filter(move |(name, _)| given(name) && told(name))
}

/// Whether an object makes calls, so that there is a class for each of the two clients.
pub fn has_twin(object: &str) -> bool {
    rows_of(object).any(|row| row.kind == "Call")
}

/// Whether an interrupted call can report its results so far: its object has a row `report` of the same type.
pub fn is_told(row: &MethodRow) -> bool {
    rows_of(row.object).any(|other| other.name == "report" && other.result == row.result)
}

/// Classes that are written by hand because of conventions of a language. The rows that need none of them are in generated base
/// classes. Each line has the class, the object of its rows, what the names of rows have and those of methods have not, because the
/// class says it, the rows in both languages, those in Python only, and those in JavaScript only. Python's sandbox has an object for
/// each part, that of JavaScript has all methods but those for deliveries.
const BASES: &str = "\
Clock      sandbox  _time       - now,advance,set_time,freeze_time -
Codebook   codebook -           - values,to_markdown,to_html -
Deliveries sandbox  _deliveries pending,settle,drain,clear_deliveries - fault_deliveries
Fault      fault    -           - hits,remove -
Guard      guard    -           remember,keys,prune - -
Hook       hook     -           strategy,security_token,ends,url,for_event,largest_body,max_body - -
Ledger     sandbox  _ledger     - clear_ledger -
Login      login    -           url,can_listen,saved,listen,paste - -
Sandbox    sandbox  -           clear_faults,revoke_tokens,not_carried_out,reset,stop set_profile fault,clear_ledger,now,advance,set_time,freeze_time,snapshot,restore
Table      table    -           columns,warnings,metadata,select,with_lists,languages,in_language - in_time_zone,to_bytes";

/// The classes of a language, and their rows with the names of their methods.
pub fn bases(
    language: usize,
) -> impl Iterator<Item = (&'static str, Vec<(&'static str, &'static MethodRow)>)> {
    BASES.lines().map(move |line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [class, object, suffix, both, own @ ..] = words.as_slice() else { panic!("{line}") };
        let row = |name: &'static str| {
            let found = rows_of(object).find(|row| row.name == name);
            let row = found.unwrap_or_else(|| panic!("`{object}` has no `{name}`"));
            (name.strip_suffix(suffix).unwrap_or(name), row)
        };
        let names = both.split(',').chain(own[language].split(',')).filter(|name| *name != "-");
        (*class, names.map(row).collect())
    })
}

/// Work without arguments whose result is not a property: it changes, takes time, or is a secret.
const NO_PROPERTIES: [&str; 6] = ["keys", "now", "saved", "to_bytes", "to_html", "to_markdown"];

/// The result of a row.
pub enum Given {
    Nothing,
    Report(&'static ReportSchema),
    /// A list of them.
    Reports(&'static ReportSchema),
    /// An object, by the name of its class.
    Object(&'static str),
    /// A value, by its type in Rust.
    Value(String),
}

impl MethodRow {
    pub fn given(&self) -> Given {
        let of = self.result.strip_prefix("Vec <").and_then(|inner| inner.strip_suffix('>')).map(str::trim);
        match (self.class, report(of.unwrap_or(self.result))) {
            ("handle", _) => Given::Object(self.result),
            (_, Some(schema)) if of.is_some() => Given::Reports(schema),
            (_, Some(schema)) => Given::Report(schema),
            _ if self.result == "()" => Given::Nothing,
            _ => Given::Value(self.result.replace(' ', "")),
        }
    }

    /// Whether it is a property: its value is available without work.
    pub fn is_property(&self) -> bool {
        self.argument.is_empty()
            && matches!(self.given(), Given::Value(_))
            && !NO_PROPERTIES.contains(&self.name)
    }

    pub fn options(&self) -> Option<&'static OptionsSchema> {
        options_of_all_crates().find(|schema| schema.name == self.argument)
    }

    /// Options without the rows. Options that identify the object (ids, paths) come first, and are positional. Several
    /// numbers are keyword-only, because swapped ones would not be noticed.
    pub fn arguments(&self) -> (Vec<&'static ArgumentSchema>, Vec<&'static ArgumentSchema>) {
        let fields = || self.options().into_iter().flat_map(|options| options.fields);
        let number = |field: &&ArgumentSchema| field.required && field.ty == ArgumentType::Int;
        let alone = fields().filter(number).count() == 1;
        let first = |field: &&'static ArgumentSchema| {
            field.required
                && (matches!(field.ty, ArgumentType::Path | ArgumentType::Member)
                    || field.ty == ArgumentType::Int && alone)
        };
        fields().filter(|field| field.ty != ArgumentType::Rows).partition(first)
    }

    /// Whether callers pass a webhook before its options, and the documentation of that argument.
    pub fn hook(&self) -> Option<&'static str> {
        (self.with == "hook").then_some("What is registered.")
    }

    /// Whether callers pass a guard in addition to its options, and the documentation of that argument.
    pub fn guard(&self) -> Option<&'static str> {
        (self.with == "guard").then_some("Excludes events that this guard has marked as handled.")
    }
}

pub fn report(name: &str) -> Option<&'static ReportSchema> {
    all_reports().find(|schema| schema.name == name)
}

/// Every struct of results, including those that need Arrow.
pub fn all_reports() -> impl Iterator<Item = &'static ReportSchema> {
    reports_without_tables().chain(OF_TABLES.iter().copied())
}

/// Every struct of results that needs no Arrow.
pub fn reports_without_tables() -> impl Iterator<Item = &'static ReportSchema> {
    reports::ALL.iter().chain(sondage_jobs::reports::ALL).copied()
}

pub fn options(name: &str) -> &'static OptionsSchema {
    let found = options_of_all_crates().find(|schema| schema.name == name);
    found.unwrap_or_else(|| panic!("no crate has the options {name}"))
}

pub fn field(options: &'static OptionsSchema, name: &str) -> &'static ArgumentSchema {
    let found = options.fields.iter().find(|field| field.name == name);
    found.unwrap_or_else(|| panic!("{} has no field `{name}`", options.name))
}
