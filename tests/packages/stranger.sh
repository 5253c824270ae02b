#!/usr/bin/env bash
# A separate project outside the repository that depends on a package, and runs the README's first program:
#
#   stranger.sh kotlin REPOSITORY VERSION LOCAL MVN   by the coordinates in a repository of Maven
#   stranger.sh swift ASSEMBLED SWIFT                 by the folder of the package
set -eu
sources=$(cd "$(dirname "$0")/../.." && pwd)
room=$(mktemp -d)
trap 'rm -r "$room"' EXIT
cd "$room"
case $1 in
    kotlin)
        cp "$sources/tests/packages/stranger.pom.xml" pom.xml
        mkdir src
        cp "$sources/examples/first.kt" src/First.kt
        # The parts for Android, the token store and the login that uses it, are compiled against the classes.
        cp -R "$sources"/kotlin/src/android/{kotlin,example}/* src
        # A previous build must not be found instead.
        rm -rf "$4/io/github/sondage"
        "$5" --batch-mode --quiet --strict-checksums "-Dmaven.repo.local=$4" "-Drepository=file://$2" "-Dversion=$3" \
            compile org.codehaus.mojo:exec-maven-plugin:3.5.0:exec
        cat printed.txt
        ;;
    swift)
        mkdir -p sondage stranger/Sources/Mine
        cp -R "$2"/{Package.swift,Sources,Tests,lib} sondage
        cp "$sources/tests/packages/stranger.Package.swift" stranger/Package.swift
        cp "$sources/examples/first.swift" stranger/Sources/Mine/Mine.swift
        export LD_LIBRARY_PATH=$PWD/sondage/lib DYLD_LIBRARY_PATH=$PWD/sondage/lib
        "$3" run --disable-sandbox --package-path stranger -Xlinker "-L$PWD/sondage/lib" Mine
        ;;
esac
