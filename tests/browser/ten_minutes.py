"""A stranger's first ten minutes: two terminals and a browser. Arguments: the program `sondage`, Chromium, a folder for pictures.

It uses only what the terminal and the pages show.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright
from terminal import LIMIT, Terminal

PEOPLE = "Email,FirstName\\nada@example.com,Ada\\ngrace@example.com,Grace\\nnobody,Nobody\\n"


def told(text: str, *patterns: str) -> re.Match[str]:
    """Checks that each pattern is in the text; returns the match of the first."""
    found = [re.search(pattern, text, re.MULTILINE) for pattern in patterns]
    assert all(found), f"not all of {patterns} are in:\n{text}"
    assert found[0]
    return found[0]


def start(server: Terminal) -> tuple[str, str]:
    """Starts the platform, which prints a page to open and a command to paste."""
    server.type("sondage sandbox")
    console = server.shown(r"in a browser, open (http\S+)")[1]
    line = server.shown(r"^(export SONDAGE_.*)$")[1]
    server.shown(r"valid for this run only")
    return console, line


def look_around(shell: Terminal, line: str) -> str:
    """Runs the doctor and lists the surveys. Returns the id of one from the list."""
    shell.run(line)
    told(shell.run("sondage doctor"), r"^status 0$", r"token: The credentials are accepted")
    surveys = shell.run("sondage surveys")
    return told(surveys, r"^\s*(\d+)\s+Active\s+48\s+Newsletter feedback\s*$", r"American National Election Study")[1]


def bring_people(shell: Terminal, panel: str) -> None:
    """Imports a file of people: each exists once, however often it is run, and the invalid row is named."""
    shell.run(f"printf '{PEOPLE}' > people.csv")
    command = f"sondage import {panel} people.csv --key Email"
    told(shell.run(command), r"3 rows: 2 created, 1 refused", r"row 3 \(line 4\) was refused: .*not valid", r"read, 3 done *$")
    told(shell.run(command), r"3 rows: 2 exists, 1 refused")


def invite(shell: Terminal, panel: str, survey: str, template: str) -> None:
    """A plan, its numbers, and the confirmation; the same token a second time sends nothing."""
    command = f"sondage invite {survey} {panel} --template {template} --cap 5"
    plan = shell.run(command)
    token = told(plan, r"`--confirm (\S+)`", r"reaches 5 of \d+: .*opted out", r"Nothing was sent")[1]
    told(shell.run(f"{command} --confirm {token}"), r"sent to 5 by distributor \d+", r"^status 0$")
    told(shell.run(f"{command} --confirm {token}"), r"^status 1$")


def answer(page: Page) -> None:
    """The newest message, its link, the questionnaire."""
    menu = page.get_by_role("navigation", name="Console")
    menu.get_by_role("link", name="Outbox", exact=True).click()
    expect(page.get_by_text("Messages: 5.")).to_be_visible()
    page.get_by_role("table", name="Messages").get_by_role("rowheader").get_by_role("link").first.click()
    page.get_by_role("article").get_by_role("link").click()
    page.get_by_role("group", name="Would you recommend the newsletter?").get_by_role("radio", name="9", exact=True).check()
    page.get_by_label("Anything else?").fill("Ten minutes were enough")
    page.get_by_role("button", name="Send the answers").click()
    expect(page.get_by_role("heading", level=1, name="Thank you")).to_be_visible()


def take_home(shell: Terminal, survey: str) -> None:
    """The answers as a file, the one that was just given among them; and an error that says what to do."""
    told(shell.run(f"sondage export {survey} answers.csv --fields Id,nps,remark --state Completed"), r"49 interviews", r"^status 0$")
    told(shell.run("grep minutes answers.csv"), r",9,Ten minutes were enough$")
    told(shell.run("sondage export 99 other.csv"), r"There is no survey 99", r"^status 2$")
    told(shell.run("ls other.csv"), r"^status [^0]")


def main() -> None:
    program, chromium, folder = sys.argv[1:]
    pictures = Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=LIMIT * 1000)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server, shell = (Terminal(name, Path(home), Path(program)) for name in ("server", "shell"))
        try:
            console, line = start(server)
            # In a container without user namespaces Chromium's own sandbox cannot start; the pages are ours.
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.goto(console)
            survey = look_around(shell, line)
            panel, template = (told(server.screen(), rf"^{name}\s+(\d+)$")[1] for name in ("panel_id", "message_template_id"))
            bring_people(shell, panel)
            invite(shell, panel, survey, template)
            answer(page)
            take_home(shell, survey)
            page.screenshot(path=pictures / "ten-minutes.png")
            told(shell.run("sondage budget"), r"of 500 calls are used")
            server.interrupt()
            server.shown(r"\^C[$#] *$")
            told(shell.run("sondage surveys"), r"^status 1$")
            browser.close()
        finally:
            server.close()
            shell.close()
    print("ten minutes of a stranger: a platform, people, an invitation, an answer, a file")


if __name__ == "__main__":
    main()
