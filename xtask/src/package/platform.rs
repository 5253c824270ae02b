//! The platforms that packages are built for.

/// The names of a platform in all tools.
pub struct Platform {
    /// Rust's name.
    pub triple: &'static str,
    /// The linker's target, with the minimum version of the C library.
    pub linked_for: &'static str,
    /// npm's name, which is also that of the package.
    pub npm: &'static str,
    /// npm's `os`, `cpu` and `libc`.
    pub os: &'static str,
    pub cpu: &'static str,
    pub libc: Option<&'static str>,
    /// The platform tag of a wheel.
    pub wheel: &'static str,
}

/// The platforms that can be built on any Linux.
const ON_LINUX: [Platform; 4] = [
    Platform {
        triple: "x86_64-unknown-linux-gnu",
        linked_for: "x86_64-unknown-linux-gnu.2.17",
        npm: "linux-x64-gnu",
        os: "linux",
        cpu: "x64",
        libc: Some("glibc"),
        wheel: "manylinux2014",
    },
    Platform {
        triple: "aarch64-unknown-linux-gnu",
        linked_for: "aarch64-unknown-linux-gnu.2.17",
        npm: "linux-arm64-gnu",
        os: "linux",
        cpu: "arm64",
        libc: Some("glibc"),
        wheel: "manylinux2014",
    },
    Platform {
        triple: "x86_64-unknown-linux-musl",
        linked_for: "x86_64-unknown-linux-musl",
        npm: "linux-x64-musl",
        os: "linux",
        cpu: "x64",
        libc: Some("musl"),
        wheel: "musllinux_1_2",
    },
    Platform {
        triple: "x86_64-pc-windows-gnullvm",
        linked_for: "x86_64-pc-windows-gnullvm",
        npm: "win32-x64-gnu",
        os: "win32",
        cpu: "x64",
        libc: None,
        wheel: "off",
    },
];

/// The platforms that need a Mac: its linker and Apple's libraries.
const ON_A_MAC: [Platform; 2] = [
    Platform {
        triple: "aarch64-apple-darwin",
        linked_for: "aarch64-apple-darwin",
        npm: "darwin-arm64",
        os: "darwin",
        cpu: "arm64",
        libc: None,
        wheel: "off",
    },
    Platform {
        triple: "x86_64-apple-darwin",
        linked_for: "x86_64-apple-darwin",
        npm: "darwin-x64",
        os: "darwin",
        cpu: "x64",
        libc: None,
        wheel: "off",
    },
];

/// The platforms that can be built on this machine.
pub fn built() -> &'static [Platform] {
    if cfg!(target_os = "macos") { &ON_A_MAC } else { &ON_LINUX }
}

/// Every platform that a package is published for.
pub fn all() -> impl Iterator<Item = &'static Platform> {
    ON_LINUX.iter().chain(&ON_A_MAC)
}

/// The platform with npm's name.
pub fn find(npm: &str) -> Option<&'static Platform> {
    all().find(|platform| platform.npm == npm)
}

/// The platform of this machine.
pub fn here() -> Option<&'static Platform> {
    let triple = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") if cfg!(target_env = "musl") => "x86_64-unknown-linux-musl",
        ("linux", "x86_64") => "x86_64-unknown-linux-gnu",
        ("linux", "aarch64") => "aarch64-unknown-linux-gnu",
        ("windows", "x86_64") => "x86_64-pc-windows-gnullvm",
        ("macos", "aarch64") => "aarch64-apple-darwin",
        ("macos", "x86_64") => "x86_64-apple-darwin",
        _ => return None,
    };
    all().find(|platform| platform.triple == triple)
}
