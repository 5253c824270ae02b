//! The doctor: each planted fault is reported with its cure, no other problem is reported, and nothing is
//! changed.

mod faults;
mod scene;

use faults::{ALL, Planted};
use scene::Scene;
use sondage::arguments::DoctorOptions;
use sondage::doctor::{Diagnosis, HealthState};
use sondage_sandbox::Fault;
use std::collections::BTreeSet;
use std::time::Duration;

fn wrong(diagnosis: &Diagnosis) -> Vec<&'static str> {
    diagnosis.complaints().map(|check| check.check.as_str()).collect()
}

/// Plants faults and runs the doctor. Returns the report, after checks that apply to every report.
fn examined(faults: &[&Planted]) -> Diagnosis {
    let names: Vec<_> = faults.iter().map(|fault| fault.name).collect();
    let mut scene = Scene::new(&names.join("-and-"));
    for fault in faults {
        (fault.plant)(&mut scene);
    }
    let diagnosis = scene.examine();
    assert_eq!(diagnosis.healthy, diagnosis.complaints().next().is_none());
    let text = diagnosis.to_string();
    for secret in scene.secrets() {
        assert!(!text.contains(&secret), "{text}");
    }
    assert!(scene.changed_nothing(), "the examination changes nothing: {text}");
    diagnosis
}

#[test]
fn a_healthy_set_up_gets_no_complaint() {
    let diagnosis = examined(&[]);
    assert!(diagnosis.healthy, "{diagnosis}");
    assert!(diagnosis.checks.iter().all(|check| check.state == HealthState::Passed), "{diagnosis}");
    let checks: Vec<_> = diagnosis.checks.iter().map(|check| check.check.as_str()).collect();
    let all = [
        "settings",
        "profile_file",
        "token_file",
        "budget",
        "dns",
        "authentication_server",
        "token",
        "service",
        "rights",
        "first_page",
        "clock",
        "paths",
        "web_hook",
    ];
    assert_eq!(checks, all, "every check was made");
}

#[test]
fn each_fault_is_named_with_its_cure_and_nothing_else_is_blamed() {
    let mut missed = Vec::new();
    for fault in ALL {
        let diagnosis = examined(&[fault]);
        let named = diagnosis.complaints().next().is_some_and(|check| {
            check.found.contains(fault.found)
                && check.cure.as_ref().is_some_and(|cure| cure.contains(fault.cure))
        });
        if !named || wrong(&diagnosis) != [fault.topic] {
            missed.push(format!("{}:\n{diagnosis}", fault.name));
        }
    }
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), ALL.len(), missed.join("\n\n"));
}

/// Only root can change the owner of a file. For other users the fault "token file readable", above, tests the check.
#[cfg(unix)]
#[test]
fn a_token_file_of_another_user_is_named() {
    let scene = Scene::new("token-file-of-others");
    let given = std::os::unix::fs::chown(scene.token_file(), Some(65_534), None);
    if given.is_err_and(|why| why.kind() == std::io::ErrorKind::PermissionDenied) {
        return;
    }
    let diagnosis = scene.examine();
    assert_eq!(wrong(&diagnosis), ["token_file"], "{diagnosis}");
    let check = diagnosis.complaints().next().unwrap();
    assert!(check.found.contains("belongs to another user"), "{diagnosis}");
    assert_eq!(check.cure.as_deref(), Some("name a file of your own"), "{diagnosis}");
    assert!(scene.changed_nothing());
}

/// A check passes only if a call has verified it.
#[test]
fn a_check_that_could_not_be_made_is_skipped() {
    for (planted, topic) in [("credits fail", "rights"), ("no workspace", "first_page"), ("no path", "paths")]
    {
        let mut scene = Scene::new(planted);
        match planted {
            "credits fail" => (ALL.iter().find(|fault| fault.name == planted).unwrap().plant)(&mut scene),
            "no workspace" => {
                let said = r#"{"isSuccess":false,"errorCode":"PermissionDenied","errorMessage":"No."}"#;
                let refused = Fault::on("ReadWorkspaceList").status(403).body(said).every();
                drop(scene.sandbox.fault(refused));
            }
            // A service that has the operation at neither path.
            _ => drop(scene.sandbox.fault(Fault::on("CreateWebHook").status(404).every())),
        }
        let diagnosis = scene.examine();
        let check = diagnosis.checks.iter().find(|check| check.check.as_str() == topic).expect(topic);
        assert_eq!(check.state, HealthState::Skipped, "{planted}:\n{diagnosis}");
        assert!(!check.found.contains("may read"), "{planted}:\n{diagnosis}");
    }
}

/// Pairs of faults that can occur together: neither hides the other.
#[test]
fn of_two_faults_both_are_named() {
    let mut missed = Vec::new();
    let by_name = |name: &str| ALL.iter().find(|fault| fault.name == name).unwrap();
    for (one, other) in [
        ("secret", "clock slow"),
        ("password", "profile readable"),
        ("tenant", "html service"),
        ("token file readable", "no dns"),
        ("budget spent", "contradiction"),
        ("first page", "right missing"),
        ("paths", "hook ends"),
        ("clock fast", "old token file"),
        ("expired login", "connection refused"),
        ("right missing", "profile readable"),
    ] {
        let (one, other) = (by_name(one), by_name(other));
        let diagnosis = examined(&[one, other]);
        let mut named = wrong(&diagnosis);
        named.sort_unstable();
        let mut planted = [one.topic, other.topic];
        planted.sort_unstable();
        if named != planted {
            missed.push(format!("{} and {}:\n{diagnosis}", one.name, other.name));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

#[test]
fn what_it_waits_for_is_shown() {
    let scene = Scene::new("waiting");
    let client = scene.client();
    drop(scene.sandbox.fault(Fault::on("CreateWebHook").delay(Duration::from_secs(1)).every()));
    let doctor = client.clone();
    let examination = std::thread::spawn(move || doctor.doctor(DoctorOptions::new()).map(drop));
    let mut shown = BTreeSet::new();
    while !examination.is_finished() {
        shown.extend(client.pending_calls().into_iter().map(|call| call.operation));
        std::thread::sleep(Duration::from_millis(5));
    }
    examination.join().unwrap().unwrap();
    assert!(shown.iter().any(|operation| operation.ends_with("CreateWebHook")), "{shown:?}");
}
