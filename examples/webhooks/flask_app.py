"""Receives webhooks with Flask: `flask --app flask_app run`."""

import json
import os

import sondage
from flask import Flask, Response, request

hook = sondage.webhooks.Hook.from_dict(json.loads(os.environ["SONDAGE_WEBHOOK"]))
guard = sondage.webhooks.Guard()
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = hook.largest_body  # a stranger's body is not read


def handle(event: sondage.webhooks.Event) -> None:
    print(event.event_type, event.entity)


@app.post("/hooks", defaults={"secret": ""})
@app.post("/hooks/<path:secret>")
def receive(secret: str) -> Response:
    try:
        event = hook.verify(url=request.url, headers=request.headers, body=request.get_data())
    except sondage.webhooks.Refused:
        return Response(status=401)
    with guard.claim(event) as claim:
        if claim.is_new:
            handle(event)
    return Response(status=claim.status)
