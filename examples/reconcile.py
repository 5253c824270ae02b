"""Reconciles a call whose outcome is unknown: looks up whether it took effect, and calls again only if it did
not. On a platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    person = sondage.NewMember.of(Email="ada@example.com", FirstName="Ada")

    def create_once() -> None:
        try:
            client.create_members(panel_id=box.panel_id, members=[person])
        except sondage.OutcomeUnknown as error:
            assert error.write_id is not None
            became = client.reconcile(write_id=error.write_id, quiet=0)
            print(f"{became.verdict}: {became.evidence}")
            if became.verdict == "did_not_happen":
                create_once()

    # The first call is lost before it arrives, the response of the second one on its way back.
    box.fault("CreateMembers", status=503)
    box.fault("CreateMembers", cut="afterEffect")
    create_once()
    print("created:", sum(effect.count for effect in box.ledger.effects("CreateMembers")))
