"""Reading and writing slot texts and slot lists."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import own_yaml
from curation.slots.grammar import (
    Condition,
    Filler,
    Slot,
    SlotComparison,
    SlotError,
    SlotList,
    SlotText,
    cut_text,
    exchange_lists,
    parse_conditions,
    parse_fillers,
    parse_lists,
    parse_text,
    print_fillers,
    print_lists,
    print_text,
)

TABLES = own_yaml(Path(__file__).with_name("grammar.yaml").read_text("utf-8"))
# Whatever people write, and the characters with a meaning much more often than chance has them.
SIGN = st.one_of(
    st.sampled_from(list("[]{},;:|*.=!~\\ N1\n")), st.characters(exclude_categories=["Cs"])
)
ANY = st.text(SIGN, max_size=12)
TRIMMED = ANY.map(str.strip)
WRITTEN = TRIMMED.filter(bool)
FULL_WIDTH = re.compile("[\uff01-\uff5e]")  # signs of an agreement are read as half-width ones
NAMES = st.from_regex(r"[NWX][1-9][0-9]?", fullmatch=True)
SLOTS = st.one_of(
    st.builds(Slot, NAMES),
    st.builds(Slot, NAMES, forms=st.lists(TRIMMED, min_size=1, max_size=4).map(tuple)),
    st.builds(Slot, NAMES, agreement=WRITTEN.filter(lambda text: not FULL_WIDTH.search(text))),
    st.builds(Slot, NAMES, named=st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True)),
)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,3}", fullmatch=True).filter(
    lambda key: key not in ("base", "reading")
)
FEATURES = st.dictionaries(KEYS, TRIMMED, max_size=3).map(lambda found: tuple(found.items()))
FILLERS = st.builds(Filler, TRIMMED, st.one_of(st.none(), WRITTEN), FEATURES)
LISTS = st.lists(FILLERS, max_size=4).map(tuple).filter(lambda items: items != (Filler(""),))


def joined(parts):
    """Make a text in which no two literal strings stand side by side."""
    kept = []
    for part in parts:
        if isinstance(part, str) and kept and isinstance(kept[-1], str):
            kept[-1] += part
        elif part != "":
            kept.append(part)
    return SlotText(tuple(kept))


@given(st.lists(st.one_of(ANY, SLOTS), max_size=6).map(joined))
def test_a_text_that_was_written_is_read_back(text):
    """Any text, forms and agreements, whatever characters they hold, come back as they were."""
    assert parse_text(print_text(text)) == text


PAIRS = st.lists(NAMES, min_size=2, max_size=2, unique=True)
COMPARISONS = st.one_of(
    PAIRS.flatmap(lambda pair: st.sampled_from(["~", "=", "!="]).map(lambda o: (*pair, o, None))),
    st.tuples(PAIRS, st.sampled_from(["=", "!="]), KEYS).map(lambda t: (*t[0], t[1], t[2])),
).map(lambda t: SlotComparison(t[0], t[2], t[1], t[3]))
CONDITIONS = st.builds(Condition, st.lists(COMPARISONS, min_size=1, max_size=3).map(tuple))


@given(
    st.dictionaries(NAMES, st.one_of(LISTS, st.none()), max_size=4),
    st.lists(CONDITIONS, max_size=3),
)
def test_lists_that_were_written_are_read_back(lists, conditions):
    """Fillers, readings, attributes and open lists, in declared order; conditions after them.

    The fillers of a group have the grammar of those of a slot.
    """
    items = [SlotList(name, fillers or (), open=fillers is None) for name, fillers in lists.items()]
    written = print_lists(items, conditions)
    assert list(parse_lists(written).values()) == items
    assert list(parse_conditions(written)) == conditions
    for fillers in filter(None, lists.values()):
        assert parse_fillers(print_fillers(fillers)) == fillers


def test_an_asterisk_that_stands_alone_is_escaped():
    """Else it would leave the list to the survey."""
    assert print_fillers([Filler("*")]) == r"[\*]"
    assert print_fillers([Filler("a"), Filler("*")]) == "[a, *]"


@given(ANY)
def test_whatever_is_read_is_written_and_read_to_the_same(text):
    """A text is refused with its place, or means the same after writing."""
    for parse, write in ((parse_text, print_text), (parse_fillers, print_fillers)):
        try:
            read = parse(text)
        except SlotError as error:
            lines = text.split("\n")
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1
        else:
            assert parse(write(read)) == read


TEXTS = {
    "": (),
    "plain, with: all; characters | * that mean nothing here": (
        "plain, with: all; characters | * that mean nothing here",
    ),
    "a [ N1 ] b": ("a ", Slot("N1"), " b"),
    "[N1][W12]": (Slot("N1"), Slot("W12")),
    "[N1: a, b c ,d]": (Slot("N1", forms=("a", "b c", "d")),),
    "[N1:a]": (Slot("N1", forms=("a",)),),
    "[N1: ]": (Slot("N1", forms=("",)),),
    "[N1: a,]": (Slot("N1", forms=("a", "")),),
    "[X1: a|b; c: d]": (Slot("X1", forms=("a|b; c: d",)),),
    r"[N1: a\, b, \[c\], \\]": (Slot("N1", forms=("a, b", "[c]", "\\")),),
    "[N1 | a/an ]": (Slot("N1", agreement="a/an"),),
    r"\[N1\] is \\ no slot": (r"[N1] is \ no slot",),
    r"C:\new\*": (r"C:\new*",),
    "a [ X12.def_pl2 ] b": ("a ", Slot("X12", named="def_pl2"), " b"),
    "{N1.def}": ("{N1.def}",),
    "two\nlines": ("two\nlines",),
}
LISTS_READ = {
    " \n": {},
    "N1: [a, b]; N2: [c]": {"N1": [("a", None), ("b", None)], "N2": [("c", None)]},
    "N2:[c] ;N1 : [ a ];": {"N2": [("c", None)], "N1": [("a", None)]},
    "N1: [John|존, Mary | 메리, 영희|]": {"N1": [("John", "존"), ("Mary", "메리"), ("영희", None)]},
    r"W1: [a\, b, c\|d, \*]": {"W1": [("a, b", None), ("c|d", None), ("*", None)]},
    "W1: [a; b, c: d]": {"W1": [("a; b", None), ("c: d", None)]},
    "N1: [];\nN2: [a,]": {"N1": [], "N2": [("a", None), ("", None)]},
    "N1: [a]; N1 != N2; N2: [b];": {"N1": [("a", None)], "N2": [("b", None)]},
    "N1 != N2": {},
}
FILLERS_READ = {
    "nieta {gender: f}": Filler("nieta", None, (("gender", "f"),)),
    "{ gender:f ,base : nieta }": Filler("nieta", None, (("gender", "f"),)),
    "{base: nieta, def: la nieta, reading: nyeta, gender: f}": Filler(
        "nieta", "nyeta", (("def", "la nieta"), ("gender", "f"))
    ),
    "nieta | nyeta{gender: f}": Filler("nieta", "nyeta", (("gender", "f"),)),
    "nieta {reading: nyeta}": Filler("nieta", "nyeta"),
    "{base: , def: x}": Filler("", None, (("def", "x"),)),
    r"a \{b\} {c: d\, e\: \}}": Filler("a {b}", None, (("c", "d, e: }"),)),
    "a {b: }": Filler("a", None, (("b", ""),)),
}
CONDITIONS_READ = {
    "N1 != N2": [SlotComparison("N1", "!=", "N2")],
    "N1~X2": [SlotComparison("N1", "~", "X2")],
    "N1.race!=N2.race": [SlotComparison("N1", "!=", "N2", "race")],
    "N1.or = N2.or or W1 ~ W2\n or X1 != X2 ;": [
        SlotComparison("N1", "=", "N2", "or"),
        SlotComparison("W1", "~", "W2"),
        SlotComparison("X1", "!=", "X2"),
    ],
}


def test_what_is_written_is_read():
    """Texts of literals and slots, lists in declared order, fillers with attributes, conditions."""
    for text, parts in TEXTS.items():
        assert parse_text(text).parts == parts
    for text, lists in LISTS_READ.items():
        read = {
            name: [(filler.text, filler.reading) for filler in item.fillers]
            for name, item in parse_lists(text).items()
        }
        assert list(read.items()) == list(lists.items())
    for text, filler in FILLERS_READ.items():
        assert parse_fillers(f"[{text}, x]") == (filler, Filler("x"))
    for text, alternatives in CONDITIONS_READ.items():
        (condition,) = parse_conditions(f"N1: [a]; {text}")
        assert condition.alternatives == tuple(alternatives)


def test_a_condition_names_its_slots_and_takes_other_names():
    """The other variant of a pair has them exchanged."""
    (condition,) = parse_conditions("N1.race = N2.race or X1 != N1")
    assert condition.slots == ("N1", "N2", "X1")
    renamed = condition.renamed({"N1": "N2", "N2": "N1"})
    assert str(renamed) == "N2.race = N1.race or X1 != N2"


def test_an_asterisk_alone_leaves_a_list_to_the_survey():
    """Escaped it is a filler."""
    for text, is_open in {"N1: [*]": True, "N1: [ * ]": True, r"N1: [\*]": False}.items():
        item = parse_lists(text)["N1"]
        assert (item.open, len(item.fillers)) == (is_open, 0 if is_open else 1)


def test_what_cannot_be_read_names_line_and_column():
    """Of the character that does not fit, or of the bracket left open, within the cell."""
    for name, parse in (("texts", parse_text), ("lists", parse_lists), ("fillers", parse_fillers)):
        for text, what in TABLES[name]:
            with pytest.raises(SlotError) as refused:
                parse(text)
            assert refused.value.what == what
            assert what.endswith(f"(line {refused.value.line}, column {refused.value.column})")
            assert name != "texts" or refused.value.hint


def test_people_and_their_words_exchange_places():
    """Only N1 with N2, X1 with X2, X3 with X4 and so on, where both are declared."""
    for names, exchanged in TABLES["exchanged"]:
        declared = names.split()
        assert exchange_lists(declared, dict.fromkeys(declared)) == tuple(exchanged.split())


def wide(text):
    """A text in full-width letters and signs, as East Asian keyboards write them."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def test_a_full_width_slot_is_no_text():
    """As East Asian keyboards write it; the advice is about the sign where it is one."""
    for text, advised in [(wide("[N1]"), "["), (f"[{wide('N1')}]", "N"), (f"[N1{wide(']')}", "]")]:
        with pytest.raises(SlotError) as refused:
            parse_text(f"so {text} came")
        assert refused.value.hint.startswith(f"write {advised} in place of {wide(advised)}")
    with pytest.raises(SlotError, match="was expected after slot N1"):
        parse_text(f"[N1|a/an{wide(']')} came")


def test_a_text_is_cut_where_slots_begin_and_end():
    """Every character stays as it is written, escapes too; what cannot be read is not cut."""
    text = r"A \[b\] [N1: x\, y, z] and [ W1 |a/an][N2.def]."
    pieces = [r"A \[b\] ", r"[N1: x\, y, z]", " and ", "[ W1 |a/an]", "[N2.def]", "."]
    assert cut_text(text) == tuple(zip(pieces, ["", "N1", "", "W1", "N2", ""], strict=True))
    assert cut_text("") == ()
    with pytest.raises(SlotError, match="was expected after slot N1"):
        cut_text("[N1")
