"""Counts of votes: as published, in KoBBQ's JSON shape, and joined."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

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
        stated = {"id": entry.get("question_id") or None, **entry}
        question = _adapter().validate_python(stated)
        check_roles(question)
        refuse_same_groups(keys, [option.groups for option in question.options])
    except ValidationError as error:
        raise _invalid(error, where) from error
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
    try:
        told = _Entry.model_validate(entry)
        category_slug(told.category)
    except ValidationError as error:
        raise _invalid(error, where) from error
    except CurateError as error:
        raise CurateError(error.what, where, error.hint) from error
    entry = cast("Mapping[str, Any]", entry)
    category, stereotype, votes = told.category, told.stereotype, told.survey_stats
    where += f", '{stereotype}'"
    is_ours = "options" in entry
    if not (stereotype.strip() or (is_ours and entry.get("template_id"))):
        raise CurateError("the entry names no stereotype", where, "add it")
    if is_ours and told.respondents is None:
        raise CurateError("the entry names no respondents", where, "undo the edit")
    if is_ours:
        question, keys = _own_question(entry, book, where)
    else:
        if NONE_KEY not in votes:
            raise CurateError(f"the votes lack '{NONE_KEY}'", where, "add it, with 0 if nobody did")
        keys = [*(name for name in votes if name != NONE_KEY), NONE_KEY]
        kind = _kind(told.kind, len(votes) - 1, where)
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
    respondents = _respondents(told, question.kind, culture, where)
    return Tally(question, respondents, tuple(votes[key] for key in keys), path.name, at)


class _Entry(BaseModel):
    """What an entry says of its question."""

    model_config = ConfigDict(strict=True, frozen=True)

    category: str
    stereotype: str
    survey_stats: Annotated[dict[str, Annotated[int, Field(ge=0)]], Field(min_length=1)]
    kind: Annotated[QuestionKind | None, Field(strict=False)] = None
    respondents: Annotated[int | None, Field(ge=0)] = None


def _invalid(error: ValidationError, where: str) -> CurateError:
    """The first of what is wrong with an entry."""
    first = error.errors()[0]
    key = ".".join(map(str, first["loc"]))
    return CurateError(f"{key}: {first['msg']}", where, "fix the counts, or undo the edit")


def _kind(stated: QuestionKind | None, groups: int, where: str) -> QuestionKind:
    by_groups = QuestionKind.SELECT_ALL if groups > 2 else QuestionKind.CHOICE
    kind = stated or by_groups
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


def _respondents(told: _Entry, kind: QuestionKind, culture: Culture, where: str) -> int:
    """How many answered: of a question with one choice each its votes."""
    votes, stated = told.survey_stats, told.respondents
    if kind is not QuestionKind.SELECT_ALL:
        total = sum(votes.values())
        if stated not in (None, total):
            raise _refused("counts-unlike-each", where, votes=total, stated=stated)
        return total
    respondents = culture.survey.respondents if stated is None else stated
    for name, count in votes.items():
        if count > respondents:
            words = {"name": name, "count": count, "respondents": respondents}
            raise _refused("counts-of-people", where, **words)
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
