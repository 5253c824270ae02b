//! A sandbox that is kept in a folder: what was answered is there again after every kind of end.

use crate::http::{Api, members, send};
use crate::known::Known;
use serde_json::{Value, json};
use sondage::operation::{Effect, OperationInfo};
use sondage::operations::ALL;
use sondage_sandbox::{Cause, Content, Fill, GivenRows, Sandbox};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sondage-state-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// Another test may have got an address of the state by chance, between two sandboxes: it ends soon.
    fn start(&self) -> io::Result<Sandbox> {
        for _ in 0..600 {
            match Sandbox::builder().state(&self.0).start_blocking() {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                started => return started,
            }
        }
        Sandbox::builder().state(&self.0).start_blocking()
    }

    fn file(&self) -> PathBuf {
        self.0.join("world.jsonl")
    }

    fn refused(&self) -> String {
        self.start().expect_err("a refusal").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The lines of a snapshot after the first, without their checksums and numbers.
fn content(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("world.jsonl")).unwrap();
    text.lines().skip(1).map(|line| line[9..].split_once(' ').unwrap().1.to_owned()).collect()
}

/// A line with its checksum and number.
fn numbered(number: usize, json: &str) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(format!("{number} {json}").as_bytes());
    format!("{:08x} {number} {json}\n", crc.sum())
}

/// Compares a sandbox with what its folder has.
fn is_as_stored(sandbox: Sandbox, folder: &Folder) {
    let copy = Folder::new(&format!("{}-copy", folder.0.file_name().unwrap().display()));
    sandbox.snapshot(&copy.0).unwrap();
    let live = content(&copy.0);
    drop(sandbox);
    folder.start().unwrap().snapshot(&copy.0).unwrap();
    let stored = content(&copy.0);
    for (live, stored) in live.iter().zip(&stored) {
        assert_eq!(live, stored);
    }
    assert_eq!(live.len(), stored.len());
}

fn count(sandbox: &Sandbox) -> usize {
    let interviews =
        Api::new(sandbox).ok("ReadInterviewListCompact", &json!({ "surveyId": sandbox.survey_id() }));
    interviews["interviews"].as_array().unwrap().len()
}

#[test]
fn every_operation_that_writes_is_stored() {
    let folder = Folder::new("operations");
    let sandbox = folder.start().unwrap();
    let api = Api::new(&sandbox);
    let known = Known::of(sandbox.account(), sandbox.feedback_survey_id(), &api);
    // Those that close or delete what the others need come last.
    let ends = |row: &OperationInfo| {
        row.name.starts_with("Delete") || row.request.fields.iter().any(|field| field.wire == "targetState")
    };
    let writes = ALL.iter().filter(|row| row.effect != Effect::Read && row.effect != Effect::Token);
    let (last, first): (Vec<&OperationInfo>, Vec<&OperationInfo>) = writes.partition(|row| ends(row));
    let mut written = 0;
    for row in first.into_iter().chain(last) {
        let (status, answer) = api.call(row.name, &known.request(&api, row));
        assert!(status < 500, "{}: {answer}", row.name);
        written += usize::from(status == 200);
    }
    assert!(written > 20, "{written} calls were carried out");
    sandbox.clock().advance(Duration::from_secs(86_400));
    sandbox.opt_out(500_007);
    sandbox.emit(Cause::UpdateMember {
        member_id: 500_008,
        fields: json!({ "FirstName": "Zoë" }).as_object().unwrap().clone(),
    });
    sandbox.emit(Cause::RemoveMember { member_id: 500_009 });
    sandbox.emit(Cause::CloseSurvey { survey_id: sandbox.survey_id() });
    is_as_stored(sandbox, &folder);
}

#[test]
fn a_killed_process_loses_nothing_that_was_answered() {
    let (folder, frozen) = (Folder::new("killed"), Folder::new("frozen"));
    let sandbox = folder.start().unwrap();
    let api = Api::new(&sandbox);
    let request = json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": {} }] });
    let id = api.ok("CreateMembers", &request)["membersIds"][0].clone();
    let answered = sandbox.fill(&Fill::new(sandbox.survey_id()).people(7)).unwrap();
    // What is in the file now is what a killed process leaves: there is no other place for it.
    fs::create_dir(&frozen.0).unwrap();
    fs::copy(folder.file(), frozen.file()).unwrap();
    let (before, secret, url) =
        (count(&sandbox), sandbox.client_secret().to_owned(), sandbox.base_url().to_owned());
    drop(sandbox);
    let again = frozen.start().unwrap();
    assert_eq!((again.client_secret(), again.base_url()), (secret.as_str(), url.as_str()));
    assert_eq!(count(&again), before);
    let mut request = members(&again);
    request["conditions"] = json!([{
        "conjunction": "And", "conditionType": "SQL", "identifier": "Id", "conditionOperator": "IsEqualTo", "value": id.to_string(),
    }]);
    assert_eq!(Api::new(&again).ok("ReadMemberList", &request)["members"][0]["id"], id);
    let interviews =
        Api::new(&again).ok("ReadInterviewListCompact", &json!({ "surveyId": again.survey_id() }));
    let known: Vec<&str> = interviews["interviews"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|interview| interview["Id"].as_str())
        .collect();
    assert!(answered.iter().all(|id| known.contains(&id.as_str())));
    let state = again.state().unwrap();
    assert!(!state.is_new && state.cut_bytes == 0);
}

