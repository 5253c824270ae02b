//! Tokens in the keyring of the system, by the program that the system has for it. A library would need libdbus, which a
//! static program does not have.

use super::{FileStore, Guard, StoreKey, StoredTokens, TokenStore};
use crate::error::{Error, Result};
use crate::runtime;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use futures_util::future::BoxFuture;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use zeroize::Zeroizing;

/// The name under which the keyring shows the entries.
const SERVICE: &str = "sondage";
/// The longest line that `security` reads, in bytes.
const LONGEST: usize = 4096;
/// `security` ends with it if there is no such entry (errSecItemNotFound).
const NOT_FOUND: i32 = 44;

/// Keeps tokens in the keyring. They are passed over pipes; the key, which is no secret, is an argument.
#[derive(Clone)]
pub(crate) struct KeyringStore {
    program: KeyringProgram,
    path: OsString,
    /// The file whose lock a process holds while it renews a token.
    lock: Option<FileStore>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum KeyringProgram {
    /// The Secret Service of Linux desktops: those of GNOME and KDE, for example.
    SecretTool,
    /// The keychain of macOS.
    Security,
}

impl KeyringStore {
    /// The keyring of this system.
    pub(crate) fn new(lock: Option<PathBuf>) -> Result<Self> {
        let (program, path) = if cfg!(target_os = "macos") {
            (KeyringProgram::Security, "security")
        } else if cfg!(all(unix, not(any(target_os = "android", target_os = "ios")))) {
            (KeyringProgram::SecretTool, "secret-tool")
        } else {
            return Err(Error::configuration("`token_keyring` is not supported on this system")
                .with_hint("Use `token_file`, or a token store of your own."));
        };
        Ok(Self { program, path: path.into(), lock: lock.map(FileStore::new) })
    }

    /// What would keep an entry from being stored, without storing one.
    pub(crate) fn examine(&self) -> io::Result<()> {
        self.read("nothing").map(drop)
    }

    fn read(&self, key: &str) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        let output = match self.program {
            KeyringProgram::SecretTool => self.run(&["lookup", "service", SERVICE, "username", key], b"")?,
            KeyringProgram::Security => {
                self.run(&["find-generic-password", "-s", SERVICE, "-a", key, "-w"], b"")?
            }
        };
        if !output.status.success() {
            return self.absent(&output).map(|()| None);
        }
        let text = Zeroizing::new(output.stdout);
        if self.program == KeyringProgram::SecretTool {
            return Ok(Some(text));
        }
        let decoded = STANDARD_NO_PAD.decode(text.trim_ascii());
        decoded.map(|text| Some(Zeroizing::new(text))).map_err(|_| foreign())
    }

    fn write(&self, key: &str, text: &[u8]) -> io::Result<()> {
        let output = match self.program {
            KeyringProgram::SecretTool => {
                let label = format!("{SERVICE} {key}");
                self.run(&["store", "--label", &label, "service", SERVICE, "username", key], text)?
            }
            KeyringProgram::Security => {
                // In base64, because the program interprets quotes and backslashes.
                let coded = Zeroizing::new(STANDARD_NO_PAD.encode(text));
                let line = format!("add-generic-password -U -s {SERVICE} -a \"{key}\" -w {}\n", *coded);
                let line = Zeroizing::new(line);
                if line.len() > LONGEST {
                    return Err(io::Error::other(
                        "the tokens are larger than `security` accepts (about 3 kB)",
                    ));
                }
                self.run(&["-i"], line.as_bytes())?
            }
        };
        if !output.status.success() {
            return Err(failed(&output));
        }
        // `security -i` ends with 0 even if a command failed.
        match self.read(key)? {
            Some(kept) if *kept == text => Ok(()),
            _ => Err(io::Error::other("it did not keep the tokens")),
        }
    }

    fn remove(&self, key: &str) -> io::Result<()> {
        let output = match self.program {
            KeyringProgram::SecretTool => self.run(&["clear", "service", SERVICE, "username", key], b"")?,
            KeyringProgram::Security => {
                self.run(&["delete-generic-password", "-s", SERVICE, "-a", key], b"")?
            }
        };
        if output.status.success() { Ok(()) } else { self.absent(&output) }
    }

