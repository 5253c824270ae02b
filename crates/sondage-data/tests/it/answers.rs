//! The answers row by row, which are those that frequencies and crosstabs count.

use sondage::arguments::{CrosstabOptions, FrequenciesOptions, InterviewsOptions};
use sondage::reports::FrequencyKind;
use sondage_data::Query;
use sondage_sandbox::{Content, Sandbox};

#[tokio::test]
async fn they_are_what_frequencies_and_crosstabs_count() {
    let sandbox = Sandbox::builder().content(Content::Waves).start().await.unwrap();
    let client = sandbox.client().build().unwrap();
    for survey in [1004, sandbox.survey_id()] {
        let table = Query::interviews(&client, InterviewsOptions::new(survey)).table().await.unwrap();
        let mask: Vec<bool> = (0..table.num_rows()).map(|row| row % 3 != 1).collect();
        let chosen = table.chosen(&mask).unwrap();
        assert_eq!(chosen.num_rows(), mask.iter().filter(|is_in| **is_in).count());
        let (mut counted, mut crossed) = (0, 0);
        let names: Vec<String> = table.codebook().columns().map(|column| column.name.to_owned()).collect();
        let names = names.into_iter().chain(["reasons".to_owned()]);
        for name in names.filter(|name| survey != 1004 || name != "reasons") {
            let answers = table.answers("column", &name).unwrap();
            let rows: Vec<_> =
                answers.rows.iter().zip(&mask).filter(|(_, is_in)| **is_in).map(|(row, _)| row).collect();
            let frequencies = chosen.frequencies(&FrequenciesOptions::new(&name)).unwrap();
            assert_eq!(
                frequencies.answered,
                rows.iter().filter(|row| row.is_some()).count() as u64,
                "{name}"
            );
            assert_eq!(frequencies.kind, answers.kind, "{name}");
            let n = |place: usize| {
                let place = u32::try_from(place).unwrap();
                rows.iter().filter(|row| row.as_ref().is_some_and(|row| row.contains(&place))).count() as u64
            };
            if matches!(answers.kind, FrequencyKind::Number | FrequencyKind::Open) {
                continue;
            }
            for category in &frequencies.categories {
                let place =
                    answers.categories.iter().position(|known| known.label == category.label).unwrap();
                assert_eq!(category.n, n(place), "{name} {}", category.label);
                counted += 1;
            }
            let Ok(crosstab) = chosen.crosstab(&CrosstabOptions::new(&name, "Language")) else { continue };
            let by = table.answers("by", "Language").unwrap();
            let languages: Vec<_> =
                by.rows.iter().zip(&mask).filter(|(_, is_in)| **is_in).map(|(row, _)| row).collect();
            for cell in &crosstab.cells {
                let label = |of: &sondage_data::Answers, label: &str| {
                    let place = of.categories.iter().position(|known| known.label == label).unwrap();
                    u32::try_from(place).unwrap()
                };
                let row = label(&answers, &crosstab.row_categories[cell.row].label);
                let column = label(&by, &crosstab.column_categories[cell.column].label);
                let is_in = |of: &Option<Vec<u32>>, place| of.as_ref().is_some_and(|of| of.contains(&place));
                let n = rows
                    .iter()
                    .zip(&languages)
                    .filter(|(one, other)| is_in(one, row) && is_in(other, column));
                assert_eq!(cell.n, n.count() as u64, "{name} {cell:?}");
                crossed += 1;
            }
        }
        assert!(counted > 20 && crossed > 20, "{survey}: {counted} {crossed}");
    }
}
