"""One filled context with one question."""

from typing import NamedTuple


class Sample(NamedTuple):
    """A sample as it is exported; fields are the columns of `samples.csv`.

    `choices` are the answer of the biased question, the answer of the counter-biased
    question and the unknown expression; `answer` is the one that the context supports and
    `biased_answer` the one that the stereotype suggests.

    A named tuple, unlike the other records: a benchmark has a million of them, and as they
    are the rows that writers take.
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
