"""Writes what Zensical renders: `site_pages.py GENERATED SOURCE`.

GENERATED has Markdown pages that `cargo xtask site` has written from tables and references; SOURCE becomes the folder with the
settings and all pages of their menu. The repository shows its documents as GitHub's Markdown; a renderer of plain Markdown needs tabs
for programs in several languages, and links that lead to pages of the site or to the repository.
"""

import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/sondage/sondage/"

# The titles of tabs, by the word after the fence.
LANGUAGES = {"python": "Python", "js": "Node.js", "kotlin": "Kotlin", "swift": "Swift", "rust": "Rust"}


def plain(path: str, text: str, menu: list[str]) -> str:
    """The Markdown of a page, from a document of the repository."""
    out: list[str] = []
    programs: list[list[str]] = []
    before = ""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("```"):
            programs.append([line, *takewhile(lambda other: other != "```", lines)])
            continue
        if (line.startswith("<!--") and line.endswith("-->")) or (not line and programs):
            continue
        out.extend(closed(programs))
        programs = []
        # GitHub begins a list or a table after a line of text, other renderers only after an empty one.
        if starts_block(line) and before and not starts_block(before) and not before.startswith(" "):
            out.append("")
        out.append(re.sub(r"\]\(([^)]*)\)", lambda link: f"]({address(path, link[1], menu)})", line))
        before = line
    return "\n".join([*out, *closed(programs)]) + "\n"


def starts_block(line: str) -> bool:
    return re.match(r"- |\||\d+\. ", line) is not None


def closed(programs: list[list[str]]) -> Iterator[str]:
    """Programs that follow each other: as tabs, if each is in another language."""
    names = [LANGUAGES.get(program[0].lstrip("`")) for program in programs]
    tabs = len(programs) > 1 and None not in names and len(set(names)) == len(names)
    for name, program in zip(names, programs, strict=True):
        yield from (f'=== "{name}"', "") if tabs else ()
        yield from (f"    {line}" if tabs and line else line for line in [*program, "```"])
        yield ""


def address(path: str, target: str, menu: list[str]) -> str:
    """A link: to a page, or to a file of the repository."""
    file = target.split("#")[0]
    named = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)).replace(".ipynb", ".md")
    if ":" in target:
        return target
    if not file or named in menu or named.startswith("docs/pictures/"):
        return target.replace(".ipynb", ".md")
    return f"{REPOSITORY}blob/main/{named}"


def edit_link(path: str, generated: Path) -> str:
    """Where a page is changed; nothing for a page that is generated."""
    if (generated / path).exists():
        return ""
    file = path if (ROOT / path).exists() else path.replace(".md", ".ipynb")
    return f"\n[Edit this page]({REPOSITORY}edit/main/{file})\n"


def version() -> str:
    found = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text("utf-8"), re.MULTILINE)
    assert found, "Cargo.toml has no version"
    return found[1]


def notebook(text: str) -> str:
    """A notebook as a document: its texts, its cells as programs, and their outputs. The tests run it."""
    out = ""
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            out += f"{source}\n\n"
            continue
        out += f"```python\n{source}\n```\n\n"
        for output in cell.get("outputs", []):
            shown = "".join(output.get("text") or output.get("data", {}).get("text/plain", ""))
            out += f"```text\n{shown.rstrip()}\n```\n\n"
    return out


def document(path: str, generated: Path) -> str:
    if (generated / path).exists():
        return (generated / path).read_text("utf-8")
    cells = (ROOT / path).with_suffix(".ipynb")
    return notebook(cells.read_text("utf-8")) if cells.exists() else (ROOT / path).read_text("utf-8")


def main(generated: Path, source: Path) -> None:
    settings = (ROOT / "docs/zensical.toml").read_text("utf-8")
    menu = [word for word in settings.split('"')[1::2] if word.endswith(".md")]
    written = [page.relative_to(generated).as_posix() for page in generated.rglob("*.md")]
    for folder in ("docs", "docs/api", "docs/internals"):
        written += [page.relative_to(ROOT).as_posix() for page in (ROOT / folder).glob("*.md")]
    if missing := sorted(set(written) - set(menu)):
        sys.exit(f"the menu of docs/zensical.toml lacks {', '.join(missing)}")
    pages = {path: document(path, generated) for path in menu}
    for path, text in pages.items():
        (source / "pages" / path).parent.mkdir(parents=True, exist_ok=True)
        (source / "pages" / path).write_text(plain(path, text, menu) + edit_link(path, generated), "utf-8")
    (source / "zensical.toml").write_text(settings.replace("VERSION", version()), "utf-8")
    shutil.copytree(ROOT / "docs/pictures", source / "pages/docs/pictures")
    shutil.copy(ROOT / "docs/site.css", source / "pages/docs/site.css")
    # For assistants: the title and the address of each page, and all of them in one text.
    titles = {path: next((line[2:] for line in text.splitlines() if line.startswith("# ")), path) for path, text in pages.items()}
    html = {path: path.replace("README.md", "index.html").replace(".md", ".html") for path in menu}
    overview = "".join(f"- [{titles[path]}]({html[path]})\n" for path in menu)
    (source / "pages/llms.txt").write_text(f"# sondage\n\n{overview}", "utf-8")
    whole = "\n".join(f"<!-- {path} -->\n{text.strip()}\n" for path, text in pages.items())
    (source / "pages/llms-full.txt").write_text(whole, "utf-8")
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
