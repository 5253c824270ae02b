"""What a client does, read as a trace. On a platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client(trace_entries=1000, retry_base=0.01)
    box.fault("ReadPanel", status=503)
    client.read_panel(panel_id=box.panel_id)

    told = client.trace()
    for entry in told.entries:
        print(entry.kind, entry.status, entry.attempts, entry.error)
    print(len(client.trace(after=told.next).entries), "since then")
