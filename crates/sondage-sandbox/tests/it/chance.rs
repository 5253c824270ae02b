//! Random requests, half valid and half invalid: every response is an envelope and never a 5xx.

use crate::http::Api;
use serde_json::{Map, Value, json};
use sondage::internals::schema::{ModelSchema, Type};
use sondage::operations::ALL;
use sondage_sandbox::Sandbox;

/// The same numbers each time, so that a failure can be reproduced.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())].clone()
    }
}

struct Maker<'a> {
    chance: Chance,
    sandbox: &'a Sandbox,
}

impl Maker<'_> {
    fn text(&mut self) -> Value {
        self.chance.pick(&[
            json!("demo"),
            json!(""),
            json!("de"),
            json!("Email"),
            json!("member.Email"),
            json!("State"),
            json!("Id"),
            json!("2024-02-30"),
            json!("2024-02-03 04:05:06.7"),
            json!("1,2,,"),
            json!("(a|b)*\\1["),
            json!("\u{0}\u{202e}🙂ß"),
            json!("é".repeat(300)),
            json!("9223372036854775808"),
            json!("-1e999"),
            json!("NaN"),
            json!("https://a.example/"),
            json!("http://[::1"),
            json!("*"),
        ])
    }

    fn number(&mut self) -> Value {
        let known = [self.sandbox.panel_id(), self.sandbox.survey_id(), self.sandbox.feedback_survey_id()];
        let more = [self.sandbox.message_template_id(), self.sandbox.workspace_id(), 500_001, 1, 0, -1];
        let mut all: Vec<Value> = known.iter().chain(&more).map(|number| json!(number)).collect();
        all.extend([json!(i64::MAX), json!(i64::MIN), json!(u64::MAX), json!(1.5), json!(1e300)]);
        self.chance.pick(&all)
    }

    fn value(&mut self, ty: &Type, depth: usize) -> Value {
        if self.chance.below(40) == 0 {
            return self.chance.pick(&[
                Value::Null,
                json!(true),
                json!([]),
                json!({}),
                json!([[]]),
                json!("x"),
            ]);
        }
        match ty {
            Type::Bool => json!(self.chance.below(2) == 0),
            Type::Int | Type::Float => self.number(),
            Type::Text | Type::Secret => self.text(),
            Type::Timestamp => self.chance.pick(&[
                json!("2024-05-01T12:30:00Z"),
                json!("2999-12-31T23:59:59.999+14:00"),
                json!("0000-01-01T00:00:00Z"),
                json!("+262142-12-31T00:00:00Z"),
            ]),
            Type::FieldValue | Type::Json => {
                if self.chance.below(2) == 0 {
                    self.text()
                } else {
                    self.number()
                }
            }
            Type::Optional(inner) => self.value(inner, depth),
            Type::List(inner) => {
                let length = if depth > 3 { 0 } else { self.chance.below(4) };
                (0..length).map(|_| self.value(inner, depth + 1)).collect()
            }
            Type::Map(inner) => {
                let names = ["Email", "Gender", "CellPhoneNumber", "Nonsense", ""];
                let name = names[self.chance.below(names.len())];
                let mut value = self.value(inner, depth + 1);
                if value.is_object() {
                    value["name"] = json!(name);
                }
                json!({ name: value })
            }
            Type::Enum(known) => json!(known.values[self.chance.below(known.values.len())]),
            Type::Model(schema) => self.model(schema(), depth + 1),
        }
    }

    fn model(&mut self, schema: &ModelSchema, depth: usize) -> Value {
        let mut object = Map::new();
        for field in schema.fields {
            if field.required || self.chance.below(2) == 0 {
                object.insert(field.wire.to_owned(), self.value(field.ty, depth));
            }
        }
        if object.contains_key("tenant") && self.chance.below(8) > 0 {
            object.insert("tenant".to_owned(), json!("demo"));
        }
        object.into()
    }
}

#[test]
fn chance_finds_no_request_that_upsets_it() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut maker = Maker { chance: Chance(1996), sandbox: &sandbox };
    let (mut carried_out, mut refused) = (0, 0);
    for round in 0..150 {
        for row in ALL {
            let request = maker.model(row.request, 0);
            let (status, answer) = api.call(row.name, &request);
            assert!(status < 500, "round {round}: {} {request}: {status} {answer}", row.name);
            assert_eq!(
                answer["isSuccess"].as_bool(),
                Some(status == 200),
                "{} {request}: {answer}",
                row.name
            );
            if status == 200 { carried_out += 1 } else { refused += 1 }
        }
    }
    assert!(carried_out > 100 && refused > 100, "{carried_out} carried out, {refused} refused");
}
