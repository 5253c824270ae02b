//! Certificates and keys from PEM files.

use super::layers::FoundSetting;
use crate::error::{Error, Result, Text};
use crate::text;
use crate::transport::tls::ClientCertificate;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};

type File = FoundSetting<PathBuf>;

/// The certificate authorities of `ca_file`.
pub(super) fn roots(file: Option<&File>) -> Result<Vec<CertificateDer<'static>>> {
    file.map_or_else(|| Ok(Vec::new()), |file| read(&file.value, &file.place()))
}

/// The certificate and the key with which this client identifies itself.
pub(super) fn of_client(chain: Option<&File>, key: Option<&File>) -> Result<Option<ClientCertificate>> {
    let Some(chain) = chain else {
        return match key {
            None => Ok(None),
            Some(key) => Err(Error::configuration(text!("{} has no certificate", key.place()))
                .with_hint("Give its certificate too, as `client_certificate`.")),
        };
    };
    let (certificates, file) = (read(&chain.value, &chain.place())?, key.unwrap_or(chain));
    let private = PrivateKeyDer::from_pem_file(&file.value).map_err(|error| {
        let why = match error {
            rustls::pki_types::pem::Error::NoItemsFound => "contains no private key".to_owned(),
            // The parser's message may repeat a line of the key.
            rustls::pki_types::pem::Error::Io(error) => format!("cannot be read ({error})"),
            _ => "is not a PEM file".to_owned(),
        };
        Error::configuration(text!("the file {} of {} {why}", file.value.display(), file.place())).with_hint(
            "It must be a PEM file with a private key that is not encrypted. A key in a file of its own is `client_key`.",
        )
    })?;
    ClientCertificate::new(certificates, private).map(Some).map_err(|why| {
        Error::configuration(text!(
            "the certificate of {} cannot be used ({})",
            chain.place(),
            why.to_string()
        ))
        .with_hint("The first certificate of the file must belong to the key.")
    })
}

fn read(path: &Path, place: &Text) -> Result<Vec<CertificateDer<'static>>> {
    let unreadable = |why: String| {
        Error::configuration(text!("the file {} of {place} {why}", path.display()))
            .with_hint("It must be a PEM file that begins with -----BEGIN CERTIFICATE-----.")
    };
    let certificates: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(format!("cannot be read ({error})")))?;
    if certificates.is_empty() {
        Err(unreadable("contains no certificate".to_owned()))
    } else {
        Ok(certificates)
    }
}
