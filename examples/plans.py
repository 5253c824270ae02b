"""Mails, vouchers and a workflow transition: planned, inspected and run, on a platform in this process."""

import tempfile
from pathlib import Path

import sondage

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()

    # Mails: one call for each, so a journal records who got one.
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

    plan = news()  # calling the same again continues the run
    report = plan.run(confirm=plan.token)
    print(report.done, "done,", report.unknown, "unknown,", report.not_sent, "not sent")

    # Vouchers: the plan says what they cost.
    offer = client.read_incentive_list().panel_incentives[0]
    vouchers = client.plan_redeem(incentive_id=offer.id, count=2, max_credits=1000)
    print(str(vouchers).splitlines()[0])
    codes = [row.voucher_code for row in vouchers.run(confirm=vouchers.token).rows]
    print(len(codes), "codes")

    # A transition: made only if the state is still the one that was read.
    close = client.plan_transition(workflow="SurveyDesign", target_state="Closed", survey_id=box.survey_id)
    print(str(close).splitlines()[0])
    print(close.run(confirm=close.token).complete)
