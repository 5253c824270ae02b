//! A repository of Maven: artefacts with POMs, signatures and checksums, in the layout that Maven Central takes as an upload.

use crate::{Result, process, workspace};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The namespace. Maven Central grants `io.github.NAME` to anyone who creates a public repository, named by its
/// verification key, in the GitHub account NAME: here the organisation that owns this repository.
pub const GROUP: &str = "io.github.sondage";

/// One artefact.
pub struct MavenArtefact {
    pub id: &'static str,
    /// `jar` or `aar`.
    pub packaging: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// Group, id, version and type of each dependency.
    pub dependencies: Vec<(String, String, String, &'static str)>,
}

/// A dependency on the main artefact, in the same version.
pub fn own(id: &str) -> Result<(String, String, String, &'static str)> {
    Ok((GROUP.to_owned(), id.to_owned(), workspace::version()?, "jar"))
}

/// The dependencies of the package in `kotlin/pom.xml` that programs need, with the versions that the tests use.
pub fn tested_dependencies() -> Result<Vec<(String, String, String, &'static str)>> {
    dependencies(&fs::read_to_string(workspace::root().join("kotlin/pom.xml"))?)
}

fn dependencies(pom: &str) -> Result<Vec<(String, String, String, &'static str)>> {
    let mut found = Vec::new();
    for part in pom.split("<dependency>").skip(1) {
        let part = part.split("</dependency>").next().unwrap_or_default();
        if part.contains("<scope>") {
            continue;
        }
        let value = |name: &str| element(part, name).ok_or_else(|| format!("a dependency has no {name}"));
        let version = value("version")?;
        let property = version.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
        let version = match property {
            Some(name) => element(pom, name).ok_or_else(|| format!("pom.xml has no property {name}"))?,
            None => version,
        };
        found.push((value("groupId")?, value("artifactId")?, version, "jar"));
    }
    Ok(found)
}

fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0.to_owned())
}

/// The published POM: complete, and without build configuration.
pub fn pom(artefact: &MavenArtefact, version: &str) -> String {
    let MavenArtefact { id, packaging, name, description, dependencies } = artefact;
    let mut list = String::new();
    for (group, id, version, kind) in dependencies {
        let kind = if *kind == "jar" { String::new() } else { format!("\n      <type>{kind}</type>") };
        let _ = write!(
            list,
            "\n    <dependency>\n      <groupId>{group}</groupId>\n      <artifactId>{id}</artifactId>\n      \
             <version>{version}</version>{kind}\n      <scope>compile</scope>\n    </dependency>"
        );
    }
    let site = "https://github.com/sondage/sondage";
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{GROUP}</groupId>
  <artifactId>{id}</artifactId>
  <version>{version}</version>
  <packaging>{packaging}</packaging>
  <name>{name}</name>
  <description>{description}</description>
  <url>{site}</url>
  <licenses>
    <license>
      <name>MIT</name>
      <url>{site}/blob/main/LICENSE-MIT</url>
      <distribution>repo</distribution>
    </license>
    <license>
      <name>Apache-2.0</name>
      <url>{site}/blob/main/LICENSE-APACHE</url>
      <distribution>repo</distribution>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The authors of sondage</name>
      <url>{site}/graphs/contributors</url>
    </developer>
  </developers>
  <scm>
    <url>{site}</url>
    <connection>scm:git:{site}.git</connection>
    <developerConnection>scm:git:{site}.git</developerConnection>
  </scm>
  <dependencies>{list}
  </dependencies>
</project>
"#
    )
}

/// What Maven Central requires of a POM.
const REQUIRED: [&str; 13] = [
    "modelVersion",
    "groupId",
    "artifactId",
    "version",
    "name",
    "description",
    "url",
    "licenses",
    "license",
    "developers",
    "developer",
    "scm",
    "connection",
];

/// A repository in a folder, with a key that exists only while it is written.
pub struct Repository {
    pub folder: PathBuf,
    keys: PathBuf,
}

