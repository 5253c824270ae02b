"""Creates members, plans an invitation, and sends it to exactly the planned members."""

import sys

import sondage

panel, survey, template = map(int, sys.argv[1:])

with sondage.Client() as client:  # the SONDAGE_* environment says how to connect
    ada = sondage.NewMember.of(Email="ada@example.com", FirstName="Ada", Division="Analysis")
    grace = sondage.NewMember.of(Email="not an address", FirstName="Grace", Division="Analysis")
    created = client.create_members(panel_id=panel, members=[ada, grace])
    for issue in created.validation_issues:
        print("not created:", issue.error_message)

    analysts = sondage.field("Division") == "Analysis"
    plan = client.plan_invite(survey_id=survey, panel_id=panel, message_template_id=template, where=analysts)
    print("will be invited:", len(plan.members))
    report = plan.run(confirm=plan.token)
    if report.stopped is None:
        print("invited by distributor", report.distributor_id)
    else:
        print("perhaps invited.", report.stopped.reconcile)
