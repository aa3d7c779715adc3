"""Who is shown suggestions, and what is kept of it."""

from dataclasses import replace

import pytest

from curation.annotation.labels import LabelState
from curation.annotation.suggestions import (
    ALLOTTED,
    HALF,
    SHEET,
    Allotted,
    Suggestion,
    compare,
    record_allotted,
    shown_file,
    who_sees,
)
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Label
from curation.records.messages import CurateError

ST, TM, SR = Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED
ONE, TWO = "craft-001", "craft-002"
EARLY, LATE = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def allotted(name, annotator, *, shown, place=SHEET):
    """A suggestion that a template is removed, handed out in January."""
    return Allotted(name, annotator, place, shown, SR, "rules", f"hash-{name}", EARLY)


def sees(folder, names, *blind):
    hidden = blind or (HALF,)
    return [name for name, shown in who_sees(Workspace(folder), names, hidden).items() if shown]


@pytest.mark.parametrize(("count", "shown"), [(1, 0), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_half_of_the_annotators_see_them(tmp_path, count, shown):
    """Of an odd number one fewer; the draw is the same every time."""
    names = [f"A{at}" for at in range(count)]
    first = sees(tmp_path, names)
    assert len(first) == shown
    assert sees(tmp_path, names) == first


def test_who_was_drawn_stays_so(tmp_path):
    """Those who come later fill the halves up."""
    workspace = Workspace(tmp_path)
    record_allotted(workspace, [allotted(ONE, "Kim", shown=True), allotted(ONE, "Lee", shown=True)])
    assert sees(tmp_path, ["kim", "Lee"]) == ["kim", "Lee"]
    assert sees(tmp_path, ["Kim", "Lee", "Mina", "Jun"]) == ["Kim", "Lee"]
    assert sees(tmp_path, ["Kim", "Mina", "Jun", "Sora", "Bo", "Cy"])[:1] == ["Kim"]
    assert len(sees(tmp_path, ["Kim", "Mina", "Jun", "Sora", "Bo", "Cy"])) == 3


def test_all_none_or_names_are_blind(tmp_path):
    """However the names are typed."""
    names = ["Kim", "Lee", "Mina"]
    assert sees(tmp_path, names, "all") == []
    assert sees(tmp_path, names, "none") == names
    assert sees(tmp_path, names, "lee ", "Mina") == ["Kim"]
    assert sees(tmp_path, [""], "none") == [""]
    with pytest.raises(CurateError, match="'Jun' is not one of the annotators: Kim, Lee, Mina"):
        sees(tmp_path, names, "Jun")
    with pytest.raises(CurateError, match="'half' is not one of the annotators"):
        sees(tmp_path, names, "half", "Kim")
    with pytest.raises(CurateError, match="shows suggestions to everybody or to nobody"):
        sees(tmp_path, [""])


def test_what_was_shown_stays_shown(tmp_path):
    """Nobody forgets what he has seen; the same again keeps its time."""
    workspace = Workspace(tmp_path)
    blind = allotted(ONE, "Kim", shown=False)
    record_allotted(workspace, [blind])
    record_allotted(workspace, [replace(blind, shown=True, allotted_at=LATE)])
    record_allotted(workspace, [replace(blind, allotted_at=LATE), allotted(TWO, "Kim", shown=True)])
    again = replace(allotted(TWO, "Kim", shown=True), allotted_at=LATE)
    record_allotted(workspace, [again])
    assert ALLOTTED.read(shown_file(workspace)) == [
        replace(blind, shown=True, allotted_at=LATE),
        allotted(TWO, "Kim", shown=True),
    ]


def said(name, who, label, place="raw/x.xlsx"):
    return Annotation(
        name, who, label, source_file=place, row_hash=f"hash-{name}", collected_at=LATE
    )


def standing(*opinions):
    by_name = {name: tuple(o for o in opinions if o.template_id == name) for name in (ONE, TWO)}
    return LabelState({}, (), {}, {}, {}, (), by_name)


def counts(found):
    """Who gave how many labels, and how many as suggested."""
    return [(item["view"], item["annotator"], item["labels"], item["agree"]) for item in found]


def suggestion(name):
    """One of now: the template stays as it is."""
    return Suggestion(name, ST, "", "rules", f"hash-{name}", LATE)


def test_labels_given_in_sight_and_blind_are_counted_apart():
    """Against what was suggested when the template was handed out, else against that of now."""
    rows = [allotted(ONE, "Kim", shown=True), allotted(ONE, "Lee", shown=False)]
    labels = standing(
        *(said(ONE, "Kim", SR), said(ONE, "Lee", TM), said(ONE, "Mina", ST)),
        *(said(TWO, "Kim", ST), said(TWO, "Lee", None)),
    )
    found = compare(labels, {ONE: suggestion(ONE), TWO: suggestion(TWO)}, rows)
    assert counts(found) == [
        *(("shown", "", 1, 1), ("shown", "Kim", 1, 1)),
        *(("blind", "", 3, 2), ("blind", "Kim", 1, 1), ("blind", "Lee", 1, 0)),
        ("blind", "Mina", 1, 1),
    ]
    assert found[2]["share"] == 2 / 3


def test_a_label_is_blind_that_came_before_or_from_elsewhere():
    """A suggestion that is shown later, in another project or of another text was not seen."""
    in_project = allotted(ONE, "Kim", shown=True, place="labelstudio:7")
    for row, opinion in (
        (replace(allotted(ONE, "Kim", shown=True), allotted_at="2026-03-01"), said(ONE, "Kim", SR)),
        (replace(allotted(ONE, "Kim", shown=True), row_hash="other"), said(ONE, "Kim", SR)),
        (in_project, said(ONE, "Kim", SR)),
        (in_project, said(ONE, "Kim", SR, "labelstudio:8")),
        (allotted(ONE, "Kim", shown=True), said(ONE, "Kim", SR, "labelstudio:7")),
    ):
        assert counts(compare(standing(opinion), {ONE: suggestion(ONE)}, [row])) == [
            *(("shown", "", 0, 0), ("blind", "", 1, 0), ("blind", "Kim", 1, 0))
        ]
    at_once = replace(allotted(ONE, "Kim", shown=True), allotted_at=LATE)
    for row, seen in (
        (in_project, said(ONE, "annotator-1", SR, "labelstudio:7")),
        (at_once, said(ONE, "Kim", SR)),
    ):
        assert counts(compare(standing(seen), {}, [row]))[0] == ("shown", "", 1, 1)
