"""Start-up cost: `start.py PORT TIMES` prints, for each way, the wall and CPU seconds and the threads of a
process."""

import os
import subprocess
import sys
import time

from service import ASKED, HEADERS, PANEL, address, settings


def programs(port):
    url, where = repr(address(port) + PANEL), settings(port)
    threads = "; import os; print(len(os.listdir('/proc/self/task')))"
    sondage = "import sondage"
    call = f"{sondage}; sondage.Client(**{where!r}).read_panel(panel_id=1)"
    yield "python", "pass" + threads
    yield "import sondage", sondage + threads
    yield "sondage, first call", call + threads
    box = f"{sondage}; box = sondage.Sandbox.demo"
    yield "sondage, a sandbox", f"{box}(){threads}"
    yield "sondage, a sandbox with two waves", f"{box}('waves'){threads}"
    yield "requests, first call", f"import requests; requests.post({url}, data={ASKED!r}, headers={HEADERS!r}).json()" + threads
    yield "httpx, first call", f"import httpx; httpx.post({url}, content={ASKED!r}, headers={HEADERS!r}).json()" + threads


# Python keeps what it compiled, as for users: without it, each run would compile sondage and its peers anew.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(program):
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=ENVIRONMENT)
    threads = int(child.stdout.read())
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = 0
    assert status == 0, program
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, threads


def main():
    port, times = sys.argv[1:]
    for _, program in programs(port):
        run(program)
    found = {}
    for _ in range(int(times)):
        for way, program in programs(port):
            found.setdefault(way, []).append(run(program))
    for way, costs in found.items():
        wall, cpu, threads = (sorted(values)[len(values) // 2] for values in zip(*costs))
        print(f"{way}\t{wall}\t{cpu}\t{threads}")


main()
