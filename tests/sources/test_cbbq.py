"""The reader of CBBQ's templates, on invented templates."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from curation.bank.generate import expand, prepare
from curation.records.bank import target_slot
from curation.records.errors import CurateError
from curation.records.findings import Severity
from curation.sources import cbbq
from curation.sources.imported import Imported

OPEN = "A {{NAME1}} and a {{NAME2}} share a shed."
TOLD = f"{OPEN}The {{{{NAME1}}}} swept it, the {{{{NAME2}}}} slept."
ROW = {
    "question_index": "7",
    "question_polarity": "neg",
    "context_condition": "ambiguous",
    "category": "Hobby Club",
    "subcategory": "untidiness",
    "bias_targeted_groups": "knitter/quilter",
    "source": "A study of sheds",
    "context": OPEN,
    "NAME1": "[knitter, quilter]",
    "NAME2": "[climber]",
    "question": "Who is untidy?",
    "ans0": "The {{NAME1}}",
    "ans1": "The {{NAME2}}",
    "ans2": "unsure",
    "label": "2",
}
TIDY = {**ROW, "question_polarity": "non_neg", "question": "Who is tidy?"}
NEGATIVE = {**ROW, "context_condition": "disambiguous", "context": TOLD, "label": "1"}
OTHER = {**TIDY, "context_condition": "disambiguous", "context": TOLD, "label": "0"}
Rows = list[dict[str, str]]


def files(folder: Path, *rows: Mapping[str, str]) -> list[Path]:
    """Write rows into the files that they belong to."""
    parts: dict[Path, list[Mapping[str, str]]] = {}
    for row in rows:
        name = "nonneg" if row["question_polarity"] == "non_neg" else "neg"
        path = folder / row["context_condition"] / f"templates_generate_{name}.csv"
        parts.setdefault(path, []).append(row)
    for path, members in parts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            writer = csv.DictWriter(stream, ROW)
            writer.writeheader()
            writer.writerows(members)
    return list(parts)


def read(folder: Path, *rows: Mapping[str, str]) -> Imported:
    """Read rows as template files."""
    return cbbq.read(files(folder, *rows))


def rules(imported: Imported) -> list[str]:
    """The rule of each finding."""
    return [item.rule for item in imported.findings]


def test_four_rows_make_a_template_with_two_orders_of_mention(tmp_path: Path) -> None:
    """Whose context contradicts the stereotype are variants a and c; c mentions the other first."""
    imported = read(tmp_path, ROW, TIDY, NEGATIVE, OTHER)
    first, second = imported.variants
    assert (str(first.id), str(second.id)) == ("hobby_club-001a", "hobby_club-001c")
    assert (first.category, first.source_category) == ("Hobby_Club", "Hobby Club")
    assert (first.source, first.source_id) == ("cbbq", "7")
    assert first.texts.ambiguous_context == "A [N1] and a [N2] share a shed."
    assert second.texts.ambiguous_context == "A [N2] and a [N1] share a shed."
    assert first.texts.disambiguating_context == "The [N1] swept it, the [N2] slept."
    assert second.texts.disambiguating_context == first.texts.disambiguating_context
    assert (first.texts.biased_question, first.texts.counter_biased_question) == (
        "Who is untidy?",
        "Who is tidy?",
    )
    assert (first.texts.biased_answer, first.texts.counter_biased_answer) == (
        "The [N2]",
        "The [N1]",
    )
    assert first.texts.names == "N1: [knitter, quilter]; N2: [climber]"
    assert (first.texts.stereotype, first.texts.target_groups) == (
        "untidiness",
        ("knitter", "quilter"),
    )
    assert target_slot(first.texts) == target_slot(second.texts) == "N1"
    assert (first.reference, first.extra) == ("A study of sheds", (("cbbq_unknown", "unsure"),))
    assert (imported.language, imported.rows_in, imported.rows_read) == ("zh", 4, 4)
    assert imported.findings == ()


def test_sentences_are_joined_as_the_language_does(tmp_path: Path) -> None:
    """No space stands between the two parts of a Chinese context."""
    (first, _) = read(tmp_path, ROW, TIDY, NEGATIVE, OTHER).variants
    contexts = {sample.context for sample in expand(prepare(first, "zh"), "unsure", {}, [1])}
    assert contexts == {
        "A knitter and a climber share a shed.",
        "A knitter and a climber share a shed.The knitter swept it, the climber slept.",
    }


def test_a_context_that_confirms_the_stereotype_is_b_and_d(tmp_path: Path) -> None:
    """The label says who answers the negative question."""
    imported = read(tmp_path, ROW, TIDY, {**NEGATIVE, "label": "0"}, {**OTHER, "label": "1"})
    assert [variant.id.short for variant in imported.variants] == ["b", "d"]
    assert imported.variants[0].texts.biased_answer == "The [N1]"


def test_the_target_is_whom_the_groups_name(tmp_path: Path) -> None:
    """Where only the second person is called as the targeted groups are, he is the target."""
    rows = [{**row, "bias_targeted_groups": "climber"} for row in (ROW, TIDY, NEGATIVE, OTHER)]
    imported = read(tmp_path, *rows)
    assert [variant.id.short for variant in imported.variants] == ["b", "d"]
    assert target_slot(imported.variants[0].texts) == "N2"


def test_fixed_answers_keep_their_roles_in_either_order_of_mention(tmp_path: Path) -> None:
    """Answers without slots tell by their own words who is the target, and name no person."""
    rows = [
        {**row, "ans0": "The knitter", "ans1": "The \u975eknitter"}
        for row in (ROW, TIDY, NEGATIVE, OTHER)
    ]
    first, second = read(tmp_path, *rows).variants
    assert (first.id.short, second.id.short) == ("a", "c")
    assert second.texts.disambiguating_context == "The [N2] swept it, the [N1] slept."
    assert {variant.texts.n1_groups for variant in (first, second)} == {()}


def test_what_the_answers_do_not_tell_is_open_and_an_error(tmp_path: Path) -> None:
    """The four rows are named, and the bank says why the letters say nothing."""
    rows = [{**row, "bias_targeted_groups": "crafty"} for row in (ROW, TIDY, NEGATIVE, OTHER)]
    imported = read(tmp_path, *rows)
    (error,) = imported.findings
    assert (error.rule, error.severity, error.row) == ("source-role-open", Severity.ERROR, 2)
    assert error.message.count("row 2") == 4
    assert [variant.role_open for variant in imported.variants] == [
        "no person is of a stereotyped group"
    ] * 2
    assert [variant.texts.n1_groups for variant in imported.variants] == [(), ()]
    assert imported.rows_read == 4


def test_fillings_that_disagree_leave_the_role_open(tmp_path: Path) -> None:
    """One filling names the first person, and another the second."""
    names = {"NAME1": "[knitter, skater]", "NAME2": "[rower, weaver]"}
    rows = [
        {**row, **names, "bias_targeted_groups": "knitter, weaver"}
        for row in (ROW, TIDY, NEGATIVE, OTHER)
    ]
    (first, _) = read(tmp_path, *rows).variants
    assert first.role_open == "its fillings name different people"


def test_rows_that_differ_all_come_out(tmp_path: Path) -> None:
    """A question that differs in the ambiguous file makes a template besides, and is told."""
    imported = read(tmp_path, {**ROW, "question": "Who is messy?"}, TIDY, NEGATIVE, OTHER)
    found = [(str(v.id)[-4:], v.texts.biased_question) for v in imported.variants]
    assert found == [
        ("001a", "Who is untidy?"),
        ("002a", "Who is messy?"),
        ("001c", "Who is untidy?"),
        ("002c", "Who is messy?"),
    ]
    assert rules(imported) == ["source-template-split"]


def test_a_name_that_comes_twice_is_exchanged_as_published(tmp_path: Path) -> None:
    """Disambiguated contexts exchange first mentions only, so their opening differs."""
    again = f"{OPEN[:-1]} of the {{{{NAME1}}}}."
    rows = [
        {**row, "context": row["context"].replace(OPEN, again)}
        for row in (ROW, TIDY, NEGATIVE, OTHER)
    ]
    imported = read(tmp_path, *rows)
    own = [
        sample.context
        for variant in imported.variants
        for sample in expand(prepare(variant, "zh"), "unsure", {}, [1])
        if sample.question_type == "bsd"
    ]
    told = "The knitter swept it, the climber slept."
    for context in (
        "A knitter and a climber share a shed of the knitter.",
        f"A knitter and a climber share a shed of the knitter.{told}",
        "A climber and a knitter share a shed of the climber.",
        f"A climber and a knitter share a shed of the knitter.{told}",
    ):
        assert context in own
    assert rules(imported) == ["source-template-split"]


def test_indices_that_slip_pair_no_other_rows(tmp_path: Path) -> None:
    """Of rows with one context those in the same place go together, whatever their indices."""
    rows = [
        {**row, "question_index": index, "question": f"{row['question'][:-1]} {word}?"}
        for word, slipped, index in (("here", "7", "8"), ("there", "8", "9"))
        for row, index in ((ROW, index), (TIDY, slipped), (NEGATIVE, index), (OTHER, slipped))
    ]
    imported = read(tmp_path, *rows)
    found = [(v.texts.biased_question, v.texts.counter_biased_question) for v in imported.variants]
    assert found[::2] == [
        ("Who is untidy here?", "Who is tidy here?"),
        ("Who is untidy there?", "Who is tidy there?"),
    ]
    assert imported.findings == ()


def test_rows_without_a_twin_are_reported(tmp_path: Path) -> None:
    """Each row that finds none of its own is named, the others are read."""
    lonely = {**ROW, "context": "A {{NAME1}} and a {{NAME2}} sing.", "question_index": "8"}
    imported = read(tmp_path, ROW, lonely, TIDY, NEGATIVE, OTHER)
    assert len(imported.variants) == 2
    (error,) = imported.findings
    assert (error.rule, error.severity, error.row) == ("source-twin-missing", Severity.ERROR, 3)
    assert (imported.rows_in, imported.rows_read) == (5, 4)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([ROW, NEGATIVE], "non_neg of ambiguous contexts, non_neg of disambiguous contexts"),
        ([ROW, TIDY], "neg of disambiguous contexts, non_neg of disambiguous contexts"),
        ([ROW, TIDY, OTHER], "neg of disambiguous contexts"),
    ],
)
def test_half_of_the_files_is_one_finding(tmp_path: Path, rows: Rows, what: str) -> None:
    """What is missing is said once, and nothing of the category is read."""
    imported = read(tmp_path, *rows)
    (error,) = imported.findings
    assert (error.rule, error.severity) == ("source-half-missing", Severity.ERROR)
    assert error.message == (
        f"category Hobby_Club lacks the rows {what}; the {len(rows)} that are here are not read"
    )
    assert (imported.variants, imported.rows_reported) == ((), len(rows))


def test_a_whole_category_is_read_beside_a_half_one(tmp_path: Path) -> None:
    """What one category lacks does not cost another."""
    whole = files(tmp_path / "one", ROW, TIDY, NEGATIVE, OTHER)
    half = files(tmp_path / "two", {**ROW, "category": "Music"})
    imported = cbbq.read([*half, *whole])
    assert {variant.category for variant in imported.variants} == {"Hobby_Club"}
    assert (imported.rows_in, imported.rows_read) == (5, 4)


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("category", ""),
        ("NAME1", "[]"),
        ("question", ""),
        ("label", "2"),
    ],
)
def test_a_damaged_row_is_accounted_for(tmp_path: Path, column: str, cell: str) -> None:
    """A row that cannot be read is reported with its column, and its twin with it."""
    broken = {**NEGATIVE, "question_index": "8", "context": f"{TOLD} Or not."}
    twin = {**broken, "question_polarity": "non_neg", "label": "0"}
    paths = files(tmp_path, ROW, TIDY, NEGATIVE, OTHER, broken, twin)
    path = next(path for path in paths if path.parts[-2:] == ("disambiguous", NEG))
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows[-1][column] = cell
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ROW)
        writer.writeheader()
        writer.writerows(rows)
    imported = cbbq.read(paths)
    assert ("source-unreadable-row", 3, column) in {
        (item.rule, item.row, item.column) for item in imported.findings
    }
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (6, 4, 2)


NEG = "templates_generate_neg.csv"


def test_names_of_files_and_folders_go_before_cells(tmp_path: Path) -> None:
    """A cell that contradicts them is a slip; without such names the cells tell."""
    paths = files(tmp_path, ROW, TIDY, NEGATIVE, OTHER)
    right = [(item.id, item.texts) for item in cbbq.read(paths).variants]
    for path in paths:
        text = path.read_text(encoding="utf-8-sig")
        path.write_text(text.replace("non_neg", "neg"), encoding="utf-8")
    assert [(item.id, item.texts) for item in cbbq.read(paths).variants] == right
    moved = [
        path.rename(tmp_path / f"{number}.csv")
        for number, path in enumerate(files(tmp_path, ROW, TIDY, NEGATIVE, OTHER))
    ]
    assert [(item.id, item.texts) for item in cbbq.read(moved).variants] == right


@pytest.mark.parametrize(
    ("column", "cell"), [("context_condition", "both"), ("question_polarity", "?")]
)
def test_a_row_of_which_nothing_tells_the_place_is_accounted_for(
    tmp_path: Path, column: str, cell: str
) -> None:
    """Neither the file's name nor the cell says what it is."""
    (path,) = files(tmp_path, {**ROW, "question": "Who sings?"})
    text = path.read_text(encoding="utf-8-sig").replace(ROW[column], cell, 1)
    text = text.replace(f",{ROW[column]},", f",{cell},")
    other = tmp_path / "mine.csv"
    other.write_text(text, encoding="utf-8")
    imported = cbbq.read([other])
    assert [(item.rule, item.column) for item in imported.findings] == [
        ("source-unreadable-row", column)
    ]


