"""Hostile responses: the result is a value or an error of the library, and no code is run and no file is
moved."""

from __future__ import annotations

import csv
import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
import sondage


@contextmanager
def answering(body: str) -> Iterator[sondage.Client]:
    """A client of a service that gives the same response to every request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        with sondage.Client(tenant="acme", base_url=address, auth_url=address, token="t", retry_base=0.01) as client:
            yield client
    finally:
        server.shutdown()


def interviews(*rows: dict[str, Any]) -> str:
    return json.dumps({"isSuccess": True, "interviews": rows, "totalCount": len(rows)})


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_depth_is_an_error_of_the_library_also_after_a_write(depth: int) -> None:
    """SECURITY.md: nesting depth. It used to be a RecursionError, which hid the outcome of a write."""
    nested = '{"isSuccess": true, "x": ' + "[" * depth + "]" * depth + "}"
    with answering(nested) as client:
        for read in (client.read_workspace_list, lambda: list(client.pages(client.read_survey_list, workspace_id=1))):
            with pytest.raises(sondage.UnexpectedResponse, match="nested deeper than 128 levels"):
                read()
        with pytest.raises(sondage.OutcomeUnknown, match="accepted the request.*128 levels"):
            client.raw("/publicapi/Panel/v3/Something", {}, effect="create")
        with pytest.raises(sondage.UnexpectedResponse, match="128 levels"):
            client.raw("/publicapi/Panel/v3/Something", {}, effect="read")


def test_a_column_for_each_row_names_the_setting() -> None:
    with answering(interviews(*({"Id": i, f"q{i}": i} for i in range(6_000)))) as client:
        with pytest.raises(sondage.UnexpectedResponse, match="`table_growth` is 4 times"):
            client.interviews(7).table()


def test_a_table_that_is_shown_moves_nothing_on_a_terminal() -> None:
    """Respondents may type anything."""
    typed = ["\x1b]0;pwned\x07\x1b[2J", "a\u202eb", "one\r\ntwo\tthree", "\x9b31m", "\u2066x", "plain ü 顧 \U0001f600"]
    with answering(interviews(*({"Id": i, "Q\x1b[1m": text} for i, text in enumerate(typed)))) as client:
        table = client.interviews(7).table()
    for shown in (repr(table), table._repr_html_()):
        assert not [sign for sign in shown if not sign.isprintable() and sign != "\n"], shown
    assert "plain ü 顧 \U0001f600" in repr(table) and "one two three" in repr(table)
    assert [row["Q\x1b[1m"] for row in table] == typed, "the values are unchanged"


def test_a_table_without_rows_or_columns_and_times_of_other_ages_are_shown() -> None:
    with answering(interviews()) as client:
        table = client.interviews(7).table()
        assert repr(table).endswith("[0 rows x 16 columns]") and len(table) == 0
        assert "0 rows" in table._repr_html_()
    with answering(interviews({"Id": 1, "UpdatedAt": "0000-01-01T00:00:00Z"}, {"Id": 2, "UpdatedAt": "2024-01-01T00:00:00Z"})) as client:
        table = client.interviews(7).table()
        assert "0000-01-01" in repr(table)
        assert [str(row["UpdatedAt"])[:10] for row in table] == ["0000-01-01", "2024-01-01"]


def test_arrow_that_is_not_what_it_says_is_refused(box: sondage.Sandbox, client: sondage.Client) -> None:
    """Such data used to be trusted: bytes that are not UTF-8 went into the request, and a wrong key caused a
    panic."""
    spoilt = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\4\0\0\0"), pa.py_buffer(b"\xff\xfe\x80\xc0"))
    beyond = pa.DictionaryArray.from_arrays(pa.array([5], pa.int8()), pa.array(["a"]), safe=False)
    for column in (spoilt, beyond):
        rows = pa.table({"Email": column})
        with pytest.raises(sondage.InvalidArgument, match="not a valid Arrow array"):
            client.create_members_from(box.panel_id, rows)
        with pytest.raises(sondage.InvalidArgument, match="not a valid Arrow array"):
            client.plan_update(box.panel_id, rows, key="Email")
    assert not box.ledger.requests("CreateMembers")


def test_a_text_opens_no_file(box: sondage.Sandbox, client: sondage.Client, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("Email\nada@example.com\n")
    for text in (str(path), os.fsencode(path)):
        with pytest.raises(sondage.InvalidArgument, match="pathlib.Path"):
            client.create_members_from(box.panel_id, text)  # type: ignore[arg-type]
        with pytest.raises(sondage.InvalidArgument, match="pathlib.Path"):
            client.plan_update(box.panel_id, text, key="Email")  # type: ignore[arg-type]
    assert client.create_members_from(box.panel_id, path).created == 1


@pytest.mark.skipif(os.name != "posix", reason="file modes exist on POSIX only")
def test_files_of_answers_are_for_their_owner_alone(tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    plain = tmp_path / "plain"
    plain.write_text("")
    with answering(interviews({"Id": 1, "Q1": "x"})) as client:
        query = client.interviews(7)
        table = query.table()
        for shared, expected in ((False, 0o600), (True, mode(plain))):
            for number, owner in enumerate((query, table)):
                for kind in ("parquet", "csv", "jsonl", "xlsx", "sav", "dta"):
                    path = tmp_path / f"{number}.{kind}"
                    getattr(owner, f"to_{kind}")(path, shared=shared)
                    assert mode(path) == expected, (kind, shared)
    assert not list(tmp_path.glob(".*")), "nothing is left behind"


def test_a_spreadsheet_finds_no_formula(tmp_path: Path) -> None:
    with answering(interviews({"Id": 1, "Q1": "=HYPERLINK(1)"}, {"Id": 2, "Q1": "-5"})) as client:
        query, path = client.interviews(7), tmp_path / "s7.csv"

        def cells() -> list[str]:
            with path.open(newline="", encoding="utf-8") as file:
                return [row["Q1"] for row in csv.DictReader(file)]

        query.to_csv(path)
        assert cells() == ["=HYPERLINK(1)", "-5"]
        query.to_csv(path, spreadsheet=True)
        assert cells() == ["'=HYPERLINK(1)", "-5"]
        query.table().to_csv(path, spreadsheet=True)
        assert cells() == ["'=HYPERLINK(1)", "-5"]
        for owner in (query, query.table()):
            owner.to_csv(path, spreadsheet=True, separator=";")
            assert path.read_bytes() == "\ufeffId;Q1\r\n1;'=HYPERLINK(1)\r\n2;-5\r\n".encode()
            with pytest.raises(sondage.InvalidArgument, match=r'cannot be ";;"\..*Use ",", ";", "\|" or a tab'):
                owner.to_csv(path, separator=";;")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
@pytest.mark.parametrize("naive", [False, True])
def test_a_time_that_a_zone_does_not_have_is_shown(tmp_path: Path, zone: str, naive: bool) -> None:
    first, last, fine = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2024-07-01T22:30:00.1234567Z"
    rows = [{"Id": 1, "StartDate": first, "EndDate": fine}, {"Id": 2, "StartDate": last, "EndDate": None}]
    with answering(interviews(*rows)) as client:
        table = client.interviews(7).table().in_time_zone(zone, naive=naive)
    assert "2024" in repr(table) and "2024" in table._repr_html_()
    shown = [row["StartDate"] for row in table]
    if naive:
        assert all(isinstance(time, str) or time.tzinfo is None for time in shown)
    else:
        assert shown == [datetime(1, 1, 1, tzinfo=timezone.utc), datetime(9999, 12, 31, 23, 59, 59, 999999, timezone.utc)]
    for kind in ("csv", "jsonl", "parquet", "xlsx", "sav", "dta"):
        getattr(table, f"to_{kind}")(tmp_path / f"a.{kind}")
    if not naive:
        with open(tmp_path / "a.csv", newline="") as lines:
            written = [datetime.fromisoformat(row["StartDate"].replace("Z", "+00:00")) for row in csv.DictReader(lines)]
        assert written == shown, "the same instants"
    assert len(table.to_pandas()) == len(table.to_polars()) == 2


def test_naive_times_are_what_other_ways_out_of_pandas_take(tmp_path: Path) -> None:
    rows = [{"Id": 1, "StartDate": "2024-07-01T22:30:00Z", "n": 1}, {"Id": 2, "StartDate": None, "n": None}]
    with answering(interviews(*rows)) as client:
        table = client.interviews(7).table().in_time_zone("Europe/Zurich", naive=True)
    assert table.to_arrow()["StartDate"].to_pylist() == [row["StartDate"] for row in table] == [datetime(2024, 7, 2, 0, 30), None]
    table.to_pandas().to_stata(tmp_path / "a.dta", version=118)
    read = pd.read_stata(tmp_path / "a.dta")
    assert read["StartDate"][0] == pd.Timestamp(2024, 7, 2, 0, 30) and read["n"].tolist()[0] == 1
