//! Generates the model's description as a constant.

use crate::model::{ListRole, ModelInput, ModelKind, camel};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

pub fn expand(model: &ModelInput) -> TokenStream {
    let ModelInput { name, docs, kind, .. } = model;
    let source = option(model.source.as_ref());
    let (text, variant) = (name.to_string(), kind.variant());
    let fields = model.fields.iter().map(|field| {
        let (rust, wire, docs, ty) = (field.ident.unraw().to_string(), &field.wire, &field.docs, &field.ty);
        let required =
            field.required || !(field.optional() || field.nullable() || (!kind.sent() && field.collection()));
        let filled = field.required && field.optional();
        let max_length = option(field.max_length.as_ref());
        let pattern = option(field.pattern.as_ref());
        let role = field.role.variant();
        let source = option(field.source.as_ref());
        let personal = field.personal;
        let absent = option(field.absent.as_ref());
        quote! {
            crate::schema::FieldSchema {
                name: #rust, wire: #wire, docs: #docs, source: #source, ty: <#ty as crate::schema::Describe>::TYPE,
                required: #required, filled_in: #filled, max_length: #max_length, pattern: #pattern,
                role: crate::schema::Role::#role,
                absent: #absent, personal: #personal,
            }
        }
    });
    let fill = (*kind == ModelKind::Request).then(|| {
        let has_tenant = model.fields.iter().any(|f| f.ident == "tenant");
        let tenant = has_tenant.then(|| quote! { self.tenant.get_or_insert_with(|| tenant.to_owned()); });
        let defaults =
            model.fields.iter().filter(|f| f.required && f.optional() && f.ident != "tenant").map(|field| {
                let ident = &field.ident;
                quote! { self.#ident.get_or_insert_with(::core::default::Default::default); }
            });
        quote! {
            impl crate::operation::Request for #name {
                fn apply_defaults(&mut self, tenant: &str) {
                    let _ = tenant;
                    #tenant
                    #(#defaults)*
                }
            }
        }
    });
    let identified = identified(model);
    quote! {
        impl crate::schema::Model for #name {
            const SCHEMA: &'static crate::schema::ModelSchema = &crate::schema::ModelSchema {
                name: #text, kind: crate::schema::Kind::#variant, module: module_path!(), docs: #docs, source: #source,
                fields: &[#(#fields),*],
            };
        }
        impl crate::schema::Describe for #name {
            const TYPE: &'static crate::schema::Type =
                &crate::schema::Type::Model(|| <#name as crate::schema::Model>::SCHEMA);
        }
        #fill
        #identified
    }
}

/// The description of options: the type of each, whether it is optional, and its default.
pub fn options(model: &ModelInput) -> TokenStream {
    let ModelInput { name, docs, .. } = model;
    let text = name.to_string();
    let fields = model.fields.iter().map(|field| {
        let (wire, docs, ty) = (&field.wire, &field.docs, &field.ty);
        let own = field.ident.unraw().to_string();
        // A word that Rust reserves and the languages do not has another name in Rust only.
        let name = if camel(&own) == *wire { own } else { wire.clone() };
        let required = !field.optional() && field.default.is_none();
        let default = field.default.as_ref().map(|default| quote! { #default }.to_string());
        let default = option(default.as_ref());
        let (selects, absent) = (field.role == ListRole::Selects, option(field.absent.as_ref()));
        quote! {
            ::sondage::arguments::ArgumentSchema {
                name: #name, wire: #wire, docs: #docs, ty: <#ty as ::sondage::arguments::Argument>::TYPE,
                required: #required, default: #default, selects: #selects, absent: #absent,
            }
        }
    });
    quote! {
        impl ::sondage::arguments::Options for #name {
            const SCHEMA: &'static ::sondage::arguments::OptionsSchema =
                &::sondage::arguments::OptionsSchema { name: #text, docs: #docs, fields: &[#(#fields),*] };
        }
    }
}

/// `#[wire(id)]`: rows with an id. The service's columns have the names of the fields, capitalised.
fn identified(model: &ModelInput) -> Option<TokenStream> {
    let name = &model.name;
    let field = model.fields.iter().find(|field| Some(&field.ident) == model.id.as_ref())?;
    let (ident, mut column) = (&field.ident, field.wire.clone());
    column[..1].make_ascii_uppercase();
    Some(quote! {
        impl crate::model::Identified for #name {
            const ORDER: ::core::option::Option<&'static str> = ::core::option::Option::Some(#column);
            fn identity(&self) -> ::core::option::Option<crate::model::Identity<'_>> {
                ::core::option::Option::Some(crate::model::Identity::from(&self.#ident))
            }
        }
    })
}

fn option<T: quote::ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote! { ::core::option::Option::None },
        |v| quote! { ::core::option::Option::Some(#v) },
    )
}