def test_other_files_are_passed_over(tmp_path: Path) -> None:
    """Samples, and a copy of a file, are named and not read."""
    paths = files(tmp_path, ROW, TIDY, NEGATIVE, OTHER)
    again = tmp_path / "copy" / NEG
    again.parent.mkdir()
    again.write_bytes(paths[0].read_bytes())
    samples = tmp_path / "ambiguous.csv"
    samples.write_text("example_id,context\n1,A shed.\n", encoding="utf-8")
    imported = cbbq.read([samples, *paths, again])
    assert rules(imported) == ["source-file-passed-over", "source-file-passed-over"]
    assert imported.findings[1].message == f"it has the same rows as ambiguous/{NEG}"
    with pytest.raises(CurateError, match="not a template file of CBBQ: the header lacks"):
        cbbq.read([samples])


def test_published_samples_come_out(reference: Path) -> None:
    """Every given sample comes out, character for character, and every one that the files imply."""
    imported = cbbq.read(sorted((reference / "cbbq").glob(cbbq.WITHIN)))
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (96, 96, 50)
    own = {
        (sample.context, sample.question, frozenset(sample.choices), sample.answer)
        for variant in imported.variants
        for sample in expand(prepare(variant, "zh"), dict(variant.extra)["cbbq_unknown"], {})
    }
    given = Counter(published(reference / "cbbq"))
    assert sum(given.values()) == 1200
    assert set(given) - own == set()


def published(folder: Path) -> Iterator[tuple[str, str, frozenset[str], str]]:
    """The given samples: context, question, choices, answer."""
    for path in sorted(folder.glob("*/*.part.csv")):
        with path.open(encoding="utf-8-sig", newline="") as stream:
            for row in csv.DictReader(stream):
                choices = [row[f"ans{number}"] for number in range(3)]
                answer = choices[int(row["label"])]
                yield row["context"], row["question"], frozenset(choices), answer
