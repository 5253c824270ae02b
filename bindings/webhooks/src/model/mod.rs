//! The models that an event has.

#[path = "../../../../crates/sondage/src/model/extra.rs"]
mod extra;
#[path = "../../../../crates/sondage/src/model/json.rs"]
mod json;
#[path = "../../../../crates/sondage/src/model/json_text.rs"]
mod json_text;
#[path = "../../../../crates/sondage/src/model/open_enum.rs"]
mod open_enum;
#[path = "../../../../crates/sondage/src/model/secret.rs"]
mod secret;
#[path = "../../../../crates/sondage/src/model/time.rs"]
mod time;
#[path = "../../../../crates/sondage/src/model/value.rs"]
mod value;
#[path = "../../../../crates/sondage/src/model/weight.rs"]
mod weight;

pub use json::Json;
pub use secret::Secret;
pub use time::Timestamp;
pub use value::FieldValue;

use indexmap::IndexMap;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

open_enum::open_enum! {
    /// The event types: without one that the core has, `webhook/entity.rs` does not compile.
    #[source("API 10.6, specified")]
    EventType {
        ApprovalRequest, Approved, InterviewComplete, HardBounce, OptOutAdded, OptOutRemoved, PanelMemberAdded,
        PanelMemberRemoved, PanelMemberUpdated, SurveyClosed,
    }
}

/// The value of one field of a member. Unknown fields are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberField {
    name: String,
    field_type: String,
    value: FieldValue,
    extra: IndexMap<String, Json>,
}

impl<'de> Deserialize<'de> for MemberField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        fn take<T: DeserializeOwned, E: Error>(
            from: &mut IndexMap<String, Json>,
            name: &'static str,
        ) -> Result<T, E> {
            let json = from.shift_remove(name).ok_or_else(|| E::missing_field(name))?;
            json.read().map_err(E::custom)
        }
        let mut extra = IndexMap::<String, Json>::deserialize(deserializer)?;
        let (name, field_type) = (take(&mut extra, "name")?, take(&mut extra, "fieldType")?);
        Ok(Self { name, field_type, value: take(&mut extra, "value")?, extra })
    }
}

impl Serialize for MemberField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("fieldType", &self.field_type)?;
        map.serialize_entry("value", &self.value)?;
        if !self.extra.is_empty() {
            map.serialize_entry(extra::EXTRA, &self.extra)?;
        }
        map.end()
    }
}
