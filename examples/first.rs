//! Creates members and finds one of them, on a survey platform in this process.

use sondage::condition::field;
use sondage::model::{CreateMembersRequest, NewMember};
use sondage_sandbox::Sandbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::demo_blocking()?;
    let client = sandbox.client().build_blocking()?;

    let ada = [("Email", "ada@example.com"), ("FirstName", "Ada"), ("Division", "Research")];
    let grace = [("Email", "not an address"), ("FirstName", "Grace"), ("Division", "Research")];
    let created = client.create_members(CreateMembersRequest::new(
        sandbox.panel_id(),
        [NewMember::of(ada), NewMember::of(grace)],
    ))?;
    for issue in created.validation_issues {
        println!("not created: {}", issue.error_message.unwrap_or_default());
    }

    let research = field("Division").is_equal_to("Research");
    let ada = field("FirstName").is_equal_to("Ada");
    for member in client.members(sandbox.panel_id()).filter(research & ada) {
        let member = member?;
        let (name, email) = (member.text("FirstName"), member.text("Email"));
        println!("found: {} {}", name.unwrap_or("?"), email.unwrap_or("?"));
    }
    Ok(())
}
