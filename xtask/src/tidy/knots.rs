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
    let mut crates = BTreeMap::<&str, Vec<&File>>::new();
    for file in files.iter().filter(|file| file.extension() == "rs") {
        if let Some((folder, _)) = file.path.split_once("/src/") {
            crates.entry(folder).or_default().push(file);
        }
    }
    let mut problems = Problems::new();
    for (folder, files) in crates {
        for knot in knots(&graph(folder, &files)).into_iter().filter(|knot| knot.len() > MOST) {
            problems.push(format!(
                "{folder}: {} modules use each other in a circle, and at most {MOST} may: {}",
                knot.len(),
                knot.join(", ")
            ));
        }
    }
    problems
}

fn graph(folder: &str, files: &[&File]) -> Graph {
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    let mut root = Vec::new();
    for file in files {
        let Ok(parsed) = syn::parse_file(&file.text) else { continue };
        let inside = &file.path[folder.len() + "/src/".len()..];
        let module = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
        if ["lib", "main"].contains(&module) {
            root.extend(parsed.items);
            continue;
        }
        let mut paths = Paths::default();
        paths.visit_file(&parsed);
        uses.entry(module.to_owned()).or_default().extend(paths.0);
    }
    let shown = shown_by(&root);
    let module_of = |name: &String| {
        if uses.contains_key(name) { Some(name.clone()) } else { shown.get(name).cloned() }
    };
    let mut graph = Graph::new();
    for (module, names) in &uses {
        let found =
            names.iter().filter_map(module_of).filter(|used| used != module && uses.contains_key(used));
        graph.insert(module.clone(), found.collect());
    }
    graph
}

/// The re-exports of the root, and their modules.
fn shown_by(items: &[Item]) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for item in items {
        if let Item::Use(item) = item
            && let UseTree::Path(path) = &item.tree
        {
            let mut names = Vec::new();
            last_names(&path.tree, &mut names);
            shown.extend(names.into_iter().map(|name| (name, path.ident.to_string())));
        }
    }
    shown
}

fn last_names(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => last_names(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|item| last_names(item, names)),
        UseTree::Glob(_) => {}
    }
}

/// The names that follow `crate::`.
#[derive(Default)]
struct Paths(BTreeSet<String>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        if !attributes(item).iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if let UseTree::Path(path) = &item.tree
            && path.ident == "crate"
        {
            self.0.extend(first_names(&path.tree));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut parts = path.segments.iter();
        if let (Some(first), Some(second)) = (parts.next(), parts.next())
            && first.ident == "crate"
        {
            self.0.insert(second.ident.to_string());
        }
        visit::visit_path(self, path);
    }
}

fn first_names(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => vec![path.ident.to_string()],
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(rename) => vec![rename.ident.to_string()],
        UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether the attribute is `#[cfg(test)]` or `#[test]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        meta => meta.path().is_ident("test"),
    }
}

/// Strongly connected groups of more than one module.
fn knots(graph: &Graph) -> Vec<Vec<String>> {
    let reached: BTreeMap<_, _> = graph.keys().map(|module| (module, reached(graph, module))).collect();
    let mut knots = BTreeSet::new();
    for (module, from) in &reached {
        let knot: Vec<_> = from.iter().filter(|other| reached[other].contains(*module)).cloned().collect();
        if knot.len() > 1 {
            knots.insert(knot);
        }
    }
    knots.into_iter().collect()
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
        let mut files: Vec<_> = modules
            .windows(2)
            .map(|pair| {
                file(&format!("crates/x/src/{}.rs", pair[0]), &format!("use crate::{}::Thing;", pair[1]))
            })
            .collect();
        files.push(file("crates/x/src/lib.rs", "pub use a::One; mod tests { use crate::e; }"));
        files.push(file(&format!("crates/x/src/{}/mod.rs", modules[modules.len() - 1]), last));
        files
    }

    #[test]
    fn a_circle_of_five_is_found_however_it_is_closed() {
        let five = ["a", "b", "c", "d", "e"];
        for last in [
            "use crate::a::One;",
            "use crate::{text, a as first};",
            "use crate::One;",
            "fn f() -> crate::a::One { todo() }",
            "mod deep { impl X { fn f() { g::<crate::a::One>(); } } }",
        ] {
            let problems = rules(&circle(&five, last));
            assert_eq!(problems.len(), 1, "{last}");
            assert!(problems[0].starts_with("crates/x: 5 modules"), "{}", problems[0]);
            assert!(problems[0].ends_with(": a, b, c, d, e"), "{}", problems[0]);
        }
    }

    #[test]
    fn what_is_no_knot() {
        let five = ["a", "b", "c", "d", "e"];
        for last in [
            "#[cfg(test)] mod tests { use crate::a; }",
            "#[test] fn f() { crate::a::f(); }",
            "use a::One; use other::a;",
            "use crate::b_of_nobody;",
        ] {
            assert_eq!(rules(&circle(&five, last)), Problems::new(), "{last}");
        }
        assert_eq!(rules(&circle(&five[..4], "use crate::a;")), Problems::new());
    }
}
