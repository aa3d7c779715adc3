"""Which option a reply names."""

import pytest

from curation.records.messages import CurateError
from evaluation.occupations.scoring import read_choices
from evaluation.replies.files import load_replies


def replies(folder, lines, model="one"):
    """Write replies: JSON values by request."""
    path = folder / f"{model}.jsonl"
    path.write_text(
        "".join(
            f'{{"request_id": "{name}", "model": "{model}", "reply": {said}}}\n'
            for name, said in lines.items()
        ),
        encoding="utf-8",
    )
    return path


SAID = {
    "guard": ["2", "(2)", "(2): guard.", "(2) guard", "2. guard", "**2**", "guard", "Guard."],
    "unknown": ["(3) unknown"],
    "baker": ["The answer is (1)."],
    None: ["4", "2 or 3", "not 2", "(2): baker.", "I cannot say", "", "A"],
}


def test_a_reply_names_an_option_by_number_by_text_or_by_both(tmp_path, items):
    """Letters are not what these options are called, and a contradiction is out-of-choice."""
    item = items[0]
    assert item.options == ("baker", "guard", "unknown")
    for choice, replied in SAID.items():
        for said in replied:
            table = load_replies([replies(tmp_path, {item.item_id: f'"{said}"'})])
            picks, (attended,) = read_choices((item,), table)
            (option,) = picks.rows["option"]
            assert (None if option < 0 else item.options[option]) == choice, said
            assert sum(attended.rules.values()) == 1


def test_later_epochs_are_replies_to_the_same_items(tmp_path, items):
    """What lacks a reply in one of them is named with its epoch."""
    names = [item.item_id for item in items]
    said = dict.fromkeys(names, '"1"') | {f"{name}-e2": '"2"' for name in names[:-1]}
    table = load_replies([replies(tmp_path, {**said, f"{names[0]}-e9": '"1"'})])
    picks, (attended,) = read_choices(items, table)
    places = list(range(len(items)))
    assert picks.rows["item"].tolist() == [*places, *places[:-1]]
    assert picks.rows["epoch"].tolist() == [0] * 8 + [1] * 7
    assert picks.rows["option"].tolist() == [0] * 8 + [1] * 7
    assert (attended.asked, attended.missing) == (16, (f"{names[-1]}-e2",))
    assert attended.unknown == (f"{names[0]}-e9",)


def test_replies_are_held_against_the_items(tmp_path, items):
    """Missing, failed and unknown ones are counted by model."""
    first = replies(
        tmp_path, {items[0].item_id: '"1"', items[1].item_id: "null", "stranger": '"1"'}
    )
    second = replies(tmp_path, {item.item_id: '"3"' for item in items}, model="two")
    found, (one, two) = read_choices(items, load_replies([second, first]))
    assert found.models == ("one", "two")
    assert (len(one.missing), one.failed, one.unknown) == (7, 1, ("stranger",))
    assert one.missing[0] == items[1].item_id
    assert (two.missing, two.failed, two.unknown, two.rules) == ((), 0, (), {"letter": 8})
    assert found.rows["model"].tolist().count(1) == 8
    assert found.rows[found.rows["model"] == 0].to_numpy().tolist() == [[0, 0, 0, 0]]
    with pytest.raises(CurateError, match="none of the 1 replies answers one of the requests"):
        read_choices(items, load_replies([replies(tmp_path, {"stranger": '"1"'})]))
