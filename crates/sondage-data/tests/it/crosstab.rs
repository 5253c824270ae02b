//! Crosstabs of published tables, of several choices, and of missing answers.

use crate::support::planned;
use sondage::arguments::CrosstabOptions;
use sondage::reports::{Crosstab, IndependenceMethod};
use sondage_data::{Picture, Table};

/// A table of these rows, `(row, column, weight, how many)`, with codes from 1.
fn table(rows: &[&str], columns: &[&str], counts: &[(usize, usize, f64, usize)]) -> Table {
    let values = |labels: &[&str]| {
        let value = |(code, label): (usize, &&str)| format!(r#"{{"id":"{}","value":"{label}"}}"#, code + 1);
        labels.iter().enumerate().map(value).collect::<Vec<_>>().join(",")
    };
    let plan = format!(
        r#"[{{"code":"a","questionCode":"a","type":"SingleChoice","dataType":"Number","question":"A?","values":[{}]}},
            {{"code":"b","questionCode":"b","type":"SingleChoice","dataType":"Number","question":"B?","values":[{}]}},
            {{"code":"w","questionCode":"w","type":"Number","dataType":"Real","question":"Weight"}}]"#,
        values(rows),
        values(columns)
    );
    let mut all = Vec::new();
    for (a, b, w, count) in counts {
        all.extend(vec![format!(r#"{{"a":{},"b":{},"w":{w:?}}}"#, a + 1, b + 1); *count]);
    }
    planned(&all.join(","), &plan)
}

fn options(weight: Option<&str>) -> CrosstabOptions {
    let mut options = CrosstabOptions::new("a", "b");
    options.weight = weight.map(str::to_owned);
    options
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-30), "{found} {expected}");
}

fn cell(crosstab: &Crosstab, row: &str, column: &str) -> (u64, f64) {
    let place = |all: &[sondage::reports::CrosstabCategory], label: &str| {
        all.iter().position(|one| one.label == label).unwrap()
    };
    let (row, column) = (place(&crosstab.row_categories, row), place(&crosstab.column_categories, column));
    let cell = crosstab.cells.iter().find(|cell| (cell.row, cell.column) == (row, column)).unwrap();
    (cell.n, cell.weighted_n.unwrap_or(f64::NAN))
}

/// `HairEyeColor` of R's package datasets (Snee 1974), both sexes together: `chisq.test(apply(HairEyeColor, c(1, 2), sum))`.
#[test]
fn counts_and_the_test_are_those_of_a_published_table() {
    let published = [[68, 20, 15, 5], [119, 84, 54, 29], [26, 17, 14, 14], [7, 94, 10, 16]];
    let counts: Vec<_> = published
        .iter()
        .enumerate()
        .flat_map(|(row, of)| of.iter().enumerate().map(move |(column, count)| (row, column, 1.0, *count)))
        .collect();
    let hair = ["Black", "Brown", "Red", "Blond"];
    let table = table(&hair, &["Brown", "Blue", "Hazel", "Green"], &counts);
    let found = table.crosstab(&options(None)).unwrap();
    assert_eq!((found.base, found.rows, found.without_answer), (592, 592, 0));
    assert_eq!(cell(&found, "Blond", "Blue").0, 94);
    assert_eq!(found.row_categories.iter().map(|one| one.n).collect::<Vec<_>>(), [108, 286, 71, 127]);
    assert_eq!(found.column_categories.iter().map(|one| one.n).collect::<Vec<_>>(), [220, 215, 93, 64]);
    let blond = &found.cells[13];
    near(blond.row_percent.unwrap(), 94.0 / 127.0 * 100.0);
    near(blond.column_percent.unwrap(), 94.0 / 215.0 * 100.0);
    near(blond.total_percent.unwrap(), 94.0 / 592.0 * 100.0);
    near(blond.expected.unwrap(), 127.0 * 215.0 / 592.0);
    let test = found.test.unwrap();
    assert_eq!((test.method, test.df, test.small_cells), (IndependenceMethod::Pearson, 9, 0));
    near(test.chi_square, 138.289_841_626_008);
    near(test.p.unwrap(), 2.325_286_787_098_81e-25);
    near(test.cramers_v, (138.289_841_626_008_f64 / (592.0 * 3.0)).sqrt());
}

/// The stratified sample of the Academic Performance Index, `apistrat` of R's package survey 4.1.1, with its weights `pw` in two decimals: the counts of
/// each stratum, and what `svytable` and `svychisq` of `svydesign(ids = ~1, weights = ~pw)` say.
const WEIGHTS: [f64; 3] = [44.21, 15.1, 20.36];

#[test]
fn weighted_tables_and_tests_are_those_of_the_survey_package() {
    let [e, h, m] = WEIGHTS;
    // Awards by whether the school reached its target: nobody has one without the other.
    let counts = [
        (0, 0, e, 9),
        (0, 1, e, 18),
        (1, 1, e, 73),
        (0, 0, h, 24),
        (0, 1, h, 10),
        (1, 1, h, 16),
        (0, 0, m, 15),
        (0, 1, m, 11),
        (1, 1, m, 24),
    ];
    let found = table(&["No", "Yes"], &["No", "Yes"], &counts).crosstab(&options(Some("w"))).unwrap();
    near(cell(&found, "No", "No").1, 1_065.69);
    near(cell(&found, "No", "Yes").1, 1_170.74);
    near(cell(&found, "Yes", "Yes").1, 3_957.57);
    let squares = 100.0 * e * e + 50.0 * h * h + 50.0 * m * m;
    near(found.effective_base, found.weighted_base.unwrap().powi(2) / squares);
    let test = found.test.unwrap();
    assert_eq!((test.method, test.df), (IndependenceMethod::RaoScott, 1));
    near(test.chi_square, 73.546_144_760_286_45);
    assert!((test.p.unwrap() / 2.026_936_442_677_496e-15 - 1.0).abs() < 1e-6, "{:?}", test.p);

    // The index in three classes by the type of school.
    let classes = [[31, 20, 18], [38, 24, 23], [31, 6, 9]];
    let counts: Vec<_> = classes
        .iter()
        .enumerate()
        .flat_map(|(row, of)| (0..3).map(move |column| (row, column, WEIGHTS[column], of[column])))
        .collect();
    let found =
        table(&["low", "mid", "high"], &["E", "H", "M"], &counts).crosstab(&options(Some("w"))).unwrap();
    near(cell(&found, "low", "E").1, 1_370.51);
    near(cell(&found, "high", "M").1, 183.24);
    let test = found.test.unwrap();
    near(test.chi_square, 5.343_489_453_345_043);
    near(test.p.unwrap(), 0.104_198_510_220_515);
    // Equal weights change nothing but the name of the test.
    let ones: Vec<_> = counts.iter().map(|(row, column, _, count)| (*row, *column, 1.0, *count)).collect();
    let table = table(&["low", "mid", "high"], &["E", "H", "M"], &ones);
    let (plain, weighted) =
        (table.crosstab(&options(None)).unwrap(), table.crosstab(&options(Some("w"))).unwrap());
    near(weighted.effective_base, 200.0);
    near(weighted.test.unwrap().chi_square, plain.test.unwrap().chi_square);
}

/// Seven parties beside each other fit 80 columns with their total, because names are shortened before a column is left out.
#[test]
fn a_terminal_of_80_columns_has_the_total() {
    let parties = [
        "Strong Democrat",
        "Weak Democrat",
        "Independent-Democrat",
        "Independent",
        "Independent-Republican",
        "Weak Republican",
        "Strong Republican",
    ];
    let counts: Vec<_> = (0..14).map(|at| (at % 2, at / 2, 1.0, 100 + at)).collect();
    let found = table(&["Clinton", "Dole"], &parties, &counts).crosstab(&options(None)).unwrap();
    let text = found.to_text_within(80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("Total") && !text.contains("more column"), "{text}");
    let narrow = found.to_text_within(70);
    assert!(narrow.contains("… 1 more column\n"), "{narrow}");
}

const PLAN: &str = r#"[
    {"code":"m_1","questionCode":"m","type":"MultipleChoice","dataType":"Number","question":"Which?","choice":"A","values":[{"id":"0","value":"No"},{"id":"1","value":"Yes"}]},
    {"code":"m_2","questionCode":"m","type":"MultipleChoice","dataType":"Number","question":"Which?","choice":"B","values":[{"id":"0","value":"No"},{"id":"1","value":"Yes"}]},
    {"code":"g","questionCode":"g","type":"SingleChoice","dataType":"Number","question":"Group","values":[{"id":"1","value":"1 < 2"},{"id":"2","value":"two"},{"id":"9999999","value":"n/a"}]},
    {"code":"t","questionCode":"t","type":"Text","dataType":"Text","question":"Why?"},
    {"code":"w","questionCode":"w","type":"Number","dataType":"Real","question":"Weight"}]"#;
