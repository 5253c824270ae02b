"""The site in a real browser: no page is wider than its window, search and tabs work, nothing is loaded from elsewhere.

Arguments: the folder of the site, Chromium, a folder for pictures.
"""

from __future__ import annotations

import re
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

WIDTHS = (1200, 400)
# The attributes that the pages have then.
SCHEMES = {"light": {"scheme": "default", "accent": "indigo"}, "dark": {"scheme": "slate", "accent": "cyan"}}
PAINT = "(attributes) => Object.entries(attributes).forEach(([name, value]) => document.body.setAttribute(`data-md-color-${name}`, value))"
LIMIT = 60_000
LANGUAGES = ["Python", "Node.js", "Kotlin", "Swift", "Rust"]
# Surveys are missing: their programs are in Python and Node.js. Tables are not in Kotlin and Swift.
GUIDES = (
    "archive budget distribution doctor import incentives interviews invite once panels persons plans reconcile trace webhooks workflows"
).split()

# The smallest contrast of a text with what is behind it, of all texts that are shown, for which WCAG asks 4.5.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const painted = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  // A page has few colours and thousands of texts.
  const colors = new Map();
  const color = (text) => colors.get(text) ?? colors.set(text, painted(text)).get(text);
  const light = (parts) => {
    const [red, green, blue] = parts.map((part) => (part /= 255) <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(color(getComputedStyle(at).backgroundColor));
    layers.push(color('canvas'));
    const first = layers.findIndex((layer) => layer[3] === 255);
    return layers.slice(0, first).reduceRight(
      (below, layer) => below.map((part, at) => at < 3 ? layer[at] * layer[3] / 255 + part * (1 - layer[3] / 255) : 255), layers[first]);
  };
  const texts = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility()
    && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''));
  return Math.min(21, ...texts.map((element) => {
    const [dark, bright] = [color(getComputedStyle(element).color), behind(element)].map(light).sort((a, b) => a - b);
    return (bright + .05) / (dark + .05);
  }));
}"""


class Pages(SimpleHTTPRequestHandler):
    """A server of the site that writes no line for each request."""

    def log_message(self, *_: object) -> None:
        pass


def look(page: Page, address: str, names: list[str]) -> list[str]:
    """What is wrong with the pages, in two widths, light and dark."""
    wrong = []
    for name in names:
        page.goto(f"{address}/{name}")
        page.add_style_tag(content="* { transition: none !important }")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{name}: {wide} pixels in a window of {width}")
        # What the page does when it begins dark, without the time of loading it again.
        for scheme, attributes in SCHEMES.items():
            page.evaluate(PAINT, attributes)
            contrast = page.evaluate(CONTRAST)
            if contrast < 4.5:
                wrong.append(f"{name}, {scheme}: a text with a contrast of {contrast:.2f}")
    return wrong


def search(page: Page, address: str) -> None:
    """Words lead to the page about them."""
    page.set_viewport_size({"width": 1200, "height": 800})
    # The field and the results are in a closed part of the page, whose focus and list come later than the click. Enter opens what
    # is first in the list at that moment, so a word that was typed too early leads elsewhere: the search begins again.
    for _ in range(10):
        page.goto(f"{address}/index.html")
        page.get_by_role("button", name="Search").click()
        page.wait_for_timeout(300)
        page.keyboard.type("When it does not work: the doctor")
        for _ in range(30):
            page.wait_for_timeout(200)
            if not page.url.endswith("/index.html"):
                break
            page.keyboard.press("Enter")
        if "/docs/doctor.html" in page.url:
            break
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("When it does not work: the doctor"))


def tab(page: Page, language: str) -> Locator:
    return page.locator(".tabbed-labels").first.get_by_text(language, exact=True)


def program(page: Page, language: str) -> Locator:
    """The first program in a language that is in tabs with others."""
    return page.locator(".tabbed-set").first.locator(".tabbed-block").nth(LANGUAGES.index(language))


def tabs(page: Page, address: str) -> None:
    """A language is chosen for all programs, and stays chosen on other pages."""
    page.goto(f"{address}/index.html")
    tab(page, "Kotlin").click()
    expect(program(page, "Kotlin")).to_be_visible()
    expect(program(page, "Python")).to_be_hidden()
    page.goto(f"{address}/docs/import.html")
    expect(program(page, "Kotlin")).to_be_visible()
    expect(program(page, "Python")).to_be_hidden()


def guides(page: Page, address: str) -> list[str]:
    """The guides that have no program in each language."""
    wrong = []
    for name in GUIDES:
        page.goto(f"{address}/docs/{name}.html")
        bars = [bar.locator("label").all_inner_texts() for bar in page.locator(".tabbed-labels").all()]
        if LANGUAGES not in bars:
            wrong.append(f"{name}: {bars}")
    return wrong


def visit(browser: Browser, address: str, names: list[str], scheme: str, pictures: Path) -> list[str]:
    with browser.new_context(color_scheme=scheme) as context:  # type: ignore[arg-type]
        wrong: list[str] = []
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        ours = (address, "data:", "blob:")
        context.on("request", lambda request: None if request.url.startswith(ours) else wrong.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        if scheme == "light":
            wrong += look(page, address, names)
            wrong += guides(page, address)
        search(page, address)
        tabs(page, address)
        page.goto(f"{address}/index.html")
        for name, value in SCHEMES[scheme].items():
            expect(page.locator("body")).to_have_attribute(f"data-md-color-{name}", value)
        page.screenshot(path=pictures / f"site-{scheme}.png")
        return [f"{scheme}: {what}" for what in wrong]


def main() -> None:
    site, chromium, pictures = (Path(argument).absolute() for argument in sys.argv[1:])
    pictures.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=LIMIT)
    names = sorted(str(file.relative_to(site)) for file in site.rglob("*.html"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Pages, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        # In a container without user namespaces Chromium's own sandbox cannot start; the pages are ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        wrong = [what for scheme in SCHEMES for what in visit(browser, address, names, scheme, pictures)]
        browser.close()
    assert not wrong, "\n".join(wrong)
    print("the site: every page in two widths, light and dark; search and tabs")


if __name__ == "__main__":
    main()
