//! A repository of Maven, in the layout that Maven Central takes as an upload: Maven's own plugin signs and adds checksums.

use super::fresh;
use crate::{Result, java, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The namespace. Maven Central grants `io.github.NAME` to anyone who creates a public repository, named by its
/// verification key, in the GitHub account NAME: here the organisation that owns this repository.
pub const GROUP: &str = "io.github.sondage";

const DEPLOY: &str = "org.apache.maven.plugins:maven-gpg-plugin:3.2.8:sign-and-deploy-file";

/// One artefact and its files.
pub struct MavenArtefact<'a> {
    pub id: &'static str,
    /// `jar` or `aar`.
    pub packaging: &'static str,
    pub description: &'static str,
    pub dependencies: Vec<Dependency>,
    pub file: &'a Path,
    pub sources: &'a Path,
    pub documentation: &'a Path,
}

/// Group, id, version and type.
pub type Dependency = (String, String, String, &'static str);

/// The dependencies of the package in `kotlin/pom.xml` that programs need, with the versions that the tests use.
pub fn tested_dependencies() -> Result<Vec<Dependency>> {
    dependencies(&fs::read_to_string(workspace::root().join("kotlin/pom.xml"))?)
}

fn dependencies(pom: &str) -> Result<Vec<Dependency>> {
    let parts = pom.split("<dependency>").skip(1).filter_map(|part| part.split("</dependency>").next());
    let published = parts.filter(|part| !part.contains("<scope>"));
    let read = |part: &str| -> Result<Dependency> {
        let value = |name: &str| element(part, name).ok_or_else(|| format!("a dependency has no {name}"));
        let version = value("version")?;
        let property = version.strip_prefix("${").and_then(|name| name.strip_suffix('}'));
        let version = property.map_or(Some(version), |name| element(pom, name));
        let version = version.ok_or("kotlin/pom.xml lacks the property of a version")?;
        Ok((value("groupId")?.into(), value("artifactId")?.into(), version.into(), "jar"))
    };
    published.map(read).collect()
}

fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

/// The published POM: complete, and without build configuration.
fn pom(artefact: &MavenArtefact<'_>, version: &str) -> Result<String> {
    let dependency = |(group, id, version, kind): &Dependency| {
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{id}</artifactId><version>{version}</version>\
             <type>{kind}</type><scope>compile</scope></dependency>"
        )
    };
    let list: Vec<String> = artefact.dependencies.iter().map(dependency).collect();
    let template = fs::read_to_string(workspace::root().join("tests/packages/published.pom.xml"))?;
    Ok(template
        .replace("@id@", artefact.id)
        .replace("@version@", version)
        .replace("@packaging@", artefact.packaging)
        .replace("@description@", artefact.description)
        .replace("@dependencies@", &list.join("\n    ")))
}

/// Adds artefacts to a repository in a folder, with a key that exists only meanwhile. Returns the files that users install.
pub fn publish(repository: &Path, artefacts: &[MavenArtefact<'_>]) -> Result<Vec<PathBuf>> {
    let keys = fresh("keys")?;
    // `gpg` warns if others can read the folder of keys.
    process::run(Command::new("chmod").arg("700").arg(&keys))?;
    let gpg = || {
        let mut gpg = Command::new("gpg");
        gpg.args(["--batch", "--quiet", "--no-tty", "--homedir"]).arg(&keys);
        gpg
    };
    let key = ["--passphrase", "", "--quick-generate-key", "A test of sondage", "ed25519", "sign", "1d"];
    process::run(gpg().args(key))?;
    let added = artefacts.iter().map(|artefact| {
        let version = workspace::version()?;
        let description = keys.join("pom.xml");
        fs::write(&description, pom(artefact, &version)?)?;
        let mut maven = Command::new(java::maven());
        maven.args(["--batch-mode", "--quiet", DEPLOY, "-DrepositoryId=local"]);
        let file = |path: &Path| path.display().to_string();
        for (name, value) in [
            ("maven.repo.local", file(&workspace::target()?.join("maven"))),
            ("gpg.homedir", file(&keys)),
            ("url", format!("file://{}", repository.display())),
            ("file", file(artefact.file)),
            ("pomFile", file(&description)),
            ("sources", file(artefact.sources)),
            ("javadoc", file(artefact.documentation)),
        ] {
            maven.arg(format!("-D{name}={value}"));
        }
        process::run(&mut maven)?;
        let folder = repository.join(GROUP.replace('.', "/")).join(artefact.id).join(&version);
        check(&folder, artefact, &gpg)?;
        Ok(folder.join(format!("{}-{version}.{}", artefact.id, artefact.packaging)))
    });
    let added: Result<Vec<PathBuf>> = added.collect();
    // It ends the process that holds the key.
    process::run(Command::new("gpgconf").arg("--homedir").arg(&keys).args(["--kill", "all"]))?;
    fs::remove_dir_all(keys)?;
    added
}

/// Maven Central requires sources and documentation, and for each file a valid signature and two checksums.
fn check(folder: &Path, artefact: &MavenArtefact<'_>, gpg: &dyn Fn() -> Command) -> Result {
    let version = workspace::version()?;
    for end in [".pom", "-sources.jar", "-javadoc.jar", &format!(".{}", artefact.packaging)] {
        let file = format!("{}-{version}{end}", artefact.id);
        if let Some(missing) =
            ["", ".asc", ".md5", ".sha1"].iter().find(|end| !folder.join(format!("{file}{end}")).exists())
        {
            return Err(format!("the repository has no {file}{missing}").into());
        }
        process::run(gpg().arg("--verify").arg(folder.join(format!("{file}.asc"))).arg(folder.join(file)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_has_what_central_requires_and_nothing_of_the_build() {
        let none = Path::new("");
        let artefact = MavenArtefact {
            id: "sondage",
            packaging: "jar",
            description: "A client.",
            dependencies: tested_dependencies().unwrap(),
            file: none,
            sources: none,
            documentation: none,
        };
        let pom = pom(&artefact, "1.2.3").unwrap();
        for name in "modelVersion groupId artifactId version packaging name description url licenses license developers \
                     developer scm connection"
            .split(' ')
        {
            assert!(element(&pom, name).is_some_and(|text| !text.is_empty()), "{name}");
        }
        assert!(pom.contains("<artifactId>jna</artifactId>") && !pom.contains("junit"), "{pom}");
        assert!(!pom.contains("${") && !pom.contains('@'), "{pom}");
    }

    #[test]
    fn dependencies_have_the_versions_of_their_properties() {
        let pom = "<v>2.0</v><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency>\
                   <dependency><groupId>c</groupId><scope>test</scope></dependency>";
        assert_eq!(dependencies(pom).unwrap(), [("a".into(), "b".into(), "2.0".into(), "jar")]);
        assert!(dependencies("<dependency><groupId>a</groupId></dependency>").is_err());
    }
}
