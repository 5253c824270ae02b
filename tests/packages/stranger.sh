#!/usr/bin/env bash
# A separate project outside the repository that depends on a package, and runs the README's first program:
#
#   stranger.sh kotlin REPOSITORY VERSION LOCAL MVN   by the coordinates in a repository of Maven
#   stranger.sh swift SERVER LIBRARIES MANIFESTS VERSION SWIFT
#       by the folder of the package for servers; the manifests of the packages for apps, whose frameworks only a Mac makes, are read
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
        cp -R "$2" .
        cp -R "$3" lib
        mkdir -p stranger/Sources/Mine stranger/Tests/MineTests
        cp "$sources/tests/packages/stranger.Package.swift" stranger/Package.swift
        cp "$sources/tests/packages/stranger.Tests.swift" stranger/Tests/MineTests/MineTests.swift
        cp "$sources/examples/first.swift" stranger/Sources/Mine/Mine.swift
        export LD_LIBRARY_PATH=$PWD/lib DYLD_LIBRARY_PATH=$PWD/lib
        "$6" run --disable-sandbox --package-path stranger -Xlinker "-L$PWD/lib" Mine
        "$6" test --disable-sandbox --package-path stranger -Xlinker "-L$PWD/lib" >&2
        names='import json, sys; print(*(product["name"] for product in json.load(sys.stdin)["products"]))'
        for name in Published PublishedTesting; do
            mkdir $name
            sed "s/@version@/$5/g; s/@checksum@/00/g" "$4/$name.swift" > $name/Package.swift
            "$6" package --package-path $name dump-package | python3 -c "$names" >> products
        done
        printf 'Sondage\nSondageTesting SondageXCTest\n' | diff products - >&2
        ;;
esac
