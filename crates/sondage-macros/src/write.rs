//! `Serialize`: a request omits absent values, a response writes null. Unknown fields are written back.

use crate::model::{ModelField, ModelInput};
use proc_macro2::TokenStream;
use quote::quote;

pub fn expand(model: &ModelInput) -> TokenStream {
    let ModelInput { name, kind, fields, .. } = model;
    let text = name.to_string();
    let count = fields.len() + 1;
    let skips = |field: &ModelField| kind.sent() && field.optional();
    let as_struct = fields.iter().map(|field| {
        let (ident, wire) = (&field.ident, &field.wire);
        if skips(field) {
            quote! {
                if self.#ident.is_some() { out.serialize_field(#wire, &self.#ident)?; } else { out.skip_field(#wire)?; }
            }
        } else {
            quote! { out.serialize_field(#wire, &self.#ident)?; }
        }
    });
    let as_map = fields.iter().map(|field| {
        let (ident, wire) = (&field.ident, &field.wire);
        let write = quote! { out.serialize_entry(#wire, &self.#ident)?; };
        if skips(field) {
            quote! { if self.#ident.is_some() { #write } }
        } else {
            write
        }
    });
    // Only JSON can hold fields whose names are unknown at compile time; a language binding gets them as one separate
    // field and exposes them in its own way.
    let (flat, extra) = if kind.keeps_unknown() {
        (
            quote! {
                if serializer.is_human_readable() && !self.extra.is_empty() {
                    let mut out = serde::Serializer::serialize_map(serializer, ::core::option::Option::None)?;
                    #(#as_map)*
                    for (key, value) in self.extra.iter() { out.serialize_entry(key, value)?; }
                    return out.end();
                }
            },
            quote! { if !self.extra.is_empty() { out.serialize_field(crate::model::EXTRA, &self.extra)?; } },
        )
    } else {
        (quote! {}, quote! {})
    };
    quote! {
        impl serde::Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::{SerializeMap as _, SerializeStruct as _};
                #flat
                #[allow(unused_mut)]
                let mut out = serializer.serialize_struct(#text, #count)?;
                #(#as_struct)*
                #extra
                out.end()
            }
        }
    }
}
