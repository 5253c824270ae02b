"""Plans an invitation, shows the plan, and sends it to exactly these members, on a platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()
    survey, panel, template = box.survey_id, box.panel_id, box.message_template_id

    plan = client.plan_invite(
        survey_id=survey,
        panel_id=panel,
        message_template_id=template,
        where=sondage.field("Language") == "de",
        pause_days=14,
    )
    print(str(plan).splitlines()[0])

    # Somebody opts out before the plan is run.
    (someone,) = client.members(panel, where=sondage.field.column("Id") == plan.members[0])
    no_more = sondage.EmailItem(email=str(someone["Email"]), opt_out_operation="Add")
    client.write_opt_out_list(panel_id=panel, emails=[no_more])
    try:
        plan.run(confirm=plan.token)
    except sondage.InvalidArgument as refused:
        print(refused)

    plan = client.plan_invite(
        survey_id=survey, panel_id=panel, message_template_id=template, where=sondage.field("Language") == "de"
    )
    report = plan.run(confirm=plan.token)
    (left,) = [effect for effect in box.ledger.effects("InviteMembers") if effect.kind == "MessagesSent"]
    print(len(report.members), "messages were sent, and", left.count, "left the platform")
