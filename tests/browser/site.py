"""The site in a real browser, read from a folder: no page is wider than its window, search and tabs work, nothing is loaded from elsewhere.

Arguments: the folder of the site, Chromium, a folder for pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

WIDTHS = (1200, 400)
LIMIT = 60_000
LANGUAGES = ["Python", "Node.js", "Kotlin", "Swift", "Rust"]
# Surveys are missing: their programs are in Python and Node.js. Tables are not in Kotlin and Swift.
GUIDES = (
    "archive budget distribution doctor import incentives interviews invite once panels persons plans reconcile trace webhooks workflows"
).split()

# The smallest contrast of a text with what is behind it, of all texts that are shown, for which WCAG asks 4.5.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const color = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
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


def look(page: Page, site: Path, widths: tuple[int, ...]) -> list[str]:
    """What is wrong with the pages."""
    wrong = []
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri())
        name = file.relative_to(site)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{name}: {wide} pixels in a window of {width}")
        contrast = page.evaluate(CONTRAST)
        if contrast < 4.5:
            wrong.append(f"{name}: a text with a contrast of {contrast:.2f}")
    return wrong


def search(page: Page, site: Path) -> None:
    """Words lead to the page about them."""
    page.goto((site / "index.html").as_uri())
    page.set_viewport_size({"width": 1200, "height": 800})
    page.get_by_role("searchbox").fill("clock doctor")
    page.locator("#found").get_by_role("link", name="When it does not work: the doctor").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When it does not work: the doctor")
    page.get_by_role("searchbox").fill("zzyzx")
    expect(page.locator("#found")).to_have_text("Nothing was found.")


def tabs(page: Page, site: Path) -> None:
    """A language is chosen with the pointer or with the arrows, and stays chosen on other pages."""
    page.goto((site / "index.html").as_uri())
    tab = page.get_by_role("tab", name="Kotlin", exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name="Kotlin")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Python")).to_be_hidden()
    tab.press("ArrowRight")
    swift = page.get_by_role("tab", name="Swift", exact=True)
    expect(swift).to_be_focused()
    expect(swift).to_have_attribute("aria-selected", "true")
    page.goto((site / "docs/import.html").as_uri())
    expect(page.get_by_role("tab", name="Swift", exact=True).first).to_have_attribute("aria-selected", "true")


def guides(page: Page, site: Path) -> list[str]:
    """The guides that have no program in each language."""
    wrong = []
    for name in GUIDES:
        page.goto((site / f"docs/{name}.html").as_uri())
        bars = [bar.get_by_role("tab").all_inner_texts() for bar in page.get_by_role("tablist").all()]
        if LANGUAGES not in bars:
            wrong.append(f"{name}: {bars}")
    return wrong


def visit(browser: Browser, site: Path, scheme: str, pictures: Path) -> list[str]:
    with browser.new_context(color_scheme=scheme) as context:  # type: ignore[arg-type]
        wrong: list[str] = []
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        context.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else wrong.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        # Colors change no width.
        wrong += look(page, site, WIDTHS if scheme == "light" else ())
        search(page, site)
        tabs(page, site)
        wrong += guides(page, site) if scheme == "light" else []
        page.goto((site / "index.html").as_uri())
        page.screenshot(path=pictures / f"site-{scheme}.png")
        return [f"{scheme}: {what}" for what in wrong]


def main() -> None:
    site, chromium, pictures = (Path(argument).absolute() for argument in sys.argv[1:])
    pictures.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=LIMIT)
    with sync_playwright() as playwright:
        # In a container without user namespaces Chromium's own sandbox cannot start; the pages are ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        wrong = [what for scheme in ("light", "dark") for what in visit(browser, site, scheme, pictures)]
        browser.close()
    assert not wrong, "\n".join(wrong)
    print("the site: every page in two widths, light and dark; search and tabs from a folder")


if __name__ == "__main__":
    main()