    /// `Ok` if the program says that there is no such entry.
    fn absent(&self, output: &Output) -> io::Result<()> {
        let absent = match self.program {
            KeyringProgram::SecretTool => output.status.code() == Some(1) && output.stderr.is_empty(),
            KeyringProgram::Security => output.status.code() == Some(NOT_FOUND),
        };
        if absent { Ok(()) } else { Err(failed(output)) }
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> io::Result<Output> {
        let mut command = Command::new(&self.path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::other(match self.program {
                KeyringProgram::SecretTool => {
                    "the program `secret-tool` is not installed; Debian and Ubuntu have it in the package libsecret-tools, others in libsecret"
                }
                KeyringProgram::Security => "the program `security`, a part of macOS, is not in the PATH",
            }),
            _ => error,
        })?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that has already failed does not read; its status says so.
            let _ = stdin.write_all(input);
        }
        child.wait_with_output()
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let this = self.clone();
        let outcome = runtime::handle().spawn_blocking(move || {
            work(&this).map_err(|error| {
                Error::configuration(format!("the keyring of the system cannot be used ({error})"))
                    .with_hint("Unlock it, or use `token_file`. Programs without a desktop session often have no keyring.")
                    .caused_by(&error)
            })
        });
        outcome.await.unwrap_or_else(|_| Err(Error::internal("the work on the keyring was cancelled")))
    }
}

impl TokenStore for KeyringStore {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        let key = key.as_str().to_owned();
        Box::pin(self.work(move |keyring| {
            let entry = keyring.read(&key)?;
            // The parser's message could echo a token.
            entry.map(|text| serde_json::from_slice(&text).map_err(|_| foreign())).transpose()
        }))
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        let (key, tokens) = (key.as_str().to_owned(), tokens.clone());
        Box::pin(self.work(move |keyring| keyring.write(&key, &Zeroizing::new(serde_json::to_vec(&tokens)?))))
    }

    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        let key = key.as_str().to_owned();
        Box::pin(self.work(move |keyring| keyring.remove(&key)))
    }

    fn lock<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        match &self.lock {
            Some(lock) => lock.lock(key),
            None => Box::pin(async { Ok(Box::new(()) as Guard) }),
        }
    }
}

fn foreign() -> io::Error {
    io::Error::other("the entry contains something other than tokens; remove it, and log in again")
}

/// The program's own words. They are about the keyring: it was not told a secret as an argument.
fn failed(output: &Output) -> io::Error {
    let message = String::from_utf8_lossy(&output.stderr);
    match message.trim().lines().next() {
        Some(line) => io::Error::other(line.to_owned()),
        None => io::Error::other(format!("its program ended with {}", output.status)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{KeyringProgram, KeyringStore};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    /// What `security` does, by its manual page: this is no Mac. It takes base64 without quotes only.
    const SECURITY: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
case $1 in
-i) read -r line; rest=${line#*-w }; case $line in *'-s sondage -a "a key" -w '*) printf %s "$rest" > entry;; esac;;
find-generic-password) [ "$5" = 'a key' ] && [ -f entry ] || { echo 'security: not found' >&2; exit 44; }; cat entry; echo;;
delete-generic-password) [ "$5" = 'a key' ] && [ -f entry ] || exit 44; rm entry;;
*) exit 1;;
esac
"#;

    #[test]
    fn the_keychain_gets_tokens_over_a_pipe() {
        let folder = std::env::temp_dir().join(format!("sondage-keychain-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("security");
        fs::write(&path, SECURITY).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        let keyring = KeyringStore { program: KeyringProgram::Security, path: path.into(), lock: None };
        let text = br#"{"key":"a \"quoted\" one"}"#;
        assert!(keyring.read("a key").unwrap().is_none());
        keyring.write("a key", text).unwrap();
        assert_eq!(keyring.read("a key").unwrap().unwrap().as_slice(), text);
        keyring.remove("a key").unwrap();
        keyring.remove("a key").unwrap();
        assert!(keyring.read("a key").unwrap().is_none());
        let lost = keyring.write("another key", text).unwrap_err().to_string();
        assert!(lost.contains("did not keep"), "{lost}");
        let large = keyring.write("a key", &[b'x'; 4096]).unwrap_err().to_string();
        assert!(large.contains("larger"), "{large}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
