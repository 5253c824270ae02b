"""Receives webhooks with FastAPI: `uvicorn fastapi_app:app`."""

import json
import os

import sondage
from fastapi import FastAPI, Request, Response

hook = sondage.webhooks.Hook.from_dict(json.loads(os.environ["SONDAGE_WEBHOOK"]))
guard = sondage.webhooks.Guard()
app = FastAPI()


def handle(event: sondage.webhooks.Event) -> None:
    print(event.event_type, event.entity)


@app.post("/hooks{secret:path}")
async def receive(request: Request) -> Response:
    try:
        body = await hook.read(request.stream())  # no more than the hook allows, whoever sends it
        event = hook.verify(url=str(request.url), headers=request.headers, body=body)
    except sondage.webhooks.Refused:
        return Response(status_code=401, headers={"Connection": "close"})
    with guard.claim(event) as claim:
        if claim.is_new:
            handle(event)
    return Response(status_code=claim.status)
