"""What is wrong with a client's set-up. On a platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client(client_secret="mistyped")

    diagnosis = client.doctor()
    for check in diagnosis.checks:
        if check.state in ("failed", "warning"):
            print(check.check, "-", check.found, check.cure)
