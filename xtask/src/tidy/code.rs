//! Rules about a file of any language: what code must not contain, traces of one machine or its network, and what bindings know
//! of the API.

use super::{File, Problems};
use sondage::internals::schema::ModelSchema;
use sondage::operations;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The maximum length of a file: one file, one idea.
const LONGEST: usize = 500;

/// Markers of unfinished work, and checks that cannot fail. `|` splits each, so that this list does not match itself.
const STUBS: &str = "to|do!(,unimpl|emented!(,FIX|ME,XX|X,NotImplemented|Error,assert |True,expect(|true)";

/// Folders of a personal machine, split in the same way.
const FOLDERS: &str = "/wo|rk/,/ro|ot/,/ho|me/,/Us|ers/,../sha|red";

/// Hosts that a file may name: the project's, and those of standards, licences and sources. Registries are configured on
/// each machine.
const HOSTS: &str = "arrow.apache.org datatracker.ietf.org docs.rs electionstudies.org github.com json-schema.org \
                     keepachangelog.com maven.apache.org mozilla.org rust-lang.github.io schemas.android.com \
                     schemas.openxmlformats.org semver.org www.apache.org www.apple.com www.w3.org";

/// The service's own hosts, their imitations in tests, and names reserved for examples.
const FAMILIES: [&str; 5] = ["survalyzer", ".example", ".test", ".invalid", "example.com"];

/// Parts of the wire format that are not fields of a model.
const WIRE: [&str; 4] = ["publicapi", "isSuccess", "errorCode", "errorMessage"];

/// Names that only the core may know: operations by both their names, and wire names of fields. One-word names are left
/// out, because any program uses them.
static NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let wire = |model: &'static ModelSchema| model.fields.iter().map(|field| field.wire);
    let names = operations::ALL.iter().flat_map(|row| {
        [row.name, row.method].into_iter().chain(wire(row.request)).chain(wire(row.response))
    });
    let names = names.filter(|name| name.contains('_') || name.contains(char::is_uppercase));
    names.chain(WIRE).collect()
});

pub fn rules(file: &File) -> Problems {
    let mut problems = code(file);
    if !["lock", "csv", "tsv"].contains(&file.extension()) && !file.path.starts_with("LICENSE") {
        problems.extend(file.in_lines(traces));
    }
    if file.path.starts_with("bindings/") && file.extension() == "rs" && !file.is_generated() {
        problems.extend(file.in_lines(names_of_the_core));
    }
    problems
}

fn code(file: &File) -> Problems {
    let mut problems = Problems::new();
    let inherits = || file.text.split("[lints]").nth(1).unwrap_or_default().trim_start();
    if file.path.ends_with("/Cargo.toml") && !inherits().starts_with("workspace = true") {
        problems.push(file.problem("a crate inherits the lints: [lints] workspace = true"));
    }
    if !file.is_code() || file.is_generated() {
        return problems;
    }
    let length = file.text.lines().count();
    if length > LONGEST {
        problems.push(file.problem(format!("{length} lines; a file has at most {LONGEST}")));
    }
    problems.extend(file.in_lines(|line| {
        let stub = first_of(STUBS, line).map(|stub| format!("{stub} puts off work or checks nothing"));
        let skip = is_unexplained_skip(line).then(|| "a test that is left out says why".to_owned());
        stub.into_iter().chain(skip)
    }));
    problems
}

fn listed(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(|text| text.replace('|', ""))
}

fn first_of(list: &str, line: &str) -> Option<String> {
    listed(list).find(|text| line.contains(text))
}

/// A skipped test without a reason. The reason must be in the brackets, where the runner shows it.
fn is_unexplained_skip(line: &str) -> bool {
    let line = line.trim();
    let bare = |word: &str| line.split_once(word).is_some_and(|(_, rest)| !rest.contains(['"', '\'']));
    line == concat!("#[ig", "nore]")
        || [concat!("pytest.mark.sk", "ip"), concat!("@Dis", "abled"), concat!("XCTSk", "ip(")]
            .into_iter()
            .any(bare)
        || ["it", "test", "describe"].iter().any(|word| line.starts_with(&format!("{word}.skip(")))
}

