//! `text!`: splits a format string into literal words and arguments.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Path, Token};

pub struct TextInput {
    home: Path,
    format: LitStr,
    given: Vec<(Option<Ident>, Expr)>,
}

impl Parse for TextInput {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let home = input.parse()?;
        input.parse::<Token![,]>()?;
        let format = input.parse()?;
        let arguments = if input.is_empty() {
            Vec::new()
        } else {
            input.parse::<Token![,]>()?;
            Punctuated::<_, Token![,]>::parse_terminated_with(input, argument)?.into_iter().collect()
        };
        Ok(Self { home, format, given: arguments })
    }
}

fn argument(input: ParseStream) -> syn::Result<(Option<Ident>, Expr)> {
    let named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
    let name = if named {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Some(name)
    } else {
        None
    };
    Ok((name, input.parse()?))
}

/// A part of a format string.
enum FormatPart {
    Words(String),
    /// An argument, and its format.
    Given(String, String),
}

fn parts(format: &str) -> Result<Vec<FormatPart>, &'static str> {
    let (mut parts, mut words, mut rest) = (Vec::new(), String::new(), format.chars().peekable());
    while let Some(c) = rest.next() {
        match c {
            '{' | '}' if rest.peek() == Some(&c) => {
                rest.next();
                words.push(c);
            }
            '{' => {
                parts.push(FormatPart::Words(std::mem::take(&mut words)));
                let mut inside = String::new();
                loop {
                    match rest.next() {
                        Some('}') => break,
                        Some(c) => inside.push(c),
                        None => return Err("a `{` is not closed"),
                    }
                }
                let (name, spec) = inside.split_once(':').unwrap_or((&inside, ""));
                parts.push(FormatPart::Given(name.trim().to_owned(), spec.to_owned()));
            }
            '}' => return Err("a `}` is not opened"),
            c => words.push(c),
        }
    }
    parts.push(FormatPart::Words(words));
    Ok(parts)
}

impl TextInput {
    pub fn expand(self) -> syn::Result<TokenStream> {
        let Self { home, format, given } = self;
        let wrong = |why: &str| syn::Error::new(format.span(), why);
        let idents: Vec<Ident> =
            (0..given.len()).map(|i| Ident::new(&format!("given{i}"), Span::mixed_site())).collect();
        let mut used = vec![false; given.len()];
        let mut next = 0;
        let mut statements = Vec::new();
        for part in parts(&format.value()).map_err(wrong)? {
            let (name, spec) = match part {
                FormatPart::Words(words) if words.is_empty() => continue,
                FormatPart::Words(words) => {
                    statements.push(quote! { text.say(#words); });
                    continue;
                }
                FormatPart::Given(name, spec) => (name, spec),
            };
            let number = match name.parse::<usize>() {
                Ok(number) => Some(number),
                Err(_) if name.is_empty() => {
                    next += 1;
                    Some(next - 1)
                }
                Err(_) => {
                    given.iter().position(|(known, _)| known.as_ref().is_some_and(|known| *known == name))
                }
            };
            let value = if let Some(number) = number {
                *used
                    .get_mut(number)
                    .ok_or_else(|| wrong("there are fewer arguments than placeholders"))? = true;
                let ident = &idents[number];
                quote! { #ident }
            } else {
                let ident = format_ident!("{name}", span = format.span());
                quote! { (&#ident) }
            };
            statements.push(if spec.is_empty() {
                quote! { #home::error::TextArgument(#value).put(&mut text); }
            } else {
                let format = format!("{{:{spec}}}");
                quote! { text.value(::core::format_args!(#format, #value)); }
            });
        }
        if used.contains(&false) {
            return Err(wrong("there are more arguments than placeholders"));
        }
        let expressions = given.iter().map(|(_, expression)| expression);
        Ok(quote! {
            match (#(&(#expressions),)*) {
                (#(#idents,)*) => {
                    #[allow(unused_imports)] // if either every part is a literal or none is
                    use #home::error::Put as _;
                    let mut text = #home::error::Text::default();
                    #(#statements)*
                    text
                }
            }
        })
    }
}