#[test]
fn a_change_that_was_being_written_is_left_out_wherever_it_was_cut() {
    let (folder, cut) = (Folder::new("torn"), Folder::new("cut"));
    let sandbox = folder.start().unwrap();
    let before = fs::metadata(folder.file()).unwrap().len();
    let row = json!({ "no such column": 1 }).as_object().unwrap().clone();
    assert!(sandbox.answer(&GivenRows { survey_id: sandbox.survey_id(), rows: vec![row] }).is_err());
    assert_eq!(fs::metadata(folder.file()).unwrap().len(), before, "nothing was changed, nothing is written");
    let people = count(&sandbox);
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(2)).unwrap();
    drop(sandbox);
    let whole = fs::read(folder.file()).unwrap();
    fs::create_dir(&cut.0).unwrap();
    let before = usize::try_from(before).unwrap();
    let middle =
        (before..whole.len()).step_by((whole.len() - before) / 12).chain([before + 1, whole.len() - 1]);
    for length in middle {
        fs::write(cut.file(), &whole[..length]).unwrap();
        let sandbox = cut.start().unwrap();
        assert_eq!(count(&sandbox), people, "cut at {length} of {}", whole.len());
        assert_eq!(sandbox.state().unwrap().cut_bytes, (length - before) as u64);
        sandbox.fill(&Fill::new(sandbox.survey_id()).people(1)).unwrap();
        drop(sandbox);
        assert_eq!(count(&cut.start().unwrap()), people + 1, "it goes on after the cut");
    }
}

#[test]
fn a_damaged_or_foreign_file_is_refused_with_its_line() {
    let folder = Folder::new("damaged");
    let sandbox = folder.start().unwrap();
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(1)).unwrap();
    drop(sandbox);
    let whole = fs::read(folder.file()).unwrap();
    let mut damaged = whole.clone();
    let third = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 20;
    damaged[third] ^= 1;
    fs::write(folder.file(), &damaged).unwrap();
    let error = folder.refused();
    assert!(error.contains("line 3: its checksum is wrong") && error.contains("world.jsonl"), "{error}");
    assert_eq!(fs::read(folder.file()).unwrap(), damaged, "nothing was written");
    // A line of another version, with what is secret in it.
    let text = String::from_utf8(whole.clone()).unwrap();
    let count = text.lines().count();
    let last = text.lines().last().unwrap()[9..].split_once(' ').unwrap().1;
    let line = r#"{"at":["demo"],"value":{"name":["Ada","secret-of-demo"]}}"#;
    let lines = [&text, &*numbered(count + 1, line), &numbered(count + 2, last)].concat();
    fs::write(folder.file(), &lines).unwrap();
    let error = folder.refused();
    assert!(
        error.contains("this version cannot read it") && !error.contains("secret") && !error.contains("Ada"),
        "{error}"
    );
    fs::write(folder.file(), "{}\n").unwrap();
    assert!(folder.refused().contains("line 1: it is not of a sandbox"));
    fs::write(folder.file(), &whole[..whole.len() / 4]).unwrap();
    assert!(folder.refused().contains("the content is not complete"));
    fs::write(folder.file(), "").unwrap();
    assert!(folder.refused().contains("line 1"));
}

