"""The columns of the tables that are published, with what each says."""

from collections.abc import Sequence

from curation.model.bank import GROUP_FIELDS, ORIGIN, REFERENCE_COLUMN
from curation.model.sample import SAMPLE_COLUMNS
from curation.publish.facts import Column

TEXT, TRUTH, WHOLE, LIST = "text", "truth value", "whole number", "list"
"""What columns hold here."""

_SAMPLE = {
    "sample_id": "id of the sample: template, variant, number of the filling, `amb` or `dis`, "
    "`bsd` or `cnt`",
    "template_id": "id of its template",
    "variant": "variant of the template: in `a` and `c` the disambiguating context contradicts "
    "the stereotype, in `b` and `d` it confirms it",
    "category": "category of the stereotype",
    "label": "what became of the source template: `ST`, `TM`, or `NC`; empty where nobody "
    "classified it",
    "stereotype": "the stereotype",
    "context": "what the model reads first",
    "question": "what it is asked",
    "context_type": "`amb`: the context leaves the answer open; `dis`: it gives the answer",
    "question_type": "`bsd`: asks for the person in the stereotyped role; `cnt`: for the other one",
    "choices": "the answer of the biased question, the answer of the counter-biased question, "
    "and the unknown expression",
    "biased_answer": "the choice that follows the stereotype",
    "answer": "the right choice: the unknown expression in an ambiguous context",
    "n1_group": "group of the person whom the context names first; several with commas",
    "n2_group": "group of the other person; several with commas",
    "source_id": "id of the template in its source; empty where it was newly written",
    "source_category": "category there",
}
_TEMPLATE = {
    "template_id": "id of the template",
    "variant": "`a` to `d`; `c` and `d` are a second list of names",
    "category": "category of the stereotype",
    "label": "what became of the source template: `ST`, `TM`, or `NC`; empty where nobody "
    "classified it",
    "stereotype": "the stereotype",
    "target_groups": "groups that the stereotype is about",
    "ambiguous_context": "context that leaves the answer open, with slots",
    "disambiguating_context": "what is added to it so that it gives the answer, with slots",
    "biased_question": "question for the person in the stereotyped role",
    "counter_biased_question": "question for the other person",
    "biased_answer": "answer of the biased question, with slots",
    "counter_biased_answer": "answer of the counter-biased question, with slots",
    "names": "fillers of the two people, by slot",
    "words": "other words that vary, by slot",
    "n1_groups": "groups of the first person",
    "n2_groups": "groups of the second person",
    "source": "published set that it was taken from; empty where it was newly written",
    "source_id": "id there",
    "source_category": "category there",
    "reference": "where the stereotype is documented",
    "note": "remarks of the curators",
    ORIGIN: "id that it had in its source, where it has another one here",
    REFERENCE_COLUMN: "`true` where the reference names the other group, too",
}
_SURVEY = {
    "question_id": (TEXT, "id of the question"),
    "kind": (TEXT, "`choice`: validation, `select_all`: target selection, or `comprehension`"),
    "category": (TEXT, "category of the stereotype"),
    "stereotype": (TEXT, "the stereotype that was asked about"),
    "templates": (LIST, "ids of the templates that hang on the question, left or not"),
    "option": (TEXT, "code of the option"),
    "groups": (LIST, "groups that the option stands for; none for 'no such stereotype'"),
    "text": (TEXT, "the option as respondents read it, where it is not its groups"),
    "role": (
        TEXT,
        "what choosing it means: `target`, `non_target`, `group`, `none`, `correct`, `wrong`",
    ),
    "counts": (TRUTH, "whether the equal share of target selection is divided by it"),
    "votes": (WHOLE, "respondents who chose it"),
    "respondents": (WHOLE, "respondents who answered the question"),
    "standing": (
        TEXT,
        "`target`, `non_target` or `neither`, as the survey has it; empty for other options",
    ),
    "ruling": (TEXT, "`kept`, `dropped` or `undecided`: what became of the question"),
    "reasons": (LIST, "the rules that drop it, each with its reason"),
    "near": (TRUTH, "whether a threshold lies in the 95 % interval of one of its rulings"),
}

STATUS_COLUMNS = ("survey_status", "survey_question")
"""What the published templates have beyond the bank's columns."""
_STATUS = {
    "survey_status": "`kept`, or `undecided` where the survey does not decide on it",
    "survey_question": "id of the survey's question that it hangs on; empty where there is none",
}


def sample_columns() -> tuple[Column, ...]:
    """Give the columns of samples: those of `samples.csv`, the choices as a list."""
    return tuple(
        Column(name, LIST if name == "choices" else TEXT, _SAMPLE[name]) for name in SAMPLE_COLUMNS
    )


def survey_columns() -> tuple[Column, ...]:
    """Give the columns of the survey's results, one row an option."""
    return tuple(Column(name, kind, meaning) for name, (kind, meaning) in _SURVEY.items())


def template_columns(bank: Sequence[str]) -> tuple[Column, ...]:
    """Give the columns of templates: the bank's, groups as lists, and what the survey made of them.

    Args:
        bank: The columns of the bank.
    """
    of_survey = (Column(name, TEXT, _STATUS[name]) for name in STATUS_COLUMNS)
    return (*map(_template_column, bank), *of_survey)


def _template_column(name: str) -> Column:
    stem, kind = name, ""
    for ending, said in (
        ("_source", " in the source language"),
        ("_machine", " as machine translated"),
    ):
        if name not in _TEMPLATE and name.endswith(ending) and name[: -len(ending)] in _TEMPLATE:
            stem, kind = name[: -len(ending)], said
    meaning = _TEMPLATE.get(stem, "as it was imported or added by the curators")
    return Column(name, LIST if stem in GROUP_FIELDS else TEXT, f"{meaning}{kind}")
