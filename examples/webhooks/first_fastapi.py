"""The smallest receiver of webhooks, with FastAPI: `uvicorn first_fastapi:app`."""

import os

import sondage
from fastapi import FastAPI, Request, Response

hook = sondage.webhooks.basic("survalyzer", os.environ["WEBHOOK_PASSWORD"])
app = FastAPI()


@app.post("/hooks")
async def receive(request: Request) -> Response:
    try:
        body = await hook.read(request.stream())  # no more than the hook allows, whoever sends it
        event = hook.verify(url=str(request.url), headers=request.headers, body=body)
    except sondage.webhooks.Refused:
        return Response(status_code=401, headers={"Connection": "close"})  # the log says why, the caller is told nothing
    print(event.event_type, event.entity)
    return Response(status_code=204)
