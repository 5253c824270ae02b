"""The documents as pages of the site: `docs/site_pages.py`."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
specification = importlib.util.spec_from_file_location("site_pages", DOCS / "site_pages.py")
assert specification is not None and specification.loader is not None
site = importlib.util.module_from_spec(specification)
specification.loader.exec_module(site)

MENU = ["README.md", "docs/b.md", "examples/n.md"]


def test_programs_in_several_languages_are_tabs() -> None:
    text = (
        "# A\n<!-- shows a.py -->\n```python\nif a:\n\n    b\n```\n\n<!-- shows a.mjs -->\n```js\na\n```\nText.\n```sh\nx\n```\n"
    )
    expected = (
        '# A\n=== "Python"\n\n    ```python\n    if a:\n\n        b\n    ```\n\n=== "Node.js"\n\n    ```js\n    a\n    ```\n\n'
        "Text.\n```sh\nx\n```\n\n"
    )
    assert site.plain("docs/a.md", text, []) == expected


def test_a_page_links_to_its_source_unless_it_is_generated(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/made.md").write_text("# Made")
    edit = "https://github.com/sondage/sondage/edit/main"
    assert site.edit_link("docs/console.md", tmp_path) == f"\n[Edit this page]({edit}/docs/console.md)\n"
    notebook = site.edit_link("examples/notebooks/weighted_table.md", tmp_path)
    assert notebook == f"\n[Edit this page]({edit}/examples/notebooks/weighted_table.ipynb)\n"
    assert site.edit_link("docs/made.md", tmp_path) == ""


def test_lists_and_tables_begin_after_an_empty_line() -> None:
    expected = "Text:\n\n- a\n  b\n- c\n\nT\n\n1. d\n"
    assert site.plain("a.md", "Text:\n- a\n  b\n- c\n\nT\n1. d\n", []) == expected


@pytest.mark.parametrize(
    "text",
    ["[b](b.md#c), [d](#e) (f)", "[r](../README.md)", "[o](https://o.example/x)", "![p](pictures/p.png)"],
)
def test_links_to_pages_stay(text: str) -> None:
    assert site.plain("docs/a.md", text, MENU) == text + "\n"


def test_other_links_lead_to_the_repository() -> None:
    assert site.plain("docs/a.md", "[n](../examples/n.ipynb)", MENU) == "[n](../examples/n.md)\n"
    expected = "[x](https://github.com/sondage/sondage/blob/main/examples/first.py) y\n"
    assert site.plain("docs/a.md", "[x](../examples/first.py) y", MENU) == expected


def test_a_notebook_has_texts_programs_and_what_they_show() -> None:
    output = {"data": {"text/plain": ["2"], "text/html": ["<b>2</b>"]}}
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "Text."]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [output]},
    ]
    expected = "# A\nText.\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n\n"
    assert site.notebook(json.dumps({"cells": cells})) == expected


def test_only_what_loads_something_from_elsewhere_is_taken_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<script src="ours.js"></script><script src="https://x/y.js" async></script><p>', "utf-8")
    (tmp_path / "a.css").write_text('@import "ours";@import url(https://x);@font-face{src:url(https://x)}p{}', "utf-8")
    subprocess.run([sys.executable, DOCS / "site_offline.py", tmp_path], check=True)
    assert (tmp_path / "a.html").read_text("utf-8") == '<script src="ours.js"></script><p>'
    assert (tmp_path / "a.css").read_text("utf-8") == '@import "ours";p{}'
