"""Imports people into a panel, each once, even if the program is killed and run again, on a
platform in this process."""

import tempfile
from pathlib import Path

import sondage

people = [
    {"Email": "ada@example.com", "FirstName": "Ada", "CellPhoneNumber": "41791234567"},
    {"Email": "alan@example.com", "FirstName": "Alan"},
    {"Email": "grace@example.com", "FirstName": "Grace", "CellPhoneNumber": "0791234567"},
    {"Email": "ALAN@example.com", "FirstName": "Alan"},
]

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()
    panel = box.panel_id

    # The same call again resumes the import.
    report = client.import_members(panel, people, key="Email", journal=Path(folder, "people.journal"))
    print(report)
    for row in report.rows:
        print(f"row {row['row']}: {row['status']}", f"({row['reason']})" if row["reason"] else "")
