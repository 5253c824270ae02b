//! The code of a choice that is not available.

use super::{Argument, ArgumentType};
use serde::{Deserialize, Deserializer};

/// The code by which closed questions and sliders say that a choice is not available. `None`: no code does.
// API 6.2, assumed
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAvailable(pub Option<i64>);

impl NotAvailable {
    /// The code of the service.
    pub const DEFAULT: Self = Self(Some(9_999_999));
}

impl Default for NotAvailable {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Argument for NotAvailable {
    const TYPE: ArgumentType = ArgumentType::NotAvailable;
}

impl From<Option<i64>> for NotAvailable {
    fn from(code: Option<i64>) -> Self {
        Self(code)
    }
}

impl<'de> Deserialize<'de> for NotAvailable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<i64>::deserialize(deserializer).map(Self)
    }
}
