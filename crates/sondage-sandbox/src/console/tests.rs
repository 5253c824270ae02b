//! Rules about the source of the console's pages.

/// Every source file of the console.
const FILES: [&str; 16] = [
    include_str!("clock.rs"),
    include_str!("distribution.rs"),
    include_str!("faults.rs"),
    include_str!("interviews.rs"),
    include_str!("ledger.rs"),
    include_str!("mod.rs"),
    include_str!("outbox.rs"),
    include_str!("overview.rs"),
    include_str!("panels.rs"),
    include_str!("respond/grid.rs"),
    include_str!("respond/mod.rs"),
    include_str!("respond/questions.rs"),
    include_str!("respond/values.rs"),
    include_str!("shell.rs"),
    include_str!("surveys.rs"),
    include_str!("webhooks.rs"),
];

#[test]
fn no_page_writes_a_value_without_escaping_it() {
    for file in FILES {
        assert!(!file.contains("PreEscaped"), "a page uses PreEscaped");
    }
}
