//! The titles of results, and the names by which questions are counted.

use crate::support::planned;
use sondage::arguments::{CrosstabOptions, FrequenciesOptions, InterviewsOptions};
use sondage_data::{Picture, Query};
use sondage_sandbox::{Content, Sandbox};

#[test]
fn a_row_and_a_choice_have_their_texts() {
    let plan = r#"[
        {"code":"m_1","questionCode":"m","type":"Matrix","dataType":"Number","question":"How do you like it?","row":"Layout",
         "values":[{"id":"1","value":"good"}]},
        {"code":"c_1","questionCode":"c","type":"MultipleChoice","dataType":"Number","question":"Why?","choice":"Price",
         "values":[{"id":"0","value":"no"},{"id":"1","value":"yes"}]}]"#;
    let table = planned(r#"{"m_1":1,"c_1":1}"#, plan);
    for (name, title) in [("m_1", "How do you like it? – Layout"), ("c_1", "Why? – Price"), ("c", "Why?")]
    {
        let found = table.frequencies(&FrequenciesOptions::new(name)).unwrap();
        assert_eq!(found.label.as_deref(), Some(title));
        assert_eq!(table.code_plan().unwrap().title(name).as_deref(), Some(title));
        for shown in [found.to_text(), found.to_html(), found.to_svg()] {
            assert!(shown.contains(&format!("{name}: {title}")), "{shown}");
        }
    }
    let crosstab = table.crosstab(&CrosstabOptions::new("m_1", "c_1")).unwrap();
    assert_eq!(crosstab.label.as_deref(), Some("How do you like it? – Layout"));
    assert_eq!(crosstab.by_label.as_deref(), Some("Why? – Price"));
}

#[test]
fn a_label_does_not_turn_a_page_around() {
    let plan = r#"[{"code":"q","questionCode":"q","type":"SingleChoice","dataType":"Number","question":"A\u202eB\u0007",
        "values":[{"id":"1","value":"x\u202ey"}]}]"#;
    let found = planned(r#"{"q":1}"#, plan).frequencies(&FrequenciesOptions::new("q")).unwrap();
    let html = found.to_html();
    assert!(!html.contains(['\u{202e}', '\u{7}']) && html.contains('A') && html.contains('y'), "{html}");
}

/// A row of a matrix of choices has no column and no code, but a name.
#[tokio::test]
async fn a_table_and_a_query_know_the_same_names() {
    let sandbox = Sandbox::builder().content(Content::Waves).start().await.unwrap();
    let client = sandbox.client().build().unwrap();
    let query = Query::interviews(&client, InterviewsOptions::new(sandbox.survey_id()));
    let table = query.table().await.unwrap();
    let plan = table.code_plan().unwrap();
    let rows = plan.questions().into_iter().filter(|question| question.has_several).collect::<Vec<_>>();
    let row = rows.iter().find(|question| question.name == "services_1").expect("a row of choices");
    assert!(row.columns.len() > 1 && row.title.as_ref().unwrap().contains(" – "), "{row:?}");
    for question in &rows {
        let options = FrequenciesOptions::new(&question.name);
        let found = query.frequencies(&options).await.unwrap();
        assert_eq!(found.categories, table.frequencies(&options).unwrap().categories, "{question:?}");
        assert_eq!(found.label, question.title);
    }
    let options = CrosstabOptions::new("services_1", "gender");
    let found = Box::pin(query.crosstab(&options)).await.unwrap();
    assert_eq!(found.cells, table.crosstab(&options).unwrap().cells);
    let wrong = query.frequencies(&FrequenciesOptions::new("services_l")).await.unwrap_err().to_string();
    assert!(wrong.contains("services_1"), "{wrong}");
}
