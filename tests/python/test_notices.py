"""The licences of packages: `tests/packages/notices.py`."""

import importlib.util
from pathlib import Path

import pytest

specification = importlib.util.spec_from_file_location("notices", Path(__file__).parents[1] / "packages/notices.py")
assert specification is not None and specification.loader is not None
packages = importlib.util.module_from_spec(specification)
specification.loader.exec_module(packages)


def crate(name: str) -> dict[str, str]:
    return {"name": name, "version": "1.0.0", "source": "registry", "repository": "r"}


OWN = {"name": "sondage", "version": "0.1.0", "source": None}
ABOUT = {
    "crates": [
        {"package": crate("a"), "license": "MIT"},
        {"package": crate("b"), "license": "MIT OR ISC"},
        {"package": OWN, "license": "MIT"},
    ],
    "licenses": [
        {"id": "MIT", "text": "one", "used_by": [{"crate": crate("a")}, {"crate": crate("b")}, {"crate": OWN}]},
        {"id": "ISC", "text": "two", "used_by": [{"crate": crate("b")}]},
    ],
}


def test_a_text_stands_once_below_all_whose_it_is() -> None:
    text = packages.notices(ABOUT)
    assert "\na 1.0.0 (MIT) r\nb 1.0.0 (MIT) r\n\none\n" in text
    assert "\nb 1.0.0 (ISC) r\n\ntwo\n" in text
    assert "sondage" not in text


def test_what_a_crate_wants_to_be_repeated_is_in_the_notices(tmp_path: Path) -> None:
    (tmp_path / "NOTICE.txt").write_text("by somebody")
    used = crate("a") | {"manifest_path": str(tmp_path / "Cargo.toml")}
    about = {"licenses": [{"id": "MIT", "text": "one", "used_by": [{"crate": used}]}]}
    assert "\na 1.0.0 (MIT) r\n\nby somebody\n" in packages.notices(about)


def test_a_bill_of_materials_has_checksums() -> None:
    lock = '[[package]]\nname = "b"\nversion = "1.0.0"\nsource = "registry"\nchecksum = "00"\n'
    bill = packages.materials(ABOUT, "sondage", "0.1.0", lock)
    assert [component["purl"] for component in bill["components"]] == ["pkg:cargo/a@1.0.0", "pkg:cargo/b@1.0.0"]
    assert bill["components"][1]["hashes"] == [{"alg": "SHA-256", "content": "00"}]
    assert "hashes" not in bill["components"][0]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\0/crates/a-1.0.0/src/lib.rs/crates/b_c-1.2.3/src/x.rs .dep-v0\0", None),
        (b"\0/crates/d-1.0.0/src/lib.rs .dep-v0\0", "d-1.0.0"),
        (b"\0/crates/a-1.0.0/src/lib.rs\0", "cargo audit"),
        (b"\0/crates/a-1.0.0/src/lib.rs .dep-v0 /home-of-me/x\0", "folder"),
        (b"crates/a/src/lib.rs", "no crate"),
    ],
)
def test_code_without_a_notice_is_found(content: bytes, why: str | None) -> None:
    refused = packages.refused(content, {"a-1.0.0", "b_c-1.2.3"}, "/home-of-me")
    assert refused is None if why is None else why in str(refused)