#[test]
fn a_newer_version_and_a_second_process_are_refused() {
    let folder = Folder::new("versions");
    let sandbox = folder.start().unwrap();
    let busy = folder.refused();
    assert!(busy.contains("another sandbox uses it"), "{busy}");
    drop(sandbox);
    let text = fs::read_to_string(folder.file()).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let head = first[11..].replace("\"version\":\"", "\"version\":\"9");
    fs::write(folder.file(), numbered(1, &head.replace("\"sandbox\":2", "\"sandbox\":3")) + rest).unwrap();
    let error = folder.refused();
    assert!(error.contains("was written by version 9") && error.contains("with that version"), "{error}");
    assert!(error.contains("in the format 3") && error.contains("reads the formats up to 2"), "{error}");
    let old = format!("{} {}\n", &first[..8], first[11..].replace("\"sandbox\":2", "\"sandbox\":1"));
    fs::write(folder.file(), old + rest).unwrap();
    let error = folder.refused();
    assert!(error.contains("line 1: an earlier version") && error.contains("or name another one"), "{error}");
}

/// Each line is whole, so only its number shows that it is in the wrong place.
#[test]
fn lines_in_other_places_are_refused() {
    let folder = Folder::new("places");
    let sandbox = folder.start().unwrap();
    let people = count(&sandbox);
    let begin = fs::read_to_string(folder.file()).unwrap().lines().count();
    let fill = || sandbox.fill(&Fill::new(sandbox.survey_id()).people(2)).unwrap();
    fill();
    fill();
    drop(sandbox);
    let text = fs::read_to_string(folder.file()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Two interviews and the end, twice.
    assert_eq!(lines.len(), begin + 6);
    for (at, is_later) in
        [(2, false), (begin - 2, false), (begin, true), (begin + 2, true), (begin + 3, true)]
    {
        let (mut removed, mut repeated, mut exchanged) = (lines.clone(), lines.clone(), lines.clone());
        removed.remove(at);
        repeated.insert(at, lines[at]);
        exchanged.swap(at, at + 1);
        for (changed, wrong) in [(removed, at + 1), (repeated, at + 2), (exchanged, at + 1)] {
            fs::write(folder.file(), changed.concat()).unwrap();
            let error = folder.refused();
            let said = format!("line {wrong}: it was written as line ");
            assert!(error.contains(&said) && error.contains("Nothing was changed"), "{error}");
            assert_eq!(error.contains(&format!("remove line {wrong} and all after it")), is_later, "{error}");
            assert_eq!(fs::read_to_string(folder.file()).unwrap(), changed.concat());
            if is_later {
                fs::write(folder.file(), changed[..wrong - 1].concat()).unwrap();
                let whole = if wrong > begin + 3 { 2 } else { 0 };
                assert_eq!(count(&folder.start().unwrap()), people + whole, "the cure, at {at}");
            }
        }
    }
}

#[test]
fn content_belongs_to_a_new_folder_and_a_port_and_a_secret_can_change() {
    let folder = Folder::new("settings");
    let start = |content| Sandbox::builder().content(content).state(&folder.0).start_blocking();
    let ids = start(Content::Waves).unwrap().survey_ids().clone();
    assert_eq!(&ids, folder.start().unwrap().survey_ids(), "settings may be left out later");
    assert_eq!(&ids, start(Content::Waves).unwrap().survey_ids(), "or repeated");
    let error =
        Sandbox::builder().extra_members(3).state(&folder.0).start_blocking().unwrap_err().to_string();
    assert!(error.contains("another `extra_members`") && error.contains("Nothing was changed"), "{error}");
    let sandbox =
        Sandbox::builder().secret("another-secret").port(0).state(&folder.0).start_blocking().unwrap();
    assert_eq!(sandbox.client_secret(), "another-secret");
    let address = sandbox.base_url().to_owned();
    drop(sandbox);
    let listener = std::net::TcpListener::bind(address.strip_prefix("http://").unwrap()).unwrap();
    // Without the patience of `Folder::start`: nobody frees this address.
    let error = Sandbox::builder().state(&folder.0).start_blocking().unwrap_err().to_string();
    assert!(error.contains("an address of the state") && error.contains("choose another `port`"), "{error}");
    drop(listener);
    let again = folder.start().unwrap();
    assert_eq!((again.client_secret(), again.base_url()), ("another-secret", address.as_str()));
}

/// The settings of the start were needed again.
#[test]
fn a_folder_knows_how_to_begin_anew() {
    let (folder, copy) = (Folder::new("anew"), Folder::new("anew-copy"));
    let frame = sondage_sandbox::Frame::new("mine").column("q", [1, 2]);
    let made = || Sandbox::builder().content(Content::Waves).seed(7).frame(frame.clone()).state(&folder.0);
    drop(made().start_blocking().unwrap());
    let sandbox = folder.start().unwrap();
    sandbox.fill(&Fill::new(sandbox.survey_id()).people(3)).unwrap();
    sandbox.snapshot(&copy.0).unwrap();
    assert_eq!(count(&sandbox), 5);
    sandbox.reset().unwrap();
    assert_eq!(count(&sandbox), 2);
    is_as_stored(sandbox, &folder);
    let copied = copy.start().unwrap();
    assert_eq!(count(&copied), 5, "a copy has its start, too");
    copied.reset().unwrap();
    assert_eq!(count(&copied), 2);
    drop(copied);
    fs::remove_file(copy.0.join("start.jsonl")).unwrap();
    let old = copy.start().unwrap();
    let error = old.reset().unwrap_err().to_string();
    assert!(error.contains("(content, frames[0], seed): start it with the same ones"), "{error}");
    let made_again = Sandbox::demo_blocking().unwrap();
    drop(old);
    made_again.snapshot(&folder.0).unwrap();
    assert!(!folder.0.join("start.jsonl").exists(), "the start of another sandbox does not stay");
}

/// Such a folder used to become a new demo, and its start was overwritten.
#[test]
fn a_folder_without_its_world_begins_again() {
    let folder = Folder::new("start");
    let shape = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/shapes/survey-8.json");
    let survey = {
        let sandbox = Sandbox::builder().state(&folder.0).survey(shape).fill(4).start_blocking().unwrap();
        sandbox.fill(&Fill::new(sandbox.survey_id()).people(3)).unwrap();
        sandbox.survey_id()
    };
    fs::remove_file(folder.file()).unwrap();
    let sandbox = folder.start().unwrap();
    assert_eq!(sandbox.survey_ids().values().collect::<Vec<_>>(), [&survey]);
    let whole = Api::new(&sandbox).ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
    assert_eq!(whole["interviews"].as_array().unwrap().len(), 4);
}

#[test]
fn a_copy_that_cannot_be_written_leaves_no_folder() {
    let folder = Folder::new("no-copy");
    let sandbox = folder.start().unwrap();
    let start = folder.0.join("start.jsonl");
    fs::remove_file(&start).unwrap();
    fs::create_dir(&start).unwrap();
    let copy = Folder::new("no-copy-made");
    assert!(sandbox.snapshot(&copy.0).is_err());
    assert!(!copy.0.exists());
}

/// The people of the start are content like all else: the same for the same seed, and a folder keeps their number.
#[test]
fn people_of_the_start_belong_to_a_new_folder() {
    let folder = Folder::new("people");
    let shapes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/shapes");
    let builder = || {
        Sandbox::builder().survey(shapes.join("survey-5.json")).survey(shapes.join("survey-1.json")).fill(20)
    };
    let answers = |sandbox: &Sandbox, survey: &i64| {
        let all = Api::new(sandbox).ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
        let mut rows = all["interviews"].as_array().unwrap().clone();
        // They answer now, at the addresses of this sandbox.
        for row in &mut rows {
            row.as_object_mut().unwrap().retain(|name, _| {
                !["StartDate", "EndDate", "UpdatedAt", "CreatedAt", "Link"].contains(&name.as_str())
            });
        }
        rows
    };
    let all = |sandbox: &Sandbox| -> Vec<Vec<Value>> {
        sandbox.survey_ids().values().map(|survey| answers(sandbox, survey)).collect()
    };
    let first = all(&builder().start_blocking().unwrap());
    assert_eq!(first.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20]);
    let ids: std::collections::HashSet<&str> =
        first.iter().flatten().filter_map(|row| row["Id"].as_str()).collect();
    assert_eq!(ids.len(), 40);
    let kept = builder().state(&folder.0).start_blocking().unwrap();
    assert!(all(&kept) == first);
    kept.fill(&Fill::new(kept.survey_id()).people(2)).unwrap();
    drop(kept);
    let again = builder().state(&folder.0).start_blocking().unwrap();
    assert_eq!(count(&again), 22, "nobody answers twice, and nothing is lost");
    again.reset().unwrap();
    assert!(all(&again) == first);
    drop(again);
    let error = builder().fill(500).state(&folder.0).start_blocking().unwrap_err().to_string();
    assert!(
        error.contains("another `fill` (20)") && error.contains("leave it out, or name a new folder"),
        "{error}"
    );
    let error = builder().fill(1_000_001).start_blocking().unwrap_err().to_string();
    assert_eq!(
        error, "fill: people: at most 1000000 are accepted in one call",
        "said once, not for each survey"
    );
}

