"""`cargo xtask demo`: starts a survey platform in this process, and shows what the library does with it."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections import Counter

import sondage


def main() -> None:
    began = time.monotonic()
    with sondage.Sandbox.demo() as box:
        step(f"A survey platform listens at {box.base_url}, tenant {box.tenant}.")
        client = box.client()
        workspace = client.read_workspace_list().workspaces[0]
        print(f"Logged in with a client secret. Workspace: {workspace.name}")
        import_members(box, client)
        invite_members(box, client)
        show_interviews(box, client)
        requests = box.ledger.requests()
        step(f"All that took {time.monotonic() - began:.1f} s and {len(requests)} calls. What to try next:")
        if "--console" in sys.argv[1:]:
            stay(box)
            return
    print(f"  {sys.executable} examples/tables.py")
    print("    the same survey in pandas and polars, with its codebook")
    print("  cargo run -p sondage-cli -- sandbox")
    print("    the platform as a server, for programs of your own")
    print("  cargo xtask demo --console")
    print("    the same in a browser: the demo stays up and prints the link of its console")
    print("  docs/connecting.md says how to connect to a real account.")


def import_members(box: sondage.Sandbox, client: sondage.Client) -> None:
    step("Import members. The platform checks them as it would in its own pages:")
    people = [("ada@example.com", "Ada", "en"), ("juerg@example.com", "Jürg", "de"), ("no address", "Zoë", "fr")]
    created = client.create_members(
        panel_id=box.panel_id,
        members=[
            sondage.NewMember.of(Email=email, FirstName=name, Language=language, Division="Research")
            for email, name, language in people
        ],
    )
    for (email, name, _), member_id in zip(people, created.members_ids):
        print(f"  {name:<6}{email:<20}{f'member {member_id}' if member_id else 'not created'}")
    for issue in created.validation_issues:
        print(f"  The platform says: {issue.error_message}")


def invite_members(box: sondage.Sandbox, client: sondage.Client) -> None:
    step("Invite some of them, by a condition. First count whom it reaches:")
    condition = (sondage.field("Division") == "Research") & sondage.field("Language").is_in(["de", "fr"])
    audience = list(client.members(box.panel_id, fields=["Email", "FirstName"], where=condition))
    print(f"  {len(audience)} of the panel's members, {audience[-1]['FirstName']} among them")
    invited = client.invite_members(
        survey_id=box.survey_id,
        panel_id=box.panel_id,
        message_template_id=box.message_template_id,
        channel="Email",
        conditions=condition,
    )
    sent = sum(effect.count for effect in box.ledger.effects("InviteMembers") if effect.kind == "MessagesSent")
    print(f"  Distributor {invited.distributor_id} carried {sent} messages; who has opted out or has no address gets none.")


def show_interviews(box: sondage.Sandbox, client: sondage.Client) -> None:
    columns = ["selfLR", "PID", "age", "educ", "vote"]
    interviews = client.interviews(box.survey_id, fields=columns, labels=True).completed().table()
    step(f"Read the American National Election Study of 1996: {len(interviews)} interviews, with labels.")
    print(interviews)  # .to_pandas(), .to_polars() and .to_arrow() give the same, without a copy
    print("\nExpected vote by party:")
    votes = Counter((row["PID"], row["vote"]) for row in interviews)
    for party in interviews.choices("PID"):
        clinton, dole = votes[party, "Clinton"], votes[party, "Dole"]
        bar = "█" * round(30 * clinton / (clinton + dole))
        print(f"  {party:<23} {clinton:>3} Clinton {bar:░<30} Dole {dole:>3}")


def stay(box: sondage.Sandbox) -> None:
    print(f"  open {box.console_url}")
    print("    the same platform in a browser, as this program left it; Ctrl-C ends it", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def step(what: str) -> None:
    print(f"\n{what}")


if __name__ == "__main__":
    main()
