//! A registry of npm on this machine: verdaccio, whose newer versions need Node.js 22. Packages are published to it, and installed from
//! it by their names.

use super::{folder, fresh};
use crate::node::program;
use crate::{Result, process, workspace};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// It asks no other registry, and whoever is on this machine may publish.
const SETTINGS: &str = "
storage: storage
uplinks: {}
packages: { '**': { access: $all, publish: $all } }
log: { type: stdout, format: pretty, level: warn }
";

/// The tools of npm that check and serve packages, installed.
pub fn tools() -> Result<PathBuf> {
    let room = folder("npm")?;
    fs::copy(workspace::root().join("tests/packages/npm/package.json"), room.join("package.json"))?;
    let mut npm = program("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
    process::run(npm.current_dir(&room))?;
    Ok(room)
}

/// It ends with this value.
pub struct Registry {
    process: Child,
    address: String,
}

impl Registry {
    pub fn start() -> Result<Self> {
        let room = fresh("registry")?;
        fs::write(room.join("config.yaml"), SETTINGS)?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let mut verdaccio = Command::new("node");
        verdaccio.arg(tools()?.join("node_modules/verdaccio/bin/verdaccio")).current_dir(&room);
        verdaccio.args(["--config", "config.yaml", "--listen", &address]).stdout(Stdio::null());
        let registry = Self { process: verdaccio.spawn()?, address };
        let end = Instant::now() + process::DEADLINE;
        while TcpStream::connect(&registry.address).is_err() {
            if Instant::now() > end {
                return Err("verdaccio does not start".into());
            }
            sleep(Duration::from_millis(100));
        }
        Ok(registry)
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub fn publish(&self, tarball: &Path) -> Result {
        let mut npm = program("npm");
        npm.args(["publish", "--loglevel=error", "--registry", &self.url()]).arg(tarball);
        // npm publishes only with a token. Any will do here.
        process::run(npm.arg(format!("--//{}/:_authToken=none", self.address)))
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
