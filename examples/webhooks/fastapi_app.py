"""Receives webhooks with FastAPI: `uvicorn fastapi_app:app`."""

import json
import os

import sondage
from fastapi import FastAPI

hook = sondage.webhooks.Hook.from_dict(json.loads(os.environ["SONDAGE_WEBHOOK"]))
guard = sondage.webhooks.Guard(folder=os.environ.get("WEBHOOK_EVENTS"))  # without a folder, until the process ends
app = FastAPI()


def handle(event: sondage.webhooks.Event) -> None:
    print(event.event_type, event.entity)


app.include_router(sondage.webhooks.router(hook, lambda event: handle(event), guard=guard))
