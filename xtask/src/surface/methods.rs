//! The second table as the surfaces see it: rows and the options that they name.

use sondage::arguments::{ALL, ArgumentSchema, OptionsSchema};

/// A row whose façade is written by `cargo xtask surface`.
pub struct Method {
    /// Its name in Rust and Python.
    pub name: &'static str,
    /// Its options.
    pub options: &'static OptionsSchema,
    /// Its documentation.
    pub docs: &'static str,
    /// Whether it takes rows of the caller's beside its options.
    pub rows: bool,
    /// Whether callers are told how far it is.
    pub progress: bool,
}

/// A row as it is written.
pub struct MethodRow {
    /// The object that it belongs to.
    pub object: &'static str,
    /// Its name in Rust.
    pub name: &'static str,
    /// The type of its argument; empty when it has none.
    pub argument: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// What is handed over beside the argument; empty for nothing.
    pub with: &'static str,
    /// The type of what is told meanwhile; empty for nothing.
    pub progress: &'static str,
    /// Whether its result is a `value`, a `handle` or `json`.
    pub class: &'static str,
    /// The type of its result.
    pub result: &'static str,
    /// Its kind.
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
        pub const ROWS: &[super::MethodRow] = &[$($(super::MethodRow {
            object: stringify!($object),
            name: stringify!($method),
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

/// The rows that need no Arrow.
pub mod core {
    sondage::methods!(expand);
}

/// The table of `sondage-data` is text that needs no Arrow, so neither does `xtask`.
#[path = "../../../crates/sondage-data/src/methods.rs"]
mod rows_of_data;

mod data {
    crate::methods!(expand);
}

/// A method of the client.
pub fn of_the_client(name: &str) -> Method {
    let rows = core::ROWS.iter().chain(data::ROWS);
    let found = rows.into_iter().find(|row| row.object == "client" && row.name == name);
    let Some(MethodRow { name, argument, docs, with, progress, .. }) = found else {
        panic!("the table has no method `{name}` of a client")
    };
    let told_by_the_query = ["members", "interviews"].contains(name);
    Method {
        name,
        options: options(argument),
        docs,
        rows: *with == "rows",
        progress: !progress.is_empty() || told_by_the_query,
    }
}

/// A struct of options, by its name.
pub fn options(name: &str) -> &'static OptionsSchema {
    let found = ALL.iter().find(|schema| schema.name == name);
    found.unwrap_or_else(|| panic!("`sondage::arguments::ALL` has no {name}"))
}

/// A field of a struct of options, by its name.
pub fn field(options: &'static OptionsSchema, name: &str) -> &'static ArgumentSchema {
    let found = options.fields.iter().find(|field| field.name == name);
    found.unwrap_or_else(|| panic!("{} has no field `{name}`", options.name))
}
