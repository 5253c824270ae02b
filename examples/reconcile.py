"""A call of which nobody knows whether it happened: asked, not guessed, and made again only when it did not. On a platform in this process."""

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

    # The first call is lost on its way in, the second one on its way out.
    box.fault("CreateMembers", status=503)
    box.fault("CreateMembers", cut="afterEffect")
    create_once()
    print("created:", sum(effect.count for effect in box.ledger.effects("CreateMembers")))
