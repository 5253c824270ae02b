//! A survey from a CSV file and a code plan of the user, as a client reads it.

use sondage::model::ReadInterviewListRequest;
use sondage_sandbox::{Content, Frame, Sandbox};
use std::path::{Path, PathBuf};

const PLAN: &str = r#"{"surveyName": "left out", "codePlan": [
  {"code": "Q1", "dataType": "Number", "type": "SingleChoice", "question": "How?", "sectionName": "A", "more": 1,
   "values": [{"id": "1", "value": "Well"}, {"id": 2, "value": "Badly"}]},
  {"code": "weight", "dataType": "Real", "type": "OpenQuestion"},
  {"code": "said", "dataType": "String", "type": "OpenQuestion", "question": "What?"},
  {"code": "since", "dataType": "Date", "type": "Date"}
]}"#;
const ID: &str = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11";

/// Files of one test, removed afterwards.
struct Files(PathBuf);

impl Files {
    fn new(name: &str, data: &str, plan: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-own-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("answers.csv"), data).unwrap();
        std::fs::write(folder.join("plan.json"), plan).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn start(&self) -> std::io::Result<Sandbox> {
        Sandbox::builder().data(self.at("answers.csv")).code_plan(self.at("plan.json")).start_blocking()
    }

    /// The error with which it does not start, without the folder.
    fn refused(&self) -> String {
        let Err(error) = self.start() else { panic!("it starts") };
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidData, "{error}");
        error.to_string().replace(&format!("{}{}", self.0.display(), std::path::MAIN_SEPARATOR), "")
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(sandbox: &Sandbox) -> serde_json::Value {
    let client = sandbox.client().build_blocking().unwrap();
    let mut request = ReadInterviewListRequest::new(sandbox.data_survey_id().unwrap());
    request.load_code_plan = Some(true);
    serde_json::to_value(client.read_interview_list_compact(request).unwrap()).unwrap()
}

#[test]
fn answers_and_their_meaning_come_back() {
    let data = format!(
        "\u{feff}Id;Q1;said;weight;State;StartDate;Link;since\r\n\
         {ID};1;\"a; b\r\nc\";0.5;Completed;2024-02-01T10:00:00+01:00;left out;2020-02-29\r\n;2;;;InProgress;;;\r\n"
    );
    let files = Files::new("read", &data, PLAN);
    let sandbox = files.start().unwrap();
    let read = read(&sandbox);
    assert_eq!((&read["surveyName"], &read["totalCount"]), (&"answers".into(), &2.into()));
    let plan = &read["codePlan"];
    assert_eq!((&plan[0]["question"], &plan[0]["values"][1]["id"]), (&"How?".into(), &"2".into()));
    assert_eq!((&plan[3]["dataType"], &plan[1]["values"]), (&"Date".into(), &serde_json::json!([])));
    let rows = read["interviews"].as_array().unwrap();
    let full = rows.iter().find(|row| row["Id"] == ID).unwrap();
    assert_eq!((&full["Q1"], &full["weight"], &full["said"]), (&1.into(), &0.5.into(), &"a; b\r\nc".into()));
    assert_eq!(
        (&full["since"], &full["StartDate"]),
        (&"2020-02-29".into(), &"2024-02-01T09:00:00.000Z".into())
    );
    let other = rows.iter().find(|row| row["Id"] != ID).unwrap();
    assert_eq!(
        (&other["State"], &other["said"], &other["EndDate"]),
        (&"InProgress".into(), &().into(), &().into())
    );
    // The contents of the demo exist as well.
    assert_eq!(
        sandbox.client().build_blocking().unwrap().members(sandbox.panel_id()).into_iter().count(),
        200
    );
}

#[test]
fn without_a_plan_the_cells_say_what_they_are() {
    let files = Files::new("plain", "n,r,d,t\n1,1,2024-01-01,1\n,2.5,,x\n", "");
    let sandbox = Sandbox::builder().data(files.at("answers.csv")).start_blocking().unwrap();
    let read = read(&sandbox);
    let types: Vec<_> =
        read["codePlan"].as_array().unwrap().iter().map(|one| one["dataType"].clone()).collect();
    assert_eq!(types, ["Number", "Real", "Date", "String"]);
    assert!(Sandbox::demo_blocking().unwrap().data_survey_id().is_none());
}

/// A number would lose the zeros of a code, and the last digits of a long id.
#[test]
fn codes_of_digits_stay_texts() {
    let files =
        Files::new("codes", "zip,id,phone,n,r\n007,12345678901234567890,+41,0,0.5\n12,1,2,-3,10\n", "");
    let sandbox = Sandbox::builder().data(files.at("answers.csv")).start_blocking().unwrap();
    let read = read(&sandbox);
    let types: Vec<_> =
        read["codePlan"].as_array().unwrap().iter().map(|one| one["dataType"].clone()).collect();
    assert_eq!(types, ["String", "String", "String", "Number", "Real"]);
    let first = &read["interviews"][0];
    assert_eq!((&first["zip"], &first["id"]), (&"007".into(), &"12345678901234567890".into()));
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_column() {
    for (data, said) in [
        ("Q1\n1\nYes\n", r"answers.csv: line 3, column 1 (Q1): the value is not an integer"),
        ("Q1\r\n1\r\n\r\nYes\r\n", "line 4, column 1 (Q1)"),
        ("sep=;\rQ1;said\r1;\"a\rb\"\rYes;c\r", "line 5, column 1 (Q1)"),
        ("said,weight\nx,1\n\"a\nb\",1e999\n", r"line 3, column 2 (weight): the value is not a number"),
        ("since\n2024-02-30\n", r"line 2, column 1 (since): the value is not a date such as 2024-05-01"),
        (
            "Q1,Q7\n1,2\n",
            r"line 1, column 2: the code plan has no variable of this name; it has Q1, weight, said, since",
        ),
        ("Q1,Q1\n1,2\n", r"line 1, column 2: the name occurs twice"),
        ("Q1,\n1,2\n", r"line 1, column 2: there is no name"),
        ("Q1,State\n1,Complete\n", "is not a state; known are NotResponded, InProgress, Completed"),
        ("Id\n7\n", r"line 2, column 1 (Id): the value is not a GUID"),
        ("Id,StartDate\n,yesterday\n", r"column 2 (StartDate): the value is not a time"),
        ("Q1,said\n1\n", "is not CSV"),
        ("", "is empty"),
    ] {
        let files = Files::new("wrong", data, PLAN);
        let told = files.refused();
        assert!(told.contains(said), "{told}");
    }
    let all = Files::new("all", &format!("Q1,Q1,Id,State,since,Q7\nx,1,7,Over,May,1\n1.5,,{ID},,,\n"), PLAN);
    let told = all.refused();
    for said in [
        "line 1, column 2: the name occurs twice: rename one",
        "line 1, column 6: the code plan has no variable",
        "line 2, column 1 (Q1): the value is not an integer, and the type of the column is Number: correct one of them",
        "line 2, column 3 (Id): the value is not a GUID: leave the cell empty",
        "line 2, column 4 (State): the value is not a state; known are",
        "line 2, column 5 (since): the value is not a date",
        "line 3, column 1 (Q1)",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let many = Files::new("many", &format!("Q1\n{}", "x\n".repeat(1_000)), PLAN).refused();
    assert!(many.contains("line 21, column 1") && many.ends_with("; and 980 more"), "{many}");
    let twice = Files::new("twice", &format!("Id\n{ID}\n{ID}\n"), PLAN);
    assert!(twice.refused().contains("line 3, column 1 (Id)"), "{}", twice.refused());
}

#[test]
fn a_plan_that_is_none_is_said_with_its_line_and_column() {
    let entry = |entry: &str| PLAN.replace(r#"{"code": "weight", "dataType": "Real","#, entry);
    for (plan, said) in [
        (
            entry(r#"{"code": "weight", "dataType": "Float","#),
            "unknown variant `Float`, expected one of `Number`",
        ),
        (entry(r#"{"code": "weight","#), "missing field `dataType` at line 4 column"),
        (entry(r#"{"code": "Q1", "dataType": "Real","#), r#"the code plan has the column "Q1" twice"#),
        (entry(r#"{"code": "", "dataType": "Real","#), "codePlan[1].code is empty: each column needs a name"),
        ("[1]".to_owned(), "is not a code plan"),
        ("{".to_owned(), "at line 1 column 1"),
    ] {
        let files = Files::new("plan", "Q1\n1\n", &plan);
        let told = files.refused();
        assert!(told.contains(said) && told.starts_with("plan.json: "), "{told}");
    }
    let broken = r#"[{"code": "Q1", "dataType": "Float", "type": "Date"},
        {"code": "", "dataType": "Real", "type": "Date"}, {"code": "b", "dataType": "Real"}]"#;
    let both = Files::new("both", "Q1,State\n1,Over\n", broken).refused();
    for said in [
        "codePlan[0]: unknown variant `Float`",
        " at line 1 column 35; codePlan[1].code is empty",
        "codePlan[2]: missing field `type` at line 2 column",
        "line 2, column 2 (State)",
    ] {
        assert!(both.contains(said), "{said}: {both}");
    }
    let alone = Sandbox::builder().code_plan(Path::new("plan.json")).start_blocking();
    assert!(alone.err().unwrap().to_string().contains("needs `data`"));
    let gone = Sandbox::builder().data(Path::new("/nowhere/answers.csv")).start_blocking();
    assert!(gone.err().unwrap().to_string().contains("answers.csv` cannot be read"));
}

#[test]
fn the_mistakes_of_all_frames_and_files_are_in_one_error() {
    let files = Files::new("everything", "Id\n7\n", "");
    let first = Frame::new("first").column("a", [1, 2]).column("b", [1]).column("", [1, 2]);
    let second = Frame::new("second").column("State", ["Over", "Completed"]).column("Id", ["x", "y"]);
    let builder = Sandbox::builder().frame(first).frame(second).data(files.at("answers.csv"));
    let told = builder.start_blocking().err().unwrap().to_string();
    for said in [
        "first: column \"b\" has 1 rows, and the first one has 2",
        "column \"\": a name is needed once",
        "second: column \"Id\", row 0: this is not a GUID",
        "column \"State\", row 0: this is not a state",
        "column \"Id\", row 1",
        "answers.csv: line 2, column 1 (Id)",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
}

#[test]
fn an_integer_that_is_given_as_a_fraction_is_a_code() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let id = sandbox.survey_id();
    let answer = |rows: serde_json::Value| {
        let given = serde_json::from_value(serde_json::json!({ "surveyId": id, "rows": rows })).unwrap();
        sandbox.answer(&given).map_err(|error| error.to_string())
    };
    let ids = answer(serde_json::json!([{ "visited": 1.0, "score": 7.0, "birth_year": 1980.0 }])).unwrap();
    let told = answer(serde_json::json!([{ "visited": 1.5 }])).unwrap_err();
    assert!(
        told.contains("rows[0].visited: this answer is not one of the choices; their codes are 1, 2"),
        "{told}"
    );
    let client = sandbox.client().build_blocking().unwrap();
    let read =
        serde_json::to_value(client.read_interview_list_compact(ReadInterviewListRequest::new(id)).unwrap());
    let rows = read.unwrap()["interviews"].as_array().unwrap().clone();
    let stored = rows.iter().find(|row| row["Id"] == ids[0].as_str()).unwrap();
    assert!(stored["visited"] == 1 && stored["birth_year"] == 1980 && stored["score"].is_f64(), "{stored}");
}
