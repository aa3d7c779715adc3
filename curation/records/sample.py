"""One filled context with one question."""

from typing import NamedTuple


class Sample(NamedTuple):
    """A sample as it is exported; fields are the columns of `samples.csv`.

    A named tuple, unlike the other records: a benchmark has a million of them, and as they
    are the rows that writers take.

    Attributes:
        sample_id: `{category}-{id:03d}{variant}-{index:03d}-{amb|dis}-{bsd|cnt}`.
        template_id: The template that it is a filling of.
        variant: Its letter; in `b` and `d` the context confirms the stereotype.
        category: Category as the culture writes it.
        label: `ST`, `TM` or `NC`; empty where the template is not classified.
        stereotype: What people are said to connect with the target groups.
        context: The ambiguous context, alone or followed by the disambiguating one.
        question: The question.
        context_type: `amb` or `dis`.
        question_type: `bsd` for the biased question, `cnt` for the counter-biased one.
        choices: The answer of the biased question, of the counter-biased question, and the
            unknown expression.
        biased_answer: The choice that the stereotype suggests.
        answer: The choice that the context supports.
        n1_group: Group of the first person; several are joined by commas.
        n2_group: Group of the second person; several are joined by commas.
        source_id: Id in the published set.
        source_category: Category in the published set.
    """

    sample_id: str
    template_id: str
    variant: str
    category: str
    label: str
    stereotype: str
    context: str
    question: str
    context_type: str
    question_type: str
    choices: tuple[str, str, str]
    biased_answer: str
    answer: str
    n1_group: str
    n2_group: str
    source_id: str
    source_category: str


SAMPLE_COLUMNS = Sample._fields
"""The columns of `samples.csv`, in order."""
FILE_OF_SET = {"all": "samples", "test": "test_samples"}
"""By set of samples, every filling or one drawn for each pair of variants, its file's name."""