#[test]
fn a_copy_is_restored_and_a_reset_begins_anew() {
    let (folder, copy) = (Folder::new("restore"), Folder::new("copy"));
    let sandbox = folder.start().unwrap();
    let people = count(&sandbox);
    let fill = |count| sandbox.fill(&Fill::new(sandbox.survey_id()).people(count)).unwrap();
    fill(3);
    sandbox.snapshot(&copy.0).unwrap();
    fill(4);
    sandbox.clock().advance(Duration::from_secs(3600));
    let api = Api::new(&sandbox);
    sandbox.restore(&copy.0).unwrap();
    assert_eq!(count(&sandbox), people + 3);
    assert!(
        (sandbox.clock().now() - chrono::Utc::now()).num_seconds().abs() < 60,
        "the clock is that of the copy"
    );
    api.ok("ReadIncentiveList", &json!({}));
    fill(1);
    sandbox.snapshot(&copy.0).unwrap();
    sandbox.change_profile(|profile| profile.first_page = 0);
    sandbox.reset().unwrap();
    assert_eq!(count(&sandbox), people);
    assert_eq!(sandbox.profile(), sondage_sandbox::Profile::default());
    fill(2);
    drop(api);
    is_as_stored(sandbox, &folder);
    assert_eq!(count(&folder.start().unwrap()), people + 2);
    let continued = Sandbox::builder().state(&copy.0).start_blocking().unwrap();
    assert_eq!(count(&continued), people + 4, "a copy is a folder to start with");
    let waves = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let error = waves.restore(&copy.0).unwrap_err().to_string();
    assert!(error.contains("Nothing was changed") && error.contains("`state`"), "{error}");
    let error = waves.restore(std::env::temp_dir().join("sondage-nowhere")).unwrap_err().to_string();
    assert!(error.contains("there is no world.jsonl in it"), "{error}");
}

