//! The options and results of all crates under one path, for the generated files.

pub mod options {
    pub use sondage::arguments::*;
    pub use sondage_jobs::options::*;
}

pub mod reports {
    pub use sondage::reports::*;
    pub use sondage_jobs::*;
}
