//! The entity of an event, as far as its format is known. The raw text of an event always has everything.

use super::object::Object;
use crate::model::{EventType, MemberField, Timestamp};
use indexmap::IndexMap;
use serde::Serialize;

/// The entity of an event: one of five kinds, whose formats in a callback are not published. As JSON it is an object with
/// `kind` and the fields.
// API 10.7
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Entity {
    /// An interview.
    Interview(Interview),
    /// A member of a panel.
    Member(Member),
    /// A bounced message.
    Bounce(Bounce),
    /// An opt-out that was added or removed.
    OptOut(OptOut),
    /// A survey.
    Survey(Survey),
    /// An entity that this version cannot read: see the event's raw text.
    Unknown,
}

/// The fields of a member by name.
type Fields = IndexMap<String, MemberField>;

macro_rules! entities {
    (
        event from $ways:tt { $($event:tt)* }
        $($(#[doc = $text:literal])* $Name:ident $Entity:ident {
            $($(#[doc = $doc:literal])* $field:ident: $type:ty = $read:ident $($wire:literal)+;)*
        })*
    ) => { $(
        $(#[doc = $text])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $Name {
            $($(#[doc = $doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }

        impl $Name {
            fn read(object: &Object<'_>) -> Self {
                Self { $($field: None $(.or_else(|| object.$read($wire)))+.map(Into::into),)* }
            }
        }
    )* };
}
crate::webhook_shapes!(entities);

impl Object<'_> {
    fn fields(&self, name: &str) -> Option<Fields> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }
}

/// The kinds, and the keys under which a callback may hold them.
const PLACES: [(&str, EntityKind); 7] = [
    ("interview", EntityKind::Interview),
    ("panelmember", EntityKind::Member),
    ("member", EntityKind::Member),
    ("bounce", EntityKind::Bounce),
    ("optout", EntityKind::OptOut),
    ("optoutitem", EntityKind::OptOut),
    ("survey", EntityKind::Survey),
];

/// The keys under which any of them may be found.
const WRAPPERS: [&str; 4] = ["entity", "data", "payload", "content"];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EntityKind {
    Interview,
    Member,
    Bounce,
    OptOut,
    Survey,
}

impl EntityKind {
    /// The kind of entity of an event type. It is not published which event delivers which entity: assumed by the name.
    // API 10.7
    fn of_event(event: &EventType) -> Option<Self> {
        match event {
            EventType::InterviewComplete => Some(Self::Interview),
            EventType::PanelMemberAdded | EventType::PanelMemberRemoved | EventType::PanelMemberUpdated => {
                Some(Self::Member)
            }
            EventType::HardBounce => Some(Self::Bounce),
            EventType::OptOutAdded | EventType::OptOutRemoved => Some(Self::OptOut),
            EventType::ApprovalRequest | EventType::Approved | EventType::SurveyClosed => Some(Self::Survey),
            EventType::Unknown(_) => None,
        }
    }

    /// Derives the kind of an object from its fields.
    fn of_shape(object: &Object<'_>) -> Option<Self> {
        let has = |names: &[&str]| names.iter().all(|name| object.has(name));
        [
            (Self::Interview, ["columns"].as_slice()),
            (Self::Interview, &["id", "surveyid", "state"]),
            (Self::Bounce, &["bouncetype"]),
            (Self::OptOut, &["optoutat"]),
            (Self::Member, &["id", "fields"]),
        ]
        .into_iter()
        .find_map(|(kind, names)| has(names).then_some(kind))
    }
}

impl Entity {
    /// Finds the entity in a body: under its own key, in a wrapper, or as the body itself.
    pub(super) fn find(body: Object<'_>, event: Option<&EventType>) -> Result<Self, super::Reason> {
        let expected = event.and_then(EntityKind::of_event);
        for (place, kind) in PLACES {
            if let Some(inside) = body.object(place)? {
                return Ok(Self::read(&inside, kind));
            }
        }
        let mut object = body;
        for wrapper in WRAPPERS {
            if let Some(inside) = object.object(wrapper)? {
                object = inside;
                break;
            }
        }
        let kind = expected.or_else(|| EntityKind::of_shape(&object));
        Ok(kind.map_or(Self::Unknown, |kind| Self::read(&object, kind)))
    }

    fn read(object: &Object<'_>, kind: EntityKind) -> Self {
        match kind {
            EntityKind::Interview => Self::Interview(Interview::read(object)),
            EntityKind::Member => Self::Member(Member::read(object)),
            EntityKind::Bounce => Self::Bounce(Bounce::read(object)),
            EntityKind::OptOut => Self::OptOut(OptOut::read(object)),
            EntityKind::Survey => Self::Survey(Survey::read(object)),
        }
    }

    /// The kind, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Interview(_) => "interview",
            Self::Member(_) => "member",
            Self::Bounce(_) => "bounce",
            Self::OptOut(_) => "optOut",
            Self::Survey(_) => "survey",
            Self::Unknown => "unknown",
        }
    }

    /// The fields that identify an entity of a kind, and the time of its change.
    pub(super) fn identity(&self) -> (Option<String>, Option<Timestamp>) {
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        match self {
            Self::Interview(it) => (it.id.clone(), it.updated_at),
            Self::Member(it) => (text(it.id), it.updated_at),
            Self::Survey(it) => (text(it.id), it.updated_at),
            Self::Bounce(it) => {
                let who = it.interview_id.clone().or(it.email.clone());
                (who.or_else(|| text(it.phone.or(it.panel_member_id))), it.timestamp)
            }
            Self::OptOut(it) => {
                let who = it.email.clone().or_else(|| text(it.phone.or(it.panel_member_id)));
                (who, it.opt_out_at)
            }
            Self::Unknown => (None, None),
        }
    }
}
