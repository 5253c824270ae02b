//! A service for one cell, with its token endpoint, and the evaluation after the call.

use crate::cells::CampaignCell;
use crate::judge::{self, CellVerdict};
use crate::report::CallReport;
use crate::service::{Protocol, Service, ServicePlan};
use std::time::{Duration, Instant};

/// The body size from which on the service's buffers are small: smaller bodies fit in any case.
const LARGE: usize = 500_000;

pub struct CampaignStage {
    pub service: Service,
    pub endpoint: Option<Service>,
    begun: Instant,
}

impl CampaignStage {
    pub fn set(cell: &CampaignCell) -> Result<Self, String> {
        let start =
            |plan| Service::start(plan).map_err(|error| format!("the service does not start: {error}"));
        let service = start(ServicePlan::new(cell.setting.way, &cell.scripts, cell.size >= LARGE)?)?;
        let endpoint = if cell.setting.endpoint {
            let usual = ["all; say 200 =token".to_owned()];
            let scripts = if cell.token_scripts.is_empty() { &usual[..] } else { &cell.token_scripts };
            Some(start(ServicePlan::new(Protocol::Plain, scripts, false)?)?)
        } else {
            None
        };
        Ok(Self { service, endpoint, begun: Instant::now() })
    }

    /// Waits until nothing more happens, and judges.
    pub fn judge(self, cell: &CampaignCell, report: &CallReport) -> CellVerdict {
        let ended = Instant::now();
        if report.left {
            // Longer than the delay during which the caller gave up: a request that was not sent by now never will be.
            std::thread::sleep(Duration::from_millis(3300));
        }
        let settled = self.service.settle();
        let facts = judge::CallFacts {
            cell,
            report,
            pages: &self.service.ledger().read(),
            begun: self.begun,
            ended,
            settled,
        };
        judge::judge(&facts)
    }
}
