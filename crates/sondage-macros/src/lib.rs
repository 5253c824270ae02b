//! The wire conventions of the models, in one place.
//!
//! The service writes camelCase, adds fields without notice and leaves out what it has nothing to say about. Four
//! attributes carry what follows from that:
//!
//! | attribute | for | unknown fields | absent fields |
//! |---|---|---|---|
//! | `#[request]` | what a caller sends | an error | not sent |
//! | `#[response]` | the whole of an answer | kept in `extra` (the envelope is left out) | `None`, an empty list, or an error where the field must be there |
//! | `#[record]` | a part of an answer | kept in `extra` | as in an answer |
//! | `#[value]` | what travels both ways | kept in `extra` and sent back | not sent |
//!
//! `#[source("API <section>, specified")]` below it says where a model is known from: the section of `docs/api` and its mark. A
//! field says so where its mark is another one.
//!
//! `#[options]` is for the options of a method that is no operation: they are read as a request is, and a field may have a
//! default, `#[wire(default = 4)]`, which is stated there and nowhere else. `#[report]` is for what such a method tells.
//!
//! Each also describes the type to `sondage::internals::schema`, from which the language
//! surfaces, the sandbox's validation and the documentation are made.

mod build;
mod expand;
mod model;
mod read;
mod reflect;
mod report;
mod text;
mod write;

use model::ModelKind;
use proc_macro::TokenStream;

/// A request: the caller builds it, the client sends it.
#[proc_macro_attribute]
pub fn request(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Request, item)
}

/// The whole of an answer, next to its envelope.
#[proc_macro_attribute]
pub fn response(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Response, item)
}

/// A part of an answer.
#[proc_macro_attribute]
pub fn record(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Record, item)
}

/// A part of requests and of answers.
#[proc_macro_attribute]
pub fn value(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Value, item)
}

/// The options of a method that is no operation.
#[proc_macro_attribute]
pub fn options(_: TokenStream, item: TokenStream) -> TokenStream {
    expand(ModelKind::Options, item)
}

/// What a method that is no operation tells: its result, or how far it is.
#[proc_macro_attribute]
pub fn report(_: TokenStream, item: TokenStream) -> TokenStream {
    let item = syn::parse_macro_input!(item as syn::ItemStruct);
    report::expand(&item).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// What `sondage::text!` expands to. The first argument is where that crate is.
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
