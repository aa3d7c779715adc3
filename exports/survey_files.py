"""Files of a survey's results, fit to be published: counts, and answers of nobody in particular."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from curation.files.atomic import atomic_text
from curation.files.group_book import GroupBook
from curation.files.lock import writing
from curation.files.manifest import staged_results
from curation.files.workspace import Workspace
from curation.records.culture import Culture, SurveySettings
from curation.records.errors import CurateError
from curation.records.survey import Tally
from exports.anonymity import (
    DEFAULT_K,
    Attributes,
    numbered_ids,
    numbering,
    refuse_personal,
    refuse_small_classes,
    suppress,
)
from exports.folders import EXPORT, refuse_foreign
from survey.answers import RESERVED_ATTRIBUTES, Answers, write_answers
from survey.bank import TALLIES as COUNTED
from survey.bank import manifest_inputs
from survey.building.tables import write_questionnaire
from survey.counts import write_counts
from survey.filtering import counted_answers
from survey.quality import flag, kept_rows
from survey.questionnaire import read_questionnaire
from survey.readers.normal import read_answers
from survey.settings import decided_with
from survey.tallies import read_tallies, write_tallies
from survey.votes import count_answers

_RESPONSES, _RESPONDENTS, _QUESTIONNAIRE = "responses.csv", "respondents.csv", "questionnaire.csv"
RESULTS = "survey_results.json"
"""The counts, in the shape of published surveys of the kind."""
TALLIES = "tallies.csv"
"""The same counts as a table."""
README = "README.md"

_COUNTS = f"""\
- `{RESULTS}`: one entry for each question. `survey_stats` has the votes of each option by its
  groups, `no_stereo` the votes for "no such stereotype exists", `respondents` the number of usable
  answers. `options` describes each option: its code, its groups, its role (`target`,
  `non_target`, `group`, `none`; `correct` and `wrong` for comprehension)
  and whether it counts for the uniform share.
- `{TALLIES}`: the same counts, one row for each option.
"""
_ANSWERS = """\
- `responses.csv`: one row for each respondent, question and option; `state` is `selected`, `shown`
  or `missing`. The numbers of the respondents are new and follow only from these rows. Where an
  option was shown and how long an answer took are left out.
- `respondents.csv`: the attributes of each respondent. Every combination of attributes is
  that of at least {k} people. Respondents who would have stood out have no attributes.
- `questionnaire.csv`: the questions and options of `responses.csv`.
"""
_KNOWLEDGE = """\
The survey asked whether people know of a stereotype, not whether it is true, nor whether they share
it. Respondents whose answers were doubtful are excluded as the benchmark's settings say.
"""


@dataclass(frozen=True, slots=True)
class SurveyExported:
    """Published results of a survey.

    Attributes:
        folder: Where they are.
        counts: How many questions there are, and votes; with answers of respondents, how many
            there are, are left out as they were not counted, and have no attributes.
        hidden: How many of those without attributes are so only to hide the others.
    """

    folder: Path
    counts: dict[str, int]
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class _Released:
    """The answers of respondents as they go out.

    Attributes:
        answers: The answers, with new numbers.
        left_out: Respondents whose answers the settings leave out.
        blanked: Respondents whose attributes are blanked.
        merged: How many of those would not have stood out themselves.
    """

    answers: Answers
    left_out: int
    blanked: int
    merged: int


def survey_results(
    workspace: Workspace,
    *,
    respondents: bool = False,
    attributes: Sequence[str] | None = None,
    k: int = DEFAULT_K,
    suppressing: bool = False,
    out: Path | None = None,
) -> SurveyExported:
    """Write the results of the survey for publication, by default to `exports/survey_results`.

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
        chosen = attributes if attributes is None else tuple(dict.fromkeys(attributes))
        released = _released(workspace, chosen, k, suppressing) if respondents else None
        inputs = [workspace.culture_file, workspace.responses_folder / COUNTED]
        settings: dict[str, object] = {EXPORT: "survey", "version": workspace.culture.version}
        if released is not None:
            settings |= {"k": k, "attributes": list(released.answers.attributes)}
            inputs += [counted_answers(workspace), workspace.questionnaire_file]
        counts: dict[str, int] = {}
        with staged_results(folder, manifest_inputs(workspace, inputs), counts, settings) as stage:
            counts |= write_survey(workspace, stage)
            if released is not None:
                counts |= _write_respondents(workspace, released, stage, counts["questions"], k)
    return SurveyExported(folder, counts, released.merged if released else 0)


def never_published(names: Sequence[str]) -> list[str]:
    """Those of some attributes that say who a respondent is, or what is known of the answers."""
    return [name for name in names if name in (*RESERVED_ATTRIBUTES, "respondent_id")]


def write_survey(workspace: Workspace, folder: Path) -> dict[str, int]:
    """Write the counts of the survey: aggregated results, nothing of single respondents.

    Args:
        workspace: The workspace; counts are in the names that the survey was asked with.
        folder: Where to write.

    Returns:
        How many questions there are, and votes.

    Raises:
        CurateError: If nothing has been counted yet, or a file cannot be written.
    """
    tallies = _tallies(workspace)
    write_counts(folder / RESULTS, tallies)
    write_tallies(folder / TALLIES, tallies)
    with atomic_text(folder / README) as stream:
        stream.write(_readme(workspace.culture, len(tallies)))
    return {
        "questions": len(tallies),
        "votes": sum(sum(tally.votes) for tally in tallies),
    }


