"""Ten commands in a terminal of 80 and 120 columns, with and without colour, as pictures side by side. Arguments: the program `sondage`, Chromium
and a folder for pictures. No table may be wider than the terminal, and without colour there are no escapes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ansi2html import Ansi2HTMLConverter
from playwright.sync_api import sync_playwright
from story import sandbox

COMMANDS = (
    "surveys",
    "survey 1004",
    "members 1002 --fields Email,Division --limit 5",
    "results 1004 vote",
    "results 1004 vote --by PID",
    "results 1004 age",
    "codebook 1004",
    "distributors --survey 1005",
    "doctor",
    "sync --help",
)
PAGE = """<!doctype html><meta charset=utf-8><style>body {{ margin: 0; background: #888; display: flex; flex-wrap: wrap; gap: 8px; padding: 8px }}
figure {{ margin: 0; background: #fff }} .dark {{ background: #14181f; color: #e6e9ef }} figcaption {{ font: bold 13px sans-serif; padding: 4px 8px }}
pre {{ margin: 0; padding: 4px 8px; font: 12px/1.35 "DejaVu Sans Mono", monospace; width: {columns}ch }}</style>{body}"""


def shown(program: str, words: str, columns: int, has_colour: bool, environment: dict[str, str]) -> str:
    """What the command writes to a terminal."""
    size = f"stty cols {columns} rows 50; exec {program} {words}"
    told = {**environment, "COLUMNS": str(columns), "TERM": "xterm-256color"}
    told |= {} if has_colour else {"NO_COLOR": "1"}
    done = subprocess.run(["script", "-qec", size, os.devnull], env=told, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.stdout.replace("\r\n", "\n")


def main() -> None:
    program, chromium, folder = sys.argv[1:]
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    with sandbox(program) as facts, tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SONDAGE_", "XDG_"))}
        settings = {f"SONDAGE_{name.upper()}": str(facts[name]) for name in ("base_url", "auth_url", "tenant", "client_secret")}
        environment = {**kept, "HOME": home, **settings}
        for columns in (80, 120):
            for has_colour in (True, False):
                figures = []
                for words in COMMANDS:
                    text = shown(program, words, columns, has_colour, environment)
                    converter = Ansi2HTMLConverter(inline=True, dark_bg=True)
                    plain = converter.convert(text, full=False) if has_colour else text
                    assert has_colour or "\x1b" not in text, words
                    figures.append(f"<figure class=dark><figcaption>$ sondage {words}</figcaption><pre>{plain}</pre></figure>")
                page.set_viewport_size({"width": 1500 if columns == 80 else 2000, "height": 900})
                page.set_content(PAGE.format(columns=columns, body="".join(figures)))
                page.screenshot(path=pictures / f"commands-{columns}-{'colour' if has_colour else 'plain'}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
