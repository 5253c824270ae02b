"""A journal in a table of a database: the import resumes where it stopped, on a platform in this process."""

import sqlite3
import tempfile
from pathlib import Path

import sondage


class InDatabase:
    """Keeps the lines of one job in a table. The database is locked while the job runs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> list[str]:
        self.db = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.db.close()
            raise BlockingIOError("the database is in use") from error
        self.db.execute("CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        self.db.execute("COMMIT")
        return [line for (line,) in self.db.execute("SELECT line FROM journal ORDER BY number")]

    def append(self, lines: list[str], /) -> None:
        self.db.execute("BEGIN")
        self.db.executemany("INSERT INTO journal (line) VALUES (?)", [(line,) for line in lines])
        self.db.execute("COMMIT")

    def forget_last(self) -> None:
        self.db.execute("DELETE FROM journal WHERE number = (SELECT max(number) FROM journal)")

    def clear(self) -> None:
        self.db.execute("DELETE FROM journal")

    def close(self) -> None:
        self.db.close()


if __name__ == "__main__":
    with sondage.Sandbox.demo() as box, tempfile.TemporaryDirectory() as folder:
        client = box.client()
        people = [{"Email": f"person{number}@example.com"} for number in range(25)]

        def imported() -> sondage.ImportReport:
            journal = InDatabase(Path(folder, "jobs.db"))
            return client.import_members(box.panel_id, people, key="Email", journal=journal, chunk_size=10)

        box.fault("CreateMembers", skip=1, status=403)
        report = imported()
        print(report.created, "created, complete:", report.complete)

        report = imported()
        print(report.created, "created, complete:", report.complete)
        print(len(box.ledger.effects("CreateMembers")), "calls had an effect")
