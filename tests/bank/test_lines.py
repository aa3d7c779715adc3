"""Samples as lines of a table."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.bank.planning import plan, sample_lines
from curation.files.tables import plain_row
from curation.files.writers import DELIMITERS, cell_writer
from curation.records.bank import Label, Template, TemplateId, Texts, Variant, VariantId
from curation.records.culture import SampleSettings

TEXTS = Texts(
    stereotype='They say "so", and go',
    ambiguous_context='[N1: Ann, Old Ada] and [N2],\n"friends", waited at the [W1].',
    disambiguating_context="-[N1] had no key, [N2] one for [X1].",
    biased_question="=Who forgot the\tkey?",
    counter_biased_question="Who had [X1], and [W1]?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann, @Ada]; N2: [Bob\\, Ben, 'Bo, 누나]",
    words="W1: [bus, tram]; X1: [a shed, +a barn, Unknown]",
    n1_groups=("women", "girls, old"),
    n2_groups=("men",),
)


def template(letters="abcd", *, once=False):
    """A template whose texts hold what tables have to quote or to mark."""
    variants = tuple(
        Variant(
            VariantId.parse(f"home_life-001{letter}"),
            "Home life",
            Label.NEWLY_CREATED,
            TEXTS,
            source_id="7",
            source_category='of "old"',
            extra=(("samples_once", "true"),) if once else (),
        )
        for letter in letters
    )
    return Template(TemplateId.parse("home_life-001"), variants)


def expected(rows, delimiter):
    """What the writer of Python's own library makes of records."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\r\n")
    text = ""
    for row in rows:
        stream.seek(0)
        stream.truncate()
        writer.writerow(plain_row(row))
        text += stream.getvalue().removesuffix("\r\n") + "\n"
    return text


@pytest.mark.parametrize("fmt", DELIMITERS)
@pytest.mark.parametrize("settings", [{}, {"per_template": 24}, {"once": True}])
def test_lines_are_those_of_the_records(fmt, settings):
    """To the byte, whatever stands in a text, of all samples, of a subset and of the test set."""
    delimiter = DELIMITERS[fmt]
    for drawn in (False, True):
        made = plan(
            [template()],
            "en",
            "Unknown, I say",
            {("Home life", "Ann"): ["women"]},
            SampleSettings.model_validate(settings),
            test_set=drawn,
        )
        lines = "".join(sample_lines(made, cell_writer(delimiter), delimiter))
        samples = list(made.samples())
        assert lines == expected(samples, delimiter)
        assert sum(made.count().values()) == len(samples) > 0


def test_a_template_without_one_of_the_people_has_an_empty_group():
    """And one without any slot has one filling."""
    texts = Texts(
        ambiguous_context="Somebody waited.",
        disambiguating_context="[N2] did.",
        biased_question="Who?",
        counter_biased_question="Who not?",
        biased_answer="[N2]",
        counter_biased_answer="nobody",
        names="N2: [Bob, Ben]",
        n2_groups=("men",),
    )
    one = Variant(VariantId.parse("home_life-001a"), "Home life", None, texts)
    made = plan([Template(one.template_id, (one,))], "en", "Unknown", {})
    lines = "".join(sample_lines(made, cell_writer(","), ","))
    assert lines == expected(list(made.samples()), ",")
    assert lines.splitlines()[0].split(",")[-4:] == ["", "men", "", ""]


@given(
    st.one_of(
        st.text(alphabet=st.sampled_from("a\"=,;\t\r\n' [\\누@-"), max_size=8),
        st.lists(st.text(max_size=4), max_size=4),
        st.none(),
        st.booleans(),
        st.integers(),
    ),
    st.sampled_from(sorted(DELIMITERS.values())),
)
def test_a_cell_is_written_as_the_library_writes_it(cell, delimiter):
    """Beside another one, as an empty cell alone in its line is quoted."""
    made = cell_writer(delimiter)(cell)
    assert f"{made}{delimiter}x\n" == expected([(cell, "x")], delimiter)
