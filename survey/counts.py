"""Surveys of which only the counts are published, in KoBBQ's JSON shape: read and written."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from curation.io.atomic import atomic_text
from curation.io.tables import read_text
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.ids import category_slug
from curation.model.survey import Option, Question, QuestionKind, Role, Tally, question_id
from survey.counts_entries import NONE, entry_of, own_tally
from survey.questionnaire import GroupBook, refuse_same_groups

NONE_KEY = NONE
"""The key of the votes for 'no stereotype exists'."""
NONE_CODE = "none"
"""The code of that option."""


def read_counts(path: Path, culture: Culture, book: GroupBook) -> list[Tally]:
    """Read `[{category, stereotype, survey_stats: {group: votes, no_stereo: votes}}, ...]`.

    Two groups are a validation question, the first one the target; more are target
    selection, unless the entry's `kind` says otherwise. The respondents of a validation
    question are its votes; those of target selection, where several groups may be chosen,
    are the entry's `respondents`, else the workspace's `survey.respondents`.

    Raises:
        CurateError: If the file is no such JSON, a count is no whole number from 0, or votes
            exceed the respondents.
    """
    data = _read_list(path)
    return [_tally(path, at, entry, culture, book) for at, entry in enumerate(data, start=1)]


def _read_list(path: Path) -> list[Any]:
    try:
        data = json.loads(read_text(path), object_pairs_hook=_no_doubles)
    except json.JSONDecodeError as error:
        raise CurateError(
            f"{path.name} is no JSON: {error.msg}",
            f"{path}, line {error.lineno}, column {error.colno}",
            "check that the file is complete",
        ) from error
    except _Doubled as error:
        raise CurateError(
            f"'{error}' stands twice in one entry", str(path), "keep one of them"
        ) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, deep nests
        raise CurateError(f"{path.name} cannot be read: {error}", str(path)) from error
    if not isinstance(data, list):
        raise CurateError(
            f"{path.name} is no list of counts", str(path), "it must be a list of questions"
        )
    return data


class _Doubled(ValueError):
    """A key that stands twice."""


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    for key, value in pairs:
        if key in entry:
            raise _Doubled(key)
        entry[key] = value
    return entry


def _tally(path: Path, at: int, entry: object, culture: Culture, book: GroupBook) -> Tally:
    where = f"{path}, entry {at}"
    if not isinstance(entry, Mapping):
        raise CurateError("the entry is no map", where, "it must be {...}")
    category, stereotype = _about(entry, where)
    votes = entry.get("survey_stats")
    where += f", '{stereotype}'"
    try:
        category_slug(category)
    except CurateError as error:
        raise CurateError(error.what, where, error.hint) from error
    if not isinstance(votes, Mapping) or not votes:
        raise CurateError("the entry has no survey_stats", where, "add the votes by group")
    for name, count in votes.items():
        if type(count) is not int or count < 0:
            raise CurateError(
                f"'{name}' has {count!r} votes", where, "votes are whole numbers from 0"
            )
    if "options" in entry:
        return own_tally(entry, path.name, at, where)
    if NONE_KEY not in votes:
        raise CurateError(f"the votes lack '{NONE_KEY}'", where, "add it, with 0 if nobody did")
    kind = _kind(entry.get("kind"), len(votes) - 1, where)
    try:
        question = _question(culture.category_of_source(category), stereotype, kind, votes, book)
    except ValueError as error:
        raise CurateError(str(error), where, "name each option's groups once") from error
    respondents = _respondents(entry, kind, votes, culture, where)
    return Tally(
        question=question,
        respondents=respondents,
        votes=(*(count for name, count in votes.items() if name != NONE_KEY), votes[NONE_KEY]),
        source=path.name,
        row=at,
    )


def _about(entry: Mapping[str, Any], where: str) -> tuple[str, str]:
    """Read what an entry is about; a question on a template needs no stereotype."""
    category, stereotype = entry.get("category"), entry.get("stereotype")
    of_template = "options" in entry and bool(entry.get("template_id"))
    if not isinstance(category, str) or not isinstance(stereotype, str):
        raise CurateError("the entry names no category and stereotype", where, "add both")
    if not stereotype.strip() and not of_template:
        raise CurateError("the entry names no category and stereotype", where, "add both")
    return category, stereotype


def _kind(stated: object, groups: int, where: str) -> QuestionKind:
    if stated is not None:
        try:
            kind = QuestionKind(str(stated))
        except ValueError as error:
            raise CurateError(f"'{stated}' is no kind", where, "select_all or choice") from error
    else:
        kind = QuestionKind.SELECT_ALL if groups > 2 else QuestionKind.CHOICE
    wanted = groups == 2 if kind is QuestionKind.CHOICE else groups > 1
    if not wanted or kind is QuestionKind.COMPREHENSION:
        raise CurateError(
            f"the entry has {groups} groups, which no question of kind {kind} has",
            where,
            "a choice has two groups, select_all at least two",
        )
    return kind


def _question(
    category: str,
    stereotype: str,
    kind: QuestionKind,
    votes: Mapping[str, int],
    book: GroupBook,
) -> Question:
    labels = [name for name in votes if name != NONE_KEY]
    groups = [book.split(category, label) for label in labels]
    if not all(groups):
        raise ValueError("an option names no group")
    refuse_same_groups(labels, groups)
    roles = (
        [Role.TARGET, Role.NON_TARGET]
        if kind is QuestionKind.CHOICE
        else [Role.GROUP] * len(labels)
    )
    options = [
        Option(str(code), members, role, book.counts(category, members), label)
        for code, (label, members, role) in enumerate(zip(labels, groups, roles, strict=True), 1)
    ]
    options.append(Option(NONE_CODE, (), Role.NONE))
    return Question(
        id=question_id(kind, category, stereotype, groups),
        kind=kind,
        category=category,
        stereotype=stereotype,
        options=tuple(options),
    )


def _respondents(
    entry: Mapping[str, Any],
    kind: QuestionKind,
    votes: Mapping[str, int],
    culture: Culture,
    where: str,
) -> int:
    stated = entry.get("respondents")
    if stated is not None and (type(stated) is not int or stated < 0):
        raise CurateError(f"{stated!r} respondents", where, "write a whole number from 0")
    total = sum(votes.values())
    if kind is QuestionKind.CHOICE:
        if stated is not None and stated != total:
            raise CurateError(
                f"{total} votes of {stated} respondents, who choose one option each",
                where,
                "mend the votes or the respondents",
            )
        return total
    respondents = culture.survey.respondents if stated is None else stated
    for name, count in votes.items():
        if count > respondents:
            raise CurateError(
                f"'{name}' has {count} votes of {respondents} respondents",
                where,
                "state the entry's respondents, or survey.respondents in culture.yaml"
                if stated is None
                else "mend the counts",
            )
    return respondents


def update_counts(path: Path, entries: Sequence[Mapping[str, object]]) -> None:
    """Write the counts that templates carry in the same shape, in place of their earlier ones.

    Args:
        path: The file; entries of other templates in it are kept.
        entries: The counts, each with its `template_id`.

    Raises:
        CurateError: If it cannot be read or written.
    """
    known = _read_list(path) if path.exists() else []
    new = {entry["template_id"]: entry for entry in entries}
    kept = []
    for entry in known:
        template = entry.get("template_id") if isinstance(entry, Mapping) else None
        kept.append(new.pop(template, entry))
    with atomic_text(path) as stream:
        json.dump([*kept, *new.values()], stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def write_counts(path: Path, tallies: Iterable[Tally]) -> int:
    """Write counts in the shape that `read_counts` reads back to the same tallies.

    `survey_stats` holds what published files of the kind hold; `options` beside it what they
    leave out, so that questions keep their ids and options their codes and roles.

    Returns:
        The number of questions.

    Raises:
        CurateError: If it cannot be written.
    """
    entries = [entry_of(tally) for tally in tallies]
    with atomic_text(path) as stream:
        json.dump(entries, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
    return len(entries)
