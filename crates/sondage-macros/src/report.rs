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
    let count = fields.named.len();
    let values = fields.named.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        let wire = camel(&ident.to_string());
        Some(quote!(fields.serialize_field(#wire, &::sondage::reports::Styled(&self.#ident, style))?;))
    });
    let values: Vec<_> = values.collect();
    let fields = fields.named.iter().filter_map(|field| {
        let (ident, ty, docs) = (field.ident.as_ref()?.to_string(), &field.ty, docs(&field.attrs));
        Some(quote! {
            ::sondage::reports::FieldOfReport { name: #ident, docs: #docs, ty: <#ty as ::sondage::reports::ReportValue>::TYPE }
        })
    });
    Ok(quote! {
        #item

        impl ::sondage::reports::Report for #name {
            const SCHEMA: &'static ::sondage::reports::ReportSchema =
                &::sondage::reports::ReportSchema { name: #text, docs: #about, fields: &[#(#fields),*] };
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                ::sondage::reports::ReportValue::serialize_styled(self, &::sondage::reports::ReportStyle::JSON, serializer)
            }
        }

        impl ::sondage::reports::ReportValue for #name {
            const TYPE: &'static ::sondage::reports::ReportType =
                &::sondage::reports::ReportType::Report(|| <#name as ::sondage::reports::Report>::SCHEMA);

            fn serialize_styled<S: ::serde::Serializer>(
                &self,
                style: &::sondage::reports::ReportStyle,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeStruct as _;
                let mut fields = serializer.serialize_struct(#text, #count)?;
                #(#values)*
                fields.end()
            }
        }
    })
}
