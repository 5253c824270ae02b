"""Runs the notebooks in `examples/notebooks`, each in a process of its own, and compares what they show with what is stored in
them; with `--write` it stores what they show.

Cells with the tag `changes` show something else in each run, so their output is not stored. A document of Quarto has no
stored output: its cells only have to run. Quarto itself is not in a package registry.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
DOCUMENTS = sorted((ROOT / "examples" / "notebooks").glob("*.qmd"))


def shown(cell: Any) -> list[Any]:
    """The outputs of a cell without what differs between machines."""
    if "changes" in cell.metadata.get("tags", []):
        return []
    for output in cell.outputs:
        output.pop("execution_count", None)
        output.get("metadata", {}).clear()
    return list(cell.outputs)


def execute(notebook: Any) -> None:
    # Through files: nobody else on this machine can talk to the kernel.
    files = Config({"KernelManager": {"transport": "ipc"}})
    # A busy machine delivers one line in several pieces.
    NotebookClient(notebook, timeout=120, kernel_name="python3", config=files, coalesce_streams=True).execute()


def run_document(path: Path) -> int:
    """Runs the cells of a document of Quarto, and returns how many showed something."""
    cells = re.findall(r"^```\{python\}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    execute(notebook)
    return sum(bool(cell.outputs) for cell in notebook.cells)


def run(path: Path, write: bool) -> list[str]:
    """The differences; with `write` none."""
    notebook = nbformat.read(path, 4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [shown(cell) for cell in cells]
    execute(notebook)
    now = [shown(cell) for cell in cells]
    if not write:
        pairs = zip(cells, stored, now)
        return [f"{path.name}: {cell.source}\nshows\n{new}\nnot\n{old}" for cell, old, new in pairs if old != new]
    for number, (cell, outputs) in enumerate(zip(cells, now), 1):
        cell.execution_count = number
        for output in outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
        cell.outputs = outputs
        cell.metadata.pop("execution", None)
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, path)
    return []


def main() -> int:
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        startup = Path(folder, "profile_default", "startup")
        startup.mkdir(parents=True)
        (startup / "person.py").write_text(Path(__file__).with_name("person.py").read_text(encoding="utf-8"), encoding="utf-8")
        os.environ["IPYTHONDIR"] = folder
        for path in NOTEBOOKS:
            wrong += run(path, "--write" in sys.argv[1:])
            print(f"{path.relative_to(ROOT)}: {len(wrong)} differences")
        for path in DOCUMENTS:
            print(f"{path.relative_to(ROOT)}: {run_document(path)} cells show something")
    print(*wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
