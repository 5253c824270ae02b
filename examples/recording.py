"""Records calls in a file, and answers them from that file without a network."""

import tempfile
from pathlib import Path

import sondage

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "calls.jsonl")
    with sondage.Sandbox.demo() as box:
        panel_id = box.panel_id
        client = box.client(record=file)
        client.read_panel(panel_id=panel_id)
        live = {member.id for member in client.members(panel_id)}

    # The platform has stopped. This client knows no account, no secret and no address.
    client = sondage.Client(replay=file)
    members = list(client.members(panel_id))
    same = sum(member.id in live for member in members)
    print(f"{same} of {len(live)} members are in the recording")
    print(f"one of them: {members[0]['Email']}")
    try:
        client.read_panel(panel_id=7)
    except sondage.ConfigurationError as error:
        print(str(error).replace(str(file), "calls.jsonl"))
