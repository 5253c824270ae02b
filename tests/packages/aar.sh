#!/usr/bin/env bash
# Packs the classes and libraries of Android in the layout that its build tools require: `aar.sh FOLDER BUILT VERSION`. The libraries are
# in FOLDER/aar; BUILT is where Maven has put the jar of classes and its POM, which gets the packaging.
set -eu
sources=$(cd "$(dirname "$0")/../.." && pwd)/kotlin/src/android
mkdir -p "$1/aar"
cd "$1/aar"
cp "$2/sondage-android-$3.jar" classes.jar
cp "$sources/AndroidManifest.xml" "$sources/proguard.txt" .
# It has no resources.
: >R.txt
jar --create --no-manifest --date 1980-01-01T00:00:02Z --file "$1/sondage-android.aar" .
perl -0pi -e 's|</version>|</version>\n  <packaging>aar</packaging>|' "$2/.flattened-pom.xml"
