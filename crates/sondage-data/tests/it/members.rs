//! Members as a table: one column for each field.

use crate::support::{names, page, table, texts, type_of, values, warnings};
use arrow_schema::{DataType, TimeUnit};
use sondage_data::{CodePlan, Labels, PayloadLayout, Table, TableBuilder, metadata};

fn member(id: &str, fields: &[(&str, &str, &str)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, kind, value)| {
            format!(r#""{name}":{{"name":"{name}","fieldType":"{kind}","value":{value}}}"#)
        })
        .collect();
    format!(
        r#"{{"id":{id},"fields":{{{}}},"createdAt":"2024-02-29T12:00:00Z","createdBy":"api","updatedAt":null,
            "updatedBy":null,"interviews":[]}}"#,
        fields.join(",")
    )
}

fn members(rows: &[String]) -> Table {
    table(PayloadLayout::Members, &[&format!(r#"{{"members":[{}],"isSuccess":true}}"#, rows.join(","))])
}

#[test]
fn members_lie_flat() {
    let first = [("Email", "String", r#""a@example.com""#), ("CellPhoneNumber", "Number", "41791234567")];
    let second = [("Email", "String", "null"), ("Division", "String", r#""Vertrieb""#)];
    let table = members(&[member("1", &first), member("9007199254740993", &second)]);
    assert_eq!(
        names(&table),
        [
            "id",
            "Email",
            "CellPhoneNumber",
            "Division",
            "created_at",
            "created_by",
            "updated_at",
            "updated_by"
        ]
    );
    assert_eq!(values(&table, "id"), ["1", "9007199254740993"]);
    assert_eq!(type_of(&table, "id"), DataType::Int64);
    let timestamp = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    assert_eq!(type_of(&table, "created_at"), timestamp);
    assert_eq!(type_of(&table, "updated_at"), timestamp, "a column of nulls has its declared type");
    assert_eq!(texts(&table, "CellPhoneNumber"), [Some("41791234567".to_owned()), None]);
    assert_eq!(type_of(&table, "CellPhoneNumber"), DataType::Int64);
    assert_eq!(texts(&table, "Division"), [None, Some("Vertrieb".to_owned())]);
    assert_eq!(warnings(&table), [""; 0]);
}

#[test]
fn field_types_decide_where_the_data_fit() {
    let row = |values: [&str; 7]| {
        let kinds = ["Number", "Real", "String", "DateTime", "Boolean", "Date", "Guid"];
        let fields: Vec<(&str, &str, &str)> = ["N", "R", "S", "T", "B", "D", "G"]
            .into_iter()
            .zip(kinds)
            .zip(values)
            .map(|((n, k), v)| (n, k, v))
            .collect();
        member("1", &fields)
    };
    let table = members(&[
        row([r#""12""#, "1", "79", r#""2024-02-29T12:00:00""#, "true", r#""2024-02-29""#, r#""8a6a""#]),
        row(["null", "2.5", r#""0041""#, "null", "null", "null", "null"]),
    ]);
    let types = ["N", "R", "S", "T", "B", "D", "G"].map(|name| type_of(&table, name));
    let timestamp = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let expected = [
        DataType::Int64,
        DataType::Float64,
        DataType::Utf8,
        timestamp,
        DataType::Boolean,
        DataType::Date32,
        DataType::Utf8,
    ];
    assert_eq!(types, expected);
    assert_eq!(values(&table, "S"), ["79", "0041"]);
}

#[test]
fn a_phone_number_with_zeros_in_front_keeps_them() {
    let rows = [
        member("1", &[("Phone", "Number", r#""0041791234567""#)]),
        member("2", &[("Phone", "Number", "79")]),
    ];
    let table = members(&rows);
    assert_eq!(values(&table, "Phone"), ["0041791234567", "79"]);
    assert_eq!(warnings(&table).len(), 1);
}

#[test]
fn a_field_type_that_varies_leaves_the_type_to_the_data() {
    let page = |kind: &str| format!(r#"{{"members":[{}]}}"#, member("1", &[("X", kind, "1")]));
    let table = table(PayloadLayout::Members, &[&page("Number"), &page("String")]);
    assert_eq!(type_of(&table, "X"), DataType::Int64);
    assert_eq!(warnings(&table), ["column X: comes with several field types; the data determine its type"]);
}

#[test]
fn a_field_does_not_hide_what_the_service_says() {
    let table = members(&[member("1", &[("id", "String", r#""own""#), ("created_at", "String", r#""x""#)])]);
    assert_eq!(values(&table, "id"), ["1"]);
    assert_eq!(values(&table, "fields.id"), ["own"]);
    assert_eq!(values(&table, "fields.created_at"), ["x"]);
}

#[test]
fn interviews_of_members_are_kept_as_json() {
    let with = r#"{"id":1,"fields":{},"interviews":[{"id": "8a6a", "state": "NotResponded"}]}"#;
    let without = r#"{"id":2,"fields":null,"interviews":[]}"#;
    let table = table(PayloadLayout::Members, &[&format!(r#"{{"members":[{with},{without}]}}"#)]);
    assert_eq!(names(&table), ["id", "interviews"]);
    assert_eq!(values(&table, "interviews"), [r#"[{"id":"8a6a","state":"NotResponded"}]"#, "[]"]);
    assert_eq!(
        table.field("interviews").expect("there").metadata().get(metadata::FORMAT),
        Some(&"json".to_owned())
    );
}

const PANEL: &str = r#"{"groups":[{"id":1,"name":"base","displayName":"Base data","fields":[
    {"id":1,"name":"Gender","displayName":"Geschlecht","panelFieldType":"Number",
     "metadata":{"de":[{"displayName":"Mann","value":"1"},{"displayName":"Frau","value":"2"}],
                 "en":[{"displayName":"Man","value":"1"},{"displayName":"Woman","value":"2"}]}},
    {"id":2,"name":"Email","displayName":"E-Mail","panelFieldType":"String","metadata":{}},
    {"id":3,"name":"Joined","displayName":"Since","panelFieldType":"DateTime","metadata":null}]}]}"#;

fn with_panel(language: Option<&str>) -> Table {
    let (plan, wrong) = CodePlan::from_panel_json(PANEL, language).expect("JSON");
    assert_eq!(wrong, []);
    let fields = [("Email", "String", r#""a@example.com""#), ("Gender", "String", "2")];
    let answer = format!(r#"{{"members":[{}]}}"#, member("1", &fields));
    let mut builder = TableBuilder::new(PayloadLayout::Members).code_plan(plan);
    builder.append(page(PayloadLayout::Members, &answer).expect("a page")).expect("fits");
    builder.finish().expect("a table")
}

#[test]
fn the_panel_definition_gives_order_types_and_labels() {
    let table = with_panel(None);
    assert_eq!(names(&table)[..4], ["id", "Gender", "Email", "Joined"]);
    assert_eq!(type_of(&table, "Gender"), DataType::Int64, "the panel's type is used, not the field's");
    assert_eq!(texts(&table, "Joined"), [None]);
    assert_eq!(values(&table.with_labels(Labels::Labels), "Gender"), ["Frau"]);
    assert_eq!(values(&with_panel(Some("EN")).with_labels(Labels::Labels), "Gender"), ["Woman"]);
    let field = table.field("Gender").expect("there").clone();
    assert_eq!(field.metadata().get(metadata::LABEL), Some(&"Geschlecht".to_owned()));
    assert_eq!(field.metadata().get(metadata::SECTION), Some(&"Base data".to_owned()));
}

#[test]
fn members_and_interviews_do_not_mix() {
    let page = page(PayloadLayout::Members, r#"{"members":[]}"#).expect("a page");
    let error = TableBuilder::new(PayloadLayout::Compact).append(page).expect_err("a mix");
    assert_eq!(error.to_string(), "members were read where interviews were expected");
}

#[test]
fn a_language_that_a_panel_does_not_have_is_said() {
    let field = |name: &str, languages: &str| {
        let metadata: Vec<String> = languages
            .split(' ')
            .filter(|language| !language.is_empty())
            .map(|language| format!(r#""{language}":[{{"value":"1","displayName":"{name} {language}"}}]"#))
            .collect();
        format!(r#"{{"name":"{name}","panelFieldType":"Text","metadata":{{{}}}}}"#, metadata.join(","))
    };
    let fields = [field("a", "en de-CH"), field("b", "en"), field("c", "")].join(",");
    let json = format!(r#"{{"groups":[{{"fields":[{fields}]}}]}}"#);
    let read = |language| {
        let (plan, warnings) = CodePlan::from_panel_json(&json, language).expect("a panel");
        let label = plan.variables().find_map(|field| field.values.first()).expect("a label").label.clone();
        (label, warnings.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    for language in ["de-ch", "de"] {
        let (label, warnings) = read(Some(language));
        assert_eq!(label, "a de-CH");
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(warning.contains("1 field(s)") && warning.ends_with("there is en (b)"), "{warning}");
    }
    assert!(read(None).1.is_empty() && read(Some("EN")).1.is_empty());
    let (_, warnings) = read(Some("xx-notatag"));
    assert!(
        warnings[0].contains("xx-notatag") && warnings[0].ends_with("there is de-CH, en (a, b)"),
        "{warnings:?}"
    );
}
