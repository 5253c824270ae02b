"""A server of PostgreSQL for tests: in a temporary folder, on loopback, as a user that may not do everything."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "sondage_test"


def binaries() -> Path:
    """The folder of its programs: Debian keeps one for each version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    assert found or on_path, "there is no PostgreSQL"
    return found[-1].parent if found else Path(str(on_path)).parent


def _as_user(command: list[str]) -> list[str]:
    """It refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Starts it, and returns how to connect."""
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and parent != Path("/") and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    data, programs = folder / "data", binaries()
    user_name = "postgres"
    make = [str(programs / "initdb"), "-D", str(data), "-U", user_name, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run(_as_user(make), check=True, stdout=subprocess.DEVNULL, cwd=folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    how = f"-h 127.0.0.1 -p {port} -k {folder} -c max_connections=20"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log")]
    subprocess.run(_as_user([*control, "-o", how, "start"]), check=True, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        yield f"host=127.0.0.1 port={port} user={user_name} dbname=postgres"
    finally:
        subprocess.run(_as_user([*control, "-m", "immediate", "stop"]), check=True, stdout=subprocess.DEVNULL, cwd=folder)
