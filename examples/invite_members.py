"""Creates members, counts whom an invitation will reach, and invites them."""

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
    audience = list(client.members(panel, where=analysts))
    print("will be invited:", len(audience))
    try:
        invited = client.invite_members(
            survey_id=survey,
            panel_id=panel,
            message_template_id=template,
            channel="Email",
            conditions=analysts,
        )
        print("invited by distributor", invited.distributor_id)
    except sondage.OutcomeUnknown as error:
        print("perhaps invited.", error.reconcile)