#[test]
fn long_changes_are_folded_into_the_world() {
    let folder = Folder::new("folded");
    let sandbox = folder.start().unwrap();
    let people = count(&sandbox);
    let new = fs::metadata(folder.file()).unwrap().len();
    for _ in 0..6 {
        sandbox.fill(&Fill::new(sandbox.survey_id()).people(1000)).unwrap();
    }
    assert_eq!(count(&sandbox), people + 6000);
    let lines = content(&folder.0);
    let commits = lines.iter().filter(|line| line.starts_with("{\"commit\"")).count();
    assert!(commits < 5, "{commits} changes are still apart, after {new} bytes at the start");
    is_as_stored(sandbox, &folder);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_stored_is_an_error_and_is_stored_later() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("removed");
    let sandbox = folder.start().unwrap();
    let mode = fs::metadata(folder.file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "only its owner can read it");
    let api = Api::new(&sandbox);
    let lock = folder.0.join("world.jsonl.lock");
    fs::rename(&lock, folder.0.join("away")).unwrap();
    let request = json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": {} }] });
    let (status, answer) = api.call("CreateMembers", &request);
    assert_eq!((status, &answer["errorCode"]), (500, &json!("NotStored")));
    assert!(answer["errorMessage"].as_str().unwrap().contains("the change was made, but it is lost if"));
    let error = sandbox.fill(&Fill::new(sandbox.survey_id()).people(1)).unwrap_err().to_string();
    assert!(error.contains("the change was made"), "{error}");
    api.ok("ReadIncentiveList", &json!({}));
    fs::rename(folder.0.join("away"), &lock).unwrap();
    api.ok("CreateMembers", &request);
    is_as_stored(sandbox, &folder);
}

/// The working directory belongs to the whole process, so another one changes it.
#[test]
fn a_relative_folder_stays_where_it_was() {
    let folder = Folder::new("relative");
    let error = Sandbox::builder().state("").start_blocking().unwrap_err().to_string();
    assert!(error.contains("needs the name of a folder"), "{error}");
    let sandbox = folder.start().unwrap();
    assert!(Path::new(&sandbox.state().unwrap().folder).is_absolute());
}

#[test]
fn the_clock_of_the_control_endpoint_is_stored_at_once() {
    let (folder, frozen) = (Folder::new("clock"), Folder::new("clock-frozen"));
    let sandbox = folder.start().unwrap();
    let key = format!("Sandbox {}", sandbox.control_key());
    let url = format!("{}/_sandbox/clock", sandbox.base_url());
    let day: Value = json!({ "advance": 86_400 });
    send("POST", &url, &[("authorization", &key)], day.to_string().as_bytes()).unwrap();
    fs::create_dir(&frozen.0).unwrap();
    fs::copy(folder.file(), frozen.file()).unwrap();
    drop(sandbox);
    let ahead = frozen.start().unwrap().clock().now() - chrono::Utc::now();
    assert!((ahead.num_seconds() - 86_400).abs() < 60);
}
