"""One filled context with one question."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample as it is exported; fields are the columns of `samples.csv`.

    `choices` are the answer of the biased question, the answer of the counter-biased
    question and the unknown expression; `answer` is the one that the context supports and
    `biased_answer` the one that the stereotype suggests.
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


SAMPLE_COLUMNS = tuple(item.name for item in fields(Sample))
"""The columns of `samples.csv`, in order."""
