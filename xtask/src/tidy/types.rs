//! A rule about type names: a reader has to look up which type a name means if several types share it.
//!
//! Structs, enums, unions, traits and type aliases of hand-written Rust count, including those inside functions. Tests do not
//! count. A binding's wrapper with the core type's name counts once.

use super::{File, Problems};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, Meta};

/// The maximum percentage of names that stand for more than one type.
const SHARE: usize = 10;

/// The maximum number of types with the same name.
const MOST: usize = 3;

/// The crates that bind the core to other languages.
const WRAPPERS: [&str; 2] = ["bindings/", "crates/sondage-ffi/"];

/// The crates whose types they wrap.
const WRAPPED: [&str; 3] = ["crates/sondage/", "crates/sondage-data/", "crates/sondage-sandbox/"];

pub fn rules(files: &[File]) -> Problems {
    let mut names = BTreeMap::<String, Vec<&str>>::new();
    for file in files.iter().filter(|file| counts(file)) {
        let Ok(parsed) = syn::parse_file(&file.text) else { continue };
        let mut types = Types::default();
        types.visit_file(&parsed);
        for name in types.0 {
            names.entry(name).or_default().push(&file.path);
        }
    }
    for paths in names.values_mut() {
        fold_wrappers(paths);
    }
    problems(&names)
}

fn counts(file: &File) -> bool {
    let tests = ["tests", "fuzz", "examples"];
    let test = file.path.split('/').any(|part| tests.contains(&part.trim_end_matches(".rs")));
    file.extension() == "rs" && !test && !file.is_generated()
}

/// Removes wrappers that have the name of a core type.
fn fold_wrappers(paths: &mut Vec<&str>) {
    let stands_in = |path: &str, folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    if paths.iter().any(|path| stands_in(path, &WRAPPED)) {
        paths.retain(|path| !stands_in(path, &WRAPPERS));
    }
}

fn problems(names: &BTreeMap<String, Vec<&str>>) -> Problems {
    let said_again: Vec<_> = names.iter().filter(|(_, paths)| paths.len() > 1).collect();
    let too_often = said_again.iter().filter(|(_, paths)| paths.len() > MOST);
    let mut problems: Problems = too_often
        .map(|(name, paths)| {
            format!(
                "{}: {} types are called `{name}`, and at most {MOST} may: {}",
                paths[0],
                paths.len(),
                paths.join(", ")
            )
        })
        .collect();
    if said_again.len() * 100 > names.len() * SHARE {
        let names_of: Vec<_> = said_again.iter().map(|(name, _)| name.as_str()).collect();
        problems.push(format!(
            "of {} names of types, {} stand for several, and at most {SHARE} % may: {}",
            names.len(),
            said_again.len(),
            names_of.join(", ")
        ));
    }
    problems
}

/// The names of the types of a file.
#[derive(Default)]
struct Types(Vec<String>);

impl<'ast> Visit<'ast> for Types {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes): (Option<&Ident>, &[Attribute]) = match item {
            Item::Struct(item) => (Some(&item.ident), &item.attrs),
            Item::Enum(item) => (Some(&item.ident), &item.attrs),
            Item::Union(item) => (Some(&item.ident), &item.attrs),
            Item::Trait(item) => (Some(&item.ident), &item.attrs),
            Item::Type(item) => (Some(&item.ident), &item.attrs),
            Item::Fn(item) => (None, &item.attrs),
            Item::Impl(item) => (None, &item.attrs),
            Item::Mod(item) => (None, &item.attrs),
            _ => (None, &[]),
        };
        if attributes.iter().any(is_for_tests) {
            return;
        }
        self.0.extend(name.map(Ident::to_string));
        visit::visit_item(self, item);
    }
}

/// `#[cfg(test)]`, `#[cfg(doctest)]` and `#[test]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) => {
            list.path.is_ident("cfg") && ["test", "doctest"].contains(&list.tokens.to_string().as_str())
        }
        meta => meta.path().is_ident("test"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    /// A crate with these files, and enough other types to keep the percentage of duplicate names low.
    fn repository(files: &[(&str, &str)]) -> Vec<File> {
        let others = (0..19).map(|number| format!("struct Other{number};")).collect::<Vec<_>>().concat();
        let mut files: Vec<_> = files.iter().map(|(path, text)| file(path, text)).collect();
        files.push(file("crates/x/src/others.rs", &others));
        files
    }

    #[test]
    fn a_name_stands_for_three_types_and_no_more() {
        let all = [
            ("crates/x/src/a.rs", "struct Reader;"),
            ("crates/x/src/b.rs", "mod inside { enum Reader {} }"),
            ("crates/x/src/c.rs", "fn read() { trait Reader {} }"),
            ("crates/x/src/d.rs", "impl X { fn read() { type Reader = u8; } }"),
        ];
        assert_eq!(rules(&repository(&all[..3])), Problems::new());
        let problems = rules(&repository(&all));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("crates/x/src/a.rs: 4 types are called `Reader`"), "{}", problems[0]);
    }

    #[test]
    fn one_name_in_ten_may_stand_for_several() {
        let twice = |names: &[&str]| {
            let text = names.iter().map(|name| format!("struct {name};")).collect::<Vec<_>>().concat();
            rules(&repository(&[("crates/x/src/a.rs", &text), ("bench/src/b.rs", &text)]))
        };
        assert_eq!(twice(&["Row", "Page"]), Problems::new());
        let problems = twice(&["Row", "Page", "Cell"]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("of 22 names of types, 3 stand for several"), "{}", problems[0]);
        assert!(problems[0].ends_with(": Cell, Page, Row"), "{}", problems[0]);
    }

    #[test]
    fn what_does_not_count() {
        let often = "struct A; struct B; struct C;";
        for (path, text) in [
            ("bindings/node/src/a.rs", often),
            ("crates/sondage-ffi/src/a.rs", often),
            ("crates/sondage/tests/a.rs", often),
            ("crates/sondage/src/a/tests.rs", often),
            ("crates/sondage/src/b.rs", "// @generated\nstruct A; struct B; struct C;"),
            ("crates/sondage/src/b.rs", "#[cfg(test)] mod tests { struct A; struct B; struct C; }"),
            ("crates/sondage/src/b.rs", "impl X { type A = B; } trait Y { type B; type C; }"),
        ] {
            let files = repository(&[("crates/sondage/src/a.rs", often), (path, text)]);
            assert_eq!(rules(&files), Problems::new(), "{path}");
        }
    }
}
