//! A parsed model: its fields, their wire format, and their documentation.

use quote::format_ident;
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, GenericArgument, Ident, ItemStruct, LitInt, LitStr, PathArguments, Type, Visibility,
};

#[derive(Clone, Copy, PartialEq)]
pub enum ModelKind {
    Request,
    Response,
    Record,
    Value,
    Options,
}

impl ModelKind {
    /// The caller builds it, so absent fields are not sent.
    pub fn sent(self) -> bool {
        matches!(self, Self::Request | Self::Value | Self::Options)
    }

    /// The service builds it, so unknown fields are kept.
    pub fn keeps_unknown(self) -> bool {
        !matches!(self, Self::Request | Self::Options)
    }

    pub fn variant(self) -> Ident {
        match self {
            Self::Request => format_ident!("Request"),
            Self::Response => format_ident!("Response"),
            Self::Record => format_ident!("Record"),
            Self::Value => format_ident!("Value"),
            Self::Options => format_ident!("Options"),
        }
    }
}

pub struct ModelField {
    pub ident: Ident,
    pub wire: String,
    pub ty: Type,
    pub attrs: Vec<Attribute>,
    pub docs: String,
    /// `#[source("API <section>, published")]`: the source, if it differs from the model's.
    pub source: Option<LitStr>,
    /// `#[wire(required)]`: an `Option` in Rust that the client fills in, because the service requires it.
    pub required: bool,
    pub max_length: Option<LitInt>,
    pub pattern: Option<LitStr>,
    /// `#[wire(selects)]` or `#[wire(changes)]`: what an empty list in a write means.
    pub role: ListRole,
    /// What it means to leave out a field that selects: the words after `Default:` in its documentation.
    pub absent: Option<String>,
    /// `#[wire(personal)]`: personal data, which no error may contain.
    pub personal: bool,
    /// `#[wire(zeros)]`: a list of ids in which 0 stands for none.
    pub zeros: bool,
    /// `#[wire(default = 4)]`: the default of an option.
    pub default: Option<Expr>,
}

/// See `sondage::internals::schema::Role`.
#[derive(Clone, Copy, PartialEq)]
pub enum ListRole {
    Plain,
    Selects,
    Changes,
}

impl ListRole {
    pub fn variant(self) -> Ident {
        match self {
            Self::Plain => format_ident!("Plain"),
            Self::Selects => format_ident!("Selects"),
            Self::Changes => format_ident!("Changes"),
        }
    }
}

impl ModelField {
    pub fn optional(&self) -> bool {
        wraps(&self.ty, "Option")
    }

    /// An optional duration.
    pub fn is_duration(&self) -> bool {
        self.optional() && inside(&self.ty).is_some_and(|ty| wraps(ty, "Duration"))
    }

    /// Whether null is one of its values.
    pub fn takes_null(&self) -> bool {
        wraps(&self.ty, "NotAvailable")
    }

    pub fn list(&self) -> bool {
        wraps(&self.ty, "Vec")
    }

    /// A list of maps.
    pub fn rows(&self) -> bool {
        self.list() && inside(&self.ty).is_some_and(|row| wraps(row, "IndexMap"))
    }

    /// A value that may be null: absent means the same.
    pub fn nullable(&self) -> bool {
        wraps(&self.ty, "FieldValue")
    }

    /// A list or map of a response, for which absent and null mean empty.
    pub fn collection(&self) -> bool {
        self.list() || wraps(&self.ty, "IndexMap")
    }
}

pub struct ModelInput {
    pub kind: ModelKind,
    pub name: Ident,
    pub attrs: Vec<Attribute>,
    pub docs: String,
    /// `#[source("API <section>, specified")]`: the section of `docs/api` and its mark.
    pub source: Option<LitStr>,
    pub fields: Vec<ModelField>,
    /// `#[wire(bare)]`: the field that a bare JSON string sets.
    pub bare: Option<Ident>,
    /// `#[wire(id)]`: the field that identifies rows of a list.
    pub id: Option<Ident>,
    pub vis: Visibility,
}

