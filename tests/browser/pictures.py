"""The pictures of the README and the site: the demo, two pages of the console and a notebook. Arguments: the program `sondage`, Chromium, a file
with what the demo prints, and the folder for the pictures."""

from __future__ import annotations

import html
import sys
import tempfile
from pathlib import Path

from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page, sync_playwright
from story import sandbox

ROOT = Path(__file__).parents[2]
WIDTH = 1000
MARGIN = 20
TERMINAL = """<!doctype html><meta charset=utf-8><style>
body { margin: 0; background: #14181f; }
pre { margin: 0; padding: 20px 24px; color: #e6e9ef; font: 14px/1.45 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
b { color: #7fd1a8; }
</style><pre><b>$ cargo xtask demo</b>
TEXT</pre>"""
# Hides the frame of the notebook editor, which the exported page has.
NOTEBOOK = "body.jp-Notebook { padding: 8px 24px !important; } .jp-InputPrompt, .jp-OutputPrompt { display: none !important; }"


def demo(page: Page, said: Path, picture: Path) -> None:
    # The last part names the Python of this machine.
    text = html.escape(said.read_text(encoding="utf-8").split("\nAll that took")[0].strip())
    page.set_viewport_size({"width": 860, "height": 640})
    page.set_content(TERMINAL.replace("TEXT", text))
    page.screenshot(path=picture, full_page=True)


def console(page: Page, facts: dict[str, str], picture: Path) -> None:
    page.set_viewport_size({"width": 1200, "height": 860})
    page.goto(facts["console_url"])
    page.get_by_role("link", name="Surveys", exact=True).click()
    page.get_by_role("table").get_by_role("link", name="Results").first.click()
    page.get_by_label("Question").select_option("vote")
    page.get_by_label("By", exact=True).select_option("PID")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("img").wait_for()
    page.screenshot(path=picture)


def plan(page: Page, facts: dict[str, str], picture: Path) -> None:
    """Whom an invitation of a panel would reach."""
    page.set_viewport_size({"width": 1200, "height": 500})
    page.goto(facts["console_url"])
    page.get_by_role("navigation", name="Console").get_by_role("link", name="Panels").click()
    page.get_by_role("link", name="Newsletter readers").click()
    page.get_by_role("link", name="Invite members").click()
    page.get_by_label("Survey").select_option(label="Newsletter feedback")
    page.get_by_role("button", name="Show the plan").click()
    page.get_by_role("heading", name="The plan").wait_for()
    page.screenshot(path=picture)


def notebook(browser: Browser, path: Path, picture: Path) -> None:
    """The second half of a notebook, as it is stored: weights, and what comes of them."""
    exporter = HTMLExporter(template_name="lab")
    body, _ = exporter.from_filename(str(path))
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
        file.write(body)
        file.flush()
        with browser.new_context(viewport={"width": WIDTH, "height": 900}, offline=True) as context:
            page = context.new_page()
            page.goto(f"file://{file.name}", wait_until="domcontentloaded")
            page.add_style_tag(content=NOTEBOOK)
            # From the heading to the end of the last table, so that neither is cut.
            top = page.get_by_role("heading", name="Weight by age").evaluate("it => it.getBoundingClientRect().top + scrollY")
            end = page.get_by_role("table").last.evaluate("it => it.getBoundingClientRect().bottom + scrollY")
            clip = {"x": 0, "y": top - MARGIN, "width": WIDTH, "height": end - top + 2 * MARGIN}
            page.screenshot(path=picture, full_page=True, clip=clip)  # type: ignore[arg-type]


def main() -> None:
    program, chromium, said, folder = sys.argv[1:]
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    with sandbox(program) as facts, sync_playwright() as playwright:
        # In a container without user namespaces Chromium's own sandbox cannot start; the pages are ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with browser.new_context() as context:
            page = context.new_page()
            demo(page, Path(said), pictures / "demo.png")
            console(page, facts, pictures / "console.png")
            plan(page, facts, pictures / "plan.png")
        notebook(browser, ROOT / "examples/notebooks/weighted_table.ipynb", pictures / "notebook.png")
        browser.close()


if __name__ == "__main__":
    main()
