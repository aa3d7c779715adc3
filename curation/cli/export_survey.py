"""`curate export survey`: what was answered, so that it can be published."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.decided import decided_with
from curation.cli.exporting import out_option
from curation.cli.final import TALLIES, Final, load_final, manifest_inputs
from curation.io.atomic import atomic_text, staged_folder
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.survey import Tally
from curation.publish import survey_results as names
from curation.publish.anonymity import (
    DEFAULT_K,
    Attributes,
    numbered_ids,
    numbering,
    refuse_personal,
    refuse_small_classes,
    suppress,
)
from curation.publish.ours import EXPORT, refuse_foreign
from survey.answers import RESERVED_ATTRIBUTES, Answers, write_answers
from survey.comparison import kept_rows
from survey.counting import count_answers
from survey.counts import write_counts
from survey.quality import flag
from survey.questionnaire import GroupBook, read_questionnaire
from survey.responses import read_answers
from survey.tallies import read_tallies, write_tallies

_SOURCE = names.RESULTS
_RESPONSES, _RESPONDENTS, _QUESTIONNAIRE = "responses.csv", "respondents.csv", "questionnaire.csv"


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


@click.command("survey")
@workspace_option
@click.option(
    "--respondents",
    "with_respondents",
    is_flag=True,
    help="Also the answers of each respondent, with new numbers and nothing that says who it is.",
)
@click.option(
    "--attributes",
    metavar="NAME[,NAME]",
    help="Attributes of respondents to publish; 'none' for none [default: those with quotas].",
)
@click.option(
    "--k",
    type=click.IntRange(2),
    default=DEFAULT_K,
    show_default=True,
    help="So many respondents at least share each combination of attributes.",
)
@click.option(
    "--suppress",
    "suppressing",
    is_flag=True,
    help="Blank the attributes of respondents who stand out, instead of refusing.",
)
@out_option
@json_option
def command(
    workspace: Workspace,
    with_respondents: bool,
    attributes: str | None,
    k: int,
    suppressing: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the results of the survey for publication, to exports/survey_results.

    The counts of the last 'curate filter', which 'curate filter --survey' reads back to the
    same decisions, and the same as a table. They say nothing of single respondents.

    With --respondents, also who answered what: respondents are numbered anew, in an order that
    follows from their answers alone; times, positions, free text and all attributes but those
    chosen are left out. A combination of attributes that fewer than K people have is refused.

    \b
    Example: curate export survey
             curate export survey --respondents --attributes gender --k 10
    """  # noqa: D301  # \b keeps click from wrapping the example
    if not with_respondents and (attributes is not None or suppressing):
        raise click.UsageError("--attributes and --suppress go with --respondents")
    folder = out or workspace.exports_folder / "survey_results"
    refuse_foreign(folder, "survey")
    final = load_final(workspace)
    chosen = _chosen(workspace, attributes) if with_respondents else ()
    released = _released(workspace, chosen, k, suppressing) if with_respondents else None
    with staged_folder(folder) as stage:
        counts = write_survey(workspace, final, stage)
        if released is not None:
            counts |= _write_respondents(workspace, released, stage, counts["questions"], k)
        written = [path.relative_to(stage) for path in stage.rglob("*") if path.is_file()]
    inputs = [workspace.culture_file, workspace.responses_folder / TALLIES]
    settings: dict[str, object] = {EXPORT: "survey", "version": workspace.culture.version}
    if released is not None:
        settings |= {"k": k, "attributes": list(released.answers.attributes)}
        inputs += [workspace.responses_folder / _RESPONSES, workspace.questionnaire_file]
    write_manifest(
        folder,
        manifest_inputs(workspace, inputs),
        counts,
        settings,
        [folder / path for path in written],
    )
    if as_json:
        print_json({"folder": str(folder), "counts": counts})
        return
    _say(folder, counts, released)


