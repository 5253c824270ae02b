//! What happens to a call.

use sondage_sandbox::{Fault, FaultAction};
use std::time::Duration;

/// The fault of a call.
pub type Happens = (&'static str, fn(Fault) -> Fault);

/// No fault.
pub const NOTHING: &str = "nothing";

/// The caller gives up after the call was sent, and the response arrives afterwards.
pub const LATE: &str = "after its caller gave up";

pub const HAPPENS: [Happens; 15] = [
    (NOTHING, |fault| fault.delay(Duration::ZERO)),
    ("cut before the request is read", Fault::cut_before_request),
    ("cut after the effect", Fault::cut_after_effect),
    ("reset after the effect", |fault| fault.cut_after_effect().reset()),
    ("cut in the answer", Fault::cut_mid_answer),
    ("401 once", |fault| fault.status(401)),
    ("401 for long", |fault| fault.times(9).status(401)),
    ("403", |fault| fault.status(403)),
    ("429", |fault| fault.status(429).header("Retry-After", "0")),
    ("500 after the effect", |fault| fault.after_effect().status(500)),
    ("503", |fault| fault.status(503)),
    ("half of the JSON", |fault| fault.action(FaultAction::TruncatedJson)),
    ("no sense", |fault| fault.after_effect().action(FaultAction::Html)),
    ("not a success", |fault| {
        fault.action(FaultAction::NotSuccess {
            error_code: "Busy".to_owned(),
            error_message: "Not now.".to_owned(),
        })
    }),
    (LATE, |fault| fault.delay(Duration::from_millis(300))),
];
