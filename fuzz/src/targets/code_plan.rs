//! Any JSON as a code plan or as the definition of a panel: read leniently, without damage to a table.

use sondage_data::{CodePlan, PayloadLayout, Labels, PageDecoder, TableBuilder};

const ROWS: &str = r#"{"interviews":[{"a":1,"b":"x","c":true,"d":"2024-02-29"},{"a":2,"b":"1","c":null,"d":"2024-02-29T10:00:00Z"},
    {"a":2.5,"b":"","d":[1,2]}]}"#;

fn show(plan: CodePlan) {
    let mut decoder = PageDecoder::new(PayloadLayout::Compact);
    decoder.feed(ROWS.as_bytes()).expect("valid");
    let mut builder = TableBuilder::new(PayloadLayout::Compact).code_plan(plan);
    builder.append(decoder.finish().expect("valid")).expect("fits");
    let table = builder.finish().expect("a plan never costs a table");
    assert_eq!(table.num_rows(), 3);
    for labels in [Labels::Labels, Labels::Both] {
        let shown = table.with_labels(labels);
        assert_eq!(shown.num_rows(), 3);
        let _ = shown.codebook();
    }
}

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok((plan, _)) = CodePlan::from_json(text) {
        show(plan);
    }
    for language in [None, Some("de")] {
        if let Ok((plan, _)) = CodePlan::from_panel_json(text, language) {
            show(plan);
        }
    }
}
