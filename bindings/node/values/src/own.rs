//! Objects of which every property is read.

use crate::fault::Fault;
use napi::bindgen_prelude::{JsObjectValue, KeyCollectionMode, KeyConversion, KeyFilter, Object, Unknown};
use napi::{JsValue, ValueType};

/// What only `Object.prototype` has as its own, in every realm.
const OF_EVERY_OBJECT: &str = "hasOwnProperty";

/// Returns an error if the object has a property that is not read, because a copy of the object would not have it: a
/// selection in it would be dropped, and a call without a selection reaches everybody.
pub fn check_own(object: &Object<'_>) -> Result<(), Fault> {
    let (all, copied) = (names(object, KeyFilter::AllProperties)?, names(object, KeyFilter::Enumerable)?);
    if all.get_array_length()? != copied.get_array_length()? {
        let copied = texts(&copied)?;
        if let Some((name, _)) =
            texts(&all)?.into_iter().find(|(name, _)| copied.iter().all(|it| it.0 != *name))
        {
            return Err(hidden(&name, "not enumerable"));
        }
    }
    let mut from = object.get_prototype()?;
    while from.get_type()? != ValueType::Null {
        let class = from.coerce_to_object()?;
        from = class.get_prototype()?;
        if from.get_type()? == ValueType::Null && class.has_own_property(OF_EVERY_OBJECT)? {
            break;
        }
        for (text, name) in texts(&names(&class, KeyFilter::AllProperties)?)? {
            let is_method = || {
                Ok::<_, Fault>(
                    object.get_property::<_, Unknown<'_>>(name)?.get_type()? == ValueType::Function,
                )
            };
            if !object.has_own_property_js(name)? && !is_method()? {
                return Err(hidden(&text, "inherited or a getter of its class"));
            }
        }
    }
    Ok(())
}

fn hidden(name: &str, how: &str) -> Fault {
    Fault::new(format!(
        "must be a plain object: its properties are read from itself only, and `{name}` is {how}"
    ))
}

pub fn names<'js>(object: &Object<'js>, filter: KeyFilter) -> napi::Result<Object<'js>> {
    object.get_all_property_names(KeyCollectionMode::OwnOnly, filter, KeyConversion::NumbersToStrings)
}

/// The names that are texts: symbols are not read.
fn texts<'js>(names: &Object<'js>) -> napi::Result<Vec<(String, Unknown<'js>)>> {
    let mut all = Vec::new();
    for index in 0..names.get_array_length()? {
        let name: Unknown<'js> = names.get_element(index)?;
        if name.get_type()? == ValueType::String {
            all.push((name.coerce_to_string()?.into_utf8()?.as_str()?.to_owned(), name));
        }
    }
    Ok(all)
}
