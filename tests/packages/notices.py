"""Third-party code in an artefact, and its licences: `notices.py ABOUT ARTEFACT VERSION NOTICES BILL [FILE]`.

ABOUT is what cargo-about has found, as JSON. NOTICES becomes the licences as text, BILL a bill of materials. FILE, the library or program
of the artefact, is refused if it has code of a crate without a notice, a path of this machine, or no list of its crates.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HEAD = """Software of others that is part of this package, and the terms under which it is.
The standard library of Rust, also a part, is under MIT or Apache-2.0.
"""


def notices(about: dict[str, Any]) -> str:
    """Each licence once, below the crates that it applies to."""
    texts: dict[str, set[str]] = {}
    for licence in about["licenses"]:
        for crate in (used["crate"] for used in licence["used_by"] if used["crate"]["source"]):
            line = f"{crate['name']} {crate['version']} ({licence['id']}) {crate.get('repository') or ''}".rstrip()
            for text in (licence["text"], *notices_of(crate)):
                texts.setdefault(text.strip(), set()).add(line)
    sections = sorted((sorted(lines), text) for text, lines in texts.items())
    return HEAD + "".join("\n" + "=" * 80 + "\n" + "\n".join(lines) + f"\n\n{text}\n" for lines, text in sections)


def notices_of(crate: dict[str, Any]) -> list[str]:
    """What a crate under the Apache licence wants to be repeated: its file `NOTICE`, which cargo-about leaves out."""
    files = Path(crate["manifest_path"]).parent.iterdir() if "manifest_path" in crate else ()
    found = [file for file in files if file.name.upper().startswith("NOTICE") and file.is_file()]
    return [file.read_text("utf-8", "replace") for file in found]


def materials(about: dict[str, Any], artefact: str, version: str, lock: str) -> dict[str, Any]:
    """A bill of materials in CycloneDX 1.5, with the checksums of Cargo.lock."""
    found = re.findall(r'name = "(.*)"\nversion = "(.*)"\n(?:source = .*\n)?checksum = "(.*)"', lock)
    checksums = {(name, number): checksum for name, number, checksum in found}
    components = []
    for crate in about["crates"]:
        name, number = crate["package"]["name"], crate["package"]["version"]
        if crate["package"]["source"]:
            purl = f"pkg:cargo/{name}@{number}"
            component: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": number, "purl": purl}
            component["licenses"] = [{"expression": crate["license"]}]
            if checksum := checksums.get((name, number)):
                component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
            components.append(component)
    own: dict[str, Any] = {"type": "library", "bom-ref": artefact, "name": artefact, "version": version}
    own["licenses"] = [{"expression": "MIT OR Apache-2.0"}]
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own}}
    return head | {"components": components}


def refused(content: bytes, crates: set[str], folder: str) -> str | None:
    """Why a file must not be published. Panic locations in it have the names of files as `/crates/NAME-VERSION/...`."""
    named = {name.decode() for name in re.findall(rb"/crates/([A-Za-z0-9._+-]*[0-9][A-Za-z0-9._+-]*)/", content)}
    if not named:
        return "names no crate: it cannot be compared with the notices"
    if missing := named - crates:
        return f"has code of {', '.join(sorted(missing))}, without notices"
    if folder.encode() in content:
        return f"names the folder {folder} of this machine"
    # The section that `cargo auditable` writes.
    return None if b".dep-v0" in content else "has no list of its crates for `cargo audit bin`"


def main(about_file: str, artefact: str, version: str, notices_file: str, bill_file: str, *files: str) -> None:
    about = json.loads(Path(about_file).read_text("utf-8"))
    lock = (ROOT / "Cargo.lock").read_text("utf-8")
    Path(notices_file).write_text(notices(about), "utf-8")
    Path(bill_file).write_text(json.dumps(materials(about, artefact, version, lock), indent=2) + "\n", "utf-8")
    crates = {f"{crate['package']['name']}-{crate['package']['version']}" for crate in about["crates"]}
    for file in files:
        if why := refused(Path(file).read_bytes(), crates, str(ROOT)):
            sys.exit(f"{file} {why}")
        print(f"{file}: notices for its crates, of {len(crates)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
