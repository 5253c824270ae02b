//! Enumerations that are one of a few words, which are the same in every language.

use crate::model::{docs, snake};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, ItemEnum};

pub fn expand(item: &ItemEnum) -> syn::Result<TokenStream> {
    if let Some(variant) = item.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        return Err(syn::Error::new_spanned(variant, "a word has no fields"));
    }
    let (name, about) = (&item.ident, docs(&item.attrs));
    let title = name.to_string();
    let variants: Vec<_> = item.variants.iter().map(|variant| &variant.ident).collect();
    let names: Vec<_> = variants.iter().map(ToString::to_string).collect();
    let abouts: Vec<_> = item.variants.iter().map(|variant| docs(&variant.attrs)).collect();
    let words: Vec<_> = names.iter().map(|name| snake(name)).collect();
    let count = words.len();
    let listed = listed(&words);
    Ok(quote! {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #item

        impl #name {
            /// All variants, in order.
            pub const ALL: [Self; #count] = [#(Self::#variants),*];

            /// The words, described as data.
            #[doc(hidden)] // for the language surfaces
            pub const WORDS: &'static ::sondage::words::Words = &::sondage::words::Words {
                name: #title,
                docs: #about,
                texts: &[#(#words),*],
                listed: #listed,
                variants: &[#((#names, #abouts)),*],
            };

            /// The word, which is the same in every language.
            pub const fn as_str(self) -> &'static str {
                match self { #(Self::#variants => #words),* }
            }

            /// The variant with this word.
            pub fn of_word(word: &str) -> ::std::option::Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let word = <::std::string::String as ::serde::Deserialize>::deserialize(deserializer)?;
                Self::of_word(&word)
                    .ok_or_else(|| <D::Error as ::serde::de::Error>::unknown_variant(&word, Self::WORDS.texts))
            }
        }

        impl ::sondage::reports::ReportValue for #name {
            const TYPE: &'static ::sondage::reports::ReportType = &::sondage::reports::ReportType::Word(Self::WORDS);

            fn serialize_styled<S: ::serde::Serializer>(
                &self,
                _: &::sondage::reports::ReportStyle,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl ::sondage::arguments::Argument for #name {
            const TYPE: ::sondage::arguments::ArgumentType = ::sondage::arguments::ArgumentType::Word(Self::WORDS);
        }
    })
}

/// ``"`one`, `two` or `three`"``
fn listed(words: &[String]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
