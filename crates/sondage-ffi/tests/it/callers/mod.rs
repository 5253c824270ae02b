//! Python and JavaScript call methods by name. This test checks that every name and every argument key in their source is
//! in the table, and that every row is called from both.

mod scan;

use scan::{Language, Site, Source};
use sondage_ffi::Row;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(sondage_ffi::rows);

/// Rows that one language does not use, and why.
const NOT_CALLED: &[(Language, &str, &[&str], &str)] = &[
    (Language::Python, "sandbox", &["profile"], "JavaScript reads it to change a part"),
    (Language::JavaScript, "fault", &["hits", "remove"], "its faults have no handles"),
    (
        Language::JavaScript,
        "client",
        &["with_options"],
        "each call has options, for which the addon has a function",
    ),
    (
        Language::JavaScript,
        "query",
        &["page"],
        "a single page is only needed for Spark and the schema of polars",
    ),
    (
        Language::JavaScript,
        "library",
        &["arrow_table", "concat"],
        "Parquet files are read by a package for Python, whose tables are combined",
    ),
    (Language::JavaScript, "table", &["meaning"], "the attributes of a frame of pandas"),
    (Language::JavaScript, "page", &["table", "count", "service_time"], "as above"),
    (
        Language::JavaScript,
        "table",
        &["categories", "time_zone", "without_time_zone"],
        "they are for data frames, which JavaScript does not have",
    ),
];

/// Rows whose argument a caller passes as a whole: the core checks it at run time.
const WRITTEN_BY_CALLERS: &[&str] = &["compile", "filter_text", "sandbox", "set_profile", "emit"];

/// The same for JavaScript alone: Python makes the argument from named ones.
const WRITTEN_BY_CALLERS_OF_JAVASCRIPT: &[&str] = &["fault", "fault_deliveries"];

/// Keys that are not in the argument of a call: where the literal begins, for which rows, and which keys belong to the
/// language.
const ELSEWHERE: &[(&str, &str, &[&str], &[&str])] = &[
    ("python/sondage/_async_methods.py", "choices = {", &["members", "interviews"], &[]),
    ("python/sondage/_blocking_methods.py", "choices = {", &["members", "interviews"], &[]),
    ("python/sondage/_query.py", "._with(", &["members", "interviews"], &[]),
    ("python/sondage/_create.py", "return {**choices, ", &["create_members_from", "plan_update"], &[]),
    (
        "node/types/options.d.ts",
        "interface BlockingMembersOptions extends ListCallOptions {",
        &["members"],
        &[],
    ),
    ("node/types/options.d.ts", "interface MemberTableOptions {", &["member_table"], &["labels"]),
    (
        "node/types/options.d.ts",
        "interface BlockingInterviewsOptions extends ListCallOptions {",
        &["interviews"],
        &["labels"],
    ),
    ("node/types/options.d.ts", "interface FileOptions {", &["export"], &[]),
    ("node/types/options.d.ts", "interface DeltaOptions {", &["delta"], &["labels"]),
    ("node/types/options.d.ts", "interface SyncOptions {", &["sync"], &[]),
    ("node/lib/downloads.js", "const how = {", &["change_set"], &[]),
    ("python/sondage/_sync.py", "    return {", &["change_set"], &[]),
    ("node/types/options.d.ts", "interface CreateFromOptions {", &["create_members_from"], &[]),
    ("node/types/options.d.ts", "interface PlanUpdateOptions {", &["plan_update"], &[]),
    ("node/types/options.d.ts", "interface BlockingArchiveOptions {", &["archive_answers"], &[]),
];

fn sources(language: Language) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    language.folders().iter().flat_map(|folder| scan::read(root, folder, language)).collect()
}

fn rows_named(language: Language, name: &str) -> Vec<&'static Row> {
    ROWS.iter().filter(|row| language.name(row.name) == name).collect()
}

