"""From a survey to three files: for SPSS, Stata and Excel. Each is read back by another project's package."""

import tempfile
from pathlib import Path

import pandas as pd
import sondage

FIELDS = ["Id", "EndDate", "frequency", "satisfaction", "duration", "income", "why_poor", "weight"]


def deliver(client: sondage.Client, survey_id: int, out: Path) -> sondage.Table:
    """Writes the files, and returns what is in them."""
    # Once: complete, or an error. 9999999, the service's "not available", is a missing answer, and so is 99 of one question.
    table = client.interviews(survey_id, fields=FIELDS).completed().table().in_time_zone("Europe/Zurich")
    missing = {"income": [99]}
    # Codes with their labels, the codes of missing answers declared, and weighting switched on.
    table.to_sav(out / "answers.sav", weight="weight", missing=missing)
    # Missing answers are `.a` and `.n` with their labels; `char list satisfaction[question]` shows the whole text of a question.
    table.to_dta(out / "answers.dta", missing=missing)
    # Codes, labels and reasons side by side, and sheets of questions, values and frequencies.
    table.with_missing(missing, show="reason").with_labels("both").to_xlsx(out / "answers.xlsx")
    return table.with_missing(missing)


def main() -> None:
    with sondage.Sandbox.demo("waves") as box, tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        table = deliver(box.client(), box.survey_id, out)

        # What is delivered is what was asked for: every file has every row, and the same mean.
        frames = {
            "answers.sav": pd.read_spss(out / "answers.sav", convert_categoricals=False),
            "answers.dta": pd.read_stata(out / "answers.dta", convert_categoricals=False),
            "answers.xlsx": pd.read_excel(out / "answers.xlsx", sheet_name="data"),
        }
        for name, frame in frames.items():
            weighted = frame[["satisfaction", "weight"]].dropna()
            mean = (weighted["satisfaction"] * weighted["weight"]).sum() / weighted["weight"].sum()
            print(name, len(frame) == len(table), f"satisfaction {mean:.3f}")

        # Programs show labels in the questionnaire's order, and know why an answer is missing.
        labels = pd.read_stata(out / "answers.dta")["satisfaction"]
        print(list(labels.cat.categories) == [*table.values("satisfaction").values()])
        sheet = pd.read_excel(out / "answers.xlsx", sheet_name="frequencies")
        income = sheet[sheet["variable"] == "income"]
        print(income[["code", "answer", "missing", "n"]].to_string(index=False, na_rep=""))


if __name__ == "__main__":
    main()
