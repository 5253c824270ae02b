"""The console in a real browser: the whole story by clicks. Arguments: the program `sondage`, Chromium, a folder for pictures.

No step waits for a fixed time: each waits for the element that it needs, and fails after `LIMIT` without it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, FilePayload, Page, expect, sync_playwright

LIMIT = 60_000
WIDTHS = (1200, 400)
EVIL = "<script>document.title='taken'</script><img src=x onerror=alert(1)>"


@contextmanager
def sandbox(program: str) -> Iterator[dict[str, str]]:
    """A sandbox in a process of its own, and its output."""
    with subprocess.Popen([program, "sandbox", "--json"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


class Watched:
    """A browser context that records errors."""

    def __init__(self, context: BrowserContext) -> None:
        self.wrong: list[str] = []
        self.page = context.new_page()
        self.page.set_default_timeout(LIMIT)
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog {dialog.message}"))
        context.on("request", lambda request: self.check(request.url))

    def hear(self, said: ConsoleMessage) -> None:
        # A form that is refused is shown again with the status 400.
        is_refused = "400 (Bad Request)" in said.text and said.location["url"].endswith("/panels/new")
        if said.type in ("error", "warning") and not is_refused:
            self.wrong.append(said.text)

    def check(self, url: str) -> None:
        host = urlsplit(url).hostname
        if urlsplit(url).scheme != "data" and host != "127.0.0.1":
            self.wrong.append(f"a request to {url}")


class Story:
    """One visitor."""

    def __init__(self, page: Page, pictures: Path) -> None:
        self.page = page
        self.pictures = pictures

    def menu(self, name: str) -> None:
        self.page.get_by_role("navigation", name="Console").get_by_role("link", name=name, exact=True).click()
        expect(self.page.get_by_role("heading", level=1, name=name)).to_be_visible()

    def look(self, name: str) -> None:
        """Takes a picture of the page in each width, and checks that nothing is beyond its right edge."""
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 800})
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name}: {wide} pixels in a window of {width}"
            self.page.screenshot(path=self.pictures / f"{name}-{width}.png", full_page=width > 1000 and name != "api")
        self.page.set_viewport_size({"width": 1200, "height": 800})

    def heading(self, name: str) -> None:
        expect(self.page.get_by_role("heading", level=1, name=name)).to_be_visible()


def invite(story: Story) -> None:
    """Panel, member, invitation, outbox."""
    page = story.page
    story.look("overview")
    story.menu("Panels")
    story.look("panels")
    page.get_by_role("link", name="Newsletter readers").click()
    story.heading("Newsletter readers")
    story.look("panel")
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_text("Page 2 of 4")).to_be_visible()
    page.get_by_role("link", name="500093", exact=True).click()
    story.heading("Member 500093")
    page.get_by_label("Survey").select_option(label="Newsletter feedback")
    page.get_by_role("button", name="Invite by e-mail").click()
    expect(page.get_by_role("status")).to_contain_text("The invitation was sent")
    story.look("member")
    story.menu("Outbox")
    expect(page.get_by_text("Messages: 1.")).to_be_visible()
    story.look("outbox")
    page.get_by_role("table", name="Messages").get_by_role("rowheader").get_by_role("link").first.click()
    story.heading("Message")
    story.look("message")


def answer(story: Story) -> None:
    """The link of the message, the questionnaire, and the answers in the table."""
    page = story.page
    console = page.url
    page.get_by_role("article").get_by_role("link").click()
    story.heading("Newsletter feedback")
    within = "it => it.querySelector('legend').getBoundingClientRect().top - it.getBoundingClientRect().top"
    assert page.get_by_role("group").first.evaluate(within) > 4, "the border crosses the question"
    recommend = page.get_by_role("group", name="Would you recommend the newsletter?")
    recommend.get_by_role("radio", name="9", exact=True).check()
    page.get_by_role("checkbox", name="Kultur").check()
    page.get_by_role("radio", name="Layout: Good").check()
    page.get_by_label("Reader since").fill("2019-05-01")
    page.get_by_label("Hours of reading a week").fill("2.5")
    page.get_by_label("Anything else?").fill(EVIL)
    story.look("questionnaire")
    page.get_by_role("button", name="Save, and go on later").click()
    expect(page.get_by_role("status")).to_contain_text("Your answers are saved")
    expect(page.get_by_label("Anything else?")).to_have_value(EVIL)
    page.get_by_role("button", name="Send the answers").click()
    story.heading("Thank you")
    story.look("thanks")
    page.goto(console)
    story.menu("Surveys")
    story.look("surveys")
    page.get_by_role("link", name="Newsletter feedback").click()
    story.heading("Newsletter feedback")
    story.look("survey")
    page.get_by_role("navigation", name="Survey").get_by_role("link", name="Interviews").click()
    row = page.get_by_role("row").filter(has_text="2019-05-01")
    expect(row.get_by_role("cell", name="Completed")).to_be_visible()
    expect(row.get_by_role("cell", name="Good")).to_be_visible()
    expect(row.get_by_text(EVIL)).to_be_visible()
    assert page.title() != "taken"
    story.look("interviews")
    story.menu("Distribution")
    expect(page.get_by_role("row").filter(has_text="Newsletter feedback")).to_contain_text("Executed")
    page.set_viewport_size({"width": 1280, "height": 800})
    hidden = page.get_by_role("table").first.evaluate("it => it.scrollWidth - it.parentElement.clientWidth")
    assert hidden <= 1, f"distribution: {hidden} pixels of the table are hidden at 1,280"
    story.look("distribution")
    story.menu("Webhooks")
    story.look("webhooks")


QUESTION = {
    "id": 1, "elementType": "SingleChoice", "code": "taste", "text": [{"languageCode": "en", "text": "How does it taste?"}],
    "choices": [
        {"id": at, "code": str(at), "text": [{"languageCode": "en", "text": label}], "allowTextEntry": False, "forceInput": False,
         "autocomplete": False, "exclusive": False}
        for at, label in enumerate(("Good", "So so", "Bad"), 1)
    ],
}  # fmt: skip
TASTING = {
    "allowMultipleParticipation": False, "allowNavigateBack": True, "randomizeSections": False, "codeAccessMode": "None",
    "defaultLanguage": "en", "languages": ["en"], "customVariables": [], "surveyEndText": [{"languageCode": "en", "text": "Bye"}],
    "sections": [{"id": 1, "name": "Tasting", "randomizePages": False, "excludeFromRandomization": False, "elements": [QUESTION]}],
}  # fmt: skip
WORKBOOK = Path(__file__).parents[1] / "people.xlsx"
PEOPLE = "Email;Language;City\nada@example.com;en;Bern\ngrace@example.com;en;Basel\n ;en;Chur\n"


def file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def by_clicks(story: Story) -> None:
    """From a panel that does not exist to a picture of results, without a program."""
    page = story.page
    story.menu("Panels")
    page.get_by_role("link", name="New panel").click()
    page.get_by_label("Name").fill("Tasters")
    page.get_by_label("Fields of its own").fill("City: Town")
    page.get_by_role("button", name="Create the panel").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was created")
    story.look("refused")
    expect(page.get_by_label("Name")).to_have_value("Tasters")
    page.get_by_label("Fields of its own").fill("City")
    page.get_by_role("button", name="Create the panel").click()
    story.heading("Tasters")
    page.get_by_role("link", name="Import a file").click()
    page.get_by_label("CSV file or workbook").set_input_files(file("people.csv", PEOPLE))
    page.get_by_role("button", name="Show the plan").click()
    expect(page.get_by_role("heading", name="The plan for people.csv")).to_be_visible()
    story.look("import")
    page.get_by_role("button", name="Import 2 rows").click()
    expect(page.get_by_role("status")).to_contain_text("rows imported: 2 were created")
    page.get_by_role("link", name="Import a file").click()
    page.get_by_label("CSV file or workbook").set_input_files(WORKBOOK)
    page.get_by_role("button", name="Show the plan").click()
    expect(page.get_by_role("heading", name="The plan for people.xlsx")).to_be_visible()
    story.menu("Surveys")
    page.get_by_role("link", name="Load a survey").click()
    page.get_by_label("JSON file").set_input_files(file("Tasting.json", json.dumps(TASTING)))
    page.get_by_role("button", name="Load the questionnaire").click()
    story.heading("Tasting")
    page.get_by_text("Copy the survey").click()
    page.get_by_label("Name of the copy").fill("Tasting again")
    page.get_by_role("button", name="Copy the questionnaire").click()
    story.heading("Tasting again")
    expect(page.get_by_role("status")).to_contain_text("was copied")
    expect(page.get_by_role("row").filter(has_text="How does it taste?")).to_be_visible()
    story.menu("Panels")
    page.get_by_role("link", name="Tasters").click()
    page.get_by_role("link", name="Invite members").click()
    page.get_by_label("Survey").select_option(label="Tasting")
    page.get_by_role("button", name="Show the plan").click()
    expect(page.get_by_text("The message reaches 2 of 2 members.")).to_be_visible()
    story.look("plan")
    page.get_by_role("button", name="Invite 2 members").click()
    expect(page.get_by_role("status")).to_contain_text("The messages were sent")
    story.menu("Outbox")
    page.get_by_role("row").filter(has_text="grace@").get_by_role("link").click()
    console = page.url
    page.get_by_role("article").get_by_role("link").click()
    page.get_by_role("radio", name="So so").check()
    page.get_by_role("button", name="Send the answers").click()
    story.heading("Thank you")
    page.goto(console)
    story.menu("Surveys")
    page.get_by_role("link", name="Tasting", exact=True).click()
    page.get_by_role("button", name="Let them answer").click()
    page.get_by_role("navigation", name="Survey").get_by_role("link", name="Results").click()
    expect(page.get_by_role("row").filter(has_text="So so")).to_be_visible()
    expect(page.get_by_text("rows have an answer")).to_be_visible()
    story.look("results")
    story.menu("Distribution")
    page.get_by_role("row").filter(has_text="Tasting").get_by_role("link").first.click()
    expect(page.get_by_role("row").filter(has_text="completed")).to_be_visible()
    story.look("funnel")


def break_something(story: Story, facts: dict[str, str]) -> None:
    """A fault, the request that it hits in the live ledger, and the clock."""
    page = story.page
    story.menu("Faults")
    page.get_by_label("Which calls").select_option("ReadPanel")
    page.get_by_label("What happens to them").select_option("503")
    page.get_by_role("button", name="Add the fault").click()
    expect(page.get_by_role("row").filter(has_text="ReadPanel")).to_contain_text("503")
    story.look("faults")
    story.menu("Ledger")
    expect(page.get_by_label("Live:")).to_be_checked()
    request = urllib.request.Request(f"{facts['base_url']}/publicapi/Panel/v3/ReadPanel", b"{}", {"content-type": "application/json"})
    try:
        urllib.request.urlopen(request)
        raise AssertionError("the fault was not hit")
    except urllib.error.HTTPError as error:
        assert error.code == 503, error
    # The page is not loaded again: the script adds the row.
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="ReadPanel", exact=True)).first
    expect(row).to_contain_text("503")
    story.look("ledger")
    row.get_by_role("link", name="ReadPanel").click()
    story.heading("ReadPanel")
    expect(page.get_by_text("Bearer $TOKEN")).to_be_visible()
    assert facts["client_secret"] not in page.content()
    story.look("request")
    story.menu("Clock")
    before = page.locator("#now").inner_text()
    page.get_by_role("button", name="1 day forward").click()
    expect(page.get_by_role("status")).to_contain_text("The clock was moved")
    assert page.locator("#now").inner_text()[:10] > before[:10]
    story.look("clock")


def others(story: Story, facts: dict[str, str]) -> None:
    """The page of the API, the login, and the console without a key."""
    page = story.page
    page.goto(f"{facts['base_url']}/docs")
    story.heading("Public API of Survalyzer accounts")
    back_link = page.get_by_role("link", name="Back to the console")
    expect(back_link).to_have_count(0)
    page.goto(facts["console_url"])
    page.get_by_role("navigation", name="Console").get_by_role("link", name="API", exact=True).click()
    story.look("api")
    back_link.click()
    story.heading("Overview")
    back = "http://127.0.0.1:49152/callback"
    query = f"response_type=code&client_id={facts['client_id']}&redirect_uri={back}&scope=openid&state=s"
    page.goto(f"{facts['auth_url']}/openid/authorize?{query}")
    expect(page.get_by_label("User name")).to_be_focused()
    story.look("login")


def by_keyboard(story: Story, facts: dict[str, str]) -> None:
    """The first Tab reaches the link to the content; Enter follows it."""
    page = story.page
    page.goto(facts["console_url"])
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    unnamed = "[...document.querySelectorAll('input:not([type=hidden]),select,textarea')].filter(it => !it.labels.length && !it.ariaLabel).length"
    for part in ("Panels", "Faults", "Clock", "Ledger"):
        story.menu(part)
        assert page.evaluate(unnamed) == 0, f"{part}: a field without a name"


def dark(browser: Browser, facts: dict[str, str], pictures: Path) -> None:
    """The same page in the dark has another background."""
    with browser.new_context(color_scheme="dark", viewport={"width": 1200, "height": 800}) as context:
        page = context.new_page()
        page.goto(facts["console_url"])
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 31)"
        page.screenshot(path=pictures / "overview-dark.png")


def locked(browser: Browser, facts: dict[str, str], pictures: Path) -> None:
    """`/` leads to the page that says where the key is."""
    with browser.new_context(viewport={"width": 1200, "height": 800}) as context:
        page = context.new_page()
        response = page.goto(facts["base_url"])
        assert response and response.status == 403 and page.url.endswith("/console"), page.url
        expect(page.get_by_role("heading", name="The console is locked")).to_be_visible()
        page.screenshot(path=pictures / "locked.png")


def main() -> None:
    program, chromium, folder = sys.argv[1:]
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=LIMIT)
    with sandbox(program) as facts, sync_playwright() as playwright:
        # In a container without user namespaces Chromium's own sandbox cannot start; the pages are ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with browser.new_context(viewport={"width": 1200, "height": 800}) as context:
            watched = Watched(context)
            story = Story(watched.page, pictures)
            watched.page.goto(facts["console_url"])
            invite(story)
            answer(story)
            by_clicks(story)
            break_something(story, facts)
            by_keyboard(story, facts)
            others(story, facts)
            assert not watched.wrong, watched.wrong
        dark(browser, facts, pictures)
        locked(browser, facts, pictures)
        browser.close()
    print(f"{len(list(pictures.glob('*.png')))} pictures in {pictures}")


if __name__ == "__main__":
    main()
