//! An empty list of ids would select nobody, but the service reads it as no restriction: it must never be sent.

use crate::drive::{builder, deletion, request};
use crate::service::answering::{AnsweringService, RawReply};
use crate::tally::Tally;
use sondage::model::{Condition, InviteMembersRequest, RemindMembersRequest};
use sondage::{Client, Error, ErrorKind, internals::runtime};

const CALLS: [&str; 4] = [
    "InviteMembers, no conditions",
    "InviteMembers, no members",
    "RemindMembers, no conditions",
    "DeleteMembers, no members",
];

pub fn run() -> Tally {
    let mut tally = Tally::default();
    for name in CALLS {
        let wrong = one(name).unwrap_or_else(Some);
        tally.add_named("empty selections", name, Some("python B1"), "an empty selection is not sent", wrong);
    }
    tally
}

fn one(name: &'static str) -> Result<Option<String>, String> {
    let service = AnsweringService::start(|_| RawReply::ok(r#"{"isSuccess":true}"#))
        .map_err(|error| error.to_string())?;
    let client = builder(&service.url(), None).build().map_err(|error| error.to_string())?;
    let error =
        runtime::block_on(async move { Ok(call(&client, name).await) }).map_err(|error| error.to_string())?;
    let sent = service.book.entries().len();
    let kind = error.map(|error| error.kind());
    Ok((sent > 0 || kind != Some(ErrorKind::InvalidArgument)).then(|| format!("{sent} sent, {kind:?}")))
}

async fn call(client: &Client, name: &str) -> Option<Error> {
    let invite = InviteMembersRequest::new(1, 2, 3);
    match name {
        "InviteMembers, no conditions" => {
            client.invite_members(invite.conditions(Vec::<Condition>::new())).await.err()
        }
        "InviteMembers, no members" => {
            client.invite_members(invite.member_ids(Vec::<i64>::new())).await.err()
        }
        "RemindMembers, no conditions" => client
            .remind_members(RemindMembersRequest::new(1, 2).conditions(Vec::<Condition>::new()))
            .await
            .err(),
        _ => match request(deletion(&[])) {
            Ok(request) => client.delete_members(request).await.err(),
            Err(error) => Some(error),
        },
    }
}
