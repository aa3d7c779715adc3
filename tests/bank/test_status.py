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
DONE = replace(LABELLED, texts=SOURCE)
OTHER = replace(DONE, id=VariantId.parse("craft-001b"), texts=replace(SOURCE, names=""))
CLASSIFIED, TRANSLATED, REVIEWED = Status.CLASSIFIED, Status.TRANSLATED, Status.REVIEWED
PLAIN = replace(SOURCE, words="", ambiguous_context="[N1] and [N2] met.")
BROKEN = replace(PLAIN, ambiguous_context="[N1 and [N2] met.")
HALF = replace(SOURCE, words="")
BY_MACHINE = replace(LABELLED, machine_texts=replace(SOURCE, words=""), source_texts=PLAIN)
FIELDS = "stereotype, ambiguous_context, disambiguating_context, biased_question, "
FIELDS += "counter_biased_question, biased_answer, counter_biased_answer, names"
UNCONFIRMED = "of the machine that nobody has confirmed"
STEPS = [
    ([VARIANT], Status.IMPORTED, "nobody has classified it"),
    ([replace(VARIANT, texts=SOURCE)], Status.IMPORTED, "nobody has classified it"),
    ([replace(LABELLED, machine_texts=HALF)], CLASSIFIED, "not written: words"),
    ([replace(LABELLED, machine_texts=SOURCE, texts=HALF)], TRANSLATED, "only by machine: words"),
    ([DONE], REVIEWED, "no survey has decided on it"),
    ([replace(NEW, texts=replace(SOURCE, stereotype=""))], CLASSIFIED, "not written: stereotype"),
    ([replace(NEW, texts=SOURCE)], REVIEWED, "no survey has decided on it"),
    # A text may be adapted so that it no longer needs the words of its source.
    ([replace(LABELLED, texts=PLAIN)], REVIEWED, "no survey has decided on it"),
    ([replace(LABELLED, texts=BROKEN)], CLASSIFIED, "not written: words"),
    # A variant that lags behind holds its template back.
    ([DONE, OTHER], CLASSIFIED, "not written: names"),
    ([DONE, replace(OTHER, machine_texts=SOURCE)], TRANSLATED, "only by machine: names"),
    # So do machine texts that nobody has confirmed, though every cell is filled in.
    ([DONE], TRANSLATED, f"2 texts {UNCONFIRMED}", None, 2),
    # What the survey keeps is kept when it gives samples.
    ([DONE], Status.KEPT, "no rule drops it", KEPT),
    ([DONE], Status.SURVEYED, "kept, but it waits for its groups", (*KEPT[:2], False)),
    ([BY_MACHINE], Status.SURVEYED, f"kept, but only by machine: {FIELDS}", KEPT),
    ([DONE], Status.SURVEYED, f"kept, but 1 text {UNCONFIRMED}", KEPT, 1),
    ([DONE], Status.DROPPED, "so", (Status.DROPPED, "so", True), 1),
]


def test_a_template_waits_for_one_thing_after_another():
    """A label, a translation, a person who looks at it, the survey, and its groups."""
    for variants, step, reason, *of_survey in STEPS:
        found = where_it_stands(template(*variants), *(of_survey or [None]))
        assert (found.template_id, found.step, found.reason) == ("craft-001", step, reason)


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


def test_the_words_of_a_status_are_one_list():
    """Of the page, and of what is written for users."""
    page = (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8")
    table = "".join(f"| `{status}` | {status.meaning} |\n" for status in Status)
    assert f"| status | the template |\n|---|---|\n{table}\n" in page
    shown = (ROOT / "exports" / "demo" / "filter" / "templates.csv").read_text(encoding="utf-8")
    assert {row["status"] for row in csv.DictReader(shown.splitlines())} <= {*Status}
    assert [it for it in Status if it.meaning.startswith("not used")] == [*NOT_USED]