def _tallies(workspace: Workspace) -> list[Tally]:
    """The counts as what they are published as, without the names of received files."""
    tallies = read_tallies(workspace.responses_folder / COUNTED, workspace.book)
    if not tallies:
        raise CurateError(
            "the survey has not been counted yet",
            str(workspace.responses_folder / COUNTED),
            "run 'curate filter --survey FILE' first",
        )
    return [replace(tally, source=RESULTS) for tally in tallies]


def _released(
    workspace: Workspace, chosen: Sequence[str] | None, k: int, suppressing: bool
) -> _Released:
    """Read the answers that count, and take from them what says who somebody is.

    Raises:
        CurateError: If there are none, they are not those that were counted, an attribute is
            not known or holds what names people, or a respondent could be told.
    """
    path = counted_answers(workspace)
    if not path.exists():
        raise CurateError(
            "the workspace has no answers of respondents",
            str(path),
            "leave out --respondents to publish the counts, or run 'curate filter' with the "
            "survey's files, which keeps the answers",
        )
    book = workspace.book
    answers = read_answers(path, read_questionnaire(workspace.questionnaire_file, book))
    settings = workspace.culture.survey.model_copy(update=dict(decided_with(workspace)))
    kept = _counted(answers, settings)
    _refuse_others(path, kept, _tallies(workspace))
    attributes = _attributes(workspace, kept, chosen)
    where = str(path.with_name(_RESPONDENTS))
    people = len(kept.respondents)
    blanked = merged = 0
    if suppressing:
        done = suppress(attributes, people, k)
        attributes, blanked, merged = done.attributes, done.respondents, done.merged
    refuse_small_classes(attributes, people, k, where)
    numbered = _numbered(kept, attributes, workspace.culture.questionnaire.seed)
    return _Released(numbered, len(answers.respondents) - people, blanked, merged)


def _counted(answers: Answers, settings: SurveySettings) -> Answers:
    """The answers of the respondents that no quality check excludes."""
    rows = kept_rows(answers, flag(answers, settings), settings.exclude)
    present, codes = np.unique(answers.respondent[rows], return_inverse=True)
    columns = ("question", "option", "state", "position", "duration", "row")
    return replace(
        answers,
        respondents=tuple(answers.respondents[at] for at in present),
        respondent=codes.astype(np.int64),
        attributes={
            name: tuple(values[at] for at in present) for name, values in answers.attributes.items()
        },
        **{name: getattr(answers, name)[rows] for name in columns},
    )


def _refuse_others(path: Path, answers: Answers, tallies: Sequence[Tally]) -> None:
    """Refuse answers that are not those that the decisions were made with."""
    known = {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}
    for tally in count_answers(answers)[0]:
        if known.get(tally.question.id) != (tally.respondents, tally.votes):
            raise CurateError(
                f"the answers to question {tally.question.id} are not those that were counted",
                str(path),
                "run 'curate filter' with the survey's files again",
            )


def _attributes(workspace: Workspace, answers: Answers, chosen: Sequence[str] | None) -> Attributes:
    known = answers.attributes
    for name in never_published(chosen or ()):
        raise CurateError(f"'{name}' is never published")
    where = str(workspace.responses_folder / _RESPONDENTS)
    quotas = workspace.culture.questionnaire.quotas
    names = tuple(name for name in quotas if name in known) if chosen is None else chosen
    for name in names:
        if name not in known:
            there = ", ".join(item for item in known if item not in RESERVED_ATTRIBUTES) or "none"
            raise CurateError(
                f"the respondents have no attribute '{name}'", where, f"they have {there}"
            )
        refuse_personal(name, known[name], where)
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
    placed = numbering(contents, seed)
    number = np.empty(people, dtype=np.int64)
    number[placed] = np.arange(people)
    return replace(
        answers,
        respondents=tuple(numbered_ids(people)),
        respondent=number[answers.respondent],
        position=np.zeros(len(answers), dtype=np.int32),
        duration=np.full(len(answers), np.nan),
        attributes={
            name: tuple(values[at] for at in placed) for name, values in attributes.items()
        },
    )


def _write_respondents(
    workspace: Workspace, released: _Released, folder: Path, questions: int, k: int
) -> dict[str, int]:
    write_answers(released.answers, folder / _RESPONSES, folder / _RESPONDENTS)
    asked = read_questionnaire(workspace.questionnaire_file, workspace.book)
    write_questionnaire(folder / _QUESTIONNAIRE, asked, GroupBook())  # its names, not its keys
    with atomic_text(folder / README) as stream:
        stream.write(_readme(workspace.culture, questions, k))
    return {
        "respondents": len(released.answers.respondents),
        "respondents_left_out": released.left_out,
        "respondents_blanked": released.blanked,
    }


def _readme(culture: Culture, questions: int, k: int | None = None) -> str:
    """Say what the files hold.

    Args:
        culture: The settings.
        questions: How many questions were counted.
        k: Size of the smallest class, where answers of respondents are among the files.
    """
    title = culture.release.title or culture.culture
    lines = [
        f"# Survey results of {title} {culture.version}",
        "",
        f"What was answered to {questions} questions.",
        "",
        _COUNTS + (_ANSWERS.format(k=k) if k else ""),
        _KNOWLEDGE,
    ]
    return "\n".join(lines)