def write_survey(workspace: Workspace, final: Final, folder: Path) -> dict[str, int]:
    """Write the counts of the survey: aggregated results, nothing of single respondents.

    Args:
        workspace: The workspace; counts are in the names that the survey was asked with.
        final: What is left, for the shape that all exports share.
        folder: Where to write.

    Returns:
        How many questions there are, and votes.

    Raises:
        CurateError: If nothing has been counted yet, or a file cannot be written.
    """
    tallies = _tallies(workspace)
    write_counts(folder / names.RESULTS, tallies)
    write_tallies(folder / names.TALLIES, tallies)
    with atomic_text(folder / names.README) as stream:
        stream.write(names.readme(workspace.culture, len(tallies)))
    return {
        "questions": len(tallies),
        "votes": sum(sum(tally.votes) for tally in tallies),
    }


def _tallies(workspace: Workspace) -> list[Tally]:
    """Give the counts as what they are published as, without the names of received files."""
    tallies = read_tallies(workspace.responses_folder / TALLIES)
    if not tallies:
        raise CurateError(
            "the survey has not been counted yet",
            str(workspace.responses_folder / TALLIES),
            "run 'curate filter --survey FILE' first",
        )
    return [replace(tally, source=_SOURCE) for tally in tallies]


def _chosen(workspace: Workspace, given: str | None) -> tuple[str, ...] | None:
    """Read the names of attributes; None for those with quotas."""
    if given is None:
        return None
    if given.strip() == "none":
        return ()
    chosen = tuple(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))
    reserved = [name for name in chosen if name in (*RESERVED_ATTRIBUTES, "respondent_id")]
    if reserved or not chosen:
        what = f"'{reserved[0]}' is never published" if reserved else "name attributes, or 'none'"
        raise click.BadParameter(what, param_hint="--attributes")
    return chosen


def _released(
    workspace: Workspace, chosen: tuple[str, ...] | None, k: int, suppressing: bool
) -> _Released:
    """Read the answers that count, and take from them what says who somebody is.

    Raises:
        CurateError: If there are none, they are not those that were counted, an attribute is
            not known or holds what names people, or a respondent could be told.
    """
    path = workspace.responses_folder / _RESPONSES
    if not path.exists():
        raise CurateError(
            "the workspace has no answers of respondents",
            str(path),
            "leave out --respondents to publish the counts, or run 'curate filter' with --mapping, "
            "which keeps the answers there",
        )
    book = GroupBook(workspace.groups, workspace.culture)
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
    """Give the answers of the respondents whom no rule of quality leaves out."""
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


def _attributes(
    workspace: Workspace, answers: Answers, chosen: tuple[str, ...] | None
) -> Attributes:
    known = answers.attributes
    where = str(workspace.responses_folder / _RESPONDENTS)
    quotas = workspace.culture.questionnaire.quotas
    names_ = tuple(name for name in quotas if name in known) if chosen is None else chosen
    for name in names_:
        if name not in known:
            there = ", ".join(item for item in known if item not in RESERVED_ATTRIBUTES) or "none"
            raise CurateError(
                f"the respondents have no attribute '{name}'", where, f"they have {there}"
            )
        refuse_personal(name, known[name], where)
    return {name: known[name] for name in names_}


def _numbered(answers: Answers, attributes: Attributes, seed: int) -> Answers:
    """Give the answers under new numbers, without times and positions."""
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
    (folder / _QUESTIONNAIRE).write_bytes(workspace.questionnaire_file.read_bytes())
    with atomic_text(folder / names.README) as stream:
        stream.write(names.readme(workspace.culture, questions, k))
    return {
        "respondents": len(released.answers.respondents),
        "respondents_left_out": released.left_out,
        "respondents_blanked": released.blanked,
    }


def _say(folder: Path, counts: dict[str, int], released: _Released | None) -> None:
    people = f" and the answers of {counts['respondents']:,} respondents" if released else ""
    click.echo(f"Wrote the counts of {counts['questions']:,} questions{people} to {folder}.")
    if released is None:
        return
    if released.left_out:
        word = plural("respondent", released.left_out)
        click.echo(f"Note: {released.left_out} {word} left out, as they were not counted", err=True)
    if released.blanked:
        word = plural("respondent", released.blanked)
        also = f", {released.merged} of them to hide the others" if released.merged else ""
        click.echo(f"Note: the attributes of {released.blanked} {word} are blanked{also}", err=True)
