"""Reading and writing `bank.csv` and `groups.csv`."""

import csv
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.files.bank import (
    BANK_COLUMNS,
    add_groups,
    read_bank,
    read_groups,
    write_bank,
    write_groups,
)
from curation.records.bank import GROUP_FIELDS, TEXT_FIELDS, Bank, Group, Label, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import TemplateId, VariantId, VariantLetter

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
_GROUPS = st.lists(_TEXT, max_size=3).map(tuple)
_TEXTS = st.builds(
    Texts, **{name: _GROUPS if name in GROUP_FIELDS else _TEXT for name in TEXT_FIELDS}
)
_IDS = st.builds(
    VariantId,
    st.builds(TemplateId, st.sampled_from(["age", "ses_x", "나이"]), st.integers(0, 12_000)),
    st.sampled_from(VariantLetter),
)
_OWN_COLUMNS = ("our_remark", "점수")


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Draw a variant with two columns of the curators' own."""
    variant_id = draw(_IDS)
    plain = {name: draw(_TEXT) for name in ("source", "source_id", "source_category")}
    return Variant(
        id=variant_id,
        category=variant_id.template.category.replace("_", " ").title(),
        label=draw(st.none() | st.sampled_from(Label)),
        texts=draw(_TEXTS),
        source_texts=draw(_TEXTS),
        machine_texts=draw(st.just(Texts()) | _TEXTS),
        reference=draw(_TEXT),
        note=draw(_TEXT),
        extra=tuple((name, draw(_TEXT)) for name in _OWN_COLUMNS),
        **plain,
    )


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(variants(), min_size=1, max_size=4))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Variant]
) -> None:
    """Reading a written bank gives the same variants, and writing that the same bytes."""
    folder = tmp_path_factory.mktemp("bank")
    bank = Bank(tuple(rows))
    write_bank(folder / "bank.csv", bank)
    read, findings = read_bank(folder / "bank.csv")
    assert read == bank
    assert {item.rule for item in findings} == {"bank-unknown-column"}
    write_bank(folder / "again.csv", read)
    assert (folder / "again.csv").read_bytes() == (folder / "bank.csv").read_bytes()


def write_rows(path: Path, *rows: dict[str, str]) -> Path:
    """Write a bank of rows; each has an id, and the cells that it names."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def row(**cells: str) -> dict[str, str]:
    """The least that a row needs, and what is to be different."""
    return {"template_id": "age-001", "variant": "a", "category": "Age", **cells}


@pytest.mark.parametrize("missing", ["template_id", "variant", "category"])
def test_without_one_of_them_it_is_none(tmp_path: Path, missing: str) -> None:
    """A file without a column that every row needs is refused as a whole."""
    cells = row()
    del cells[missing]
    with pytest.raises(CurateError, match=f"the header lacks {missing}"):
        read_bank(write_rows(tmp_path / "bank.csv", cells))


@pytest.mark.parametrize(
    ("cells", "column", "message"),
    [
        ({"template_id": "age-1"}, "template_id", "'age-1' is not a template id"),
        ({"template_id": ""}, "template_id", "'' is not a template id"),
        ({"variant": "e"}, "variant", "'e' is not a variant"),
        ({"variant": ""}, "variant", "'' is not a variant"),
        ({"category": "Ag/e"}, "category", "'Ag/e' cannot be the name of a category"),
        ({"category": "Religion"}, "category", "'Religion' does not fit the id age-001"),
        ({"label": "XX"}, "label", "'XX' is not a label"),
        ({"n1_groups": '["old'}, "n1_groups", "is not a list of groups"),
        ({"target_groups_source": "[old]"}, "target_groups_source", "is not a list of groups"),
    ],
)
def test_a_row_that_cannot_be_read_is_a_finding(
    tmp_path: Path, cells: dict[str, str], column: str, message: str
) -> None:
    """The row is named with its column and what to do, and the other rows are read."""
    path = write_rows(tmp_path / "bank.csv", row(variant="b"), row(**cells), row(variant="c"))
    bank, findings = read_bank(path, shown_as="templates_src/bank.csv")
    assert [str(item.id) for item in bank.variants] == ["age-001b", "age-001c"]
    (finding,) = findings
    assert (finding.rule, finding.severity) == ("bank-unreadable-row", "error")
    assert finding.where == f"templates_src/bank.csv, row 3, column {column}"
    assert message in finding.message
    assert finding.message.endswith("the row is not read")
    assert finding.hint


@pytest.mark.parametrize(
    ("cell", "groups"),
    [
        ("", ()),
        ("  ", ()),
        ("노인", ("노인",)),
        ("중장년, 노인", ("중장년", "노인")),
        ('["a, b", "c"]', ("a, b", "c")),
    ],
)
def test_groups_are_a_list_or_names_with_commas(
    tmp_path: Path, cell: str, groups: tuple[str, ...]
) -> None:
    """A cell of groups is JSON, for names with commas in them, or names with commas between."""
    bank, _ = read_bank(write_rows(tmp_path / "bank.csv", row(target_groups=cell)))
    assert bank.variants[0].texts.target_groups == groups


def test_columns_of_an_import_are_known(tmp_path: Path) -> None:
    """Published wordings and ids, and what a set has beyond the bank's columns."""
    own = {"imported_as": "age-002", "samples_once": "1", "bbq_version": "a"}
    published = {f"{name}_published": "x" for name in ("biased_answer", "names", "words")}
    bank, findings = read_bank(write_rows(tmp_path / "bank.csv", row(**own, **published)))
    assert findings == []
    assert dict(bank.variants[0].extra) == {**own, **published}
    _, findings = read_bank(write_rows(tmp_path / "bank.csv", row(note_published="x")))
    assert [item.column for item in findings] == ["note_published"]


