//! Swift: the machine's own, or that of a Debian system created under the target directory.

use super::{apt, is_root, works};
use crate::stage::Missing;
use crate::{Result, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the package is inside the Debian system.
const INSIDE: &str = "/package";

/// Where Debian has `docc`.
const DOCC: &str = "/usr/libexec/swift/bin/docc";

/// The compiler, and the linker for C programs, which the package only recommends.
const PACKAGES: [&str; 3] = ["swiftlang", "libc6-dev", "libstdc++-14-dev"];

/// A Swift that can build the package.
pub enum Swift {
    /// The machine's own.
    OnPath,
    /// The one in a Debian system under the target directory.
    Root(PathBuf),
}

/// The machine's own, or one that was created before; in CI it is installed or created.
pub fn find() -> Result<Swift> {
    if works("swift", &["--version"]) {
        return Ok(Swift::OnPath);
    }
    let root = root()?;
    if root.exists() {
        return Ok(Swift::Root(root));
    }
    let what = "Swift 6.";
    match (workspace::is_ci(), is_packaged()) {
        (true, true) => apt(&PACKAGES).map(|()| Swift::OnPath),
        (true, false) => make().map(Swift::Root),
        (false, true) => {
            Err(Missing { what, install: "apt-get install swiftlang libc6-dev libstdc++-14-dev" }.into())
        }
        (false, false) => {
            let install = "cargo xtask toolchain swift (as root, on Debian), or see swift.org";
            Err(Missing { what, install }.into())
        }
    }
}

/// Creates a Debian 13 with Swift, unless there is one.
pub fn make() -> Result<PathBuf> {
    let root = root()?;
    if root.exists() {
        return Ok(root);
    }
    if !is_root()? {
        return Err("only root can create a Debian system: try again as root, or install Swift 6".into());
    }
    let mirror = mirror()?;
    if !works("debootstrap", &["--version"]) {
        apt(&["debootstrap"])?;
    }
    println!("creating a Debian system with Swift: some minutes, and 2.6 GB under the target directory");
    // Created under another name, so that a partial one is never mistaken for a complete one.
    let part = root.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    let mut make = Command::new("debootstrap");
    make.arg("--variant=minbase").arg(format!("--include=ca-certificates,{}", PACKAGES.join(",")));
    process::run(make.arg("trixie").arg(&part).arg(mirror).stdout(Stdio::null()))?;
    process::run(Command::new("chroot").arg(&part).args(["apt-get", "clean"]))?;
    fs::rename(&part, &root)?;
    Ok(root)
}

impl Swift {
    /// Where the program sees the folder of the package.
    pub fn sees(&self, package: &Path) -> PathBuf {
        match self {
            Self::OnPath => package.to_owned(),
            Self::Root(_) => INSIDE.into(),
        }
    }

    /// The program `swift`, in the folder of a package.
    pub fn command(&self, package: &Path) -> Result<Command> {
        self.tool("swift", package)
    }

    /// The program that writes a reference, in the folder of a package. It is beside the compiler.
    pub fn docc(&self, package: &Path) -> Result<Command> {
        let beside = match self {
            Self::OnPath => on_path("swift").ok_or("there is no swift")?.with_file_name("docc"),
            Self::Root(_) => DOCC.into(),
        };
        self.tool(&beside.to_string_lossy(), package)
    }

    /// A program, in the folder of a package. In the Debian system it gets its own `/proc`, without which the compiler crashes.
    fn tool(&self, program: &str, package: &Path) -> Result<Command> {
        let Self::Root(root) = self else {
            let mut command = Command::new(program);
            command.current_dir(package);
            return Ok(command);
        };
        fs::create_dir_all(root.join(INSIDE.trim_start_matches('/')))?;
        let mut command = if works("unshare", &["--mount", "--pid", "--fork", "true"]) || !is_root()? {
            in_namespaces(root, package)?
        } else {
            without_namespaces(root, package)?
        };
        command.arg(program).env("HOME", "/tmp").env("SWIFT_BACKTRACE", "enable=no");
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        Ok(command)
    }
}

/// A program of the path, past its links.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| folder.join(name).canonicalize().ok())
}

/// In separate namespaces nothing stays mounted, and all child processes end with it.
fn in_namespaces(root: &Path, package: &Path) -> Result<Command> {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "--kill-child"]);
    if !is_root()? {
        command.arg("--map-root-user");
    }
    let script = "mount -t proc proc \"$0/proc\" && mount --bind \"$1\" \"$0$2\" && shift 2 && \
                  exec chroot \"$0\" /bin/sh -c 'cd \"$0\" && exec \"$@\"' \"$@\"";
    command.args(["sh", "-c", script]).arg(root).arg(package).arg(INSIDE).arg(INSIDE);
    Ok(command)
}

/// Most containers allow no namespaces. There proot does the same, more slowly.
fn without_namespaces(root: &Path, package: &Path) -> Result<Command> {
    if !works("proot", &["--version"]) {
        let what = "proot, because this machine allows no namespaces, in which Swift would run.";
        if !workspace::is_ci() {
            return Err(Missing { what, install: "apt-get install proot" }.into());
        }
        apt(&["proot"])?;
    }
    let mut command = Command::new("proot");
    command.arg("-r").arg(root).args(["-b", "/proc", "-b"]);
    command.arg(format!("{}:{INSIDE}", package.display())).args(["-w", INSIDE]);
    Ok(command)
}

/// Whether this machine's packages include a Swift that is new enough, as those of Debian 13 do.
fn is_packaged() -> bool {
    let policy = Command::new("apt-cache").args(["policy", "swiftlang"]).output();
    policy.is_ok_and(|policy| String::from_utf8_lossy(&policy.stdout).contains("Candidate: 6"))
}

/// The Debian mirror that this machine is configured to use.
pub fn mirror() -> Result<String> {
    let mut settings = Command::new("apt-get");
    let sites =
        process::output(settings.args(["indextargets", "--format", "$(SITE)", "Created-By: Packages"]))?;
    let debian = sites.lines().map(|site| site.trim_end_matches('/')).find(|site| site.ends_with("/debian"));
    debian.map(str::to_owned).ok_or_else(|| {
        "this machine's apt settings name no Debian mirror that has Swift: install Swift 6 instead".into()
    })
}

fn root() -> Result<PathBuf> {
    Ok(workspace::target()?.join("toolchain").join("swift"))
}
