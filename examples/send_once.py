"""An invitation that is sent once, however often the program is started: its response is stored under a key. On a platform in this process."""

from tempfile import TemporaryDirectory

import sondage

with TemporaryDirectory() as folder, sondage.Sandbox.demo() as box:
    # A real program can omit `folder` and `quiet`.
    client = box.client().send_once(key="wave-3", folder=folder, quiet=0)

    def invite() -> str:
        try:
            invited = client.invite_members(
                survey_id=box.survey_id,
                panel_id=box.panel_id,
                message_template_id=box.message_template_id,
                channel="Email",
                member_ids=[500_001, 500_002],
            )
            return f"by distributor {invited.distributor_id}"
        except sondage.OutcomeUnknown:
            return "nobody knows"

    # The response to the first call is lost.
    box.fault("InviteMembers", cut="afterEffect")
    print(invite())
    print(invite() == invite())
    print("messages:", sum(effect.count for effect in box.ledger.effects("InviteMembers") if effect.kind == "MessagesSent"))
    print("calls:", len(box.ledger.requests("InviteMembers")))
