"""What changed between two states: tables of a few rows, compared by hand."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.records.messages import CurateError
from curation.records.sample import SAMPLE_COLUMNS
from exports.differences import (
    CATEGORY_COLUMNS,
    KINDS,
    Snapshot,
    _read,
    compare,
    diff,
    markdown,
)


def cells(*rows):
    """A table of texts, its columns first; `-` is an empty cell."""
    names, *lines = ([it if it != "-" else "" for it in row.split("|")] for row in rows)
    schema = pa.schema([(name, pa.string()) for name in names])
    return pa.Table.from_pylist([dict(zip(names, line, strict=True)) for line in lines], schema)


BEFORE = Snapshot(
    "A 1.0",
    {
        "templates": cells(
            *("id|category|stereotype|note", "age-001a|Age|slow|x", "age-001b|Age|slow|y"),
            *("age-002a|Age|loud|-", "age-003a|Age|kind|-", "age-003b|Age|kind|-"),
        ),
        "samples": cells(
            *("sample_id|template_id|category|context", "a|age-001|Age|one", "b|age-001|Age|two"),
            *("c|age-002|Age|three", "d|age-002|Home|four"),
        ),
        "test": cells("sample_id", "a", "c"),
        "votes": cells("id|votes", "q, option 1|7", "q, option 2|3"),
        "settings": cells("key|value", "version|1.0", "old|x"),
    },
)
AFTER = Snapshot(
    "A 1.1",
    {
        "templates": cells(
            *("id|category|stereotype|more|note", "age-001a|Age|slow|z|x"),
            *("age-001b|Age|slow|-|y2", "age-004a|Age|calm|-|-", "age-003a|Age|kind|-|-"),
        ),
        "samples": cells(
            *("sample_id|template_id|category|context", "b|age-001|Age|two", "a|age-001|Age|uno"),
            *("d|age-002|Home|quattro", "e|age-004|Age|five"),
        ),
        "test": cells("sample_id", "a", "e"),
        "votes": cells("id|votes", "q, option 1|8", "q, option 2|3"),
        "settings": cells("key|value", "version|1.1", "new|y"),
        "groups": cells("id|category|group", "Age: old|Age|old"),
    },
    {"age-002": ("dropped", "too loud"), "age-001": ("kept", "")},
)


def test_everything_that_changed_is_told():
    """A template is changed where a variant of it stays; what one side lacks is not compared."""
    found = compare(BEFORE, AFTER)
    assert (found["before"], found["after"], found["same"]) == ("A 1.0", "A 1.1", False)
    assert found["not_compared"] == ["groups", "sources", "decisions"]
    assert [tuple(row[name] for name in CATEGORY_COLUMNS) for row in found["categories"]] == [
        ("Age", 1, 1, 2, 1, 1, 1),
        ("Home", 0, 0, 0, 0, 0, 1),
        ("Total", 1, 1, 2, 1, 1, 2),
    ]
    templates = found["templates"]
    assert [(it["id"], it["title"], it["reason"]) for it in templates["removed"]] == [
        ("age-002a", "loud", "dropped: too loud"),
        ("age-003b", "kind", "no longer in the bank"),
    ]
    assert [(it["id"], it["category"], it["reason"]) for it in templates["added"]] == [
        ("age-004a", "Age", "")
    ]
    assert [(it["id"], it["columns"]) for it in templates["changed"]] == [
        ("age-001a", {"more": ("", "z")}),
        ("age-001b", {"note": ("y", "y2")}),
    ]
    samples = found["samples"]
    assert (samples["before"], samples["after"], samples["columns"]) == (4, 4, {"context": 2})
    assert (samples["added"], samples["removed"]) == (["e"], ["c"])
    assert samples["changed"] == [
        {"id": "a", "category": "Age", "columns": {"context": ("one", "uno")}},
        {"id": "d", "category": "Home", "columns": {"context": ("four", "quattro")}},
    ]
    assert found["test_set"] == {"before": 2, "after": 2, "added": ["e"], "removed": ["c"]}
    assert found["groups"] is found["sources"] is found["decisions"] is None
    assert [(it["id"], it["columns"]) for it in found["votes"]["changed"]] == [
        ("q, option 1", {"votes": ("7", "8")})
    ]
    assert [tuple(it.values()) for it in found["settings"]] == [
        ("old", "x", None),
        ("new", None, "y"),
        ("version", "1.0", "1.1"),
    ]


def test_the_changelog_says_it_in_words():
    """Each part under its heading, what changes alike in several variants once."""
    lines = markdown(compare(BEFORE, AFTER)).splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        *("# Changes from A 1.0 to A 1.1", "## Templates added", "## Templates removed"),
        *("## Templates changed", "### age-001", "### age-003", "## Samples", "## Test set"),
        *("## Votes", "## Settings"),
    ]
    assert [line for line in lines if line.startswith("- ")] == [
        *("- age-004: calm", "- age-002: loud (dropped: too loud)"),
        *("- a: more: (nothing) → `z`", "- b: note: `y` → `y2`", "- variant b removed"),
        *("- a: context: `one` → `uno`", "- d: context: `four` → `quattro`"),
        *("- Added: e", "- Removed: c", "- q, option 1: votes: `7` → `8`"),
        *("- `old`: `x` → (nothing)", "- `new`: (nothing) → `y`", "- `version`: `1.0` → `1.1`"),
    ]
    assert "| Home | 0 | 0 | 0 | 0 | 0 | 1 |" in lines
    assert "| age-002 | 0 | 1 | 1 |" in lines
    assert "Columns that differ: `context` in 2." in lines
    assert "Not compared, as one side does not hold it: groups, sources, decisions." in lines


def test_of_many_some_are_shown():
    """Twenty names and samples, and how many more there are; of a long text its beginning."""
    for count, more in ((20, ""), (22, ", and 2 more")):
        ids = [f"s{at:02}" for at in range(count)]
        one, two = (
            Snapshot(
                "s",
                {
                    "samples": cells(
                        "sample_id|template_id|category|context",
                        *(f"{name}|t|c|{text}" for name in ids),
                    ),
                    "test": pa.table({"sample_id": pa.array(tested, pa.string())}),
                },
            )
            for text, tested in (("a", []), ("", ids))
        )
        said = markdown(compare(one, two))
        assert f"- Added: {', '.join(ids[:20])}{more}\n" in said
        assert said.count(": context: `a` → (nothing)") == 20
        assert ("Changed (only" in said) == (not more)
        assert ("The first 20 of 22 that changed (only" in said) == bool(more)
    for length, shown in ((400, "x" * 400), (401, "x" * 400 + "…")):
        one, two = (
            Snapshot("s", {"groups": pa.table({"id": ["k"], "text": [text]})})
            for text in ("x" * length, "")
        )
        assert f"- k: text: `{shown}` → (nothing)" in markdown(compare(one, two))


@pytest.mark.parametrize(
    ("was", "now", "shown"),
    [
        ("x" * 59 + "a", "x" * 59 + "b", f"`{'x' * 59}a` → `{'x' * 59}b`"),
        ("x" * 60 + "a", "x" * 60 + "b", f"`…{'x' * 15}a` → `…{'x' * 15}b`"),
        ("a" + "x" * 60, "b" + "x" * 60, f"`a{'x' * 15}…` → `b{'x' * 15}…`"),
        (
            "x" * 15 + "a" + "y" * 60,
            "x" * 15 + "b" + "y" * 60,
            f"`{'x' * 15}a{'y' * 15}…` → `{'x' * 15}b{'y' * 15}…`",
        ),
        ("a `b` c", "d", "`` a `b` c `` → `d`"),
        ("one\x1ftwo", "d", "`one | two` → `d`"),
        ("x" * 61, "x" * 62, f"`…{'x' * 15}` → `…{'x' * 16}`"),
    ],
)
def test_the_part_that_differs_has_a_little_around_it(was, now, shown):
    """Only of texts that are long; nothing in a cell is Markdown."""
    one, two = (
        Snapshot("s", {"groups": pa.table({"id": ["k"], "text": [text]})}) for text in (was, now)
    )
    said = markdown(compare(one, two))
    assert f"- k: text: {shown}\n" in said
    assert "- Changed" not in said


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_table_is_read_as_it_was_written(tmp_path, ending):
    """Choices are a list, a mark against formulas is none of the text; a header alone is no row."""
    mark = "\t" if ending == "tsv" else ","
    choices = '["it, \\"x\\"", "b"]'
    rows = [
        ["a", *["'=1"] * 9, choices, *["x"] * 4, "", ""],
        ["b", *["two\nlines"] * 9, choices, *["'x"] * 6],
    ]
    for name, kept in (("one", rows), ("two", rows[1:]), ("none", [])):
        (tmp_path / name).mkdir()
        with (tmp_path / name / f"samples.{ending}").open("w", newline="") as stream:
            csv.writer(stream, delimiter=mark).writerows([SAMPLE_COLUMNS, *kept])
    path = tmp_path / "one" / f"samples.{ending}"
    assert [*_read(path, SAMPLE_COLUMNS).to_pylist()[0].values()] == [
        *("a", *["=1"] * 9, 'it, "x"\x1fb', *["x"] * 4, "", ""),
    ]
    for name, removed in (("two", ["a"]), ("none", ["a", "b"])):
        found = diff(tmp_path / "one", tmp_path / name).samples
        assert [found[kind] for kind in KINDS] == [[], removed, []]


def test_wordings_of_one_variant_are_rows_of_their_own(tmp_path):
    """Each for one gender of its people: only the one that changed differs."""
    columns = ("template_id", "variant", "version", "category", "label", "stereotype", "note")
    for name, note in (("was", "x"), ("now", "y")):
        folder = tmp_path / name / "templates_src"
        folder.mkdir(parents=True)
        settings = "culture: C\nlanguage: es\nunknown: X\ncategories: [{id: Craft}]\n"
        (tmp_path / name / "culture.yaml").write_text(settings, "utf-8")
        (folder / "groups.csv").write_text("category,group,counts,fillers\n", "utf-8")
        with (folder / "bank.csv").open("w", newline="") as stream:
            told = (("f", "x"), ("m", note))
            rows = [["craft-001", "a", of, "Craft", "ST", "They hum", said] for of, said in told]
            csv.writer(stream).writerows([columns, *rows])
    assert diff(tmp_path / "was", tmp_path / "was").same
    [row] = diff(tmp_path / "was", tmp_path / "now").templates["changed"]
    assert (row["id"], row["columns"]) == ("craft-001a.m", {"note": ("x", "y")})
    text = (tmp_path / "was/templates_src/bank.csv").read_text("utf-8")
    with (tmp_path / "was/templates_src/bank.csv").open("w", encoding="utf-8") as stream:
        stream.write(
            text
            + "".join(it.replace("craft-001", "craft-900", 1) for it in text.splitlines(True)[1:])
        )
    (tmp_path / "now" / "annotations").mkdir()
    (tmp_path / "now/annotations/renamed.csv").write_text(
        "old_id,new_id,renamed_at\ncraft-900,craft-001,\n"
    )
    removed = diff(tmp_path / "was", tmp_path / "now").templates["removed"]
    assert {row["reason"] for row in removed} == {"moved: it is craft-001 now"}


@pytest.mark.parametrize(
    ("name", "lines", "told"),
    [
        ("bank.csv", ["category,note", "Age,x"], "bank.csv is not a table of templates"),
        ("bank.csv", ["template_id,variant", *["age-001,a"] * 2], "holds a variant twice"),
        ("templates.csv", ["template_id,reason", "age-001,"], "templates.csv is not a table"),
    ],
)
def test_tables_that_no_export_wrote_are_refused(tmp_path, name, lines, told):
    """Whatever they lack, or hold twice."""
    for file, rows in {"bank.csv": ["template_id,variant", "age-001,a"], name: lines}.items():
        (tmp_path / file).write_text("".join(f"{row}\n" for row in rows), "utf-8")
    with pytest.raises(CurateError, match=told):
        diff(tmp_path, tmp_path)


SAMPLE = {**dict.fromkeys(SAMPLE_COLUMNS, "x"), "choices": ["a", "b"]}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("sample_id", it) for it in (5, [], {"a": 1}, None)),
        *(("choices", it) for it in ("x, y", "['x', 'y']", ["x", None], 5)),
    ],
)
def test_a_damaged_sample_is_refused(tmp_path, ending, name, value):
    """It is never taken for another sample."""
    path = tmp_path / f"samples.{ending}"
    damaged = {key: it for key, it in {**SAMPLE, name: value}.items() if it is not None}
    if ending == "jsonl":
        path.write_text(f"{json.dumps(SAMPLE)}\n{json.dumps(damaged)}\n", "utf-8")
    else:
        pq.write_table(pa.table({key: [it] for key, it in damaged.items()}), path)
    with pytest.raises(CurateError, match="holds no samples as an export writes them"):
        diff(tmp_path, tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "a,b",
        "a;b",
        json.dumps({**SAMPLE, "sample_id": "\ud800"}),
        json.dumps(SAMPLE)[:-1] + ', "answer": "z"}',
    ],
)
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_damaged_file_of_samples_is_refused(tmp_path, ending, line):
    """Too few cells, another separator, half a character, a key that occurs twice."""
    header = ",".join(SAMPLE_COLUMNS) if ending == "csv" else json.dumps(SAMPLE)
    (tmp_path / f"samples.{ending}").write_text(f"{header}\n{line}\n", "utf-8")
    with pytest.raises(CurateError, match="holds no samples as an export writes them"):
        diff(tmp_path, tmp_path)
