"""Tables that results are written to."""

from evaluation.folders import write_rows


def test_names_are_no_formulas_to_a_spreadsheet_and_numbers_stay(tmp_path):
    """What is undefined is an empty cell."""
    rows = [{"model": "=1+1", "value": -0.5}, {"model": "plain", "value": None}]
    path = write_rows(tmp_path / "scores.csv", ("model", "value"), rows)
    assert path.read_text(encoding="utf-8") == "model,value\n'=1+1,-0.5\nplain,\n"
