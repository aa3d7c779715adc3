"""Passages for human readers."""

import json
from collections import Counter
from pathlib import Path

import pytest

from curation.files.workbooks import FilledRow
from curation.records.errors import CurateError
from evaluation.stories.readers import (
    Passage,
    PersonReading,
    draw_passages,
    evaluator_readings,
    passage_book,
    passage_sheet,
    person_reading,
    read_people,
    write_people,
)


def line(model: str, template: str, at: int) -> dict[str, object]:
    """Give a request for a reading."""
    return {
        "request_id": f"{template}-{model}-{at}",
        "model": model,
        "template_id": template,
        "story": f"Story {at}.",
        "asked": "Who?",
        "choices": ["Unknown", "The cook", "The smith"],
        "roles": ["U", "B", "C"],
        "messages": [{"role": "user", "content": "..."}],
    }


def write(folder: Path, lines: list[dict[str, object]]) -> Path:
    """Write requests."""
    path = folder / "requests.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in lines), encoding="utf-8")
    return path


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    """Many requests about one model and category, and few about the others."""
    sizes = {("m", "age-001"): 60, ("m", "ses-002"): 30, ("n", "age-001"): 5, ("n", "ses-002"): 40}
    return write(
        tmp_path, [line(model, name, at) for (model, name), n in sizes.items() for at in range(n)]
    )


def test_every_model_and_category_has_about_as_many(requests: Path) -> None:
    """As far as there are as many."""
    found = draw_passages(requests, 40, 1)
    assert len({item.request_id for item in found}) == 40
    counts = Counter((item.model, item.category) for item in found)
    assert counts.pop(("n", "age")) == 5
    assert sorted(counts.values()) == [11, 12, 12]
    assert draw_passages(requests, 40, 1) == found
    assert draw_passages(requests, 40, 2) != found
    assert len(draw_passages(requests, 1000, 1)) == 135


def test_the_order_of_the_file_makes_no_difference(requests: Path, tmp_path: Path) -> None:
    """What is drawn depends on the ids alone."""
    lines = requests.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    assert draw_passages(other, 40, 1) == draw_passages(requests, 40, 1)


def test_the_sheet_does_not_tell_who_wrote_a_passage(requests: Path) -> None:
    """Nor which answer is biased."""
    passages = draw_passages(requests, 4, 1)
    book = passage_book(passages, "Mina", {"seed": "1"})
    assert book.about == {"seed": "1", "reader": "Mina"}
    row = book.sheets[0].rows[0]
    assert dict(row.cells) == {
        "number": "1", "passage": passages[0].text, "question": "Who?",
        "A": "Unknown", "B": "The cook", "C": "The smith",
    }  # fmt: skip


PASSAGE = Passage("r1", "m", "age", "Story.", "Who?", ("Unknown", "X", "Y"), ("U", "B", "C"))


@pytest.mark.parametrize(
    ("answer", "reading"), [("A", "U"), (" b ", "B"), ("C", "C"), ("", None), ("D", None)]
)
def test_an_answer_is_read_by_the_place_of_its_choice(answer: str, reading: str | None) -> None:
    """As it was shown."""
    row = FilledRow("r1", 2, {"answer": answer, "remark": " hm "}, "", False, True)
    found = person_reading(row, PASSAGE, "Mina", "raw/m.xlsx", "now")
    expected = PersonReading("r1", "Mina", reading or "", "hm", "raw/m.xlsx", "now")
    assert found == (expected if reading else None)


def test_what_a_reader_returns_again_takes_the_place_of_what_was(tmp_path: Path) -> None:
    """What others returned stays."""
    path = tmp_path / "annotations" / "stories_readers.csv"
    assert read_people(path) == []
    old = [PersonReading("r1", name, "B", "", "x", "t") for name in ("Mina", "Jun")]
    write_people(path, [], old)
    new = [PersonReading("r2", "MINA", "C", "a, b", "y", "u")]
    write_people(path, read_people(path), new)
    assert read_people(path) == [old[1], new[0]]
    path.write_text("request_id,reader,reading\nr1,Mina,X\n", encoding="utf-8")
    with pytest.raises(CurateError, match="'X' is not a reading"):
        read_people(path)


def test_requests_of_another_kind_are_refused(tmp_path: Path) -> None:
    """Those for continuations have no roles."""
    path = write(tmp_path, [{**line("m", "age-001", 0), "roles": None}])
    with pytest.raises(CurateError, match="it has no choices with roles") as caught:
        draw_passages(path, 1, 1)
    assert caught.value.where == f"{path}, line 1"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(CurateError, match=r"requests\.jsonl holds no request"):
        draw_passages(path, 1, 1)


def test_the_evaluator_is_the_one_of_the_readings(tmp_path: Path) -> None:
    """Its readings of the wanted passages alone are given."""
    path = tmp_path / "readings.csv"
    path.write_text("request_id,evaluator,reading\nr1,j,B\nr2,j,out_of_choice\nr3,j,C\n")
    assert evaluator_readings(path, ["r2", "r1"]) == ("j", {"r1": "B", "r2": "out_of_choice"})
    path.write_text("request_id,evaluator,reading\nr1,j,B\nr1,k,B\n")
    with pytest.raises(CurateError, match="the readings are by 2 evaluators"):
        evaluator_readings(path, ["r1"])


def test_the_sheet_is_made_again_from_the_same_draw(requests: Path) -> None:
    """So a returned workbook is compared with what was handed out."""
    first = passage_sheet(draw_passages(requests, 10, 3))
    assert passage_sheet(draw_passages(requests, 10, 3)) == first


def test_both_versions_of_a_story_are_drawn_together(tmp_path: Path) -> None:
    """Neutrality is of pairs; a version without the other is drawn alone."""
    lines = [
        {
            **line("m", "age-001", at),
            **{"version": version, "filling": at, "request_id": f"{at}{version}"},
        }
        for at in range(20)
        for version in ("a", "b")
    ]
    path = write(tmp_path, lines[:-1])
    found = draw_passages(path, 10, 1)
    assert len(found) == 10
    assert Counter(item.request_id[:-1] for item in found if item.request_id != "19a") == Counter(
        dict.fromkeys({item.request_id[:-1] for item in found} - {"19"}, 2)
    )
    assert len(draw_passages(path, 7, 1)) in (6, 7)
