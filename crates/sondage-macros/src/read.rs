//! `Deserialize`: fields by their wire names, in any order.

use crate::model::{ModelField, ModelInput, ModelKind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

pub fn expand(model: &ModelInput) -> TokenStream {
    let ModelInput { name, kind, fields, .. } = model;
    let slots: Vec<_> = fields.iter().map(|f| format_ident!("slot_{}", f.ident.unraw())).collect();
    let declare = fields.iter().zip(&slots).map(|(field, slot)| {
        let ty = &field.ty;
        quote! { let mut #slot: ::core::option::Option<#ty> = ::core::option::Option::None; }
    });
    let arms = fields.iter().zip(&slots).map(|(field, slot)| {
        let (wire, value) = (&field.wire, next(*kind, field));
        quote! { #wire => #slot = ::core::option::Option::Some(#value), }
    });
    let take = fields.iter().zip(&slots).map(|(field, slot)| {
        let (ident, fallback) = (&field.ident, absent(*kind, field));
        quote! { #ident: match #slot { ::core::option::Option::Some(value) => value, ::core::option::Option::None => #fallback } }
    });
    let names = fields.iter().map(|f| &f.wire);
    let envelope = (*kind == ModelKind::Response).then(|| {
        quote! { "isSuccess" | "errorMessage" | "errorCode" => { map.next_value::<serde::de::IgnoredAny>()?; } }
    });
    let unknown = if kind.keeps_unknown() {
        quote! {
            _ => {
                crate::model::weight::take_unknown(&key)?;
                extra.insert(key, map.next_value()?);
            }
        }
    } else {
        quote! { _ => return Err(serde::de::Error::unknown_field(&key, &[#(#names),*])), }
    };
    let (extra, keep) = if kind.keeps_unknown() {
        (quote! { let mut extra = crate::model::Extra::default(); }, quote! { , extra })
    } else {
        (quote! {}, quote! {})
    };
    let bare = model.bare.as_ref().map(|field| {
        quote! {
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<#name, E> {
                Ok(#name { #field: text.to_owned().into(), extra: crate::model::Extra::default() })
            }
        }
    });
    let enter = if bare.is_some() {
        quote! { deserialize_any(Reader) }
    } else if *kind == ModelKind::Options {
        // The test that compares the table of methods with its callers reads the field names from this.
        let (name, names) = (name.to_string(), fields.iter().map(|f| &f.wire));
        quote! { deserialize_struct(#name, &[#(#names),*], Reader) }
    } else {
        quote! { deserialize_map(Reader) }
    };
    // Options are no response, whose size is bounded.
    let weigh = (*kind != ModelKind::Options)
        .then(|| quote! { crate::model::weight::take_record::<#name, A::Error>()?; });
    let expecting = format!("a {name} object");
    let keep = if fields.is_empty() && kind.keeps_unknown() {
        quote! { extra }
    } else {
        keep
    };
    quote! {
        impl<'de> serde::Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = #name;
                    fn expecting(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { f.write_str(#expecting) }
                    #bare
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<#name, A::Error> {
                        #weigh
                        #(#declare)*
                        #extra
                        while let Some(key) = map.next_key::<String>()? {
                            match key.as_str() { #(#arms)* #envelope #unknown }
                        }
                        Ok(#name { #(#take),* #keep })
                    }
                }
                deserializer.#enter
            }
        }
    }
}

fn next(kind: ModelKind, field: &ModelField) -> TokenStream {
    if let Some(absent) = &field.absent {
        quote! { map.next_value_seed(::sondage::internals::selection::Selection::of(#absent))? }
    } else if field.takes_null() {
        quote! { map.next_value()? }
    } else if let Some(default) = &field.default {
        quote! { map.next_value::<::core::option::Option<_>>()?.unwrap_or_else(|| #default) }
    } else if kind == ModelKind::Options && field.is_duration() {
        quote! { map.next_value_seed(::sondage::arguments::OptionalDuration)? }
    } else if kind == ModelKind::Options {
        quote! { map.next_value()? }
    } else if field.collection() && kind != ModelKind::Request {
        let weight = quote! { crate::model::weight };
        match (field.list(), field.rows()) {
            (false, _) => quote! {
                map.next_value::<::core::option::Option<#weight::Fitted<_>>>()?.map(#weight::Fitted::take).unwrap_or_default()
            },
            (true, true) => quote! {
                #weight::Fitted::all(map.next_value::<::core::option::Option<_>>()?.unwrap_or_default())
            },
            (true, false) if field.zeros => quote! {
                crate::model::nones_for_zeros(#weight::fit(map.next_value::<::core::option::Option<_>>()?.unwrap_or_default()))
            },
            (true, false) => quote! {
                #weight::fit(map.next_value::<::core::option::Option<_>>()?.unwrap_or_default())
            },
        }
    } else {
        quote! { map.next_value()? }
    }
}

fn absent(kind: ModelKind, field: &ModelField) -> TokenStream {
    let wire = &field.wire;
    if let Some(default) = &field.default {
        quote! { #default }
    } else if field.optional() {
        quote! { ::core::option::Option::None }
    } else if field.nullable() || (field.collection() && kind != ModelKind::Request) {
        quote! { ::core::default::Default::default() }
    } else {
        quote! { return Err(serde::de::Error::missing_field(#wire)) }
    }
}
