//! The code that an attribute generates for a model.

use crate::model::{ModelField, ModelInput, ModelKind};
use crate::{build, read, reflect, write};
use proc_macro2::TokenStream;
use quote::quote;

pub fn expand(model: &ModelInput) -> TokenStream {
    let (definition, read) = (definition(model), read::expand(model));
    let build = if model.kind.sent() { build::expand(model) } else { build::exact(model) };
    if model.kind == ModelKind::Options {
        let describe = reflect::options(model);
        return quote! { #definition #read #describe #build };
    }
    let (write, reflect) = (write::expand(model), reflect::expand(model));
    quote! { #definition #read #write #reflect #build }
}

fn definition(model: &ModelInput) -> TokenStream {
    let ModelInput { name, attrs, vis, .. } = model;
    let fields = model.fields.iter().map(|ModelField { ident, ty, attrs, absent, .. }| {
        let note = absent.as_ref().map(|_| {
            let note = " `None` means the same as leaving it out: check a value that may be missing first.";
            quote! { #[doc = #note] }
        });
        quote! { #(#attrs)* #note pub #ident: #ty }
    });
    let extra = model.kind.keeps_unknown().then(|| {
        quote! {
            /// Unknown fields, unparsed.
            pub extra: crate::model::Extra,
        }
    });
    quote! {
        #(#attrs)*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #vis struct #name { #(#fields,)* #extra }
    }
}