/// Errors in the names and keys of a file.
fn problems(source: &Source) -> Vec<String> {
    let mut problems = Vec::new();
    for site in scan::sites(source) {
        problems.extend(problems_of(source, &site));
    }
    for (path, begin, rows, own) in ELSEWHERE.iter().filter(|(path, ..)| source.path == *path) {
        let found: Vec<_> = scan::keys_after(source, begin).into_iter().collect();
        if found.is_empty() {
            problems.push(format!("{path}: `{begin}` is not there any more"));
        }
        for key in found.into_iter().filter(|key| !own.contains(&key.as_str())) {
            let known = |row: &Row| {
                rows.contains(&row.name) && row.keys.iter().any(|known| *known == scan::camel(&key))
            };
            if !ROWS.iter().any(known) {
                problems.push(format!("{path}: `{key}` after `{begin}` is no argument of {rows:?}"));
            }
        }
    }
    problems
}

fn problems_of(source: &Source, site: &Site) -> Vec<String> {
    let at = format!("{}:{}", source.path, site.line);
    if site.names.is_empty() {
        return vec![format!("{at}: the name of the method is no literal")];
    }
    let mut problems = Vec::new();
    for name in &site.names {
        let rows = rows_named(source.language, name);
        if rows.is_empty() {
            problems.push(format!("{at}: there is no method `{name}`"));
        }
        let here: &[&str] =
            if source.language == Language::JavaScript { WRITTEN_BY_CALLERS_OF_JAVASCRIPT } else { &[] };
        if rows.iter().any(|row| WRITTEN_BY_CALLERS.contains(&row.name) || here.contains(&row.name)) {
            continue;
        }
        let Some(keys) = &site.keys else {
            if !rows.is_empty() && rows.iter().all(|row| !row.keys.is_empty()) {
                problems
                    .push(format!("{at}: the argument of `{name}` is no literal: its keys cannot be seen"));
            }
            continue;
        };
        for key in keys {
            if !rows.iter().any(|row| row.keys.contains(&key.as_str())) {
                problems.push(format!("{at}: `{name}` has no argument `{key}`"));
            }
        }
    }
    problems
}

/// Rows that a language does not call, and exceptions that are no longer needed.
fn uncalled(language: Language, called: &BTreeSet<String>) -> Vec<String> {
    let exempt = |row: &Row| {
        let listed = |(of, object, names, _): &(Language, &str, &[&str], &str)| {
            *of == language && *object == row.object && names.contains(&row.name)
        };
        NOT_CALLED.iter().any(listed)
    };
    // A name that several objects share counts as called for all of them: the text does not show the object.
    let alone = |row: &Row| ROWS.iter().filter(|other| other.name == row.name).count() == 1;
    let mut problems = Vec::new();
    for row in ROWS.iter() {
        match (called.contains(&language.name(row.name)), exempt(row)) {
            (false, false) => {
                problems.push(format!("{language:?} never calls `{}` of `{}`", row.name, row.object));
            }
            (true, true) if alone(row) => {
                problems.push(format!("{language:?} calls `{}` of `{}` after all", row.name, row.object));
            }
            _ => {}
        }
    }
    problems
}

fn called(sources: &[Source]) -> BTreeSet<String> {
    sources.iter().flat_map(scan::sites).flat_map(|site| site.names).collect()
}

