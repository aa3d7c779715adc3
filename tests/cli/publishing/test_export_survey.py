"""`curate export survey`."""

import csv
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]


def rows(path: Path) -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_neither_ids_nor_the_order_of_the_file_can_be_seen(
    curate: Curate, filtered: Path, tmp_path: Path
) -> None:
    """The same people under other ids, in another order, give the same bytes."""
    curate("export", "survey", "-w", filtered, "--respondents", "--out", tmp_path / "one")
    draw = random.Random(5)  # noqa: S311  # a seeded example
    people = rows(filtered / "responses" / "respondents.csv")
    other = {row["respondent_id"]: f"x{draw.randrange(10**9)}" for row in people}
    for name in ("responses.csv", "respondents.csv"):
        path = filtered / "responses" / name
        table = rows(path)
        draw.shuffle(table)
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, table[0], lineterminator="\n")
            writer.writeheader()
            for row in table:
                writer.writerow(row | {"respondent_id": other[row["respondent_id"]]})
    curate("export", "survey", "-w", filtered, "--respondents", "--out", tmp_path / "two")
    for name in ("responses.csv", "respondents.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
