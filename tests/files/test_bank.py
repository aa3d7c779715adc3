"""Reading and writing `bank.csv` and `groups.csv`."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layouts import write_table

from curation.files.bank import (
    BANK_COLUMNS,
    add_groups,
    read_bank,
    read_groups,
    write_bank,
    write_groups,
)
from curation.records.bank import (
    GROUP_FIELDS,
    TEXT_FIELDS,
    Bank,
    Group,
    Label,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantLetter,
    category_name,
)
from curation.records.messages import CurateError

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
def variants(draw):
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
def test_what_is_written_is_read_back(tmp_path_factory, rows):
    """Reading a written bank gives the same variants, and writing that the same bytes."""
    folder = tmp_path_factory.mktemp("bank")
    bank = Bank(tuple(rows))
    write_bank(folder / "bank.csv", bank)
    read, findings = read_bank(folder / "bank.csv")
    assert read == bank
    assert {item.rule for item in findings} == {"bank-unknown-column"}
    write_bank(folder / "again.csv", read)
    assert (folder / "again.csv").read_bytes() == (folder / "bank.csv").read_bytes()


def row(**cells):
    """The least that a row needs, and what is to be different."""
    return {"template_id": "age-001", "variant": "a", "category": "Age", **cells}


UNREADABLE = (
    ({"template_id": "age-1"}, "template_id"),
    ({"template_id": ""}, "template_id"),
    ({"variant": "e"}, "variant"),
    ({"variant": ""}, "variant"),
    ({"category": "Ag/e"}, "category"),
    ({"category": "Religion"}, "category"),
    ({"label": "XX"}, "label"),
    ({"n1_groups": '["old'}, "n1_groups"),
    ({"target_groups_source": "[old]"}, "target_groups_source"),
)


def test_a_row_that_cannot_be_read_is_a_finding(tmp_path):
    """The row is named with its column and what to do, and the other rows are read."""
    for cells, column in UNREADABLE:
        path = write_table(
            tmp_path / "bank.csv", [row(variant="b"), row(**cells), row(variant="c")]
        )
        bank, (finding,) = read_bank(path, shown_as="templates_src/bank.csv")
        assert [str(item.id) for item in bank.variants] == ["age-001b", "age-001c"]
        assert (finding.rule, finding.severity) == ("bank-unreadable-row", "error")
        assert finding.where == f"templates_src/bank.csv, row 3, column {column}"
        assert finding.hint
    for missing in ("template_id", "variant", "category"):
        least = row()
        del least[missing]
        with pytest.raises(CurateError, match=f"the header lacks {missing}"):
            read_bank(write_table(tmp_path / "bank.csv", [least]))


def test_columns_of_an_import_are_known(tmp_path):
    """Published wordings and ids, and what a set has beyond the bank's columns."""
    own = {"imported_as": "age-002", "samples_once": "1", "bbq_version": "a"}
    published = {f"{name}_published": "x" for name in ("biased_answer", "names", "words")}
    bank, findings = read_bank(write_table(tmp_path / "bank.csv", [row(**own, **published)]))
    assert findings == []
    assert dict(bank.variants[0].extra) == {**own, **published}
    _, findings = read_bank(write_table(tmp_path / "bank.csv", [row(note_published="x")]))
    assert [item.column for item in findings] == ["note_published"]


def test_columns_of_the_curators_own_are_kept_and_said(tmp_path):
    """An unknown column is a remark on the header, comes back when written, and comes last."""
    path = write_table(tmp_path / "bank.csv", [row(ambigous_context="x", our_remark="=look")])
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


_NAME = _TEXT.map(str.strip).filter(bool)


@given(
    st.lists(
        st.builds(
            Group,
            category=_NAME.map(category_name),
            group=_NAME,
            parent=_TEXT.map(str.strip),
            level=_TEXT.map(str.strip),
            counts=st.booleans(),
            fillers=_TEXT.map(str.strip),
        ),
        max_size=5,
    )
)
def test_groups_are_read_back_as_they_were_written(tmp_path_factory, groups):
    path = tmp_path_factory.mktemp("groups") / "groups.csv"
    write_groups(path, groups)
    assert read_groups(path) == (groups, [])


def test_a_group_counts_unless_it_is_said_not_to(tmp_path):
    """`counts` is read however people write it; a row that cannot be read is named."""
    written = {"": True, "true": True, "Yes": True, "1": True, "FALSE": False, "no": False}
    for cell, counts in written.items():
        one = {"category": "Age", "group": "old", "counts": cell}
        groups, findings = read_groups(write_table(tmp_path / "g.csv", [one]))
        assert ([group.counts for group in groups], findings) == ([counts], [])
    good = {"category": "Age", "group": "young", "counts": "true"}
    for category, name, cell, column in (
        ("", "old", "", "group"),
        ("Age", " ", "", "group"),
        ("Age", "old", "maybe", "counts"),
    ):
        wrong = {"category": category, "group": name, "counts": cell}
        groups, findings = read_groups(write_table(tmp_path / "g.csv", [wrong, good]))
        assert [group.group for group in groups] == ["young"]
        assert [(item.rule, item.row, item.column) for item in findings] == [
            ("groups-unreadable-row", 2, column)
        ]


def test_groups_are_added_to_a_workspace_that_has_none(tmp_path):
    """Without a file one is made; without groups none is."""
    path = tmp_path / "groups.csv"
    add_groups(path, [])
    assert not path.exists()
    add_groups(path, [Group("Age", "young")])
    assert [group.group for group in read_groups(path)[0]] == ["young"]


def test_groups_are_not_added_to_a_file_that_cannot_be_read_whole(tmp_path):
    """A ragged row would be lost on writing, so nothing is written."""
    path = tmp_path / "groups.csv"
    path.write_text("category,group\nAge,old,x\n")
    with pytest.raises(CurateError, match="the row has 3 cells"):
        add_groups(path, [Group("Age", "young")])
    assert path.read_text() == "category,group\nAge,old,x\n"
