"""Tables of results."""

from dataclasses import dataclass

from evaluation.folders import write_rows


@dataclass(frozen=True, slots=True)
class Measured:
    """A model with a value."""

    model: str
    value: float | None


def test_names_are_no_formulas_to_a_spreadsheet_and_numbers_stay(tmp_path):
    """What is undefined is an empty cell."""
    rows = [Measured("=1+1", -0.5), Measured("plain", None)]
    path = write_rows(tmp_path / "scores.csv", Measured, rows)
    assert path.read_text(encoding="utf-8") == "model,value\n'=1+1,-0.5\nplain,\n"
