"""The reader of CBBQ's templates, on invented templates."""

from layouts import write_table

from curation.bank.generate import expand, prepare
from curation.records.bank import target_slot
from curation.records.messages import Severity
from curation.sources import cbbq

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


def files(folder, *rows):
    parts = {}
    for row in rows:
        name = "nonneg" if row["question_polarity"] == "non_neg" else "neg"
        path = folder / row["context_condition"] / f"templates_generate_{name}.csv"
        parts.setdefault(path, []).append(row)
    return [write_table(path, members, encoding="utf-8-sig") for path, members in parts.items()]


def read(folder, *rows):
    return cbbq.read(files(folder, *rows))


def rules(imported):
    return [item.rule for item in imported.findings]


def test_four_rows_make_a_template_with_two_orders_of_mention(tmp_path):
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


def test_the_target_may_be_the_second_person(tmp_path):
    """Its groups are then those of N2."""
    rows = ({**row, "bias_targeted_groups": "climber"} for row in (ROW, TIDY, NEGATIVE, OTHER))
    imported = read(tmp_path, *rows)
    assert {target_slot(variant.texts) for variant in imported.variants} == {"N2"}
    assert {variant.texts.n2_groups for variant in imported.variants} == {("climber",)}


def test_what_the_answers_do_not_tell_is_open_and_an_error(tmp_path):
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


def test_a_name_that_comes_twice_is_exchanged_as_published(tmp_path):
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


def test_a_damaged_row_is_accounted_for(tmp_path):
    """A row that cannot be read is reported with its column, and its twin with it."""
    for column, cell in [("category", ""), ("NAME1", "[]"), ("question", ""), ("label", "2")]:
        broken = {**NEGATIVE, "question_index": "8", "context": f"{TOLD} Or not."}
        twin = {**broken, "question_polarity": "non_neg", "label": "0"}
        paths = files(tmp_path, ROW, TIDY, NEGATIVE, OTHER, broken, twin)
        path = next(path for path in paths if path.parts[-2:] == ("disambiguous", NEG))
        write_table(path, [NEGATIVE, {**broken, column: cell}])
        imported = cbbq.read(paths)
        assert ("source-unreadable-row", 3, column) in {
            (item.rule, item.row, item.column) for item in imported.findings
        }
        assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (6, 4, 2)


NEG = "templates_generate_neg.csv"
