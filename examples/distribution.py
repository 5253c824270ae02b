"""Invitations, reminders, bounces and opt-outs, on a survey platform in this process."""

from datetime import datetime, timedelta, timezone

import sondage

F = sondage.field

with sondage.Sandbox.demo() as box:
    client = box.client()
    survey, panel = box.feedback_survey_id, box.panel_id

    # The message templates.
    for letter in client.read_message_template_list(language="en").message_templates:
        print(f"{letter.name}: {letter.subject}, in {', '.join(letter.locales)}")
    template = box.message_template_id

    # Plan the invitation, to see whom it reaches. These members were invited before, and are invited again.
    plan = client.plan_invite(
        survey_id=survey, panel_id=panel, message_template_id=template, where=F("Division") == "Sales", again=True
    )
    print(str(plan).splitlines()[0])
    invited = plan.run(confirm=plan.token).raise_if_stopped()
    assert invited.distributor_id is not None
    print("invited:", len(invited.members))

    # A reminder in a week, for those who have not answered by then.
    in_a_week = datetime.now(timezone.utc) + timedelta(days=7)
    client.remind_members(
        distributor_id=invited.distributor_id, message_template_id=template, schedule_date_time=in_a_week
    )

    # The status of the distributor, and the bounces.
    for distributor in client.read_distributor_list(survey_id=survey).distributors:
        print(distributor.distribution_channel, distributor.distribution_state)
    print("came back:", len(client.read_bounce_list(survey_id=survey).bounces))

    # Somebody opts out.
    no_more = sondage.EmailItem(email="ada@example.com", opt_out_operation="Add")
    client.write_opt_out_list(workspace_id=box.workspace_id, emails=[no_more])
    print("on the list:", len(client.read_opt_out_list(workspace_id=box.workspace_id).opt_out_items))

    # One mail to one person.
    client.execute_send_mail(
        language="en", from_="us@example.com", to="grace@example.com", subject="Thank you", body="Dear Grace, ..."
    )

    # Delete the distributor, which cancels the reminder; the answers are kept.
    client.delete_distributor(distributor_id=invited.distributor_id, keep_interviews=True)