/// Folders of one machine, and hosts that a file may not name.
fn traces(line: &str) -> impl Iterator<Item = String> {
    let folder = first_of(FOLDERS, line).map(|folder| format!("{folder} is a folder of one machine"));
    let hosts = hosts(line).filter(|host| !is_allowed(host));
    folder.into_iter().chain(hosts.map(|host| format!("{host} is not among the hosts that a file may name")))
}

/// The hosts of the addresses in a line: literal ones, with a dot in their name.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).filter_map(|rest| {
        let authority = rest.split(|c: char| !(c.is_ascii_alphanumeric() || ".-_@:%".contains(c))).next()?;
        let host = authority.rsplit('@').next()?.split(':').next()?;
        let named = host.contains('.') && host.contains(|c: char| c.is_ascii_alphabetic());
        // The host contains a placeholder: `https://api.{center}.app`, `https://{tenant}.example`.
        let whole = !rest[authority.len()..].starts_with(['{', '<', '$']) && !host.starts_with('.');
        (named && whole).then_some(host)
    })
}

fn is_allowed(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    let of =
        |family: &&str| if family.starts_with('.') { host.ends_with(family) } else { host.contains(family) };
    HOSTS.split(' ').any(|known| known == host) || FAMILIES.iter().any(of)
}

/// Names of the API: bindings expose the core, and know nothing of it.
fn names_of_the_core(line: &str) -> impl Iterator<Item = String> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| NAMES.contains(word));
    words.map(|word| format!("{word} belongs to the core: bindings know nothing of the API"))
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn finds_what_a_file_must_not_contain() {
        let long = "x\n".repeat(LONGEST + 1);
        let registry = format!("index-url = https://user:pass@{}.{}/simple", "packages", "somewhere.net");
        let binding = "bindings/python/src/a.rs";
        let mut cases = vec![
            ("a.py", long.clone(), 1),
            ("a.py", format!("# @generated by x\n{long}"), 0),
            ("a.toml", registry, 1),
        ];
        cases.extend(listed(STUBS).map(|stub| ("a.rs", format!("x {stub}"), 1)));
        cases.extend(listed(STUBS).map(|stub| ("a.md", stub, 0)));
        cases.extend(listed(FOLDERS).map(|folder| ("a.md", format!("see {folder}x"), 1)));
        for line in ["fn read_member_list() {}", "// ReadMemberList", "json[\"panelId\"]", "\"/publicapi/x\""]
        {
            cases.extend([(binding, line.to_owned(), 1), ("crates/sondage/src/a.rs", line.to_owned(), 0)]);
        }
        let others = [
            ("a.rs", concat!("    #[ig", "nore]"), 1),
            ("a.rs", concat!("    #[ig", "nore = \"needs a browser\"]"), 0),
            ("a.py", concat!("@pytest.mark.sk", "ip"), 1),
            ("a.py", concat!("@pytest.mark.sk", "ipif(sys.platform)"), 1),
            ("a.py", concat!("@pytest.mark.sk", "ipif(x, reason=\"needs fork\")"), 0),
            ("a.rs", "assert!(true_enough)", 0),
            ("a.md", "see crates/sondage/src", 0),
            ("a.rs", "http://127.0.0.1:8080/x", 0),
            ("a.rs", "https://api.survalyzer-eu.app", 0),
            ("a.rs", "https://evil.example/x", 0),
            ("a.rs", "http://localhost:1", 0),
            ("a.rs", "https://{tenant}.survalyzer-eu.app", 0),
            ("a.rs", "http://[::1]:80/", 0),
            ("crates/a/Cargo.toml", "[package]\n", 1),
            ("crates/a/Cargo.toml", "[lints]\nworkspace = true\n", 0),
            ("swift/a.swift", "readMemberList(panelId: 1)", 0),
            (binding, "let id = tenant.fields;", 0),
        ];
        cases.extend(others.map(|(path, text, number)| (path, text.to_owned(), number)));
        for (path, text, number) in cases {
            assert_eq!(rules(&file(path, &text)).len(), number, "{path}: {text:.60}");
        }
    }
}
