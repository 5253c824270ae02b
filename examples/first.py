"""Creates members and finds one of them, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()

    created = client.create_members(
        panel_id=box.panel_id,
        members=[
            sondage.NewMember.of(Email="ada@example.com", FirstName="Ada", Division="Research"),
            sondage.NewMember.of(Email="not an address", FirstName="Grace", Division="Research"),
        ],
    )
    for issue in created.validation_issues:
        print("not created:", issue.error_message)

    research = sondage.field("Division") == "Research"
    ada = sondage.field("FirstName") == "Ada"
    for member in client.members(box.panel_id, where=research & ada):
        print("found:", member["FirstName"], member["Email"])