def test_columns_of_the_curators_own_are_kept_and_said(tmp_path: Path) -> None:
    """An unknown column is a remark on the header, comes back when written, and comes last."""
    path = write_rows(tmp_path / "bank.csv", row(ambigous_context="x", our_remark="=look"))
    bank, findings = read_bank(path)
    assert [(item.rule, item.severity, item.row, item.column) for item in findings] == [
        ("bank-unknown-column", "info", 1, "ambigous_context"),
        ("bank-unknown-column", "info", 1, "our_remark"),
    ]
    write_bank(path, bank)
    assert path.read_text("utf-8").startswith(
        ",".join([*BANK_COLUMNS, "ambigous_context", "our_remark"])
    )
    assert read_bank(path)[0].variants[0].extra == (
        ("ambigous_context", "x"),
        ("our_remark", "=look"),
    )


def test_a_written_bank_has_a_twin_of_every_text() -> None:
    """Each text has its source beside it, and the published order of columns holds."""
    assert BANK_COLUMNS[:6] == (
        *("template_id", "variant", "version", "category", "label", "stereotype"),
    )
    assert {item.name for item in fields(Texts)} <= set(BANK_COLUMNS)
    assert {f"{item.name}_source" for item in fields(Texts)} <= set(BANK_COLUMNS)


_NAME = _TEXT.map(str.strip).filter(bool)


@given(
    st.lists(
        st.builds(
            Group,
            category=_NAME,
            group=_NAME,
            parent=_TEXT.map(str.strip),
            level=_TEXT.map(str.strip),
            counts=st.booleans(),
            fillers=_TEXT.map(str.strip),
        ),
        max_size=5,
    )
)
def test_groups_are_read_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, groups: list[Group]
) -> None:
    """Reading written groups gives the same groups."""
    path = tmp_path_factory.mktemp("groups") / "groups.csv"
    write_groups(path, groups)
    assert read_groups(path) == (groups, [])


@pytest.mark.parametrize(
    ("cell", "counts"),
    [("", True), ("true", True), ("Yes", True), ("1", True), ("FALSE", False), ("no", False)],
)
def test_a_group_counts_unless_it_is_said_not_to(tmp_path: Path, cell: str, counts: bool) -> None:
    """`counts` is read however people write it, and is true where nothing is written."""
    path = write_rows(tmp_path / "g.csv", {"category": "Age", "group": "old", "counts": cell})
    groups, findings = read_groups(path)
    assert [group.counts for group in groups] == [counts]
    assert findings == []


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"category": "", "group": "old", "counts": ""}, "group"),
        ({"category": "Age", "group": " ", "counts": ""}, "group"),
        ({"category": "Age", "group": "old", "counts": "maybe"}, "counts"),
    ],
)
def test_a_group_that_cannot_be_read_is_a_finding(
    tmp_path: Path, cells: dict[str, str], column: str
) -> None:
    """The row is named, and the other groups are read."""
    good = {"category": "Age", "group": "young", "counts": "true"}
    groups, findings = read_groups(write_rows(tmp_path / "g.csv", cells, good))
    assert [group.group for group in groups] == ["young"]
    assert [(item.rule, item.row, item.column) for item in findings] == [
        ("groups-unreadable-row", 2, column)
    ]


def test_groups_are_added_to_a_workspace_that_has_none(tmp_path: Path) -> None:
    """Without a file one is made; without groups none is."""
    path = tmp_path / "groups.csv"
    add_groups(path, [])
    assert not path.exists()
    add_groups(path, [Group("Age", "young")])
    assert [group.group for group in read_groups(path)[0]] == ["young"]


def test_groups_are_not_added_to_a_file_that_cannot_be_read_whole(tmp_path: Path) -> None:
    """A ragged row would be lost on writing, so nothing is written."""
    path = tmp_path / "groups.csv"
    path.write_text("category,group\nAge,old,x\n")
    with pytest.raises(CurateError, match="the row has 3 cells"):
        add_groups(path, [Group("Age", "young")])
    assert path.read_text() == "category,group\nAge,old,x\n"
