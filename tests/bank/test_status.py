"""Where each template stands."""

import csv
from dataclasses import replace
from pathlib import Path

from curation.bank.status import count_steps, where_it_stands
from curation.records.bank import Label, Template, Texts, Variant, VariantId
from curation.records.survey import NOT_USED, Status

ROOT = Path(__file__).parents[2]
SOURCE = Texts(
    stereotype="They hum",
    ambiguous_context="[N1] and [N2] met in the [W1].",
    disambiguating_context="[N1] hummed, [N2] did not.",
    biased_question="Who hummed?",
    counter_biased_question="Who did not?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann]; N2: [Bob]",
    words="W1: [attic]",
)
VARIANT = Variant(VariantId.parse("craft-001a"), "Craft", source_texts=SOURCE)
ST, NC = Label.SIMPLY_TRANSFERRED, Label.NEWLY_CREATED
KEPT = Status.KEPT, "no rule drops it", True


def template(*variants):
    return Template(variants[0].template_id, variants)


LABELLED = replace(VARIANT, label=ST)
NEW = replace(VARIANT, label=NC, source_texts=Texts())
CLASSIFIED, TRANSLATED, REVIEWED = Status.CLASSIFIED, Status.TRANSLATED, Status.REVIEWED
PLAIN = replace(SOURCE, words="", ambiguous_context="[N1] and [N2] met.")
BROKEN = replace(PLAIN, ambiguous_context="[N1 and [N2] met.")
HALF = replace(SOURCE, words="")
STEPS = [
    (VARIANT, Status.IMPORTED, "nobody has classified it"),
    (replace(VARIANT, texts=SOURCE), Status.IMPORTED, "nobody has classified it"),
    (replace(LABELLED, machine_texts=HALF), CLASSIFIED, "not written: words"),
    (replace(LABELLED, machine_texts=SOURCE, texts=HALF), TRANSLATED, "only by machine: words"),
    (replace(LABELLED, texts=SOURCE), REVIEWED, "no survey has decided on it"),
    (replace(NEW, texts=replace(SOURCE, stereotype="")), CLASSIFIED, "not written: stereotype"),
    (replace(NEW, texts=SOURCE), REVIEWED, "no survey has decided on it"),
    # A text may be adapted so that it no longer needs the words of its source.
    (replace(LABELLED, texts=PLAIN), REVIEWED, "no survey has decided on it"),
    (replace(LABELLED, texts=BROKEN), CLASSIFIED, "not written: words"),
]


def test_before_the_survey_a_template_waits_for_one_thing_after_another():
    """A label, a translation, a person who looks at it, and the survey."""
    for variant, step, reason in STEPS:
        found = where_it_stands(template(variant), None)
        assert (found.template_id, found.step, found.reason) == ("craft-001", step, reason)


def test_a_variant_that_lags_behind_holds_its_template_back():
    done = replace(VARIANT, label=ST, texts=SOURCE)
    other = replace(done, id=VariantId.parse("craft-001b"), texts=replace(SOURCE, names=""))
    assert where_it_stands(template(done, other), None).step is Status.CLASSIFIED
    machine = replace(other, machine_texts=SOURCE)
    assert where_it_stands(template(done, machine), None).step is Status.TRANSLATED


def test_what_the_survey_keeps_is_kept_when_it_gives_samples():
    """Until then it is surveyed, with what it waits for."""
    done = template(replace(VARIANT, label=ST, texts=SOURCE))
    assert where_it_stands(done, KEPT).step is Status.KEPT
    waits = where_it_stands(done, (*KEPT[:2], False))
    assert (waits.step, waits.reason) == (Status.SURVEYED, "kept, but it waits for its groups")
    machine = template(replace(VARIANT, label=ST, machine_texts=SOURCE))
    found = where_it_stands(machine, KEPT)
    assert found.step is Status.SURVEYED
    assert found.reason.startswith("kept, but only by machine: stereotype")


def test_counts_add_up():
    """By category in the order of the bank, and in total."""
    two = replace(VARIANT, id=VariantId.parse("age-001a"), category="Age", label=ST, texts=SOURCE)
    rows = [
        where_it_stands(template(VARIANT), None),
        where_it_stands(template(two), KEPT),
        where_it_stands(template(two), None),
    ]
    found = count_steps(rows)
    assert [(row["category"], row["templates"]) for row in found] == [
        ("Craft", 1),
        ("Age", 2),
        ("Total", 3),
    ]
    assert found[1][Status.KEPT] == found[1][Status.REVIEWED] == 1
    assert all(sum(row[step] for step in Status) == row["templates"] for row in found)
    assert count_steps([])[0]["templates"] == 0


def test_machine_text_that_nobody_has_confirmed_is_not_reviewed():
    """Though every cell is filled in; what the decisions dropped stays dropped."""
    done = template(replace(VARIANT, label=ST, texts=SOURCE))
    found = where_it_stands(done, None, 2)
    assert (found.step, found.reason) == (
        *(Status.TRANSLATED, "2 texts of the machine that nobody has confirmed"),
    )
    kept = where_it_stands(done, KEPT, 1)
    assert (kept.step, kept.reason) == (
        *(Status.SURVEYED, "kept, but 1 text of the machine that nobody has confirmed"),
    )
    assert where_it_stands(done, (Status.DROPPED, "so", True), 1).step is Status.DROPPED


def test_the_words_of_a_status_are_one_list():
    """Of the page, and of what is written for users."""
    page = (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8")
    table = "".join(f"| `{status}` | {status.meaning} |\n" for status in Status)
    assert f"| status | the template |\n|---|---|\n{table}\n" in page
    shown = (ROOT / "exports" / "demo" / "filter" / "templates.csv").read_text(encoding="utf-8")
    assert {row["status"] for row in csv.DictReader(shown.splitlines())} <= {*Status}
    assert [it for it in Status if it.meaning.startswith("not used")] == [*NOT_USED]
