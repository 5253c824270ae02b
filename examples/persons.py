"""Exports the data held about a person into a folder, then erases them, with a receipt. On a platform in this
process."""

import pathlib
import tempfile

import sondage

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()
    here, panels, email = pathlib.Path(folder), [box.panel_id], "ada@example.com"
    client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(Email=email, FirstName="Ada")])

    held = client.plan_export_person(panel_ids=panels, key="Email", value=email)
    export = client.export_person(panel_ids=panels, key="Email", value=email, folder=here / "ada")
    print("read:", ", ".join(f"{source.name} {source.items}" for source in export.sources if source.outcome == "read"))
    print("not read:", ", ".join(source.name for source in export.sources if source.outcome == "not_read"))

    files = [str(here / "ada")]
    plan = client.plan_erase_person(panel_ids=panels, key="Email", value=email, keep_interviews=False, files=files)
    print("to erase:", ", ".join(step.what for step in plan.steps if step.outcome == "planned"))
    receipt = client.erase_person(
        here / "receipt.json",
        panel_ids=panels,
        key="Email",
        value=email,
        keep_interviews=False,
        files=files,
        confirm=plan.token,
    )
    print(f"{receipt.erased} erased, {receipt.left} left")
    print("in the receipt:", email in (here / "receipt.json").read_text())