const ROWS: &str = r#"{"m_1":1,"m_2":1,"g":1,"t":"x","w":2},{"m_1":0,"m_2":0,"g":1,"w":1},{"m_1":1,"m_2":0,"g":2,"w":0},
    {"m_1":0,"m_2":1,"g":9999999,"w":1},{"g":2,"w":1},{"m_1":0,"m_2":1,"g":7,"w":3}"#;

#[test]
fn several_choices_are_shares_of_respondents() {
    let table = planned(ROWS, PLAN);
    for table in [table.clone(), table.with_lists()] {
        let found = table.crosstab(&CrosstabOptions::new("m", "g")).unwrap();
        assert!(found.several_rows && !found.several_columns && found.test.is_none());
        // Two have no answer: one was not asked, of one the group is not available.
        assert_eq!((found.rows, found.base, found.without_answer), (6, 4, 2));
        let columns: Vec<_> = found.column_categories.iter().map(|one| (one.label.as_str(), one.n)).collect();
        assert_eq!(columns, [("1 < 2", 2), ("two", 1), ("7", 1)]);
        // Half of the first group chose each, and one chose nothing.
        assert_eq!(found.cells[0].column_percent, Some(50.0));
        assert_eq!(found.cells[3].column_percent, Some(50.0));
        let by = table.crosstab(&CrosstabOptions::new("g", "m")).unwrap();
        assert_eq!(by.cells.iter().map(|cell| cell.n).collect::<Vec<_>>(), [1, 1, 1, 0, 0, 1]);
        assert_eq!(by.cells[0].row_percent, Some(50.0));
    }
    // With a weight, the row whose weight is 0 is left out.
    let mut options = CrosstabOptions::new("m", "g");
    options.weight = Some("w".to_owned());
    let found = table.crosstab(&options).unwrap();
    assert_eq!((found.base, found.without_weight, found.weighted_base), (3, 1, Some(6.0)));
    near(found.cells[0].column_percent.unwrap(), 200.0 / 3.0);
}

