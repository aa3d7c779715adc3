"""Counts of votes: as published, in KoBBQ's JSON shape, and joined."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from curation.files.bank import GroupBook
from curation.files.jsonl import read_entries, write_entries
from curation.files.questionnaire import MERGED, check_roles, refuse_same_groups
from curation.records.bank import category_slug
from curation.records.culture import Culture
from curation.records.messages import CurateError, refusal
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, question_id

NONE_KEY = "no_stereo"
"""The key of the votes for 'no stereotype exists'."""
NONE_CODE = "none"
"""The code of that option."""

_OPTION_KEYS = ("key", "code", "groups", "role", "counts", "text")
_refused = partial(refusal, "survey.readers")


def _entry_of(tally: Tally) -> dict[str, object]:
    """The counts of a question as an entry of the file."""
    question = tally.question
    keys = _keys(question.options)
    entry: dict[str, object] = {
        "question_id": question.id,
        "kind": question.kind.value,
        "category": question.category,
        "stereotype": question.stereotype,
    }
    if question.template_id:
        entry["template_id"] = question.template_id
    if question.templates:
        entry["templates"] = list(question.templates)
    return entry | {
        "respondents": tally.respondents,
        "survey_stats": survey_stats(tally),
        "options": [
            {"key": key, **asdict(option)}
            for key, option in zip(keys, question.options, strict=True)
        ],
    }


def survey_stats(tally: Tally) -> dict[str, int]:
    """The votes of a question as published counts have them, by what each option is called."""
    return dict(zip(_keys(tally.question.options), tally.votes, strict=True))


def _keys(options: Sequence[Option]) -> list[str]:
    """Name the options by their groups, else by what was shown, else by their codes."""
    keys = [
        NONE_KEY if option.role is Role.NONE else option.label or option.text or option.code
        for option in options
    ]
    return keys if len(set(keys)) == len(keys) else [option.code for option in options]


def _own_question(
    entry: Mapping[str, Any], book: GroupBook, where: str
) -> tuple[Question, list[str]]:
    """The question of an entry that has `options`, in today's names, and by what votes are named.

    Raises:
        CurateError: If something is lacking, or two options are of groups that were merged since.
    """
    listed = entry["options"]
    every: list[Any] = listed if isinstance(listed, list) else [None]
    if not all(isinstance(it, dict) and {*_OPTION_KEYS} <= {*it} and it["code"] for it in every):
        what = f"'options' is not a list of options with {', '.join(_OPTION_KEYS)}"
        raise CurateError(what, where, "undo the edit")
    keys = [str(item["key"]) for item in every]
    if sorted(keys) != sorted(entry["survey_stats"]):
        raise _refused("counts-names", where)
    try:
        told = {"id": entry.get("question_id") or None, **entry}
        question = _adapter().validate_python(told)
        check_roles(question)
        refuse_same_groups(keys, [option.groups for option in question.options])
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise CurateError(f"{key}: {first['msg']}", where, "undo the edit") from error
    except ValueError as error:
        raise CurateError(str(error), where, "undo the edit") from error
    options = tuple(
        replace(option, groups=book.names(question.category, option.groups))
        for option in question.options
    )
    try:
        refuse_same_groups(keys, [option.groups for option in options])
    except ValueError as error:
        raise CurateError(str(error), where, MERGED) from error
    return replace(question, options=options), keys


@cache
def _adapter() -> TypeAdapter[Question]:
    return TypeAdapter(Question)


def read_counts(path: Path, culture: Culture, book: GroupBook) -> list[Tally]:
    """Read `[{category, stereotype, survey_stats: {group: votes, no_stereo: votes}}, ...]`.

    Two groups are a validation question, the first one the target; more are target
    selection, unless the entry's `kind` says otherwise. The respondents of a validation
    question are its votes; those of target selection, where several groups may be chosen,
    are the entry's `respondents`, else the workspace's `survey.respondents`. An entry with a
    `template_id` is the question of that template.

    Raises:
        CurateError: If the file is no such JSON, a count is no whole number from 0, or votes
            exceed the respondents.
    """
    data = read_entries(path)
    return [_tally(path, at, entry, culture, book) for at, entry in enumerate(data, start=1)]


def _tally(path: Path, at: int, entry: object, culture: Culture, book: GroupBook) -> Tally:
    where = f"{path}, entry {at}"
    if not isinstance(entry, Mapping):
        raise CurateError("the entry is not a map", where, "it must be {...}")
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
            raise _refused("counts-votes", where, name=name, count=count)
    if "options" in entry:
        question, keys = _own_question(entry, book, where)
    else:
        if NONE_KEY not in votes:
            raise CurateError(f"the votes lack '{NONE_KEY}'", where, "add it, with 0 if nobody did")
        keys = [*(name for name in votes if name != NONE_KEY), NONE_KEY]
        kind = _kind(entry.get("kind"), len(votes) - 1, where)
        category = culture.category_of_source(category)
        try:
            groups = [book.split(category, label) for label in keys[:-1]]
            if not all(groups):
                raise ValueError("an option names no group")
            refuse_same_groups(keys[:-1], groups)
        except ValueError as error:
            raise CurateError(str(error), where, "name each option's groups once") from error
        labelled, none = [*zip(keys, groups, strict=False)], Option(NONE_CODE, (), Role.NONE)
        question = group_question(kind, category, stereotype, labelled, book, none)
        template = entry.get("template_id")
        if isinstance(template, str) and template.strip():
            question = replace(question, templates=(template.strip(),))
    respondents = _respondents(entry, question.kind, culture, where)
    return Tally(question, respondents, tuple(votes[key] for key in keys), path.name, at)


def _about(entry: Mapping[str, Any], where: str) -> tuple[str, str]:
    """Read what an entry is about; a question on a template needs no stereotype."""
    category, stereotype = entry.get("category"), entry.get("stereotype")
    of_template = "options" in entry and bool(entry.get("template_id"))
    named = isinstance(stereotype, str) and (stereotype.strip() or of_template)
    if not isinstance(category, str) or not named:
        raise CurateError("the entry names no category and stereotype", where, "add both")
    return category, str(stereotype)


def _kind(stated: object, groups: int, where: str) -> QuestionKind:
    if stated is not None:
        try:
            kind = QuestionKind(str(stated))
        except ValueError as error:
            raise CurateError(f"'{stated}' is not a kind", where, "select_all or choice") from error
    else:
        kind = QuestionKind.SELECT_ALL if groups > 2 else QuestionKind.CHOICE
    wanted = groups == 2 if kind is QuestionKind.CHOICE else groups > 1
    if not wanted or kind is QuestionKind.COMPREHENSION:
        raise _refused("counts-groups", where, groups=groups, kind=kind)
    return kind


def group_question(
    kind: QuestionKind,
    category: str,
    stereotype: str,
    labelled: Sequence[tuple[str, Sequence[str]]],
    book: GroupBook,
    none: Option,
) -> Question:
    """A question about a stereotype.

    Args:
        kind: Validation, or target selection.
        category: Its category.
        stereotype: The stereotype.
        labelled: Of each option that names groups what is shown, and the groups; of validation the
            target's first.
        book: The groups.
        none: The option that no such stereotype exists.
    """
    sides = (Role.TARGET, Role.NON_TARGET)
    roles = sides if kind is QuestionKind.CHOICE else (Role.GROUP,) * len(labelled)
    options = [
        Option(str(code), tuple(members), role, book.counts(category, members), label)
        for code, ((label, members), role) in enumerate(zip(labelled, roles, strict=True), 1)
    ]
    keys = [book.keys(category, members) for _, members in labelled]
    name = question_id(kind, category, stereotype, keys)
    return Question(name, kind, category, stereotype, (*options, none))


def _respondents(entry: Mapping[str, Any], kind: QuestionKind, culture: Culture, where: str) -> int:
    """How many answered: of a question with one choice each its votes."""
    votes, stated = entry["survey_stats"], entry.get("respondents")
    is_needed = "options" in entry
    if (stated is not None or is_needed) and (type(stated) is not int or stated < 0):
        raise CurateError(f"{stated!r} respondents", where, "write a whole number from 0")
    if kind is not QuestionKind.SELECT_ALL:
        total: int = sum(votes.values())
        if stated not in (None, total):
            raise _refused("counts-unlike-each", where, votes=total, stated=stated)
        return total
    respondents = culture.survey.respondents if stated is None else stated
    for name, count in votes.items():
        if count > respondents:
            unsaid = "state the entry's respondents, or survey.respondents in culture.yaml"
            told = {"name": name, "count": count, "respondents": respondents}
            do = unsaid if stated is None else "fix the counts"
            raise _refused("counts-of-people", where, do=do, **told)
    return respondents


def write_counts(path: Path, tallies: Iterable[Tally]) -> None:
    """Write counts in the shape that `read_counts` reads back to the same tallies.

    `survey_stats` holds what published files of the kind hold; `options` beside it what they
    leave out, so that questions keep their ids and options their codes and roles.

    Raises:
        CurateError: If it cannot be written.
    """
    write_entries(path, [_entry_of(tally) for tally in tallies])


def merge(tallies: Iterable[Tally]) -> list[Tally]:
    """Join the tallies of several files; a question that two of them hold alike is one.

    It is the question of every template that one of them names.

    Raises:
        CurateError: If two files hold different counts of one question.
    """
    merged: dict[str, Tally] = {}
    for tally in tallies:
        known = merged.setdefault(tally.question.id, tally)
        if known is tally:
            continue
        templates = dict.fromkeys((*known.question.templates, *tally.question.templates))
        if (known.respondents, _votes(known)) != (tally.respondents, _votes(tally)):
            about = {"id": tally.question.id, "stereotype": tally.question.stereotype}
            one, other = tally.place, known.place
            raise _refused("counts-in-two", one, one=one, other=other, **about)
        question = replace(known.question, templates=tuple(templates))
        merged[question.id] = replace(known, question=question)
    return list(merged.values())


def _votes(tally: Tally) -> dict[tuple[Role, tuple[str, ...]], int]:
    pairs = zip(tally.question.options, tally.votes, strict=True)
    return {(option.role, tuple(sorted(option.groups))): votes for option, votes in pairs}
