"""A client of `sondage-bench serve`, shared by these scripts."""

import json
import time

from peers import forget_peak, memory

PANEL = "/publicapi/Panel/v3/ReadPanel"
INTERVIEWS = "/publicapi/Interview/v3/ReadInterviewListCompact"
HEADERS = {"Authorization": "Bearer t", "Content-Type": "application/json"}
ASKED = json.dumps({"tenant": "bench", "panelId": 1}).encode()


def address(port):
    return f"http://127.0.0.1:{port}"


def settings(port):
    where = address(port)
    return {
        "tenant": "bench",
        "base_url": where,
        "auth_url": where,
        "client_id": "bench",
        "client_secret": "bench",
    }


def asked_for(survey, rows):
    paging = {"pageSize": rows, "page": 1}
    return json.dumps({"tenant": "bench", "surveyId": survey, "paging": paging}).encode()


class Measured:
    """CPU time of all threads, wall time, and peak memory above the initial memory."""

    def __enter__(self):
        forget_peak()
        self.before = memory("VmRSS:")
        self.began, self.began_cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.cpu = time.process_time() - self.began_cpu
        self.wall = time.perf_counter() - self.began
        self.peak = memory("VmHWM:") - self.before
