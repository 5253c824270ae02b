"""CSV files as spreadsheets of several countries expect them, read back by pandas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sondage


@pytest.fixture(scope="module")
def box() -> Any:
    frame = pd.DataFrame({"price": [1.5, -0.25, 1e21, None], "n": [1, 2, 3, 4], "text": ["a;b", "1,5", "=1+1", ""]})
    with sondage.Sandbox.from_frame(frame) as box:
        yield box


@pytest.fixture(scope="module")
def table(box: sondage.Sandbox) -> sondage.Table:
    return box.client().interviews(box.survey_id).table().select(["price", "n", "text", "EndDate"])


@pytest.mark.parametrize(
    ("spreadsheet", "separator", "decimal"),
    [
        ("de", ";", ","), ("de-AT", ";", ","), ("de_CH", ";", "."), ("fr-CH", ";", ","), ("es-MX", ",", "."), ("es", ";", ","),
        ("en", ",", "."), ("en-GB", ",", "."), ("ja", ",", "."), ("tr", ";", ","), (True, ",", "."),
        ("sw", ",", "."), ("en-ZA", ";", ","), ("kl", ";", ","), ("zh-Hant-TW", ",", "."),
    ],
)  # fmt: skip
def test_a_spreadsheet_of_a_country(tmp_path: Path, table: sondage.Table, spreadsheet: Any, separator: str, decimal: str) -> None:
    file = tmp_path / "answers.csv"
    table.to_csv(file, spreadsheet=spreadsheet)
    raw = file.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf") and b"\r\n" in raw and not raw.startswith(b"\xef\xbb\xbfsep")
    frame = pd.read_csv(file, sep=separator, decimal=decimal, encoding="utf-8-sig", keep_default_na=False, na_values={"price": [""]})
    assert list(frame["price"][:3]) == [1.5, -0.25, 1e21] and frame["price"].isna()[3]
    assert list(frame["n"]) == [1, 2, 3, 4] and list(frame["text"]) == ["a;b", "'1,5", "'=1+1", ""]
    assert "T" not in frame["EndDate"][0] and "Z" not in frame["EndDate"][0]


def test_what_is_said_beats_the_language(tmp_path: Path, box: sondage.Sandbox, table: sondage.Table) -> None:
    file = tmp_path / "answers.csv"
    table.to_csv(file, spreadsheet="de", separator="\t", bom=False)
    raw = file.read_text("utf-8")
    assert raw.startswith("price\tn\ttext") and "1,5\t1" in raw
    table.to_csv(file, separator=";", decimal=",")
    assert file.read_text("utf-8").splitlines()[1].startswith('1,5;1;"a;b";') and "\r" not in file.read_text("utf-8")
    box.client().interviews(box.survey_id, fields=["price"]).to_csv(file, spreadsheet="fr")
    assert "1,5" in file.read_text("utf-8-sig")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"decimal": ","}, 'a decimal comma and commas between the cells cannot be told apart.*separator ";"'),
        ({"decimal": "x"}, "decimal sign"),
        ({"decimal": ""}, "decimal sign"),
        ({"separator": ";;"}, "separator"),
        ({"spreadsheet": "german"}, "True or False|the tag of a language, such as \"de\" or \"fr-CH\", not \"german\""),
        ({"spreadsheet": "xx-notatag"}, 'not the tag of a language.*Use a tag such as "de"'),
        ({"spreadsheet": "de-CH-CH"}, 'not the tag of a language.*Use a tag such as "de"'),
        ({"spreadsheet": "de-CHE"}, 'not the tag of a language.*Use a tag such as "de"'),
        ({"spreadsheet": "xx"}, '"xx" is not the tag of a language.*Use a tag such as "de"'),
        ({"spreadsheet": "de-"}, "the tag of a language, such as"),
        ({"spreadsheet": 1.5}, "the tag of a language, such as .*, not 1.5"),
    ],
)
def test_signs_that_cannot_be(tmp_path: Path, table: sondage.Table, options: Any, sentence: str) -> None:
    file = tmp_path / "answers.csv"
    with pytest.raises(sondage.InvalidArgument, match=sentence):
        table.to_csv(file, **options)
    assert not file.exists()


def test_integers_that_a_spreadsheet_would_round_are_texts(tmp_path: Path) -> None:
    """Excel keeps 15 digits of a number, wherever it stands in a CSV file."""
    wide, negative, digits = 1234567890123456789, -1234567890123456, "00000123456789012345678"
    frame = pd.DataFrame({"n": [wide, negative, 999999999999999, 10**15], "t": [digits, "12 345", "7", "1234567890123456x"]})
    file = tmp_path / "answers.csv"
    with sondage.Sandbox.from_frame(frame) as own:
        table = own.client().interviews(own.survey_id).table().select(["n", "t"])
    table.to_csv(file, spreadsheet=True)
    rows = file.read_text("utf-8-sig").splitlines()[1:]
    assert rows == [f"'{wide},'{digits}", f"'{negative},'12 345", "999999999999999,7", "'1000000000000000,1234567890123456x"]
    table.to_csv(file)
    assert file.read_text("utf-8").splitlines()[1] == f"{wide},{digits}", "for programs, nothing is changed"
