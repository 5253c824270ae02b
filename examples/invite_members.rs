//! Creates members, counts whom an invitation will reach, and invites them.

use sondage::condition::field;
use sondage::model::{CreateMembersRequest, InviteMembersRequest, NewMember};
use sondage::{Client, ErrorKind};

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
    let audience = client.members(panel).filter(analysts.clone()).iter().collect::<Result<Vec<_>, _>>()?;
    println!("will be invited: {}", audience.len());
    let mut invitation = InviteMembersRequest::new(survey, panel, template);
    invitation.conditions = Some(analysts.compile()?);
    match client.invite_members(invitation) {
        Ok(invited) => println!("invited by distributor {}", invited.distributor_id.unwrap_or_default()),
        Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {
            println!("perhaps invited. {}", error.reconcile().unwrap_or_default());
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
