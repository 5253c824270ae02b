//! The platforms that packages are built for.

/// A platform: Rust's name, and npm's, which is also that of the package.
pub struct Platform {
    pub triple: &'static str,
    pub npm: &'static str,
}

/// The platforms that can be built on any Linux.
const ON_LINUX: [Platform; 4] = [
    Platform { triple: "x86_64-unknown-linux-gnu", npm: "linux-x64-gnu" },
    Platform { triple: "aarch64-unknown-linux-gnu", npm: "linux-arm64-gnu" },
    Platform { triple: "x86_64-unknown-linux-musl", npm: "linux-x64-musl" },
    Platform { triple: "x86_64-pc-windows-gnullvm", npm: "win32-x64-gnu" },
];

/// The platforms that need a Mac: its linker and Apple's libraries.
const ON_A_MAC: [Platform; 2] = [
    Platform { triple: "aarch64-apple-darwin", npm: "darwin-arm64" },
    Platform { triple: "x86_64-apple-darwin", npm: "darwin-x64" },
];

impl Platform {
    /// npm's `os`, `cpu` and `libc`.
    pub fn os(&self) -> &'static str {
        self.npm.split('-').next().unwrap_or_default()
    }

    pub fn cpu(&self) -> &'static str {
        self.npm.split('-').nth(1).unwrap_or_default()
    }

    pub fn libc(&self) -> Option<&'static str> {
        match self.npm.strip_prefix("linux")?.rsplit('-').next()? {
            "gnu" => Some("glibc"),
            other => Some(other),
        }
    }

    /// The linker's target, with the minimum version of the C library.
    pub fn linked_for(&self) -> String {
        format!("{}{}", self.triple, if self.libc() == Some("glibc") { ".2.17" } else { "" })
    }

    /// The platform tag of a wheel.
    pub fn wheel(&self) -> &'static str {
        match self.libc() {
            Some("glibc") => "manylinux2014",
            Some(_) => "musllinux_1_2",
            None => "off",
        }
    }

    /// The file name of a library: `libNAME.so`, `NAME.dll` or `libNAME.dylib`.
    pub fn library(&self, name: &str) -> String {
        match self.os() {
            "win32" => format!("{name}.dll"),
            "darwin" => format!("lib{name}.dylib"),
            _ => format!("lib{name}.so"),
        }
    }
}

/// The platforms that can be built on this machine.
pub fn built() -> &'static [Platform] {
    if cfg!(target_os = "macos") { &ON_A_MAC } else { &ON_LINUX }
}

/// The platform with npm's name.
pub fn find(npm: &str) -> Option<&'static Platform> {
    ON_LINUX.iter().chain(&ON_A_MAC).find(|platform| platform.npm == npm)
}

/// The platform of this machine.
pub fn here() -> Option<&'static Platform> {
    find(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") if cfg!(target_env = "musl") => "linux-x64-musl",
        ("linux", "x86_64") => "linux-x64-gnu",
        ("linux", "aarch64") => "linux-arm64-gnu",
        ("windows", "x86_64") => "win32-x64-gnu",
        ("macos", "aarch64") => "darwin-arm64",
        ("macos", "x86_64") => "darwin-x64",
        _ => return None,
    })
}
