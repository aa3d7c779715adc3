"""What a comparison shows on the terminal: places first, and of a long table the surest rows."""

import pytest

from curation.records.messages import results
from evaluation.cli.compare import MOST_ROWS, SUREST, _show, _shown
from evaluation.compare.testing import MODEL_COLUMNS, RANK_COLUMNS


def pair(number, p):
    blank = dict.fromkeys(MODEL_COLUMNS, 0.25)
    return {
        **blank,
        "model_1": "one",
        "model_2": f"m{number:02}",
        "metric": "accuracy_amb",
        "p_holm": p,
    }


def shown(rows, capsys, is_placed=True):
    """The lines of a comparison of models with these pairs."""
    ranks = [
        dict(zip(RANK_COLUMNS, ("accuracy_amb", "one", 0.5, 1, 1, 2, ""), strict=True)),
        dict(zip(RANK_COLUMNS, ("accuracy_amb", "two", 0.4, 2, 2, 2, ""), strict=True)),
    ]
    tables = {"models": (MODEL_COLUMNS, rows)}
    tables |= {"ranks": (RANK_COLUMNS, ranks)} if is_placed else {}
    _show(results(tables))  # rows as a table has them
    return capsys.readouterr().out.splitlines()


def test_the_lowest_p_of_a_long_table(capsys):
    """Those below 0.05, the lowest first, and how many there are; a short table is whole."""
    ps = [0.06, None, 0.05, *(0.04 - number / 1000 for number in range(22))]
    assert len(ps) == MOST_ROWS + 1
    pairs = [pair(number, p) for number, p in enumerate(ps)]
    lines = shown(pairs, capsys, is_placed=False)
    named = [line.split()[1] for line in lines if line.startswith("one    m")]
    first = list(dict.fromkeys(named))
    assert first == [f"m{number:02}" for number in range(24, 24 - SUREST, -1)]
    assert lines[-1] == "25 rows: 22 have a p below 0.05, 8 are shown. --out writes all."
    *lines, last = shown(pairs, capsys)
    places = {tuple(line.split()) for line in lines}
    assert {("one", ".500", "#1-2"), ("two", ".400", "#2")} <= places
    assert "m24" not in "".join(lines)
    assert "for the prompts that were asked" in " ".join(lines)  # other prompts are not in a place
    assert "0.05, 0 are shown. --model shows" in last
    whole = shown(pairs[:-1], capsys)
    assert len({line.split()[1] for line in whole if line.startswith("one    m")}) == MOST_ROWS


@pytest.mark.parametrize(
    ("value", "text"), [(1e-12, "<\u202f.001"), (0.0312, ".031"), (1.0, ">\u202f.999")]
)
def test_a_p_that_no_test_can_tell_is_shown_as_such(value, text):
    """Never as a number that it may not be, nor as 0."""
    assert _shown({"p_holm": value}, "p_holm") == text
