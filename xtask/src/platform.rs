//! The platforms that packages are built for.

use crate::Result;

/// A platform: Rust's name, and npm's, which is also that of the package.
pub struct Platform {
    pub triple: &'static str,
    pub npm: &'static str,
}

/// Those of Apple need a Mac: its linker and Apple's libraries. The others can be built on any Linux.
const ALL: [Platform; 6] = [
    Platform { triple: "x86_64-unknown-linux-gnu", npm: "linux-x64-gnu" },
    Platform { triple: "aarch64-unknown-linux-gnu", npm: "linux-arm64-gnu" },
    Platform { triple: "x86_64-unknown-linux-musl", npm: "linux-x64-musl" },
    Platform { triple: "x86_64-pc-windows-gnullvm", npm: "win32-x64-gnu" },
    Platform { triple: "aarch64-apple-darwin", npm: "darwin-arm64" },
    Platform { triple: "x86_64-apple-darwin", npm: "darwin-x64" },
];

impl Platform {
    /// npm's `os`, `cpu` and, for Linux, `libc`.
    pub fn parts(&self) -> (&'static str, &'static str, Option<&'static str>) {
        let (os, rest) = self.npm.split_once('-').unwrap_or_default();
        let (cpu, libc) = rest.split_once('-').unwrap_or((rest, ""));
        (os, cpu, (os == "linux").then_some(if libc == "gnu" { "glibc" } else { libc }))
    }

    /// The file name of a library: `libNAME.so`, `NAME.dll` or `libNAME.dylib`.
    pub fn library(&self, name: &str) -> String {
        match self.parts().0 {
            "win32" => format!("{name}.dll"),
            "darwin" => format!("lib{name}.dylib"),
            _ => format!("lib{name}.so"),
        }
    }

    /// JNA's name.
    pub fn jna(&self) -> String {
        let (os, cpu, _) = self.parts();
        format!("{os}-{}", if cpu == "x64" { "x86-64" } else { "aarch64" })
    }

    pub fn is_here(&self) -> bool {
        here().is_ok_and(|here| here.npm == self.npm)
    }
}

/// The platforms that can be built on this machine.
pub fn built() -> impl Iterator<Item = &'static Platform> {
    ALL.iter().filter(|platform| cfg!(target_os = "macos") == (platform.parts().0 == "darwin"))
}

/// The platform with npm's name.
pub fn find(npm: &str) -> Option<&'static Platform> {
    ALL.iter().find(|platform| platform.npm == npm)
}

/// The platform of this machine.
pub fn here() -> Result<&'static Platform> {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let libc = if cfg!(target_env = "musl") { "musl" } else { "" };
    let here = ALL.iter().find(|Platform { triple, .. }| {
        triple.starts_with(arch) && triple.replace("darwin", "macos").contains(os) && triple.ends_with(libc)
    });
    Ok(here.ok_or("nothing is built for this platform")?)
}