impl ModelInput {
    pub fn new(kind: ModelKind, mut item: ItemStruct) -> syn::Result<Self> {
        let known_from = source(&mut item.attrs)?;
        if known_from.is_none() && !matches!(kind, ModelKind::Response | ModelKind::Options) {
            let why = "name the source: #[source(\"API 3.6, specified\")], a section of docs/api";
            return Err(syn::Error::new_spanned(item.ident, why));
        }
        let (mut bare, mut id) = (None, None);
        let mut fields = Vec::new();
        for mut field in item.fields {
            let Some(ident) = field.ident else {
                return Err(syn::Error::new_spanned(field.ty, "a model has named fields"));
            };
            let source = source(&mut field.attrs)?;
            let (mut required, mut max_length, mut pattern, mut role) = (false, None, None, ListRole::Plain);
            let (mut personal, mut zeros) = (false, false);
            let mut default = None;
            let mut wire = camel(&ident.unraw().to_string());
            let (own, attrs): (Vec<_>, Vec<_>) =
                field.attrs.into_iter().partition(|a| a.path().is_ident("wire"));
            for attr in own {
                attr.parse_nested_meta(|meta| {
                    if meta.path.is_ident("required") {
                        required = true;
                    } else if meta.path.is_ident("bare") {
                        bare = Some(ident.clone());
                    } else if meta.path.is_ident("id") {
                        id = Some(ident.clone());
                    } else if meta.path.is_ident("max_length") {
                        max_length = Some(meta.value()?.parse()?);
                    } else if meta.path.is_ident("pattern") {
                        pattern = Some(meta.value()?.parse()?);
                    } else if meta.path.is_ident("selects") {
                        role = ListRole::Selects;
                    } else if meta.path.is_ident("changes") {
                        role = ListRole::Changes;
                    } else if meta.path.is_ident("personal") {
                        personal = true;
                    } else if meta.path.is_ident("zeros") {
                        zeros = true;
                    } else if kind == ModelKind::Options && meta.path.is_ident("default") {
                        default = Some(meta.value()?.parse()?);
                    } else if meta.path.is_ident("name") {
                        wire = meta.value()?.parse::<LitStr>()?.value();
                    } else {
                        return Err(meta.error(
                            "expected `required`, `bare`, `id`, `max_length`, `pattern`, `selects`, `changes`, `personal`, `zeros` or `name`",
                        ));
                    }
                    Ok(())
                })?;
            }
            let docs = docs(&attrs);
            let mut absent = None;
            if role == ListRole::Selects && wraps(&field.ty, "Option") {
                absent = default_in(&docs);
                if absent.is_none() {
                    let why = "say what it means to leave it out: `Default: everybody in the panel.`";
                    return Err(syn::Error::new_spanned(ident, why));
                }
            }
            fields.push(ModelField {
                ident,
                wire,
                ty: field.ty,
                attrs,
                docs,
                source,
                required,
                max_length,
                pattern,
                role,
                absent,
                personal,
                zeros,
                default,
            });
        }
        let docs = docs(&item.attrs);
        let (name, attrs, vis) = (item.ident, item.attrs, item.vis);
        Ok(Self { kind, name, attrs, docs, source: known_from, fields, bare, id, vis })
    }
}

/// Removes `#[source("..")]` from the attributes: it is data, and not part of the documentation.
fn source(attrs: &mut Vec<Attribute>) -> syn::Result<Option<LitStr>> {
    let position = attrs.iter().position(|attr| attr.path().is_ident("source"));
    position.map(|at| attrs.remove(at).parse_args()).transpose()
}

/// The doc comments among attributes.
pub fn docs(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|a| a.path().is_ident("doc")).filter_map(|a| match &a.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The words after `Default:`, up to the end of the sentence.
fn default_in(docs: &str) -> Option<String> {
    let docs = docs.replace('\n', " ");
    let (_, words) = docs.split_once("Default: ")?;
    let sentence = words.split(". ").next()?;
    Some(sentence.trim_end_matches('.').to_owned())
}

fn wraps(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// The element type of a list.
fn inside(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(of) = &path.path.segments.last()?.arguments else { return None };
    match of.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// `DidNotHappen` as `did_not_happen`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

pub fn camel(snake: &str) -> String {
    let mut upper = false;
    let mut out = String::new();
    for c in snake.chars() {
        if c == '_' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            out.push(c.to_ascii_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}
