//! Results of methods: plain structs with a description of their fields.

use crate::model::{camel, docs};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, ItemStruct};

pub fn expand(item: &ItemStruct) -> syn::Result<TokenStream> {
    let Fields::Named(fields) = &item.fields else {
        return Err(syn::Error::new_spanned(&item.ident, "a report has named fields"));
    };
    let name = &item.ident;
    let (text, about) = (name.to_string(), docs(&item.attrs));
    let values = fields.named.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        let wire = camel(&ident.to_string());
        Some(quote!((#wire.to_owned(), crate::reports::ReportValue::json(&self.#ident))))
    });
    let values: Vec<_> = values.collect();
    let fields = fields.named.iter().filter_map(|field| {
        let (ident, ty, docs) = (field.ident.as_ref()?.to_string(), &field.ty, docs(&field.attrs));
        Some(quote! {
            crate::reports::FieldOfReport { name: #ident, docs: #docs, ty: <#ty as crate::reports::ReportValue>::TYPE }
        })
    });
    Ok(quote! {
        #item

        impl crate::reports::Report for #name {
            const SCHEMA: &'static crate::reports::ReportSchema =
                &crate::reports::ReportSchema { name: #text, docs: #about, fields: &[#(#fields),*] };

            fn to_json(&self) -> ::serde_json::Value {
                ::serde_json::Value::Object(::serde_json::Map::from_iter([#(#values),*]))
            }
        }

        impl crate::reports::ReportValue for #name {
            const TYPE: &'static crate::reports::ReportType =
                &crate::reports::ReportType::Report(|| <#name as crate::reports::Report>::SCHEMA);

            fn json(&self) -> ::serde_json::Value {
                crate::reports::Report::to_json(self)
            }
        }
    })
}
