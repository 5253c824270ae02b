//! The wire conventions of the models, defined in one place.
//!
//! The service writes camelCase, adds fields without notice and omits empty values. Four attributes implement the
//! consequences:
//!
//! | attribute | for | unknown fields | absent fields |
//! |---|---|---|---|
//! | `#[request]` | what a caller sends | an error | not sent |
//! | `#[response]` | a whole response | kept in `extra` (the envelope is removed) | `None`, an empty list, or an error if the field is required |
//! | `#[record]` | a part of a response | kept in `extra` | as in a response |
//! | `#[value]` | a part of requests and responses | kept in `extra` and sent back | not sent |
//!
//! `#[source("API <section>, specified")]` below it names the source of a model: the section of `docs/api` and its mark. A
//! field has its own if its mark differs.
//!
//! `#[options]` is for the options of a method that is not an operation. They are deserialised like a request. A field may
//! have a default, `#[wire(default = 4)]`, which is stated nowhere else. `#[report]` is for the results of such a method, and
//! `#[words]` for an enumeration among them or among settings, whose values are the same words in every language.
//!
//! Each also describes the type to `sondage::internals::schema`, from which the language surfaces, the sandbox's
//! validation and the documentation are generated.

mod build;
mod expand;
mod model;
mod read;
mod reflect;
mod report;
mod text;
mod words;
mod write;

use model::ModelKind;
use proc_macro::TokenStream;

/// A request: the caller builds it, the client sends it.
#[proc_macro_attribute]
pub fn request(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Request, item)
}

/// A whole response, without its envelope.
#[proc_macro_attribute]
pub fn response(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Response, item)
}

/// A part of a response.
#[proc_macro_attribute]
pub fn record(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Record, item)
}

/// A part of requests and of responses.
#[proc_macro_attribute]
pub fn value(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Value, item)
}

/// The options of a method that is not an operation.
#[proc_macro_attribute]
pub fn options(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Options, item)
}

/// The result or the progress report of a method that is not an operation.
#[proc_macro_attribute]
pub fn report(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemStruct);
    report::expand(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// An enumeration that is one of a few words: those of its variants, in snake case.
#[proc_macro_attribute]
pub fn words(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemEnum);
    words::expand(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// The expansion of `sondage::text!`. The first argument is the path of that crate.
#[proc_macro]
pub fn parts_of(tokens: TokenStream) -> TokenStream {
    let text = syn::parse_macro_input!(tokens as text::TextInput);
    text.expand().unwrap_or_else(syn::Error::into_compile_error).into()
}

fn expand(kind: ModelKind, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemStruct);
    model::ModelInput::new(kind, item)
        .map_or_else(syn::Error::into_compile_error, |model| expand::expand(&model))
        .into()
}
