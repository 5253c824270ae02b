//! Enumerations of the methods about a person's data.

use crate::convert::IntoFfi;
use sondage_jobs::{SourceOutcome, StepOutcome};

impl IntoFfi<String> for SourceOutcome {
    fn into_ffi(self) -> String {
        self.as_str().to_owned()
    }
}

impl IntoFfi<String> for StepOutcome {
    fn into_ffi(self) -> String {
        self.as_str().to_owned()
    }
}
