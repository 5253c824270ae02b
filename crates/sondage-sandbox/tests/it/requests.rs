//! Every operation of the table against its own model: unknown fields, missing fields and wrong types are refused, each
//! by its path. New rows of the table are tested automatically.

use crate::http::Api;
use serde_json::{Map, Value, json};
use sondage::internals::schema::{ModelSchema, Type};
use sondage::operation::{Effect, RequestLocation};
use sondage::operations::ALL;
use sondage_sandbox::Sandbox;

/// A value of the right type, which need not refer to an existing object.
fn sample(ty: &Type) -> Value {
    match ty {
        Type::Bool => json!(true),
        Type::Int => json!(1),
        Type::Float => json!(1.5),
        Type::Text | Type::Secret => json!("de"),
        Type::Timestamp => json!("2024-05-01T12:30:00Z"),
        Type::FieldValue => json!("value"),
        Type::Json => json!({}),
        Type::Optional(inner) => sample(inner),
        Type::List(inner) => json!([sample(inner)]),
        Type::Map(inner) => json!({ "Email": sample(inner) }),
        Type::Enum(known) => json!(known.values[0]),
        Type::Model(schema) => all_fields(schema()),
    }
}

fn all_fields(schema: &ModelSchema) -> Value {
    let fields = schema.fields.iter().map(|field| (field.wire.to_owned(), sample(field.ty)));
    let mut object: Map<String, Value> = fields.collect();
    if let Some(tenant) = object.get_mut("tenant") {
        *tenant = json!("demo");
    }
    object.into()
}

/// Values of every JSON type that does not fit.
fn misfits(ty: &Type) -> Vec<Value> {
    let all = [json!(true), json!(7), json!(7.5), json!("x"), json!(["x"]), json!({ "x": 1 })];
    let fits = |value: &Value| match ty {
        Type::Bool => value.is_boolean(),
        Type::Int => value.is_i64(),
        Type::Float => value.is_number(),
        Type::Text | Type::Secret => value.is_string(),
        Type::FieldValue => !value.is_array() && !value.is_object(),
        Type::Json => true,
        Type::List(inner) => {
            value.as_array().is_some_and(|items| matches!(inner, Type::Text) && items[0].is_string())
        }
        Type::Map(Type::Json) => value.is_object(),
        _ => false,
    };
    match ty {
        Type::Optional(inner) => misfits(inner),
        _ => all.into_iter().filter(|value| !fits(value)).collect(),
    }
}

/// A change to a request and the path that the error must name.
struct Mistake {
    pointer: String,
    path: String,
    value: Option<Value>,
}

fn mistakes(schema: &ModelSchema, pointer: &str, path: &str, out: &mut Vec<Mistake>) {
    let at = |name: &str| {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        (format!("{pointer}/{name}"), path)
    };
    let (inner, name) = at("noSuchField");
    out.push(Mistake { pointer: inner, path: name, value: Some(json!(1)) });
    for field in schema.fields {
        let (inner, name) = at(field.wire);
        // What the library requires and the published definition does not is decided by the profile.
        if field.required && !["interviewsRequired", "keepInterviews"].contains(&field.wire) {
            out.push(Mistake { pointer: inner.clone(), path: name.clone(), value: None });
        }
        for value in misfits(field.ty) {
            out.push(Mistake { pointer: inner.clone(), path: name.clone(), value: Some(value) });
        }
        if let Some(max) = field.max_length {
            let value = Some(json!("d".repeat(max + 1)));
            out.push(Mistake { pointer: inner.clone(), path: name.clone(), value });
        }
        deeper(field.ty, &inner, &name, out);
    }
}

fn deeper(ty: &Type, pointer: &str, path: &str, out: &mut Vec<Mistake>) {
    match ty {
        Type::Optional(inner) => deeper(inner, pointer, path, out),
        Type::List(inner) => deeper(inner, &format!("{pointer}/0"), &format!("{path}[0]"), out),
        Type::Map(inner) => deeper(inner, &format!("{pointer}/Email"), &format!("{path}.Email"), out),
        Type::Model(schema) => mistakes(schema(), pointer, path, out),
        _ => {}
    }
}

fn apply(request: &mut Value, mistake: &Mistake) {
    let (parent, name) = mistake.pointer.rsplit_once('/').unwrap();
    let parent = request.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match &mistake.value {
        Some(value) => parent.insert(name.to_owned(), value.clone()),
        None => parent.remove(name),
    };
}

#[test]
fn every_mistake_in_every_request_is_refused_by_its_path() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut tried = 0;
    for row in ALL {
        let good = all_fields(row.request);
        let mut all = Vec::new();
        mistakes(row.request, "", "", &mut all);
        // In a query string every value is text.
        let in_query = row.location == RequestLocation::Query;
        all.retain(|mistake| !in_query || mistake.value.as_ref().is_none_or(|value| value == "x"));
        for mistake in all {
            let mut request = good.clone();
            apply(&mut request, &mistake);
            let (status, code, message) = api.refused(row.name, &request);
            let found = status == 400 && code == "ValidationError" && message.contains(&mistake.path);
            assert!(found, "{} {} = {:?}: {status} {code} {message}", row.name, mistake.path, mistake.value);
            tried += 1;
        }
        let effects = sandbox.ledger().effects(row.name);
        assert!(effects.is_empty(), "a refused {} took effect: {effects:?}", row.name);
    }
    assert!(tried > 400, "only {tried} mistakes were tried");
}

#[test]
fn bodies_that_are_no_request_are_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for row in ALL.iter().filter(|row| row.location == RequestLocation::Body) {
        for body in [json!([]), json!("x"), json!(1), Value::Null] {
            let (status, code, _) = api.refused(row.name, &body);
            assert_eq!((status, code.as_str()), (400, "ValidationError"), "{} {body}", row.name);
        }
    }
}

#[test]
fn every_operation_that_needs_a_token_refuses_a_call_without() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api { base_url: sandbox.base_url().to_owned(), token: "no such token".to_owned() };
    for row in ALL.iter().filter(|row| row.effect != Effect::Token) {
        let (status, code, _) = api.refused(row.name, &all_fields(row.request));
        assert_eq!((status, code.as_str()), (401, "TokenUnknown"), "{}", row.name);
    }
}

#[test]
fn every_id_that_does_not_exist_is_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for row in ALL {
        for field in row.request.fields.iter().filter(|field| field.wire.ends_with("Id")) {
            let mut request = all_fields(row.request);
            let object = request.as_object_mut().unwrap();
            // Only the required fields, and the field in question.
            object.retain(|name, _| {
                name == field.wire
                    || row.request.fields.iter().any(|known| known.wire == name && known.required)
            });
            if let Some(members) = object.get_mut("members") {
                *members = json!([]);
            }
            let (status, code, _) = api.refused(row.name, &request);
            assert!(
                status == 404 && code.ends_with("NotFound"),
                "{}.{}: {status} {code}",
                row.name,
                field.wire
            );
        }
    }
}
