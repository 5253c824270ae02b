//! Records calls in a file, and answers them from that file without a network.

use sondage::ErrorKind;
use sondage::config::ClientBuilder;
use sondage::model::ReadPanelRequest;
use sondage_sandbox::Sandbox;
use std::collections::BTreeSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::temp_dir().join(format!("sondage-calls-{}.jsonl", std::process::id()));
    let sandbox = Sandbox::demo_blocking()?;
    let panel_id = sandbox.panel_id();
    let client = sandbox.client().record(&file).build_blocking()?;
    client.read_panel(ReadPanelRequest::new(panel_id))?;
    let members = client.members(panel_id).into_iter().collect::<Result<Vec<_>, _>>()?;
    let live: BTreeSet<i64> = members.iter().map(|member| member.id).collect();
    sandbox.stop();

    // The platform has stopped. This client knows no account, no secret and no address.
    let client = ClientBuilder::new().replay(&file).build_blocking()?;
    let members = client.members(panel_id).into_iter().collect::<Result<Vec<_>, _>>()?;
    let same = members.iter().filter(|member| live.contains(&member.id)).count();
    println!("{same} of {} members are in the recording", live.len());
    println!("one of them: {}", members[0].text("Email").unwrap_or("?"));
    match client.read_panel(ReadPanelRequest::new(7)) {
        Err(error) if error.kind() == ErrorKind::Configuration => {
            println!("{}", error.to_string().replace(&file.display().to_string(), "calls.jsonl"));
        }
        other => drop(other?),
    }
    std::fs::remove_file(file)?;
    Ok(())
}
