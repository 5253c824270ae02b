//! Languages that a machine may not have: Java with Maven, and Swift.
//!
//! A person is told what to install. In CI it is installed.

use crate::stage::Missing;
use crate::swift::INSIDE;
use crate::{Result, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Swift that can build the package.
pub enum Swift {
    /// The machine's own.
    OnPath,
    /// The one in a Debian system under the target directory.
    Root(PathBuf),
}

/// `cargo xtask toolchain swift`: makes a Debian 13 with its `swiftlang`, once.
pub fn run(name: &str) -> Result {
    match name {
        "swift" => make_swift().map(|root| println!("Swift is in {}", root.display())),
        _ => Err("only the toolchain `swift` can be made here".into()),
    }
}

/// A JDK and Maven.
pub fn java() -> Result {
    if works("java", &["-version"]) && works("javac", &["-version"]) && works("mvn", &["--version"]) {
        return Ok(());
    }
    if workspace::is_ci() {
        apt(&["openjdk-17-jdk-headless", "maven"])?;
        return Ok(());
    }
    let (what, install) = ("a JDK (17 or newer) and Maven.", "apt-get install openjdk-17-jdk-headless maven");
    Err(Missing { what, install }.into())
}

/// Swift: the machine's own, or one that was made before; in CI it is made.
pub fn swift() -> Result<Swift> {
    if works("swift", &["--version"]) {
        return Ok(Swift::OnPath);
    }
    let root = root()?;
    if root.exists() {
        return Ok(Swift::Root(root));
    }
    if workspace::is_ci() {
        return make_swift().map(Swift::Root);
    }
    let (what, install) = ("Swift 6.", "cargo xtask toolchain swift (as root, on Debian), or see swift.org");
    Err(Missing { what, install }.into())
}

impl Swift {
    /// The program `swift`, in the folder of a package. In the Debian system it runs in namespaces of its own: it sees its
    /// own `/proc`, without which the compiler dies, nothing stays mounted, and everything that it started ends with it.
    pub fn command(&self, package: &Path) -> Result<Command> {
        let root = match self {
            Self::OnPath => {
                let mut command = Command::new("swift");
                command.current_dir(package);
                return Ok(command);
            }
            Self::Root(root) => root,
        };
        fs::create_dir_all(root.join(INSIDE.trim_start_matches('/')))?;
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child"]);
        if !is_root()? {
            command.arg("--map-root-user");
        }
        let script = "mount -t proc proc \"$0/proc\" && mount --bind \"$1\" \"$0$2\" && shift 2 && \
                      exec chroot \"$0\" /bin/sh -c 'cd \"$0\" && exec swift \"$@\"' \"$@\"";
        command.args(["sh", "-c", script]).arg(root).arg(package).arg(INSIDE).arg(INSIDE);
        command.env("HOME", "/tmp").env("SWIFT_BACKTRACE", "enable=no");
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        Ok(command)
    }
}

fn make_swift() -> Result<PathBuf> {
    let root = root()?;
    if root.exists() {
        return Ok(root);
    }
    if !is_root()? {
        return Err("a Debian system can be made by root only: try again as root, or install Swift 6".into());
    }
    let mirror = mirror()?;
    if !works("debootstrap", &["--version"]) {
        apt(&["debootstrap"])?;
    }
    // Made under another name, so that half of one is never taken for a whole one.
    let part = root.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    let mut make = Command::new("debootstrap");
    // The compiler needs what C programs are linked with; `swiftlang` only recommends it.
    make.args([
        "--variant=minbase",
        "--include=swiftlang,libc6-dev,libstdc++-14-dev,ca-certificates",
        "trixie",
    ]);
    process::run(make.arg(&part).arg(mirror).stdout(Stdio::null()))?;
    fs::rename(&part, &root)?;
    Ok(root)
}

/// Where this machine gets its Debian packages, by its own settings.
fn mirror() -> Result<String> {
    let mut settings = Command::new("apt-get");
    let sites =
        process::output(settings.args(["indextargets", "--format", "$(SITE)", "Created-By: Packages"]))?;
    let debian = sites.lines().map(|site| site.trim_end_matches('/')).find(|site| site.ends_with("/debian"));
    debian.map(str::to_owned).ok_or_else(|| {
        "this machine's apt settings name no mirror of Debian to take Swift from: install Swift 6 instead"
            .into()
    })
}

fn apt(packages: &[&str]) -> Result {
    process::run(Command::new("apt-get").arg("update").stdout(Stdio::null()))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    process::run(install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

fn root() -> Result<PathBuf> {
    Ok(workspace::target()?.join("toolchain").join("swift"))
}

fn is_root() -> Result<bool> {
    Ok(process::output(Command::new("id").arg("-u"))?.trim() == "0")
}

fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
