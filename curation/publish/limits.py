"""What the data itself says of its limits, in sentences of plain text."""

from collections.abc import Iterator, Sequence

from curation.io.pages.numbers import count, spread
from curation.publish.facts import FEW, Facts, SurveyFact

_NAMED = 10


def limits(facts: Facts) -> Iterator[str]:
    """Yield the limits that are known from the data; the release's own come beside them."""
    yield from _of_templates(facts)
    if facts.survey is None:
        yield (
            "No survey has been held: which stereotypes and which target groups are real in "
            "this culture is the judgement of the people who wrote the templates."
        )
    else:
        yield from _of_survey(facts, facts.survey)
    yield from _of_samples(facts)


def _of_templates(facts: Facts) -> Iterator[str]:
    gaps, left = facts.gaps, facts.total.left
    if gaps.undecided and facts.survey is not None:
        yield (
            f"The survey has not decided on {_of(len(gaps.undecided), left)}, which "
            f"{_are(len(gaps.undecided))} in all the same: {_ids(gaps.undecided)}."
        )
    if gaps.waiting:
        yield (
            f"{_of(len(gaps.waiting), left, capital=True)} "
            f"{'gives' if len(gaps.waiting) == 1 else 'give'} no samples, for want of a "
            f"translation or of groups: {_ids(gaps.waiting)}."
        )
    if gaps.kept_by_person:
        yield (
            f"{count(len(gaps.kept_by_person), 'template')} "
            f"{_are(len(gaps.kept_by_person))} in by the decision of a person, whatever the "
            f"survey said: {_ids(gaps.kept_by_person)}."
        )
    if facts.total.unlabelled:
        yield (
            f"{_of(facts.total.unlabelled, left, capital=True)} {_have(facts.total.unlabelled)} no "
            "label: nobody has classified what became of the source template."
        )
    if gaps.documented < gaps.changed:
        missing = gaps.changed - gaps.documented
        yield (
            f"Of the {count(gaps.changed, 'template')} labelled TM or NC, {missing:,} "
            f"{'names' if missing == 1 else 'name'} no reference that documents the stereotype."
        )


def _of_survey(facts: Facts, survey: SurveyFact) -> Iterator[str]:
    untested = facts.total.left - facts.gaps.tested
    if untested:
        none = f"None of the {count(untested, 'template')} was"
        some = f"{_of(untested, facts.total.left)} {'was' if untested == 1 else 'were'} not"
        yield f"{some if facts.gaps.tested else none} tested for comprehension."
    if survey.near:
        yield (
            f"{count(survey.near, 'question')} of {survey.questions} came out near a threshold: "
            "another sample of as many people could well have turned the ruling. The "
            + ("configuration survey marks them." if facts.has("survey") else "ledger marks them.")
        )
    if survey.few:
        yield (
            f"{count(survey.few, 'question')} kept {_have(survey.few)} fewer than {FEW} "
            "respondents."
        )
    if survey.people is None:
        yield "Only the counts of the survey are known; who the respondents were is not."
    elif survey.people.unknown:
        names = ", ".join(name.replace("_", " ") for name in survey.people.unknown)
        yield f"The survey had quotas for {names}, which the answers do not tell."
    yield from survey.notes


def _of_samples(facts: Facts) -> Iterator[str]:
    total = facts.total
    templates = total.left - len(facts.gaps.waiting)
    yield (
        f"All {count(total.samples, 'sample')} are fillings of {count(templates, 'template')}. "
        "Samples of one template are much alike, so that intervals and tests have to be taken "
        "over templates, not over samples."
    )
    sizes = [row.left for row in facts.categories[:-1] if row.left]
    if len(sizes) > 1:
        yield (
            f"A category rests on {spread(min(sizes), max(sizes))} templates: scores of a single "
            "category are uncertain, and those of one template are no finding."
        )


def _of(number: int, whole: int, *, capital: bool = False) -> str:
    """Write a part of the templates that are left: `2 of 31 templates`, `none`, `all`."""
    if number == whole:
        return f"{'All' if capital else 'all'} {count(whole, 'template')}"
    return f"{number:,} of {count(whole, 'template')}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _ids(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
