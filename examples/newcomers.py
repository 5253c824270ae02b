"""Creates people from rows and invites them by one call, on a platform in this process."""

import sondage

PEOPLE: list[dict[str, object]] = [
    {"Email": "ada@example.com", "FirstName": "Ada", "Language": "en"},
    {"Email": "", "FirstName": "Zoe", "Language": "de"},
    {"Email": "bea@example.com", "FirstName": "Bea", "Language": "de"},
    {"Email": "bea@example.com", "FirstName": "Beatrice", "Language": "de"},
]

with sondage.Sandbox.demo() as box:
    client = box.client()

    # Rows that share a key are refused, and nobody without an address is invited.
    plan = client.plan_create_and_invite(
        PEOPLE,
        survey_id=box.survey_id,
        panel_id=box.panel_id,
        message_template_id=box.message_template_id,
        key="Email",
    )
    print(str(plan).splitlines()[0])
    for left in plan.rows_left_out:
        print(f"row {left.row}: {left.reason}")

    report = plan.run(confirm=plan.token).raise_if_stopped()
    print(f"{report.done} was created and invited")
