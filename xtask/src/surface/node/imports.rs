//! The imports of a file of types: its words that other files define.

use super::options::name_of;
use crate::surface::prelude::*;
use crate::surface::webhooks::is_of_events;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Words of files that are written by hand, and of the events.
const FILES: [(&str, &str); 17] = [
    ("../index", "Expression"),
    ("blocking_client", "BlockingClient"),
    ("blocking_lists", "BlockingInterviews BlockingMembers"),
    ("calls", "Effect"),
    ("client", "Client"),
    ("condition", "Filter"),
    ("described", "DeliveryFault Fault"),
    ("downloads", "FileFormat Progress"),
    ("error", "SondageError"),
    ("lists", "Interviews Members"),
    ("pictures", "Picture"),
    ("rows", "BlockingRows Rows"),
    ("stores", "JournalStore"),
    ("table", "Labels Table"),
    ("values", "BlockingCallOptions CallOptions Extra FieldValue Int JsonValue ListCallOptions"),
    ("webhook_entities", "Event"),
    ("webhooks", "ConfirmOptions Guard Hook StoreGuard"),
];

/// The file that defines a word, and whether it is one of models.
static HOMES: LazyLock<BTreeMap<String, (&str, bool)>> = LazyLock::new(|| {
    let catalogue = Catalogue::of_the_table();
    let models = catalogue.requests.iter().chain(&catalogue.models).map(|model| (model.name, model.module));
    let models = models.chain(catalogue.enums.iter().map(|schema| (schema.name, schema.module)));
    let models = models.map(|(name, module)| (name.to_owned(), (last(module), true)));
    let home = |schema: &ReportSchema| if is_of_events(schema) { "webhook_entities" } else { "reports" };
    let reports = all_reports().map(|schema| (schema.name.to_owned(), home(schema)));
    let objects = objects().map(|(object, _)| (pascal(object), "objects"));
    let options = of_the_client().filter_map(name_of).map(|name| (name, "options"));
    let twins =
        objects.chain(options).flat_map(|(name, home)| [(format!("Blocking{name}"), home), (name, home)]);
    let files = FILES.iter().flat_map(|(home, names)| names.split(' ').map(|name| (name, *home)));
    let files = files.map(|(name, home)| (name.to_owned(), home));
    models.chain(reports.chain(twins).chain(files).map(|(name, home)| (name, (home, false)))).collect()
});

/// The import lines of a file in `folder` below `types/`, without those from the file itself.
pub fn imports(body: &str, folder: &str, own: &str) -> String {
    let mut homes: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    let code = body.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let words = code.flat_map(|line| {
        line.split('\'').step_by(2).flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
    });
    for word in words {
        if let Some(home) = HOMES.get(word).filter(|(home, _)| *home != own) {
            homes.entry(*home).or_default().insert(word);
        }
    }
    let line = |((home, is_of_models), names): ((&str, bool), BTreeSet<&str>)| {
        let end = format!(" }} from '{folder}{home}.js';\n").replace("./../", "../");
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        if is_of_models {
            return format!("import type {{ {}{end}", names.join(", "));
        }
        on_lines(["", "  "], "import type { ", &names, &end)
    };
    homes.into_iter().map(line).collect()
}
