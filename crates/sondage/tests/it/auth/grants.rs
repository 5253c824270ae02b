//! Every grant, from the settings to a call that works.

use super::{shown, tokens};
use crate::support::sandbox::builder;
use sondage::auth::Credentials;
use sondage::config::{ClientBuilder, Grant};
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage::{Client, ErrorKind, Result};
use sondage_sandbox::{Fault, FaultAction, GetApiTokenAnswer, Sandbox};

async fn read(client: &Client, sandbox: &Sandbox) -> Result<()> {
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.map(drop)
}

fn password(sandbox: &Sandbox) -> ClientBuilder {
    builder(sandbox).username(sandbox.username()).password(sandbox.password())
}

#[tokio::test]
async fn client_credentials_with_and_without_a_refresh_token() {
    for refresh in [false, true] {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.refresh_token_for_client_credentials = refresh);
        let client = builder(&sandbox).client_secret(sandbox.client_secret()).build().unwrap();
        read(&client, &sandbox).await.unwrap();
        sandbox.revoke_tokens();
        read(&client, &sandbox).await.unwrap();
        let then = if refresh {
            vec!["client_credentials", "refresh_token", "client_credentials"]
        } else {
            vec!["client_credentials"; 2]
        };
        assert_eq!(shown(&sandbox), then, "without a good refresh token the grant is asked again");
    }
}

#[tokio::test]
async fn a_password_with_and_without_a_client_secret() {
    let sandbox = Sandbox::demo().await.unwrap();
    for builder in [password(&sandbox), password(&sandbox).client_secret(sandbox.client_secret())] {
        read(&builder.build().unwrap(), &sandbox).await.unwrap();
    }
    sandbox.change_profile(|profile| profile.client_secret_always_required = true);
    let error = read(&password(&sandbox).build().unwrap(), &sandbox).await.unwrap_err();
    assert!(error.to_string().contains("must authenticate with a client secret"), "{error}");
}

#[tokio::test]
async fn a_password_for_one_panel() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = password(&sandbox).panel_id(sandbox.panel_id()).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    let other = client.read_panel(ReadPanelRequest::new(sandbox.customer_panel_id())).await.unwrap_err();
    assert_eq!(other.kind(), ErrorKind::PermissionDenied);
    assert!(other.to_string().contains("The grant in use is a password"), "{other}");
}

#[tokio::test]
async fn rights_follow_the_grant() {
    let sandbox = Sandbox::demo().await.unwrap();
    let reader = sandbox.account().reader.clone();
    let client = builder(&sandbox).username(reader).password(sandbox.password()).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    let refused = client
        .create_members(CreateMembersRequest::new(
            sandbox.panel_id(),
            [NewMember::of([("Email", "a@example.com")])],
        ))
        .await;
    let error = refused.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert!(error.hint().contains("a password"), "{error}");
}

#[tokio::test]
async fn after_half_an_hour_the_refresh_token_is_used_and_replaced() {
    for rotate in [false, true] {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.rotate_refresh_tokens = rotate);
        let client = password(&sandbox).build().unwrap();
        read(&client, &sandbox).await.unwrap();
        for _ in 0..3 {
            sandbox.clock().advance_seconds(31 * 60);
            read(&client, &sandbox).await.unwrap();
        }
        assert_eq!(shown(&sandbox), ["password", "refresh_token", "refresh_token", "refresh_token"]);
    }
}

#[tokio::test]
async fn a_day_later_the_refresh_is_refused_and_the_password_is_shown_again() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = password(&sandbox).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    sandbox.clock().advance_seconds(25 * 3600);
    read(&client, &sandbox).await.unwrap();
    assert_eq!(shown(&sandbox), ["password", "refresh_token", "password"]);
}

#[tokio::test]
async fn a_fixed_token_works_until_it_ends() {
    let sandbox = Sandbox::demo().await.unwrap();
    let source = tokens(&builder(&sandbox).client_secret(sandbox.client_secret()));
    let token = source.token(None).await.unwrap().header_value();
    let token = token.to_str().unwrap().strip_prefix("Bearer ").unwrap();
    let client = builder(&sandbox).token(token).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    sandbox.clock().advance_seconds(31 * 60);
    let error = read(&client, &sandbox).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Authentication);
    assert!(error.to_string().contains("no credentials to request another one"), "{error}");
    assert_eq!(shown(&sandbox).len(), 1);
}

#[tokio::test]
async fn the_deprecated_token_call_in_both_shapes_and_only_by_name() {
    for answer in [GetApiTokenAnswer::Object, GetApiTokenAnswer::Text, GetApiTokenAnswer::Off] {
        let sandbox = Sandbox::demo().await.unwrap();
        sandbox.change_profile(|profile| profile.get_api_token = answer);
        let client = password(&sandbox).grant(Grant::ApiToken).build().unwrap();
        let result = read(&client, &sandbox).await;
        if answer == GetApiTokenAnswer::Off {
            let error = result.unwrap_err();
            assert!(error.to_string().contains("no longer has GetApiToken"), "{error}");
        } else {
            result.unwrap();
            sandbox.clock().advance_seconds(13 * 3600);
            read(&client, &sandbox).await.expect("after 12 hours it is asked for again");
        }
    }
    // A token in an error response is not used, whatever it is called.
    let sandbox = Sandbox::demo().await.unwrap();
    let text = r#"{"isSuccess":false,"errorCode":"Locked","accessToken":"not-for-use"}"#.to_owned();
    sandbox.fault(Fault::on("GetApiToken").every().action(FaultAction::Body { text }));
    let client = password(&sandbox).grant(Grant::ApiToken).build().unwrap();
    let error = read(&client, &sandbox).await.unwrap_err();
    assert_eq!((error.kind(), error.error_code()), (ErrorKind::Authentication, Some("Locked")), "{error}");
    let sandbox = Sandbox::demo().await.unwrap();
    read(&password(&sandbox).build().unwrap(), &sandbox).await.unwrap();
    assert_eq!(shown(&sandbox), ["password"], "a user and a password alone never mean the deprecated call");
}

#[tokio::test]
async fn credentials_in_code_beat_settings() {
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = password(&sandbox).client_secret(sandbox.client_secret());
    let client = builder.credentials(Credentials::ClientCredentials).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    assert_eq!(shown(&sandbox), ["client_credentials"]);
    assert_eq!(client.config().explain().value("grant"), Some("client_credentials"));
}

#[tokio::test]
async fn a_failure_after_a_renewal_says_nothing_against_the_new_token() {
    let sandbox = Sandbox::demo().await.unwrap();
    sandbox.change_profile(|profile| profile.refresh_token_for_client_credentials = false);
    let client = builder(&sandbox).client_secret(sandbox.client_secret()).build().unwrap();
    read(&client, &sandbox).await.unwrap();
    sandbox.revoke_tokens();
    sandbox.fault(Fault::on("ReadPanel").skip(1).status(503));
    read(&client, &sandbox).await.unwrap();
    assert_eq!(shown(&sandbox).len(), 2, "refused, renewed, not available, done");
}
