"""The folder of annotations."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.files.annotations import (
    read_annotations,
    read_renamed,
    write_annotations,
    write_renamed,
)
from curation.records.annotation import CLASSIFY_LABELS, Annotation
from curation.records.errors import CurateError

HEADER = "template_id,annotator,label,reason,proposed_targets\n"
_texts = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)


@given(
    st.builds(
        Annotation,
        template_id=st.just("craft-001"),
        annotator=st.just("Mina"),
        label=st.sampled_from([None, *CLASSIFY_LABELS]),
        reason=_texts,
        proposed_targets=st.lists(_texts, max_size=3).map(tuple),
        proposed_non_targets=st.lists(_texts, max_size=3).map(tuple),
        remark=_texts,
    )
)
def test_annotations_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, item: Annotation
) -> None:
    """Reading what was written gives the same."""
    path = tmp_path_factory.mktemp("annotations") / "classify.csv"
    write_annotations(path, [item])
    assert read_annotations(path) == [item]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("craft-001,Mina,NC,,\n", "'NC' is not allowed in column label"),
        ("craft-001,Mina,ST,,Bakers\n", "is not allowed in column proposed_targets"),
        ("craft-001,Mina,ST,,\ncraft-001,Mina,TM,,\n", "two annotations on craft-001"),
        ("craft-001,Mina\n", "2 cells where the header has 5"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused(tmp_path: Path, row: str, what: str) -> None:
    """Annotations are read all or not at all."""
    path = tmp_path / "classify.csv"
    path.write_text(HEADER + row, encoding="utf-8")
    with pytest.raises(CurateError, match=what):
        read_annotations(path)


def test_a_template_renamed_twice_is_found_by_its_first_id(tmp_path: Path) -> None:
    """The steps are followed to the latest id."""
    path = tmp_path / "renamed.csv"
    write_renamed(path, {"job-001": "trade-001"}, "t1")
    write_renamed(path, {"trade-001": "craft-003"}, "t2")
    assert read_renamed(path) == {"job-001": "craft-003", "trade-001": "craft-003"}
