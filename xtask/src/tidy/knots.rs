//! Dependency cycles between the modules of a crate. To understand one module of a cycle, one has to read all of them.
//!
//! A module here is a top-level module of its crate, with everything below it. Paths that begin with `crate` count as
//! dependencies, in `use` and elsewhere; a re-export at the crate's root counts as its module. Tests and the content of macros
//! do not count.

use super::{File, Problems};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, UseTree};

/// The maximum number of modules in a knot.
const MOST: usize = 4;

/// Which module uses which.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub fn rules(files: &[File]) -> Problems {
    let mut crates = BTreeMap::<&str, Vec<(&str, &File)>>::new();
    for file in files.iter().filter(|file| file.extension() == "rs") {
        if let Some((folder, inside)) = file.path.split_once("/src/") {
            let module = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
            crates.entry(folder).or_default().push((module, file));
        }
    }
    let mut problems = Problems::new();
    for (folder, files) in crates {
        for knot in knots(&graph(&files)).into_iter().filter(|knot| knot.len() > MOST) {
            let (number, names) = (knot.len(), knot.join(", "));
            problems.push(format!(
                "{folder}: {number} modules use each other in a circle, and at most {MOST} may: {names}"
            ));
        }
    }
    problems
}

fn graph(files: &[(&str, &File)]) -> Graph {
    let (mut uses, mut shown) = (Graph::new(), BTreeMap::new());
    for (module, file) in files {
        let Ok(parsed) = syn::parse_file(&file.text) else { continue };
        if ["lib", "main"].contains(module) {
            shown.extend(parsed.items.iter().flat_map(shown_by));
            continue;
        }
        let mut paths = Paths::default();
        paths.visit_file(&parsed);
        uses.entry((*module).to_owned()).or_default().extend(paths.0);
    }
    let of = |(module, names): (&String, &BTreeSet<String>)| {
        let modules = names
            .iter()
            .map(|name| if uses.contains_key(name) { name } else { shown.get(name).unwrap_or(name) });
        let others = modules.filter(|other| *other != module && uses.contains_key(*other));
        (module.clone(), others.cloned().collect())
    };
    uses.iter().map(of).collect()
}

/// The re-exports of an item of the root, and their modules.
fn shown_by(item: &Item) -> Vec<(String, String)> {
    let Item::Use(item) = item else { return Vec::new() };
    let paths = paths_of(&item.tree).into_iter().filter(|path| path.len() > 1);
    paths.map(|mut path| (path.pop().unwrap_or_default(), path.swap_remove(0))).collect()
}

/// The paths of a `use`. A name that it gives to something follows the path.
fn paths_of(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let begin = [path.ident.to_string()];
            paths_of(&path.tree).into_iter().map(|rest| [&begin, rest.as_slice()].concat()).collect()
        }
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(rename) => vec![vec![rename.ident.to_string(), rename.rename.to_string()]],
        UseTree::Group(group) => group.items.iter().flat_map(paths_of).collect(),
        UseTree::Glob(_) => vec![Vec::new()],
    }
}

/// The names that follow `crate::`.
#[derive(Default)]
struct Paths(BTreeSet<String>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let paths = paths_of(&item.tree).into_iter().filter(|path| path.len() > 1 && path[0] == "crate");
        self.0.extend(paths.map(|mut path| path.swap_remove(1)));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut names = path.segments.iter().map(|segment| segment.ident.to_string());
        if names.next().is_some_and(|first| first == "crate") {
            self.0.extend(names.next());
        }
        visit::visit_path(self, path);
    }
}

/// Whether the attribute is `#[cfg(test)]` or `#[test]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        meta => meta.path().is_ident("test"),
    }
}

/// Strongly connected groups.
fn knots(graph: &Graph) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<_, _> = graph.keys().map(|module| (module, reached(graph, module))).collect();
    let knot =
        |module| reached[module].iter().filter(|other| reached[other].contains(module)).cloned().collect();
    graph.keys().map(knot).collect()
}

/// The transitive dependencies of a module, including the module itself if it is in a cycle.
fn reached(graph: &Graph, module: &String) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![module];
    while let Some(module) = next.pop() {
        next.extend(graph[module].iter().filter(|used| found.insert((*used).clone())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    /// A crate whose modules each use the next one, and the last one the first.
    fn circle(modules: &[&str], last: &str) -> Vec<File> {
        let next = |pair: &[&str]| {
            file(&format!("crates/x/src/{}.rs", pair[0]), &format!("use crate::{}::Thing;", pair[1]))
        };
        let mut files: Vec<_> = modules.windows(2).map(next).collect();
        files.push(file("crates/x/src/lib.rs", "pub use a::One; mod tests { use crate::e; }"));
        files.push(file(&format!("crates/x/src/{}/mod.rs", modules[modules.len() - 1]), last));
        files
    }

    #[test]
    fn a_circle_of_five_is_found_however_it_is_closed() {
        let five = ["a", "b", "c", "d", "e"];
        for (last, is_knot) in [
            ("use crate::a::One;", true),
            ("use crate::{text, a as first};", true),
            ("use crate::One;", true),
            ("fn f() -> crate::a::One { todo() }", true),
            ("mod deep { impl X { fn f() { g::<crate::a::One>(); } } }", true),
            ("#[cfg(test)] mod tests { use crate::a; }", false),
            ("#[test] fn f() { crate::a::f(); }", false),
            ("use a::One; use other::a;", false),
            ("use crate::b_of_nobody;", false),
        ] {
            let problems = rules(&circle(&five, last));
            let expected = "crates/x: 5 modules use each other in a circle, and at most 4 may: a, b, c, d, e";
            assert_eq!(problems, [expected].repeat(usize::from(is_knot)), "{last}");
        }
        assert_eq!(rules(&circle(&five[..4], "use crate::a;")), Problems::new());
    }
}
