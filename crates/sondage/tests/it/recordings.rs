//! Calls that are recorded over HTTP from a sandbox, and replayed after it has stopped, without secrets and personal
//! data.

use crate::support::sandbox::builder;
use serde_json::Value;
use sondage::condition::field;
use sondage::config::{ClientBuilder, Environment, HttpSettings};
use sondage::model::*;
use sondage::{Client, Effect, ErrorKind, FieldValue, Json, RawCall};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that is removed at the end of the test.
struct Recording(PathBuf);

impl Recording {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recording-{name}.jsonl"));
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn record(&self, sandbox: &Sandbox) -> Client {
        let secret = sandbox.client_secret();
        builder(sandbox).client_secret(secret).page_size(50).record(&self.0).build().unwrap()
    }

    /// A client without an account.
    fn replay(&self) -> sondage::Result<Client> {
        let bare = ClientBuilder::new().environment(Environment::empty());
        bare.page_size(50).retry_base(std::time::Duration::from_millis(2)).replay(&self.0).build()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }

    fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// What a program reads.
#[derive(Debug)]
struct Read {
    members: Vec<Member>,
    ada: Vec<Member>,
    panel: ReadPanelResponse,
    interviews: ReadInterviewListCompactResponse,
    columns: ReadInterviewListResponse,
}

async fn read(client: &Client, (panel_id, survey_id): (i64, i64)) -> Read {
    let interviews =
        || ReadInterviewListRequest::new(survey_id).paging(Paging::new(20, 1)).load_code_plan(true);
    let ada = field("Email").is_equal_to("ada@example.com");
    Read {
        members: client.members(panel_id).collect_all().await.unwrap(),
        ada: client.members(panel_id).filter(ada).collect_all().await.unwrap(),
        panel: client.read_panel(ReadPanelRequest::new(panel_id)).await.unwrap(),
        interviews: client.read_interview_list_compact(interviews()).await.unwrap(),
        columns: client.read_interview_list(interviews()).await.unwrap(),
    }
}

fn ids(members: &[Member]) -> Vec<i64> {
    members.iter().map(|member| member.id).collect()
}

fn distinct(members: &[Member], name: &str) -> usize {
    members.iter().filter_map(|member| member.text(name)).collect::<BTreeSet<_>>().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_is_read_again_without_a_service() {
    let recording = Recording::new("read");
    let sandbox = Sandbox::demo().await.unwrap();
    let of = (sandbox.panel_id(), sandbox.survey_id());
    let live = read(&recording.record(&sandbox), of).await;
    let requests = sandbox.ledger().requests("ReadMemberList").len();
    sandbox.stop();

    let replayed = read(&recording.replay().unwrap(), of).await;
    assert_eq!(ids(&replayed.members), ids(&live.members));
    assert_eq!(ids(&replayed.ada), ids(&live.ada));
    assert!(live.members.len() == 200 && requests >= 5, "several pages");
    for (one, other) in replayed.members.iter().zip(&live.members) {
        assert_eq!(one.fields.keys().collect::<Vec<_>>(), other.fields.keys().collect::<Vec<_>>());
        assert_eq!(one.created_at, other.created_at);
    }
    assert_eq!(distinct(&replayed.members, "Email"), distinct(&live.members, "Email"), "rows stay distinct");
    let groups = |read: &Read| format!("{:?}", read.panel.panel.as_ref().unwrap().groups);
    assert_eq!(groups(&replayed), groups(&live), "a definition names nobody");
    assert_eq!(replayed.interviews.total_count, live.interviews.total_count);
    assert_eq!(format!("{:?}", replayed.interviews.code_plan), format!("{:?}", live.interviews.code_plan));
    for (one, other) in replayed.interviews.interviews.iter().zip(&live.interviews.interviews) {
        assert!(one.keys().eq(other.keys()) && one["State"] == other["State"]);
        assert!(one["UpdatedAt"] == other["UpdatedAt"] && one["Id"] != other["Id"]);
        let hidden = one.iter().filter(|(name, value)| *value != &other[name.as_str()] && *name != "Id");
        for (name, value) in hidden {
            let alike = matches!(
                (value, &other[name.as_str()]),
                (FieldValue::Int(0), FieldValue::Int(_) | FieldValue::Float(_))
                    | (FieldValue::Text(_), FieldValue::Text(_))
            );
            assert!(alike, "{name}: {value:?}");
        }
    }
    let ids: BTreeSet<_> =
        replayed.interviews.interviews.iter().map(|row| row["Id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), live.interviews.interviews.len(), "interviews stay distinct");
    for (one, row) in replayed.columns.interviews.iter().zip(&replayed.interviews.interviews) {
        let id = one.columns.iter().find(|column| column.id.as_deref() == Some("Id")).unwrap();
        assert_eq!(id.value, row["Id"], "the same interview has the same id everywhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_has_no_secret_and_no_person() {
    let recording = Recording::new("persons");
    let sandbox = Sandbox::demo().await.unwrap();
    let client = recording.record(&sandbox);
    let of = (sandbox.panel_id(), sandbox.survey_id());
    let live = read(&client, of).await;
    let planted = [("Email", "canary@example.com"), ("FirstName", "Canary"), ("LastName", "Canaryson")];
    let created = CreateMembersRequest::new(of.0, [NewMember::of(planted)]);
    let member = client.create_members(created).await.unwrap().members_ids[0].unwrap();
    let changes = MemberChange::of(member, [("FirstName", "Canarina")]);
    client.update_members(UpdateMembersRequest::new(of.0, [changes])).await.unwrap();
    let opted_out = CellPhoneItem::new(791_234_567, OptOutOperation::Add);
    let _ = client
        .write_opt_out_list(WriteOptOutListRequest::new().panel_id(of.0).cell_phones([opted_out]))
        .await;
    let links = client.read_survey_links(ReadSurveyLinksRequest::new(of.1)).await.unwrap();
    client.read_survey(ReadSurveyRequest::new(sandbox.feedback_survey_id())).await.unwrap();

    let text = recording.text();
    let mut looked = 0;
    for value in live.members.iter().flat_map(|member| member.fields.values()) {
        let FieldValue::Text(value) = &value.value else { continue };
        // Choices such as divisions are part of the panel's definition, which names no person.
        let panel = live.panel.panel.as_ref().unwrap();
        let mut fields = panel.groups.iter().flat_map(|group| &group.fields);
        let choice = fields.any(|it| it.metadata.values().flatten().any(|it| it.value == *value));
        // A language code occurs in many words.
        if value.len() < 3 || choice {
            continue;
        }
        looked += 1;
        assert!(!text.contains(value.as_str()), "{value}");
    }
    assert!(looked >= 400, "{looked} values");
    for row in &live.interviews.interviews {
        assert!(!text.contains(row["Id"].as_str().unwrap()), "an id of an interview opens it");
    }
    for link in links.anonymous_list.iter().filter_map(|link| link.url.as_deref()) {
        assert!(!text.contains(link), "{link}");
    }
    let secrets = [sandbox.client_secret(), sandbox.password(), sandbox.base_url(), sandbox.tenant()];
    for secret in secrets.into_iter().chain(["anary", "79123456", "Bearer", "access_token", "@example"]) {
        assert!(!text.contains(secret), "{secret}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&recording.0).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// A line in a file without a name would be in no recording.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_is_removed_or_replaced_stops_the_next_call() {
    let sandbox = Sandbox::demo().await.unwrap();
    for meddling in ["removed", "replaced", "copied"] {
        let recording = Recording::new(meddling);
        let client = recording.record(&sandbox);
        let read = async || client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await;
        read().await.unwrap();
        let moved = Recording::new("moved");
        fs::rename(&recording.0, &moved.0).unwrap();
        match meddling {
            "replaced" => fs::write(&recording.0, "something else\n").unwrap(),
            "copied" => fs::copy(&moved.0, &recording.0).map(drop).unwrap(),
            _ => {}
        }
        // The answer of this one is not lost. The next one is not sent.
        read().await.unwrap();
        let arrived = sandbox.ledger().requests("ReadPanel").len();
        let error = read().await.unwrap_err().to_string();
        assert!(error.contains("it was removed or replaced while it was used"), "{error}");
        assert_eq!(sandbox.ledger().requests("ReadPanel").len(), arrived);
        drop(client);
    }
}

/// A name can be a person's: names are kept where the API or a panel defines them, and nowhere else.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_no_model_knows_are_covered() {
    let recording = Recording::new("names");
    let sandbox = Sandbox::demo().await.unwrap();
    let client = recording.record(&sandbox);
    let answer = |operation: &str, text: &str| {
        let body = FaultAction::Body { text: text.to_owned() };
        sandbox.fault(Fault::on(operation).action(body));
    };
    answer(
        "ReadMemberList",
        r#"{"isSuccess":true,"totalCount":1,"canary.byron":1,"byName":{"canary.lovelace":{"id":"canary"}},
            "members":[{"id":1,"createdAt":"2024-05-01T12:00:00Z","fields":{"Email":
            {"name":"Email","fieldType":"String","value":{"canary.king":["canary"]},"canary.noel":2}}}]}"#,
    );
    let read = client.read_member_list(ReadMemberListRequest::new(1)).await.unwrap();
    assert!(format!("{:?}", read.members).contains("canary.king"), "the program sees them");
    answer(
        "/publicapi/Panel/v3/ReadSomething",
        r#"{"isSuccess":true,"people":{"canary.byron":{"value":7},"canary.noel":8}}"#,
    );
    let body = Json::parse(r#"{"panelId":1,"canary.gordon":{"id":3}}"#).unwrap();
    let call = RawCall::new("/publicapi/Panel/v3/ReadSomething", body, Effect::Read);
    client.raw(call.clone()).await.unwrap();
    sandbox.stop();

    let text = recording.text();
    assert!(!text.contains("canary"), "{text}");
    for known in ["totalCount", "panelId", "\"Email\":"] {
        assert!(text.contains(known), "{known}: {text}");
    }
    let replay = recording.replay().unwrap();
    assert_eq!(replay.read_member_list(ReadMemberListRequest::new(1)).await.unwrap().members.len(), 1);
    let people: Value = replay.raw(call).await.unwrap().value.read().unwrap();
    let people = people.as_object().unwrap().values().find_map(Value::as_object).unwrap();
    assert_eq!(people.len(), 2, "names stay distinct");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_gets_its_answers_in_order_and_then_the_last() {
    let recording = Recording::new("order");
    let sandbox = Sandbox::demo().await.unwrap();
    let panel = sandbox.panel_id();
    let count = async |client: &Client| {
        let request = ReadMemberListRequest::new(panel).paging(Paging::new(1, 1));
        client.read_member_list(request).await.unwrap().total_count.unwrap()
    };
    {
        let client = recording.record(&sandbox);
        assert_eq!(count(&client).await, 200);
        let more = NewMember::of([("Email", "canary@example.com")]);
        client.create_members(CreateMembersRequest::new(panel, [more])).await.unwrap();
        sandbox.fault(Fault::on("ReadMemberList").status(503));
        assert_eq!(count(&client).await, 201);
        sandbox.fault(Fault::on("ReadPanel").status(401));
        client.read_panel(ReadPanelRequest::new(panel)).await.unwrap();
        client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
    }
    sandbox.stop();

    let client = recording.replay().unwrap();
    assert_eq!(count(&client).await, 200);
    let who = NewMember::of([("Email", "somebody-else@example.com")]);
    client.create_members(CreateMembersRequest::new(panel, [who])).await.unwrap();
    assert_eq!([count(&client).await, count(&client).await, count(&client).await], [201; 3]);
    client.read_panel(ReadPanelRequest::new(panel)).await.unwrap();
    let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
    assert_eq!((error.kind(), error.error_code()), (ErrorKind::Api, Some("PanelNotFound")));
    let statuses: Vec<i64> =
        recording.lines()[1..].iter().map(|line| line["answer"]["status"].as_i64().unwrap()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 503).count(), 1, "each attempt is a line");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_not_recorded_is_an_error_that_names_the_nearest() {
    let recording = Recording::new("unknown");
    let sandbox = Sandbox::demo().await.unwrap();
    let panel = sandbox.panel_id();
    recording.record(&sandbox).read_panel(ReadPanelRequest::new(panel)).await.unwrap();
    let client = recording.replay().unwrap();
    let before = sandbox.ledger().requests("ReadPanel").len();

    let error = client.read_panel(ReadPanelRequest::new(12_345)).await.unwrap_err();
    let text = error.to_string();
    assert_eq!(
        (error.kind(), error.attempts(), error.changed_nothing()),
        (ErrorKind::Configuration, 1, true)
    );
    for part in ["ReadPanel", "12345", "line 2", &format!("panelId is {panel} and not 12345")] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let error = client.members(panel).collect_all().await.unwrap_err().to_string();
    assert!(error.contains("ReadMemberList") && error.contains("has responses to ReadPanel"), "{error}");
    let write = CreateMembersRequest::new(panel, [NewMember::of([("Email", "canary@example.com")])]);
    let error = client.create_members(write).await.unwrap_err();
    assert!(error.kind() == ErrorKind::Configuration && !error.to_string().contains("canary"), "{error}");
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_recording_is_neither_replayed_nor_continued() {
    let recording = Recording::new("torn");
    let sandbox = Sandbox::demo().await.unwrap();
    let read = async |client: Client| client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await;
    read(recording.record(&sandbox)).await.unwrap();
    read(recording.record(&sandbox)).await.unwrap();
    assert_eq!(recording.lines().len(), 3, "a recording is continued");

    let whole = recording.text();
    let torn = &whole[..whole.len() - 20];
    let foreign = "name,age\nada,41\n".to_owned();
    let newer = whole.replacen("\"version\":1", "\"version\":2", 1);
    let broken = whole.replacen("\"status\":200", "\"status\":", 1);
    for (content, replayed, continued) in [
        (torn, "in the middle of line 3", Some("its last line is torn")),
        (&foreign, "is not a recording", Some("is not a recording")),
        (&newer, "is of version 2", Some("another version")),
        (&broken, "is damaged in line 2", None),
    ] {
        fs::write(&recording.0, content).unwrap();
        let error = recording.replay().unwrap_err();
        assert!(error.kind() == ErrorKind::Configuration && error.to_string().contains(replayed), "{error}");
        let Some(continued) = continued else { continue };
        let before = sandbox.ledger().requests("ReadPanel").len();
        let error = read(recording.record(&sandbox)).await.unwrap_err();
        assert!(error.kind() == ErrorKind::Configuration && error.to_string().contains(continued), "{error}");
        assert_eq!(
            sandbox.ledger().requests("ReadPanel").len(),
            before,
            "nothing is sent that is not recorded"
        );
        assert_eq!(recording.text(), content, "the file is left as it is");
    }
    fs::remove_file(&recording.0).unwrap();
    let missing = recording.replay().unwrap_err();
    assert!(missing.to_string().contains("cannot be read"), "{missing}");
}

#[test]
fn recording_and_replaying_exclude_each_other() {
    let both = ClientBuilder::new().environment(Environment::empty()).tenant("acme").record("a").replay("b");
    let error = both.resolve().unwrap_err();
    assert!(error.to_string().contains("exclude each other"), "{error}");
    assert!(!Path::new("a").exists(), "a setting makes no file");
    drop(HttpSettings::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_uses_no_login_of_ones_own() {
    let recording = Recording::new("login");
    let sandbox = Sandbox::demo().await.unwrap();
    recording.record(&sandbox).read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    let tokens = Recording::new("login-tokens");
    let (user, password) = (sandbox.username(), sandbox.password());
    let own = builder(&sandbox).username(user).password(password).token_file(&tokens.0);
    let client = own.replay(&recording.0).build().unwrap();
    let before = sandbox.ledger().requests("ReadPanel").len();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), before);
    assert!(!tokens.0.exists(), "a made-up token is not stored");
}
