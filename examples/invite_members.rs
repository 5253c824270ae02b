//! Creates members, plans an invitation, and sends it to exactly the planned members.

use sondage::Client;
use sondage::condition::field;
use sondage::model::{CreateMembersRequest, NewMember};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::InviteOptions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ids = std::env::args().skip(1).map(|id| id.parse()).collect::<Result<Vec<i64>, _>>()?;
    let [panel, survey, template] = ids[..] else {
        return Err("give a panel, a survey and a message template".into());
    };
    let client = Client::builder().build_blocking()?; // the SONDAGE_* environment says how to connect

    let ada = [("Email", "ada@example.com"), ("FirstName", "Ada"), ("Division", "Analysis")];
    let grace = [("Email", "not an address"), ("FirstName", "Grace"), ("Division", "Analysis")];
    let members = [NewMember::of(ada), NewMember::of(grace)];
    let created = client.create_members(CreateMembersRequest::new(panel, members))?;
    for issue in created.validation_issues {
        println!("not created: {}", issue.error_message.unwrap_or_default());
    }

    let analysts = field("Division").is_equal_to("Analysis");
    let plan = client.plan_invite(InviteOptions::new(survey, panel, template).filter(analysts))?;
    println!("will be invited: {}", plan.members().len());
    let report = plan.wait(plan.token())?;
    match report.stopped {
        None => println!("invited by distributor {}", report.distributor_id.unwrap_or_default()),
        Some(error) => println!("perhaps invited. {}", error.reconcile().unwrap_or_default()),
    }
    Ok(())
}