#[test]
fn every_name_and_key_is_one_of_the_table_and_every_row_has_a_caller() {
    for language in [Language::Python, Language::JavaScript] {
        let sources = sources(language);
        let mut found: Vec<String> = sources.iter().flat_map(problems).collect();
        found.extend(uncalled(language, &called(&sources)));
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn every_exception_is_a_row() {
    for (language, object, names, _) in NOT_CALLED {
        for name in *names {
            let known = ROWS.iter().any(|row| row.object == *object && row.name == *name);
            assert!(known, "{language:?}: `{object}` has no method `{name}`");
        }
    }
}

/// The first mutation: misspells each name.
#[test]
fn a_misspelt_method_is_found_wherever_it_stands() {
    let mut mutated = 0;
    for source in [Language::Python, Language::JavaScript].into_iter().flat_map(sources) {
        for site in scan::sites(&source) {
            for (start, end) in &site.name_spans {
                let wrong = source.with(*start, *end, &format!("{}x", &source.text[*start..*end]));
                assert!(!problems(&wrong).is_empty(), "{}:{}: nobody notices", source.path, site.line);
                mutated += 1;
            }
        }
    }
    assert!(mutated > 150, "only {mutated} calls were found");
}

/// The second mutation: misspells each argument key in a call.
#[test]
fn a_misspelt_argument_is_found_wherever_it_stands() {
    let mut mutated = 0;
    for source in [Language::Python, Language::JavaScript].into_iter().flat_map(sources) {
        let sites = scan::sites(&source);
        let seen = |site: &&Site| !site.names.iter().any(|name| WRITTEN_BY_CALLERS.contains(&name.as_str()));
        for (start, end) in sites.iter().filter(seen).flat_map(|site| &site.key_spans) {
            let wrong = source.with(*start, *end, &format!("{}x", &source.text[*start..*end]));
            assert!(!problems(&wrong).is_empty(), "{}: {}", source.path, &source.text[*start..*end]);
            mutated += 1;
        }
    }
    assert!(mutated > 50, "only {mutated} keys were found");
}

/// Keys that are written outside of calls.
#[test]
fn a_misspelt_option_is_found_in_the_types() {
    for (path, right, wrong) in [
        ("node/types/options.d.ts", "verifyTotal?:", "verifyTotla?:"),
        ("node/types/options.d.ts", "maxConcurrency?:", "maxConcurrencx?:"),
        ("python/sondage/_query.py", "_with(updated_since=", "_with(updated_sinse="),
        ("python/sondage/_blocking_methods.py", "\"code_plan\":", "\"codeplan\":"),
    ] {
        let all = [Language::Python, Language::JavaScript].into_iter().flat_map(sources);
        let source = all.into_iter().find(|source| source.path == path).unwrap();
        let start = source.text.find(right).unwrap_or_else(|| panic!("{path}: {right}"));
        let mutated = source.with(start, start + right.len(), wrong);
        assert!(problems(&source).is_empty() && !problems(&mutated).is_empty(), "{path}: {wrong}");
    }
}

/// The third mutation: removes the callers of each row.
#[test]
fn a_row_without_a_caller_is_found() {
    for language in [Language::Python, Language::JavaScript] {
        let all = called(&sources(language));
        for name in &all {
            let mut less = all.clone();
            less.remove(name);
            assert!(!uncalled(language, &less).is_empty(), "{language:?}: nobody misses `{name}`");
        }
    }
}

#[test]
fn a_name_or_an_argument_that_cannot_be_seen_is_refused() {
    let python = |text: &str| Source::new("python/sondage/_x.py", text, Language::Python);
    let node = |text: &str| Source::new("node/lib/x.js", text, Language::JavaScript);
    for unseen in [
        python("self._native.method(self._read, None)"),
        python("self._native.method(\"archive_answers\", choices)"),
        node("this.#native.method(name)"),
        node("this.#native.method('archiveAnswers', given)"),
    ] {
        assert_eq!(problems(&unseen).len(), 1, "{}", unseen.text);
    }
    for seen in [
        python("choices = {\"surveyId\": 1}\nself._native.method(\"archive_answers\", choices)"),
        python("load.method(\"drop\" if failed else \"commit\")"),
        node("const given = { ...choices, surveyId };\nthis.#native.method('archiveAnswers', given, watch)"),
        node("list.method('next')"),
    ] {
        assert_eq!(problems(&seen), [""; 0], "{}", seen.text);
    }
}
