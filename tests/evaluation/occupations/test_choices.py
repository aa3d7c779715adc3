"""Which option a reply names."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.occupations.choices import attendance_findings, read_choices, refuse_incomplete
from evaluation.occupations.records import Item
from evaluation.replies.files import load_replies

Items = tuple[Item, ...]


def replies(folder: Path, lines: dict[str, str], model: str = "one") -> Path:
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


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("2", "guard"),
        ("(2)", "guard"),
        ("(2): guard.", "guard"),
        ("(2) guard", "guard"),
        ("2. guard", "guard"),
        ("**2**", "guard"),
        ("guard", "guard"),
        ("Guard.", "guard"),
        ("(3) unknown", "unknown"),
        ("The answer is (1).", "baker"),
        ("4", None),
        ("2 or 3", None),
        ("not 2", None),
        ("(2): baker.", None),
        ("I cannot say", None),
        ("", None),
        ("A", None),
    ],
)
def test_a_reply_names_an_option_by_number_by_text_or_by_both(
    tmp_path: Path, items: Items, said: str, choice: str | None
) -> None:
    """Letters are not what these options are called, and a contradiction is out-of-choice."""
    item = items[0]
    assert item.options == ("baker", "guard", "unknown")
    table = load_replies([replies(tmp_path, {item.item_id: f'"{said}"'})])
    read = read_choices((item,), table)
    (option,) = read.picks.option
    assert (None if option < 0 else item.options[option]) == choice
    assert sum(read.attendance[0].rules.values()) == 1


def test_later_epochs_are_replies_to_the_same_items(tmp_path: Path, items: Items) -> None:
    """What lacks a reply in one of them is named with its epoch."""
    names = [item.item_id for item in items]
    said = dict.fromkeys(names, '"1"') | {f"{name}-e2": '"2"' for name in names[:-1]}
    table = load_replies([replies(tmp_path, {**said, f"{names[0]}-e9": '"1"'})])
    read = read_choices(items, table)
    places = list(range(len(items)))
    assert read.picks.item.tolist() == [*places, *places[:-1]]
    assert read.picks.epochs().tolist() == [0] * 8 + [1] * 7
    assert read.picks.option.tolist() == [0] * 8 + [1] * 7
    (attended,) = read.attendance
    assert (attended.asked, attended.missing) == (16, (f"{names[-1]}-e2",))
    assert attended.unknown == (f"{names[0]}-e9",)


def test_replies_are_held_against_the_items(tmp_path: Path, items: Items) -> None:
    """Missing, failed and unknown ones are counted by model."""
    first = replies(
        tmp_path, {items[0].item_id: '"1"', items[1].item_id: "null", "stranger": '"1"'}
    )
    second = replies(tmp_path, {item.item_id: '"3"' for item in items}, model="two")
    read = read_choices(items, load_replies([second, first]))
    assert read.picks.models == ("one", "two")
    one, two = read.attendance
    assert (len(one.missing), one.failed, one.unknown) == (7, 1, ("stranger",))
    assert one.missing[0] == items[1].item_id
    assert (two.missing, two.failed, two.unknown, two.rules) == ((), 0, (), {"letter": 8})
    found = read.picks
    assert found.model.tolist().count(1) == 8
    assert found.option[found.model == 0].tolist() == [0]
    assert found.item[found.model == 0].tolist() == [0]


def test_missing_replies_are_refused_and_said(tmp_path: Path, items: Items) -> None:
    """A score over half of the items would not say so."""
    path = replies(tmp_path, {items[0].item_id: '"1"', "stranger": '"1"'})
    attendance = read_choices(items, load_replies([path])).attendance
    with pytest.raises(CurateError) as refused:
        refuse_incomplete(attendance, "replies.jsonl")
    assert refused.value.what.startswith("one has no reply to 7 of 8 items: 1-w-pilot, ")
    assert "--allow-incomplete" in refused.value.hint
    missing, unknown = attendance_findings(attendance, "replies.jsonl")
    assert (missing.rule, unknown.rule) == ("occupations-missing", "occupations-unknown-item")
    assert unknown.message == "one: 1 reply answers none of the items and is left out: stranger"


def test_a_complete_model_is_not_remarked_on(tmp_path: Path, items: Items) -> None:
    """Neither refused nor warned of."""
    path = replies(tmp_path, {item.item_id: '"1"' for item in items})
    attendance = read_choices(items, load_replies([path])).attendance
    refuse_incomplete(attendance, "replies.jsonl")
    assert list(attendance_findings(attendance, "replies.jsonl")) == []
