#!/usr/bin/env bash
# Has Maven add artefacts to a repository in a folder, with a key that exists only meanwhile:
#
#   deploy.sh KEYS REPOSITORY VERSION "ID ..." END MAVEN...
#
# END is how the files end that users install. Maven Central requires sources and documentation, and for each file a valid signature and
# two checksums.
set -eu
keys=$1 repository=$2 version=$3 ids=$4 end=$5
shift 5
export GNUPGHOME=$keys
# `gpg` warns if others can read the folder of keys.
chmod 700 "$keys"
gpg --batch --quiet --passphrase '' --quick-generate-key 'A test of sondage' ed25519 sign 1d
"$@" "-Dgpg.homedir=$keys" -Dmaven.install.skip=true "-DaltDeploymentRepository=local::file://$repository" "-Durl=file://$repository"
for id in $ids; do
    for suffix in .pom -sources.jar -javadoc.jar "$end"; do
        file=$repository/io/github/sondage/$id/$version/$id-$version$suffix
        ls "$file" "$file.md5" "$file.sha1"
        gpg --batch --quiet --verify "$file.asc" "$file"
    done
done
# It ends the process that holds the key.
gpgconf --kill all
rm -r "$keys"
