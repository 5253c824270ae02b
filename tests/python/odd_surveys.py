"""Surveys with what real ones have, for tests of programs that read their tables and files.

They are the two waves, the demo's feedback, two questionnaires with the shape of real ones, and generated ones: long and equal labels,
right-to-left texts, emoji, answers of 32 kB, several codes for missing answers, scales of which only the ends have labels, and nobody
at all. `SONDAGE_GENERATED_SURVEYS` is how many are generated, 20 by default."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from datetime import date, datetime, timezone
from os import environ
from pathlib import Path
from typing import Any

import pandas as pd
import sondage

SHAPES = Path(__file__).parents[1] / "shapes"
GENERATED = int(environ.get("SONDAGE_GENERATED_SURVEYS", "20"))
"""How many surveys are generated. With more than 20 all six shapes are read."""
NAMES = ["survey-1", "survey-5"] if GENERATED <= 20 else sorted(path.stem for path in SHAPES.glob("survey-*.json"))
TEXTS = ["", "a", "ß", "مرحبا بالعالم", "שלום", "👩‍🚀🏳️‍🌈", "a\nb", 'say "x", y; z', " edge ", "=1+1", "Ä" * 16_000, "null", "NA", "0"]


def generated(seed: int) -> dict[str, Any]:
    """A frame and its labels."""
    rng = random.Random(seed)
    people = rng.choice([0, 1, 40, 120])
    long = "L" * rng.choice([80, 121, 300])
    scales: dict[str, dict[Any, str]] = {
        "equal": {1: "same", 2: "same", 3: "other"},
        "long": {1: f"{long}1", 2: f"{long}2", 3: "مرحبا", 4: "🙂", 5: "<b>five</b> &amp; more"},
        "ends": {0: "not at all", 10: "very"},
        "missing": {code: f"m{code}" for code in (1, 2, 3, -9, -8, 96, 97, 98, 99)[: rng.choice([6, 9])]},
        "down": {3: "high", 2: "middle", 1: "low"},
    }
    others: dict[str, Callable[[], Any]] = {
        "words": lambda: rng.choice(TEXTS),
        "whole": lambda: rng.randrange(-(10**12), 10**12),
        "real": lambda: rng.choice([0.1, -2.5e-7, 1e300, 3.0]),
        "day": lambda: date(1900 + rng.randrange(200), rng.randrange(1, 13), 7).isoformat(),
    }
    columns: dict[str, list[Any]] = {}
    for name, labels in scales.items():
        codes = list(range(11)) if name == "ends" else list(labels)
        columns[name] = [rng.choice([*codes, None]) for _ in range(people)]
    for name, value in others.items():
        columns[name] = [value() if rng.random() < 0.8 else None for _ in range(people)]
    frame = pd.DataFrame({name: pd.Series(values, dtype="object") for name, values in columns.items()})
    return {"frame": frame, "labels": scales}


def surveys() -> Iterator[tuple[str, sondage.Table]]:
    with sondage.Sandbox(content="waves", surveys=[SHAPES / f"{name}.json" for name in NAMES]) as box:
        for name in NAMES:
            box.fill(box.survey_ids[name], 60, seed=3)
        for name, survey in {**box.survey_ids, "feedback": box.feedback_survey_id}.items():
            yield name, box.client().interviews(survey).table()
    for seed in range(GENERATED):
        with sondage.Sandbox.from_frame(**generated(seed)) as box:
            yield f"generated {seed}", box.client().interviews(box.survey_id).table()


def plain(cell: Any) -> Any:
    """A cell of any program as the table has it."""
    if isinstance(cell, (list, tuple)):
        return [plain(one) for one in cell]
    if cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, pd.Timestamp):
        cell = cell.to_pydatetime(warn=False)
    if isinstance(cell, datetime):
        return cell.astimezone(timezone.utc) if cell.tzinfo else cell.replace(tzinfo=timezone.utc)
    return cell.item() if hasattr(cell, "item") else cell


def same(rows: list[Any], expected: list[Any], where: str) -> None:
    if rows == expected:
        return
    found = [plain(cell) for cell in rows]
    wanted = [plain(cell) for cell in expected]
    # A day that a program has as a time is the same day.
    pairs = [(f.date() if isinstance(w, date) and not isinstance(w, datetime) and isinstance(f, datetime) else f, w) for f, w in zip(found, wanted)]
    assert len(found) == len(wanted) and all(f == w for f, w in pairs), (where, next(((f, w) for f, w in pairs if f != w), len(found)))
