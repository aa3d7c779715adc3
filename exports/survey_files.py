"""Results of a survey, fit to be published: counts, and answers of nobody in particular."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from curation.files.atomic import write_file
from curation.files.bank import GroupBook
from curation.files.lock import writing
from curation.files.manifest import named_inputs, staged_results
from curation.files.questionnaire import (
    QUESTIONNAIRE,
    option_rows,
    read_questionnaire,
    read_tallies,
    write_tallies,
)
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.licences import personal_in
from curation.records.messages import CurateError, counted, refusal
from curation.records.survey import Tally
from curation.report.texts import filled
from exports.edition import SMALLEST, joined
from exports.folders import EXPORT, refuse_foreign
from survey.answers import (
    RESERVED_ATTRIBUTES,
    Answers,
    count_answers,
    only_rows,
    without_people,
    write_answers,
)
from survey.bank import PREREGISTRATION, counted_answers, decided_settings
from survey.counts import write_counts

Attributes = Mapping[str, Sequence[str]]
"""By name, one value for each respondent, in one order."""


def small_classes(attributes: Attributes, people: int, k: int) -> list[int]:
    """The sizes of the classes of fewer than `k` people, the smallest first.

    Args:
        attributes: The attributes.
        people: How many respondents there are; without attributes they are one class.
        k: Size that a class needs.
    """
    sizes = Counter(_values(attributes, people)).values()
    return sorted(size for size in sizes if size < k)


def refuse_small_classes(attributes: Attributes, people: int, k: int, where: str) -> None:
    """Refuse attributes that could identify a respondent.

    The message names sizes, never values: those of a class of one are a person's.

    Raises:
        CurateError: If a class has fewer than `k` people.
    """
    small = small_classes(attributes, people, k)
    if not small:
        return
    if people < k:
        raise refusal(__package__, "respondents-few", where, people=people, k=k)
    sizes = Counter(small)
    listed = ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items()))
    raise CurateError(
        f"{counted(len(small), 'combination')} of {', '.join(attributes)}, shared by fewer than "
        f"{k} respondents: {listed} ({sum(small)} of {people} respondents)",
        where,
        "leave an attribute out of --respondents, or blank the attributes of those respondents "
        "with --suppress",
    )


def suppress(attributes: Attributes, people: int, k: int) -> tuple[Attributes, int, int]:
    """Blank the attributes of all whose class is small.

    Where those without attributes would still be fewer than `k`, the smallest other class joins
    them, so that nobody stands out by having none.

    Returns:
        The attributes, empty for who would have stood out; how many respondents have been blanked;
        and how many of them were in classes large enough, and were needed so that those without
        attributes are enough themselves.
    """
    values = _values(attributes, people)
    sizes = Counter(values)
    blank = ("",) * len(attributes)
    others = {value: sizes[value] for value in sorted(sizes) if value != blank}
    out = {*joined(others, k, sizes[blank])}
    made = {
        name: tuple("" if value in out else value[at] for value in values)
        for at, name in enumerate(attributes)
    }
    merged = sum(sizes[value] for value in out if sizes[value] >= k)
    return made, sum(sizes[value] for value in out), merged


def numbering(contents: Sequence[tuple[object, ...]], seed: int) -> list[int]:
    """Number respondents by what is published of them alone.

    They are ordered by their content and then shuffled, so that the same answers get the same
    numbers whatever ids they had and in whatever order their file held them: the numbers tell
    nothing that the rows do not. Two with the same content cannot be told apart, so it makes
    no difference which of them comes first.

    Args:
        contents: What is published of each respondent.
        seed: The seed of the shuffle.

    Returns:
        The respondents' positions, in the order of their numbers.
    """
    order = sorted(range(len(contents)), key=lambda at: contents[at])
    random.Random(seed).shuffle(order)  # noqa: S311  # a seeded order, no secret
    return order


def _values(attributes: Attributes, people: int) -> list[tuple[str, ...]]:
    return list(zip(*attributes.values(), strict=True)) if attributes else [()] * people


_RESPONSES, _RESPONDENTS, _QUESTIONNAIRE = "responses.csv", "respondents.csv", "questionnaire.csv"


def survey_results(
    workspace: Workspace,
    *,
    respondents: bool = False,
    attributes: Sequence[str] | None = None,
    k: int = SMALLEST,
    suppressing: bool = False,
    out: Path | None = None,
) -> tuple[Path, dict[str, int], int]:
    """Write the results of the survey for publication, by default to `exports/survey_results`.

    Gives the folder; how many questions there are, and votes, and of respondents how many there
    are, are left out and have no attributes; and how many have none only to hide the others.

    Args:
        workspace: The workspace.
        respondents: Also the answers of each respondent, numbered anew.
        attributes: Attributes of respondents to publish; by default those with quotas.
        k: The minimum number of respondents that share a combination of attributes.
        suppressing: Empty the attributes of respondents with a rare combination, instead of
            refusing.
        out: The folder to write to.

    Raises:
        CurateError: If nothing has been counted yet, the answers are not those that were counted,
            an attribute is not known or says who somebody is, a respondent could be told, or a
            file cannot be read or written.
    """
    folder = out or workspace.exports_folder / "survey_results"
    with writing(workspace, "curate export package --only survey", to=out):
        refuse_foreign(folder, "survey")
        answers: Answers | None = None
        people: dict[str, int] = {}
        hidden = 0
        if respondents:
            answers, people, hidden = _released(workspace, attributes, k, suppressing)
        inputs = [workspace.culture_file, workspace.tallies_file]
        settings: dict[str, object] = {EXPORT: "survey", "version": workspace.culture.version}
        if answers is not None:
            settings |= {"k": k, "attributes": list(answers.attributes)}
            inputs += [counted_answers(workspace), workspace.questionnaire_file]
        counts: dict[str, int] = {}
        used = named_inputs(inputs, root=workspace.root)
        with staged_results(folder, used, counts, settings) as stage:
            counts |= write_survey(workspace, stage, k if answers is not None else None) | people
            if answers is not None:
                write_answers(answers, stage / _RESPONSES, stage / _RESPONDENTS)
                asked = read_questionnaire(workspace.questionnaire_file, workspace.book)
                names = GroupBook()  # and no keys
                rows = (row for question in asked for row in option_rows(question, names))
                QUESTIONNAIRE.write(stage / _QUESTIONNAIRE, rows)
    return folder, counts, hidden


def _released(
    workspace: Workspace, chosen: Sequence[str] | None, k: int, suppressing: bool
) -> tuple[Answers, dict[str, int], int]:
    """Read the answers that count, and take from them what says who somebody is.

    Returns:
        The answers, the counts of respondents, and how many are without attributes only to hide
        the others.

    Raises:
        CurateError: If there are none, they are not those that were counted, an attribute is
            not known or holds what names people, or a respondent could be told.
    """
    from survey.readers.normalise import read_answers  # which counts do without

    path = counted_answers(workspace)
    if not path.exists():
        raise refusal(__package__, "respondents-none", str(path))
    book = workspace.book
    answers = read_answers(path, read_questionnaire(workspace.questionnaire_file, book))
    settings = decided_settings(workspace)
    kept = _counted(answers, settings)
    _refuse_others(path, kept, counted_tallies(workspace))
    attributes = _attributes(workspace, kept, chosen)
    where = str(path.with_name(_RESPONDENTS))
    people = len(kept.respondents)
    blanked = merged = 0
    if suppressing:
        attributes, blanked, merged = suppress(attributes, people, k)
    refuse_small_classes(attributes, people, k, where)
    counts = {
        "respondents": people,
        "respondents_left_out": len(answers.respondents) - people,
        "respondents_blanked": blanked,
    }
    return _numbered(kept, attributes, workspace.culture.questionnaire.seed), counts, merged


def _counted(answers: Answers, settings: SurveySettings) -> Answers:
    """The answers of the respondents that no quality check excludes."""
    from survey.quality import flag, kept_rows

    left = only_rows(answers, kept_rows(answers, flag(answers, settings)[0], settings.exclude))
    present = {answers.respondents[at] for at in np.unique(left.respondent).tolist()}
    return without_people(left, {*answers.respondents} - present)


def _refuse_others(path: Path, answers: Answers, tallies: Sequence[Tally]) -> None:
    """Refuse answers that are not those that the decisions were made with."""
    known = {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}
    for tally in count_answers(answers)[0]:
        if known.get(tally.question.id) != (tally.respondents, tally.votes):
            raise refusal(__package__, "respondents-other", str(path), id=tally.question.id)


def _attributes(workspace: Workspace, answers: Answers, chosen: Sequence[str] | None) -> Attributes:
    known = answers.attributes
    where = str(workspace.responses_folder / _RESPONDENTS)
    quotas = workspace.culture.questionnaire.quotas
    names = [name for name in quotas if name in known] if chosen is None else chosen
    # Never what says who a respondent is, or what is known of the answers.
    published = [item for item in known if item not in RESERVED_ATTRIBUTES]
    for name in names:
        if name not in published:
            there = ", ".join(published) or "none"
            raise refusal(__package__, "respondents-attribute", where, name=name, there=there)
        for what in (
            what for value in dict.fromkeys(known[name]) for what, _ in personal_in(value)
        ):
            told = f"attribute '{name}' holds {what}"  # its values are not shown
            raise CurateError(told, f"{where}, column {name}", "leave it out")
    return {name: known[name] for name in names}


def _numbered(answers: Answers, attributes: Attributes, seed: int) -> Answers:
    """The answers under new numbers, without times and positions."""
    people = len(answers.respondents)
    order = np.lexsort((answers.option, answers.question, answers.respondent))
    rows = np.stack([answers.question, answers.option, answers.state.astype(np.int64)], axis=1)
    ordered = rows[order]
    bounds = np.searchsorted(answers.respondent[order], np.arange(people + 1))
    contents: list[tuple[object, ...]] = [
        (
            *(values[at] for values in attributes.values()),
            ordered[bounds[at] : bounds[at + 1]].astype(">i8").tobytes(),
        )
        for at in range(people)
    ]
    number = {at: place for place, at in enumerate(numbering(contents, seed), start=1)}
    width = max(3, len(str(people)))  # ids sort as they count
    return replace(
        answers,
        respondents=tuple(f"p{number[at]:0{width}d}" for at in range(people)),
        position=np.zeros(len(answers), dtype=np.int32),
        duration=np.full(len(answers), np.nan),
        attributes=attributes,
    )


RESULTS = "survey_results.json"
"""The counts, in the shape of published surveys of the kind."""
TALLIES = "tallies.csv"
"""The same counts as a table."""
README = "README.md"


def write_survey(workspace: Workspace, folder: Path, k: int | None = None) -> dict[str, int]:
    """Write the counts of the survey: aggregated results, nothing of single respondents.

    Args:
        workspace: The workspace; counts are in the names that the survey was asked with.
        folder: Where to write.
        k: Size of the smallest class, where answers of respondents are written beside.

    Returns:
        How many questions there are, and votes.

    Raises:
        CurateError: If nothing has been counted yet, or a file cannot be written.
    """
    tallies = counted_tallies(workspace)
    write_counts(folder / RESULTS, tallies)
    write_tallies(folder / TALLIES, tallies)
    plan = workspace.responses_folder / PREREGISTRATION
    if plan.exists():
        write_file(folder / PREREGISTRATION, read_text(plan))
    culture = workspace.culture
    text = filled(
        "exports.card",
        "survey_readme.md.j2",
        title=culture.release.title or culture.culture,
        version=culture.version,
        questions=len(tallies),
        results=RESULTS,
        tallies=TALLIES,
        k=k,
    )
    write_file(folder / README, text)
    return {"questions": len(tallies), "votes": sum(sum(tally.votes) for tally in tallies)}


def counted_tallies(workspace: Workspace) -> list[Tally]:
    """The counts as what they are published as, without the names of received files.

    Args:
        workspace: The workspace.

    Raises:
        CurateError: If nothing has been counted yet, or they cannot be read.
    """
    tallies = read_tallies(workspace.tallies_file, workspace.book)
    if not tallies:
        raise refusal(__package__, "survey-uncounted", str(workspace.tallies_file))
    return [replace(tally, source=RESULTS) for tally in tallies]
