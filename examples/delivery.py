"""A delivery to a client: the answers for their programs, a codebook that explains them, and what was checked."""

import tempfile
from pathlib import Path

import pandas as pd
import sondage

with sondage.Sandbox.demo("waves") as box, tempfile.TemporaryDirectory() as folder:
    client = box.client()
    out = Path(folder)
    fields = ["Id", "EndDate", "frequency", "reasons", "satisfaction", "duration", "remark", "weight"]

    # The answers, once: complete, or an error. 9999999, the service's "not available", is a missing answer.
    table = client.interviews(box.survey_id, fields=fields).completed().table()
    local = table.in_time_zone("Europe/Berlin")

    # For analysts: Parquet with the labels of the questionnaire beside the codes.
    local.with_labels("both").to_parquet(out / "answers.parquet")
    # For a German Excel: `;` between the cells, decimal commas, no formula from an answer.
    local.with_labels().to_csv(out / "answers.csv", spreadsheet="de")
    # For people: a codebook with frequencies, weighted, as a page that a browser prints.
    (out / "codebook.html").write_text(table.codebook(frequencies=True, weight="weight").to_html(), "utf-8")

    # What is delivered is what was asked for: each file has every row, and no mean has a 9999999.
    files = {
        "answers.parquet": pd.read_parquet(out / "answers.parquet"),
        "answers.csv": pd.read_csv(out / "answers.csv", sep=";", decimal=",", encoding="utf-8-sig"),
    }
    for name, frame in files.items():
        print(name, frame.shape, round(frame["duration"].mean(), 1))

    # The figures of the covering letter.
    visits = table.frequencies("frequency", weight="weight")
    print(visits.label, f"(n = {visits.answered}, weighted)")
    for answer in visits.categories:
        print(f"{answer.valid_percent:5.1f} %  {answer.label}")

    # Years later, the file is the table that it was.
    again = sondage.read_parquet(out / "answers.parquet")
    print(again.label("satisfaction"), again.values("frequency") == table.values("frequency"))
