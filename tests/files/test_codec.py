"""A record type is enough to write its table and to read it back."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.files.codec import Codec
from curation.records.messages import CurateError


class Craft(StrEnum):
    BAKER = "baker"
    SMITH = "smith"
    MASON = "mason"


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    craft: Craft
    votes: int
    share: float | None = None
    near: bool | None = None
    known: bool = False
    groups: tuple[str, ...] = ()
    row: int = field(default=0, compare=False)


TABLE = Codec(
    Item,
    "undo the edit",
    key=("name", "craft"),
    order=("name",),
    words={"craft": (Craft.BAKER, Craft.SMITH)},
    escaped=True,
)
HEADER = "name,craft,votes,share,near,known,groups"
TEXTS = st.text(st.characters(codec="ascii", exclude_characters="\x00\r"), min_size=1, max_size=8)


@given(
    st.lists(
        st.builds(
            Item,
            name=TEXTS,
            craft=st.sampled_from([Craft.BAKER, Craft.SMITH]),
            votes=st.integers(-9, 9999),
            share=st.none() | st.integers(-(10**7), 10**7).map(lambda number: number / 1000),
            near=st.none() | st.booleans(),
            known=st.booleans(),
            groups=st.lists(TEXTS, max_size=3).map(tuple),
        ),
        max_size=4,
        unique_by=lambda item: " ".join(item.name.split()).casefold(),
    )
)
def test_records_come_back_in_order(tmp_path_factory, items):
    """Texts, numbers, words, truth values and lists; nothing stays nothing."""
    path = tmp_path_factory.mktemp("codec") / "items.csv"
    assert TABLE.write(path, items) == len(items)
    assert TABLE.read(path) == sorted(items, key=lambda item: item.name)


def test_what_a_table_looks_like(tmp_path):
    """A file that is not there holds nothing, one that lacks optional columns their defaults."""
    path = tmp_path / "items.csv"
    assert TABLE.read(path) == []
    item = Item("=Ann", Craft.BAKER, 3, 2 / 3, near=True, groups=("a", "b, c"))
    TABLE.write(path, [item])
    text = f"""{HEADER}\n'=Ann,baker,3,0.666667,true,false,"[""a"", ""b, c""]"\n"""
    assert path.read_text(encoding="utf-8") == text
    path.write_text("votes,extra,name,craft\n 4 ,x,Ann,smith\n", encoding="utf-8")
    assert TABLE.read(path) == [Item("Ann", Craft.SMITH, 4)]
    path.write_text(text.replace('""a"", ""b, c""', "'a', 'b, c'"), encoding="utf-8")  # by pandas
    assert TABLE.read(path) == [
        Item("=Ann", Craft.BAKER, 3, 0.666667, near=True, groups=item.groups)
    ]


REFUSED = [
    ("Ann,baker,3,,,,\nAnn,mason,3,,,,", 3, "craft", "baker, smith"),
    ("Ann,Baker,3,,,,", 2, "craft", "it holds baker, smith"),
    ("Ann,baker,3.5,,,,", 2, "votes", "a whole number"),
    ("Ann,baker,,,,,", 2, "votes", "a whole number"),
    ("Ann,baker,3,nan,,,", 2, "share", "a number"),
    ("Ann,baker,3,,maybe,,", 2, "near", "true or false"),
    ("Ann,baker,3,,,,a", 2, "groups", "a JSON list"),
    ('Ann,baker,3,,,,"{""a"": 1}"', 2, "groups", "a JSON list"),
    ("Ann,baker,3,,,,\nBob,smith,1,,,,\n ann,baker,4,,,,", 4, "name", "row 2"),
]


@pytest.mark.parametrize(("rows", "row", "column", "allowed"), REFUSED)
def test_a_cell_that_cannot_be_read_is_refused_with_its_place(tmp_path, rows, row, column, allowed):
    """And with what may stand there; a table is read whole or not at all."""
    path = tmp_path / "items.csv"
    path.write_text(f"{HEADER}\n{rows}\n", encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        TABLE.read(path)
    assert refused.value.where == f"{path}, row {row}, column {column}"
    assert allowed in refused.value.what


def test_what_is_appended_leaves_what_stands_there(tmp_path):
    """Nothing is added to a table with other columns, or with semicolons."""
    exact = Codec(Item, "undo the edit", exact=True)
    path = tmp_path / "items.csv"
    exact.append(path, [])
    assert not path.exists()
    exact.append(path, [Item("Ann", Craft.BAKER, 3)])
    path.write_text(path.read_text(encoding="utf-8").removesuffix("\n"), encoding="utf-8")
    exact.append(path, [Item("Bob", Craft.MASON, 1)])
    assert path.read_text("utf-8") == f"{HEADER}\nAnn,baker,3,,,false,\nBob,mason,1,,,false,\n"
    for changed in (HEADER.replace(",", ";"), f"{HEADER},more", HEADER.replace("name", "names")):
        path.write_text(f"{changed}\n", encoding="utf-8")
        with pytest.raises(CurateError):
            exact.append(path, [Item("Cleo", Craft.SMITH, 2)])
        assert path.read_text(encoding="utf-8") == f"{changed}\n"


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    by: str = ""


def test_names_of_people_are_neither_written_nor_read_with_what_cannot_be_seen(tmp_path):
    """In any table with a column of names; other texts may hold a line break."""
    path, table = tmp_path / "said.csv", Codec(Said, "undo the edit")
    table.write(path, [Said("two\nlines", "Mina")])
    before = path.read_bytes()
    with pytest.raises(CurateError, match="is not a name"):
        table.append(path, [Said("no", "Mi\x1b[31mna")])
    assert path.read_bytes() == before
    path.write_bytes(before.replace(b"Mina", "Mi\u202ena".encode()))
    with pytest.raises(CurateError, match="is not a name") as refused:
        table.read(path)
    assert refused.value.where == f"{path}, row 2, column by"
    keyed = replace(table, key=("by",))
    keyed.write(path, [Said("yes", "\u200fJose\u0301")])
    assert "\u200f" not in path.read_text(encoding="utf-8")
    path.write_text("text,by\nyes,\u200fJose\u0301\n", encoding="utf-8")
    assert keyed.read(path) == [Said("yes", "José")]
    path.write_text("text,by\nyes,\u200fJosé\nno,José\n", encoding="utf-8")
    with pytest.raises(CurateError, match="row 2 is of by"):
        keyed.read(path)
