//! What enumerations say about themselves to the generators of the languages, which do not read these.

pub struct EnumSchema {
    pub name: &'static str,
    pub docs: &'static str,
    pub source: &'static str,
    pub module: &'static str,
    pub values: &'static [&'static str],
}

pub enum Type {
    Enum(&'static EnumSchema),
}

pub trait Describe {
    const TYPE: &'static Type;
}
