//! Facts in a file: shared by clients and processes, and nothing when the file is not what it should be.

use crate::support::sandbox::builder;
use sondage::blocking::Client;
use sondage::config::ClientBuilder;
use sondage_sandbox::Sandbox;
use std::path::{Path, PathBuf};

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-facts-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder }
    }

    fn settings(&self, folder: &Path) -> ClientBuilder {
        let settings = builder(&self.sandbox).client_secret(self.sandbox.client_secret());
        settings.budget_loopback(true).facts_folder(folder).facts_sample(0_u32)
    }

    /// The calls for the list of members, by a client that knows only what is in the folder.
    fn calls(&self, folder: &Path) -> usize {
        // The facts of a process belong to a folder: another name of the same one is another process to the library.
        let alias = self.folder.with_extension(format!("link{}", fastrand::u32(..)));
        std::fs::create_dir_all(folder).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder, &alias).unwrap();
        let client = self.settings(&alias).build_blocking().unwrap();
        let calls = self.read(&client);
        #[cfg(unix)]
        std::fs::remove_file(&alias).unwrap();
        calls
    }

    fn read(&self, client: &Client) -> usize {
        self.sandbox.ledger().clear();
        let members: Result<Vec<_>, _> = client.members(self.sandbox.panel_id()).into_iter().collect();
        assert_eq!(members.unwrap().len(), 200);
        self.sandbox.ledger().requests("ReadMemberList").len()
    }

    fn file(&self) -> PathBuf {
        let files = std::fs::read_dir(&self.folder).unwrap().flatten().map(|file| file.path());
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "facts")).unwrap()
    }
}

#[test]
fn clients_of_a_process_share_what_they_learn_and_an_explicit_first_page_is_proven_once() {
    let scene = Scene::new("process");
    let client =
        || builder(&scene.sandbox).client_secret(scene.sandbox.client_secret()).build_blocking().unwrap();
    assert_eq!([scene.read(&client()), scene.read(&client())], [2, 1]);
    let named = || builder(&scene.sandbox).client_secret(scene.sandbox.client_secret()).first_page(1);
    assert_eq!(scene.read(&named().build_blocking().unwrap()), 1);
    let off = || named().set("facts", "off").unwrap().build_blocking().unwrap();
    assert_eq!([scene.read(&off()), scene.read(&off())], [4, 4]);
    // An empty list can show nothing itself: that counts are right is known from another one.
    let nobody = || {
        scene.sandbox.ledger().clear();
        let filter = sondage::condition::field("Email").is_equal_to("nobody@example.invalid");
        assert_eq!(client().members(scene.sandbox.panel_id()).filter(filter).into_iter().count(), 0);
        scene.sandbox.ledger().requests("ReadMemberList").len()
    };
    assert_eq!([nobody(), nobody()], [3, 2]);
    // Nothing is written for an address of this machine without `budget_loopback`.
    assert!(client().service_facts().file.is_none());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_ours_holds_no_facts() {
    use std::os::unix::fs::PermissionsExt as _;

    let scene = Scene::new("file");
    assert_eq!([scene.calls(&scene.folder), scene.calls(&scene.folder)], [2, 1]);
    let file = scene.file();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let good = std::fs::read_to_string(&file).unwrap();
    let damages: [(&str, String); 6] = [
        ("torn", good[..good.len() / 2].to_owned()),
        ("another version", good.replace("\"version\":2", "\"version\":3")),
        ("another account", good.replace("\"account\":\"demo@", "\"account\":\"acme@")),
        ("changed by hand", good.replace("\"longest\":200", "\"longest\":900")),
        ("empty", String::new()),
        ("another file", "[1, 2]".to_owned()),
    ];
    for (name, content) in damages {
        assert_ne!(content, good, "{name}");
        std::fs::write(&file, content).unwrap();
        assert_eq!([scene.calls(&scene.folder), scene.calls(&scene.folder)], [2, 1], "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_stops_nobody() {
    let scene = Scene::new("readonly");
    std::fs::create_dir_all(&scene.folder).unwrap();
    // A file where the folder should be, also for a user who may write everywhere.
    let blocked = scene.folder.join("file");
    std::fs::write(&blocked, "").unwrap();
    let client = scene.settings(&blocked.join("folder")).build_blocking().unwrap();
    assert_eq!([scene.read(&client), scene.read(&client)], [2, 1]);
    let report = client.service_facts();
    assert!(report.trouble.is_some() && report.file.is_some(), "{report}");
    assert!(report.facts.iter().any(|fact| fact.name == "first_page" && fact.value == "1"), "{report}");
}
