//! Bytes and file paths passed by the caller.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;
use std::path::PathBuf;

/// Bytes received from elsewhere, for example the body of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl Visitor<'_> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

/// A file path: text, or bytes where the file name is not valid UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(pub PathBuf);

impl<P: Into<PathBuf>> From<P> for FilePath {
    fn from(path: P) -> Self {
        Self(path.into())
    }
}

impl<'de> Deserialize<'de> for FilePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FilePathVisitor;
        impl Visitor<'_> for FilePathVisitor {
            type Value = FilePath;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<FilePath, E> {
                Ok(FilePath(text.into()))
            }

            #[cfg(unix)]
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<FilePath, E> {
                use std::os::unix::ffi::OsStrExt;
                Ok(FilePath(std::ffi::OsStr::from_bytes(bytes).into()))
            }

            #[cfg(not(unix))]
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<FilePath, E> {
                let text = std::str::from_utf8(bytes).map_err(|_| E::custom("its path is not text"))?;
                self.visit_str(text)
            }
        }
        deserializer.deserialize_byte_buf(FilePathVisitor)
    }
}
