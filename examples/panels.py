"""Creates a panel, uses it and deletes it, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()

    # A panel with an additional field.
    panel = client.create_panel(workspace_id=box.workspace_id, name="Readers", panel_type="Basic").id
    assert panel is not None
    points = sondage.PanelMemberField(name="Points", field_type="Number")
    client.update_panel(panel_id=panel, added_fields=[points])
    definition = client.read_panel(panel_id=panel).panel
    assert definition is not None
    for group in definition.groups:
        print("fields:", ", ".join(field.name for field in group.fields))

    # Members, and a change of one of them.
    ada = sondage.NewMember.of(Email="ada@example.com", FirstName="Ada", Points=1)
    alan = sondage.NewMember.of(Email="alan@example.com", FirstName="Alan", Points=2)
    lost = sondage.NewMember.of(Email="grace@nowhere.invalid", FirstName="Grace")
    created = client.create_members(panel_id=panel, members=[ada, alan, lost])
    first = created.members_ids[0]
    assert first is not None
    client.update_members(panel_id=panel, members=[sondage.MemberChange.of(first, Points=7)])
    print("points:", [member.get("Points") for member in client.members(panel)])

    # An invitation, its bounces, and a reminder for those who have not answered.
    invited = client.invite_members(
        survey_id=box.survey_id,
        panel_id=panel,
        message_template_id=box.message_template_id,
        channel="Email",
    )
    assert invited.distributor_id is not None
    for bounce in client.read_bounce_list(survey_id=box.survey_id, panel_id=panel).bounces:
        print("came back:", bounce.bounce_type, bounce.reason)
    no_more = sondage.EmailItem(email="alan@example.com", opt_out_operation="Add")
    client.write_opt_out_list(panel_id=panel, emails=[no_more])
    client.remind_members(distributor_id=invited.distributor_id, message_template_id=box.message_template_id)
    reminded = [effect.ids for effect in box.ledger.effects("RemindMembers") if effect.kind == "MessagesSent"]
    print("reminded:", len(reminded[0]))

    # Delete the panel. The interviews are kept.
    client.delete_panel(panel_id=panel, keep_interviews=True)
