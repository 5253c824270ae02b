//! The calls and bytes of the day.

use super::report::{HealthCheck, HealthTopic};
use crate::budget::{BudgetMode, BudgetReport};
use crate::text;

pub(super) fn examine(report: &BudgetReport) -> HealthCheck {
    let BudgetReport { calls, calls_limit, calls_left, bytes, bytes_limit, bytes_left, ends, .. } = report;
    if !report.counted {
        return HealthCheck::passed(HealthTopic::Budget, "calls of this client are not counted");
    }
    if let Some(trouble) = &report.trouble {
        let cure = "Check the setting `budget_folder`: until then, this process counts for itself.";
        return HealthCheck::warning(HealthTopic::Budget, trouble.clone(), cure);
    }
    if let Some(until) = &report.paused_until {
        let finding = text!("the service has asked all calls to wait until {until}");
        return HealthCheck::warning(
            HealthTopic::Budget,
            finding,
            "Wait until then. Nothing else is necessary.",
        );
    }
    let used = text!("{calls} of {calls_limit} calls and {bytes} of {bytes_limit} bytes of the day are used");
    let stops = matches!(report.mode, BudgetMode::Stop | BudgetMode::HardStop);
    if *calls_left == 0 || *bytes_left == 0 {
        let cure = text!("Call again after {ends}, when the day ends.");
        return if stops {
            HealthCheck::failed(HealthTopic::Budget, text!("{used}: no more calls are sent"), cure)
        } else {
            HealthCheck::warning(HealthTopic::Budget, text!("{used}: the service may refuse calls"), cure)
        };
    }
    // The same threshold as the log's warning.
    if calls * 5 >= calls_limit * 4 || bytes / 4 >= bytes_limit / 5 {
        let cure = text!("Use larger pages, or spread the work over days: the day ends at {ends}.");
        return HealthCheck::warning(HealthTopic::Budget, used, cure);
    }
    HealthCheck::passed(HealthTopic::Budget, used)
}
