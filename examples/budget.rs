//! The day's budget: what is used, what is left, and a stop at the limit. On a platform in this process.

use sondage::ErrorKind;
use sondage::budget::BudgetMode;
use sondage::model::ReadPanelRequest;
use sondage_sandbox::Sandbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::demo_blocking()?;
    let panel = || ReadPanelRequest::new(sandbox.panel_id());
    // Calls to a sandbox are not counted by default; `budget_loopback` counts them. A limit of 10 calls stands for the
    // 500 of a real day.
    let settings = sandbox.client().budget(BudgetMode::Stop).budget_calls(10_u32).budget_loopback(true);
    let client = settings.build_blocking()?;

    client.read_panel(panel())?;
    let used = client.budget();
    println!("{} of {} calls are used, {} are left", used.calls, used.calls_limit, used.calls_left);

    let spent = loop {
        match client.read_panel(panel()) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::BudgetSpent => break error,
            Err(error) => return Err(error.into()),
        }
    };
    println!("{}: {}", spent.operation().unwrap_or_default(), spent.what());
    println!("arrived: {}", sandbox.ledger().requests("ReadPanel").len());
    Ok(())
}
