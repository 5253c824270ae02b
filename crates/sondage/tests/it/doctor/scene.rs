//! A healthy set-up: a sandbox, its settings in the environment and in a profile file, and a webhook with a state file.

use sondage::arguments::{DoctorOptions, EnsureWebHookOptions};
use sondage::blocking::Client;
use sondage::config::{ClientBuilder, Environment};
use sondage::doctor::Diagnosis;
use sondage::webhook::{Bearer, Hook, Strategy};
use sondage_sandbox::Sandbox;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

pub struct Scene {
    pub sandbox: Sandbox,
    pub folder: PathBuf,
    pub environment: BTreeMap<&'static str, String>,
    pub profile: BTreeMap<&'static str, String>,
    /// Other servers that run during the examination.
    pub others: Vec<Box<dyn std::any::Any>>,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Scene {
    pub fn new(name: &str) -> Self {
        let name = name.replace(' ', "-");
        let folder = std::env::temp_dir().join(format!("sondage-doctor-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let sandbox = Sandbox::demo_blocking().unwrap();
        let profile = [
            ("tenant", sandbox.tenant()),
            ("base_url", sandbox.base_url()),
            ("auth_url", sandbox.auth_url()),
            ("client_secret", sandbox.client_secret()),
            ("token_file", folder.join("tokens.json").to_str().unwrap()),
            ("budget_folder", folder.join("budget").to_str().unwrap()),
            // The doctor must not wait long for a server that does not respond.
            ("retry_base", "1 ms"),
        ]
        .map(|(name, value)| (name, value.to_owned()));
        let file = folder.join("profile.toml").to_str().unwrap().to_owned();
        let mut scene = Self {
            sandbox,
            folder,
            environment: BTreeMap::from([
                ("SONDAGE_CONFIG", file),
                ("SONDAGE_BUDGET_LOOPBACK", "true".to_owned()),
            ]),
            profile: profile.into(),
            others: Vec::new(),
        };
        // A set-up in use: its token file and its budget file exist.
        scene.register("InterviewComplete", 400);
        scene
    }

    /// Registers a webhook whose token is valid for some days.
    pub fn register(&mut self, event: &str, days: u32) {
        const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        let hook = Hook::new(Strategy::Bearer(Bearer::new(KEY, "acme", days))).unwrap();
        let _ = fs::remove_file(self.state());
        let options = EnsureWebHookOptions::new("https://acme.example/hooks", event).state(self.state());
        self.client().ensure_web_hook(&hook, options).unwrap();
        self.sandbox.ledger().clear();
    }

    pub fn state(&self) -> PathBuf {
        self.folder.join("hook.json")
    }

    pub fn token_file(&self) -> PathBuf {
        self.folder.join("tokens.json")
    }

    /// Settings are put into the profile file, which only its owner can read.
    pub fn client(&self) -> Client {
        let file = self.folder.join("profile.toml");
        let readable = fs::metadata(&file).map_or(0o600, |file| file.permissions().mode());
        let lines = self.profile.iter().map(|(name, value)| match value.parse::<i64>() {
            Ok(number) => format!("{name} = {number}\n"),
            Err(_) if value == "true" || value == "false" => format!("{name} = {value}\n"),
            Err(_) => format!("{name} = {value:?}\n"),
        });
        fs::write(&file, format!("[default]\n{}", lines.collect::<String>())).unwrap();
        mode(&file, readable);
        let builder = ClientBuilder::new().environment(Environment::of(self.environment.clone()));
        builder.build_blocking().unwrap()
    }

    pub fn examine(&self) -> Diagnosis {
        let options = DoctorOptions::new().state(self.state());
        self.client().doctor(options).unwrap()
    }

    pub fn changed_nothing(&self) -> bool {
        self.sandbox.ledger().effects("*").is_empty()
    }

    pub fn secrets(&self) -> Vec<String> {
        let of = |name| self.profile.get(name).cloned();
        [of("client_secret"), of("password"), of("refresh_token")].into_iter().flatten().collect()
    }
}

pub fn mode(file: &Path, mode: u32) {
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}
