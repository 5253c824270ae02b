//! The options, results and words of all crates under one path, for the generated files.

pub mod options {
    pub use sondage::arguments::*;
    pub use sondage_jobs::options::*;
}

pub mod words {
    pub use sondage::Delivery;
    pub use sondage::budget::{BudgetMode, CountedBytes};
    pub use sondage::config::{DataCenter, Grant};
    pub use sondage::doctor::{HealthState, HealthTopic};
    pub use sondage::facts::FactsMode;
    pub use sondage::trace::TraceKind;
    #[cfg(feature = "webhook")]
    pub use sondage::webhook::EnsureOutcome;
    pub use sondage_jobs::{
        Duplicates, Existing, LeftOutReason, RowStatus, SendStatus, SourceOutcome, StepOutcome, Verdict,
    };
}

pub mod reports {
    pub use sondage::reports::*;
    pub use sondage_jobs::*;
}
