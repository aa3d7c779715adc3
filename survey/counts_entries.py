"""An entry of a file of counts as this toolkit writes it: nothing that was counted is left out."""

from collections.abc import Mapping, Sequence

from curation.model.errors import CurateError
from curation.model.survey import Option, Question, QuestionKind, Role, Tally
from survey.questionnaire import check_roles, refuse_same_groups

NONE = "no_stereo"
"""The key of the votes for 'no stereotype exists'."""

_OPTION_KEYS = ("key", "code", "groups", "role", "counts", "text")


def entry_of(tally: Tally) -> dict[str, object]:
    """Give the counts of a question as an entry of the file."""
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
    return entry | {
        "respondents": tally.respondents,
        "survey_stats": dict(zip(keys, tally.votes, strict=True)),
        "options": [
            {
                "key": key,
                "code": option.code,
                "groups": list(option.groups),
                "role": option.role.value,
                "counts": option.counts,
                "text": option.text,
            }
            for key, option in zip(keys, question.options, strict=True)
        ],
    }


def _keys(options: Sequence[Option]) -> list[str]:
    """Name the options by their groups, else by what was shown, else by their codes."""
    keys = [
        NONE if option.role is Role.NONE else option.label or option.text or option.code
        for option in options
    ]
    return keys if len(set(keys)) == len(keys) else [option.code for option in options]


def own_tally(entry: Mapping[str, object], source: str, at: int, where: str) -> Tally:
    """Read an entry that has `options`.

    Args:
        entry: The entry; category, stereotype and the votes are known to be of their types.
        source: Name of its file.
        at: Its place there, from 1.
        where: Its place as messages show it.

    Raises:
        CurateError: If something is lacking, or the votes do not go with the options.
    """
    votes = entry["survey_stats"]
    assert isinstance(votes, Mapping)  # noqa: S101  # the caller has looked
    listed = entry["options"]
    if not isinstance(listed, list) or not listed:
        raise CurateError("'options' is no list of options", where, "take back the edit")
    keys = [_text(item, "key", where) for item in listed]
    if sorted(keys) != sorted(votes):
        raise CurateError(
            "the votes and the options are not of the same names", where, "take back the edit"
        )
    try:
        question = Question(
            id=_text(entry, "question_id", where),
            kind=QuestionKind(_text(entry, "kind", where)),
            category=_text(entry, "category", where),
            stereotype=str(entry["stereotype"]),
            options=tuple(_option(item, where) for item in listed),
            template_id=str(entry.get("template_id", "")),
        )
        check_roles(question)
        refuse_same_groups(keys, [option.groups for option in question.options])
    except ValueError as error:
        raise CurateError(str(error), where, "take back the edit") from error
    counted = tuple(votes[key] for key in keys)
    return Tally(question, _respondents(entry, question.kind, counted, where), counted, source, at)


def _option(item: object, where: str) -> Option:
    groups = item.get("groups") if isinstance(item, Mapping) else None
    counts = item.get("counts") if isinstance(item, Mapping) else None
    if not isinstance(groups, list) or not isinstance(counts, bool):
        needed = ", ".join(_OPTION_KEYS)
        raise CurateError("an option is not complete", where, f"an option has {needed}")
    return Option(
        code=_text(item, "code", where),
        groups=tuple(str(group) for group in groups),
        role=Role(_text(item, "role", where)),
        counts=counts,
        text=_text(item, "text", where, empty=True),
    )


def _text(item: object, key: str, where: str, *, empty: bool = False) -> str:
    value = item.get(key) if isinstance(item, Mapping) else None
    if not isinstance(value, str) or not (value or empty):
        raise CurateError(f"'{key}' is no text", where, "take back the edit")
    return value


def _respondents(
    entry: Mapping[str, object], kind: QuestionKind, votes: Sequence[int], where: str
) -> int:
    stated = entry.get("respondents")
    if type(stated) is not int or stated < 0:
        raise CurateError(f"{stated!r} respondents", where, "write a whole number from 0")
    chosen = max(votes) if kind is QuestionKind.SELECT_ALL else sum(votes)
    if chosen > stated or (kind is not QuestionKind.SELECT_ALL and chosen != stated):
        raise CurateError(
            f"{sum(votes)} votes of {stated} respondents",
            where,
            "mend the votes or the respondents",
        )
    return stated