#[test]
fn missing_answers_are_categories_if_they_are_wanted() {
    let mut options = CrosstabOptions::new("g", "m");
    options.missing = true;
    let found = planned(ROWS, PLAN).crosstab(&options).unwrap();
    let rows: Vec<_> =
        found.row_categories.iter().map(|one| (one.label.as_str(), one.missing, one.n)).collect();
    assert_eq!(rows, [("1 < 2", false, 2), ("two", false, 2), ("7", false, 1), ("n/a", true, 1)]);
    let columns: Vec<_> =
        found.column_categories.iter().map(|one| (one.label.as_str(), one.missing)).collect();
    assert_eq!(columns, [("A", false), ("B", false), ("no answer", true)]);
    assert_eq!((found.base, found.without_answer), (6, 0));
}

#[test]
fn what_has_no_categories_is_refused() {
    let table = planned(ROWS, PLAN);
    for (variable, by, show, expected) in [
        ("t", "g", "n", "variable: \"t\" holds texts"),
        ("g", "nobody", "n", "by: the table has no column or question \"nobody\""),
        ("g", "m", "weighted", "show: `weighted` needs a `weight`"),
        ("g", "m", "%", "show: \"%\" is none of n, weighted"),
    ] {
        let mut options = CrosstabOptions::new(variable, by);
        options.show = Some(vec![show.to_owned()]);
        let error = table.crosstab(&options).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn it_is_shown_as_text_html_svg_and_a_table() {
    let table = planned(ROWS, PLAN);
    let found = table.crosstab(&CrosstabOptions::new("m", "g")).unwrap();
    let text = found.to_text();
    assert!(text.starts_with("m: Which? by g: Group\n") && text.contains("\nA        n"), "{text}");
    let (html, svg) = (found.to_html(), found.to_svg());
    assert!(html.contains("1 &lt; 2") && !html.contains("1 < 2"), "{html}");
    assert!(svg.contains("1 &lt; 2") && !svg.contains("1 < 2") && svg.contains("<title>m by g"), "{svg}");
    let long = found.to_table().unwrap();
    assert_eq!((long.num_rows(), found.cells().len()), (6, 6));
    let json = serde_json::to_string(&sondage::reports::Report::to_json(&found)).unwrap();
    assert_eq!(sondage_data::draw("Crosstab", &json, sondage_data::PictureFormat::Text).unwrap(), text);
}

/// Beyond them, sums of squares overflow or vanish.
#[test]
fn weights_that_leave_no_numbers_are_refused() {
    for weight in [1e-300, 1e300] {
        let table =
            table(&["x", "y"], &["x", "y"], &[(0, 0, weight, 2), (1, 1, weight, 2), (0, 1, weight, 1)]);
        let refused = table.crosstab(&options(Some("w"))).unwrap_err();
        assert!(refused.to_string().contains("5 values that are not between"), "{refused}");
    }
    let table = table(&["x", "y"], &["x", "y"], &[(0, 0, 1e-30, 2), (1, 1, 1e30, 2), (0, 1, 1e30, 1)]);
    let crosstab = table.crosstab(&options(Some("w"))).unwrap();
    assert!(crosstab.cells.iter().all(|cell| cell.expected.is_none_or(f64::is_finite)));
    assert!(crosstab.test.unwrap().chi_square.is_finite());
}
