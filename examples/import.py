"""Imports people from a CSV file into a panel, each once, even if the program is killed and run again, on a
platform in this process."""

import tempfile
from pathlib import Path

import sondage

CSV = """Email,FirstName,CellPhoneNumber
ada@example.com,Ada,41791234567
alan@example.com,Alan,
grace@example.com,Grace,0791234567
ALAN@example.com,Alan,
"""

with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()
    panel, people = box.panel_id, Path(folder, "people.csv")
    people.write_text(CSV)

    # The same call again resumes the import.
    report = client.import_members(panel, people, key="Email", journal=Path(folder, "people.journal"))
    print(report)
    for row in report.rows:
        print(f"row {row['row']}: {row['status']}", f"({row['reason']})" if row["reason"] else "")
