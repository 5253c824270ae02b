//! The Rust constructors of a model: `new` with the required fields, and a setter for each of the others.

use crate::model::{ModelField, ModelInput};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericArgument, PathArguments, Type};

pub fn expand(model: &ModelInput) -> TokenStream {
    let ModelInput { name, .. } = model;
    let (settable, required) = parts(model);
    let arguments = required.iter().map(|field| {
        let (ident, argument) = (&field.ident, argument(&field.ty));
        quote! { #ident: #argument }
    });
    let converted = required.iter().map(|field| convert(field, &field.ty));
    let defaults = settable.iter().filter_map(|field| {
        let (default, ty) = (field.default.as_ref()?, &field.ty);
        let name = format_ident!("DEFAULT_{}", field.ident.unraw().to_string().to_uppercase());
        let docs = format!("The default of `{}`.", field.ident.unraw());
        Some(quote! {
            #[doc = #docs]
            pub const #name: #ty = #default;
        })
    });
    let exact = exact(model);
    let docs = format!("A `{name}` with its required fields.");
    let setters = settable.iter().map(|field| {
        let (ident, attrs) = (&field.ident, &field.attrs);
        if field.default.is_some() {
            let ty = &field.ty;
            return quote! {
                #(#attrs)*
                #[must_use]
                pub fn #ident(mut self, #ident: #ty) -> Self {
                    self.#ident = #ident;
                    self
                }
            };
        }
        let inner = inner(&field.ty);
        let (argument, convert) = (argument(inner), convert(field, inner));
        quote! {
            #(#attrs)*
            #[must_use]
            pub fn #ident(mut self, #ident: #argument) -> Self {
                self.#ident = ::core::option::Option::Some(#convert);
                self
            }
        }
    });
    quote! {
        impl #name {
            #(#defaults)*

            #[doc = #docs]
            #[allow(clippy::new_without_default, clippy::too_many_arguments)] // the service requires this many
            pub fn new(#(#arguments),*) -> Self {
                Self::exact(#(#converted),*)
            }
            #(#setters)*
        }
        #exact
    }
}

/// The constructor for a language binding, which has converted the values already to the types of the fields.
pub fn exact(model: &ModelInput) -> TokenStream {
    let ModelInput { name, kind, .. } = model;
    let (settable, required) = parts(model);
    let arguments = required.iter().map(|ModelField { ident, ty, .. }| quote! { #ident: #ty });
    let idents = required.iter().map(|field| &field.ident);
    let absent = settable.iter().map(|field| {
        let ident = &field.ident;
        let none = || quote! { ::core::option::Option::None };
        let value = field.default.as_ref().map_or_else(none, |default| quote! { #default });
        quote! { #ident: #value }
    });
    let extra = kind.keeps_unknown().then(|| quote! { extra: crate::model::Extra::default(), });
    quote! {
        impl #name {
            /// The value with its required fields, for a language binding.
            #[doc(hidden)]
            #[allow(clippy::too_many_arguments)] // the model has this many
            pub fn exact(#(#arguments),*) -> Self {
                Self { #(#idents,)* #(#absent,)* #extra }
            }
        }
    }
}

/// The fields that may be absent, and the others.
fn parts(model: &ModelInput) -> (Vec<&ModelField>, Vec<&ModelField>) {
    model.fields.iter().partition(|field| field.optional() || field.default.is_some())
}

/// A list takes any iterator, everything else any `Into`.
fn argument(ty: &Type) -> TokenStream {
    if is(ty, "Vec") {
        let item = inner(ty);
        quote! { impl ::core::iter::IntoIterator<Item = impl ::core::convert::Into<#item>> }
    } else {
        quote! { impl ::core::convert::Into<#ty> }
    }
}

fn convert(field: &ModelField, ty: &Type) -> TokenStream {
    let ident = &field.ident;
    if is(ty, "Vec") {
        quote! { #ident.into_iter().map(::core::convert::Into::into).collect() }
    } else {
        quote! { #ident.into() }
    }
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// `T` of `Option<T>` or `Vec<T>`.
fn inner(ty: &Type) -> &Type {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(GenericArgument::Type(inner)) = arguments.args.first()
    {
        return inner;
    }
    ty
}