impl Repository {
    /// An empty repository. Its key signs for a test, and is deleted afterwards.
    pub fn new(folder: PathBuf) -> Result<Self> {
        let keys = folder.with_extension("keys");
        for folder in [&folder, &keys] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            fs::create_dir_all(folder)?;
        }
        private(&keys)?;
        let repository = Self { folder, keys };
        let mut make = repository.gpg();
        make.args(["--passphrase", "", "--quick-generate-key", "A test of sondage", "ed25519", "sign", "1d"]);
        process::run(&mut make)?;
        Ok(repository)
    }

    /// Adds an artefact: its files by their suffixes, for example `-sources.jar`.
    pub fn add(&self, artefact: &MavenArtefact, files: &[(&str, &Path)]) -> Result<PathBuf> {
        let version = workspace::version()?;
        let place = self.folder.join(GROUP.replace('.', "/")).join(artefact.id).join(&version);
        fs::create_dir_all(&place)?;
        let named = |end: &str| place.join(format!("{}-{version}{end}", artefact.id));
        fs::write(named(".pom"), pom(artefact, &version))?;
        for (end, file) in files {
            fs::copy(file, named(end))?;
        }
        for end in files.iter().map(|(end, _)| *end).chain([".pom"]) {
            self.sign(&named(end))?;
        }
        self.check(artefact, &place)?;
        Ok(named(&format!(".{}", artefact.packaging)))
    }

    fn sign(&self, file: &Path) -> Result {
        process::run(self.gpg().args(["--armor", "--detach-sign"]).arg(file))?;
        for (algorithm, end) in [("MD5", "md5"), ("SHA1", "sha1")] {
            let said = process::output(self.gpg().args(["--print-md", algorithm]).arg(file))?;
            fs::write(with(file, end), digest(&said)?)?;
        }
        Ok(())
    }

    /// Checks what Maven Central requires: the fields of the POM, sources and documentation, and for each file a valid
    /// signature and two checksums.
    fn check(&self, artefact: &MavenArtefact, place: &Path) -> Result {
        let mut files = Vec::new();
        for entry in fs::read_dir(place)? {
            files.push(entry?.path());
        }
        let main = format!(".{}", artefact.packaging);
        for needed in [".pom", "-sources.jar", "-javadoc.jar", main.as_str()] {
            let file = ending(&files, needed).ok_or_else(|| format!("{} has no {needed}", artefact.id))?;
            for end in ["asc", "md5", "sha1"] {
                if !with(file, end).exists() {
                    return Err(format!("{} has no .{end}", file.display()).into());
                }
            }
            process::run(self.gpg().arg("--verify").arg(with(file, "asc")).arg(file))?;
        }
        let pom = fs::read_to_string(place.join(format!("{}-{}.pom", artefact.id, workspace::version()?)))?;
        if let Some(missing) =
            REQUIRED.iter().find(|name| element(&pom, name).is_none_or(|text| text.is_empty()))
        {
            return Err(format!("the POM of {} has no {missing}", artefact.id).into());
        }
        Ok(())
    }

    fn gpg(&self) -> Command {
        let mut gpg = Command::new("gpg");
        gpg.args(["--batch", "--quiet", "--no-tty", "--yes", "--homedir"]).arg(&self.keys);
        gpg
    }
}

/// Deletes the key, and ends the process that holds it.
impl Drop for Repository {
    fn drop(&mut self) {
        let mut end = Command::new("gpgconf");
        let _ = end.arg("--homedir").arg(&self.keys).args(["--kill", "all"]).status();
        let _ = fs::remove_dir_all(&self.keys);
    }
}

/// The file whose name has this suffix.
fn ending<'a>(files: &'a [PathBuf], end: &str) -> Option<&'a PathBuf> {
    files.iter().find(|file| file.to_string_lossy().ends_with(end))
}

/// `gpg` warns if others can read the folder of keys.
fn private(folder: &Path) -> Result {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    let _ = folder;
    Ok(())
}

fn with(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{end}"));
    name.into()
}

/// The digest in what gpg prints: `FILE: 12 34 ...`, in several lines if it is long.
fn digest(said: &str) -> Result<String> {
    let (_, digits) = said.rsplit_once(':').ok_or("gpg printed no digest")?;
    Ok(digits.split_whitespace().collect::<String>().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_has_what_central_requires_and_nothing_of_the_build() {
        let artefact = MavenArtefact {
            id: "sondage",
            packaging: "jar",
            name: "sondage",
            description: "A client.",
            dependencies: tested_dependencies().unwrap(),
        };
        let pom = pom(&artefact, "1.2.3");
        for name in REQUIRED {
            assert!(element(&pom, name).is_some_and(|text| !text.is_empty()), "{name}");
        }
        assert!(
            pom.contains("<artifactId>jna</artifactId>") && !pom.contains("junit") && !pom.contains("${"),
            "{pom}"
        );
    }

    #[test]
    fn dependencies_have_the_versions_of_their_properties() {
        let pom = "<v>2.0</v><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency>\
                   <dependency><groupId>c</groupId><scope>test</scope></dependency>";
        assert_eq!(dependencies(pom).unwrap(), [("a".into(), "b".into(), "2.0".into(), "jar")]);
        assert!(dependencies("<dependency><groupId>a</groupId></dependency>").is_err());
    }

    #[test]
    fn reads_a_digest_of_gpg() {
        assert_eq!(digest("/tmp/a b.jar: D4 1D 8C\n   D9 8F\n").unwrap(), "d41d8cd98f");
        assert!(digest("nothing").is_err());
    }
}
