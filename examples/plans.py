"""Mails, vouchers and a transition that are planned, looked at and run. On a platform in this process."""

import tempfile
from pathlib import Path

import sondage

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()

    # Mails: a call for each, so a journal remembers who got one.
    def news() -> sondage.SendPlan:
        return client.plan_send_mail(
            panel_id=box.panel_id,
            sender="us@example.com",
            message_template_id=box.message_template_id,
            where=sondage.field("Language") == "de",
            cap=5,
            journal=Path(folder, "news.journal"),
        )

    plan = news()
    print(str(plan).splitlines()[0])
    box.fault("ExecuteSendMail", skip=2, cut="afterEffect")
    report = plan.run(confirm=plan.token)
    print(report.done, "done,", report.unknown, "unknown,", report.not_sent, "not sent")

    plan = news()  # the same line again goes on
    report = plan.run(confirm=plan.token)
    print(report.done, "done,", report.unknown, "unknown,", report.not_sent, "not sent")

    # Vouchers: what they cost is known before.
    offer = client.read_incentive_list().panel_incentives[0]
    vouchers = client.plan_redeem(incentive_id=offer.id, count=2, max_credits=1000)
    print(str(vouchers).splitlines()[0])
    codes = [row.voucher_code for row in vouchers.run(confirm=vouchers.token).rows]
    print(len(codes), "codes")

    # A transition: from the state that was seen, or not at all.
    close = client.plan_transition(workflow="SurveyDesign", target_state="Closed", survey_id=box.survey_id)
    print(str(close).splitlines()[0])
    print(close.run(confirm=close.token).complete)
