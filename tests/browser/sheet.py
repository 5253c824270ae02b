"""Pictures of all pages of the console side by side, and the rules that each of them keeps. Arguments: the program `sondage`, Chromium, a
folder for pictures, and optionally the file `axe.min.js` of the package axe-core, which looks for barriers."""

from __future__ import annotations

import sys
import urllib.parse
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from story import sandbox

WIDTHS = (390, 1280, 1920)
AXE = "axe.run().then(found => found.violations.map(it => `${it.id}: ${it.nodes.map(node => node.html).slice(0, 2).join(' | ')}`))"
# Whether a table hides columns although the page has room beside it.
HIDDEN = """[...document.querySelectorAll('main .scroll')].filter(it =>
  it.scrollWidth > it.clientWidth + 1 && it.clientWidth < document.querySelector('main').clientWidth - 90).map(it => it.ariaLabel)"""
PAGES = {
    "overview": "",
    "panels": "panels",
    "panel-new": "panels/new",
    "panel": "panels/1002",
    "panel-filter": "panels/1002?where=Language%3Dde&sort=-Division",
    "member": "panels/1002/500001",
    "import": "panels/1002/import",
    "invite": "panels/1002/invite",
    "plan": "panels/1002/invite?survey=1005&template=TEMPLATE&where=Language+in+[de,en]&channel=Email",
    "surveys": "surveys",
    "survey-new": "surveys/new",
    "survey": "surveys/1004",
    "results": "surveys/1004/results",
    "results-by": "surveys/1004/results?question=vote&by=PID",
    "results-feedback": "surveys/1005/results",
    "interviews": "surveys/1005/interviews",
    "interview": "surveys/1005/interviews/INTERVIEW",
    "outbox": "outbox",
    "distribution": "distribution",
    "funnel": "distribution/DISTRIBUTOR",
    "webhooks": "webhooks",
    "webhook-new": "webhooks/new",
    "ledger": "ledger",
    "request": "ledger/1",
    "faults": "faults",
    "clock": "clock",
}


def first(page: Page, base: str, list_page: str, part: str) -> str:
    """The last part of the first link of a list that begins with a path."""
    page.goto(base + list_page)
    link = page.locator(f"main a[href*='{part}']").first.get_attribute("href") or ""
    return link.rsplit("/", 1)[1].split("?")[0]


def prepare(page: Page, base: str, facts: dict[str, str]) -> dict[str, str]:
    """Some requests, with bodies, a delivery, and the ids of what the pages show."""
    page.goto(base + "ledger")
    page.get_by_role("button", name="Keep the bodies").click()
    page.goto(base + "webhooks/new")
    page.get_by_label("Event").select_option("PanelMemberUpdated")
    page.get_by_label("Address").fill("http://127.0.0.1:9/hook")
    page.get_by_role("button", name="Register it").click()
    page.goto(base + "panels/1002/invite")
    template = page.get_by_label("Message").input_value()
    page.get_by_role("button", name="Show the plan").click()
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("status").wait_for()
    return {
        "TEMPLATE": template,
        "INTERVIEW": first(page, base, "surveys/1005/interviews?State=Completed", "/interviews/"),
        "DISTRIBUTOR": first(page, base, "distribution", "/distribution/"),
    }


def main() -> None:
    program, chromium, folder, *axe = sys.argv[1:]
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    wrong = []
    with sandbox(program) as facts, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        base = facts["console_url"] + "demo/"
        with browser.new_context() as context:
            ids = prepare(context.new_page(), base, facts)
        for scheme in ("light", "dark"):
            with browser.new_context(color_scheme=scheme) as context:  # type: ignore[arg-type]
                page = context.new_page()
                page.on("console", lambda said: said.type in ("error", "warning") and wrong.append(said.text))
                for name, path in {**{name: base + path for name, path in PAGES.items()}, "docs": facts["base_url"] + "/docs"}.items():
                    for key, value in ids.items():
                        path = path.replace(key, value)
                    for width in WIDTHS:
                        page.set_viewport_size({"width": width, "height": 900})
                        response = page.goto(path)
                        assert response and response.ok, f"{name}: {response and response.status} {path}"
                        if len(response.body()) > 200_000:
                            wrong.append(f"{name}: {len(response.body())} bytes")
                        wide = page.evaluate("document.documentElement.scrollWidth")
                        if wide > width:
                            wrong.append(f"{name}: {wide} pixels in a window of {width}")
                        if width == 1280:
                            wrong.extend(f"{name}: {hidden} hides columns" for hidden in page.evaluate(HIDDEN))
                        if axe:
                            page.evaluate(Path(axe[0]).read_text(encoding="utf-8"))
                            wrong.extend(f"{name} {scheme} {width}: {found}" for found in page.evaluate(AXE))
                        page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
        sheet(browser.new_page(viewport={"width": 1600, "height": 900}), pictures)
        browser.close()
    print("\n".join(dict.fromkeys(wrong)) or "nothing is wrong")
    sys.exit(bool(wrong))


def sheet(page: Page, pictures: Path) -> None:
    """All pages in the light at 1,280 pixels, on one picture."""
    names = sorted(pictures.glob("*-light-1280.png"))
    figures = "".join(f"<figure><img src='{urllib.parse.quote(it.name)}'><figcaption>{it.stem}</figcaption></figure>" for it in names)
    style = "body{font:12px sans-serif;display:grid;grid-template-columns:repeat(4,1fr);gap:8px}img{width:100%;border:1px solid #ccc}figure{margin:0}"
    file = pictures / "sheet.html"
    file.write_text(f"<!doctype html><style>{style}</style>{figures}", encoding="utf-8")
    page.goto(file.resolve().as_uri())
    page.screenshot(path=pictures / "sheet.png", full_page=True)


if __name__ == "__main__":
    main()
