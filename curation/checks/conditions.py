"""Conditions on the slots of a variant, and the features that they compare."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from curation.checks.subject import Remark, Subject, letters, rule
from curation.languages import LanguageOrCode
from curation.records.messages import CurateError
from curation.slots.agreement import agreement_for
from curation.slots.fill import never_met, problems
from curation.slots.grammar import Filler

_STEM = 3
"""As many letters of a name tell a form of it."""


@rule
def condition_unclear(subject: Subject) -> Iterator[Remark]:
    """A slot without list, a filler without the feature, or paired lists of unequal length."""
    for item in subject.started:
        lists = item.lists or {}
        conditions = item.conditioned if item.lists is not None else ()
        found = [(name, error) for name, one in conditions for error in problems(one, lists)]
        if not found and isinstance(item.numbered, CurateError):
            found = [(item.conditioned[0][0], item.numbered)]
        for name, error in found:
            yield subject.in_wording(item, name, error.what, error.hint)


@rule
def condition_unmet(subject: Subject) -> Iterator[Remark]:
    """Such a variant has no samples at all, and stops an export."""
    for item in subject.started:
        lists = item.lists
        if item.fillings != 0 or lists is None or not all(one.fillers for one in lists.values()):
            continue
        what = never_met(item.conditions).what
        yield subject.in_wording(item, item.conditioned[0][0], what)


@rule
def feature_incomplete(subject: Subject) -> Iterator[Remark]:
    """Mostly forgotten, or the name of a feature misspelt.

    Nothing is said of what a condition or a text asks for: that is an error of its own, nor of what
    agreement takes for granted where it is not stated, such as a singular.
    """
    for one in subject.filler_lists:
        asked = one.item.asked if one.item else ()
        for key, lacking in _named(one.fillers, lambda it, key: it.feature(key) is None):
            if (one.slot, key) not in asked and key not in _agreeing(one.language)[1]:
                yield one.remark(f"{lacking} of {one.whose} has no '{key}', others have")


def _agreeing(language: LanguageOrCode) -> tuple[Mapping[str, Sequence[str]], frozenset[str]]:
    """The features that agreement of a language goes by, with their values; those that may lack."""
    agreement = agreement_for(language)
    return (agreement.values, agreement.optional) if agreement is not None else ({}, frozenset())


def _named(
    fillers: Sequence[Filler], is_meant: Callable[[Filler, str], bool]
) -> Iterator[tuple[str, str]]:
    """Each attribute for which some fillers are meant, with the first and how many more."""
    for key in dict.fromkeys(key for filler in fillers for key, _ in filler.features):
        found = [filler.text for filler in fillers if is_meant(filler, key)]
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            yield key, f"'{found[0]}'{more}"


@rule
def form_unused(subject: Subject) -> Iterator[Remark]:
    """The text uses the name unchanged, although the filler has a form for it.

    A form is a value that holds the beginning of the name: others are features, which groups may
    have for later. One text of the category is enough, for templates share their fillers.
    """
    asked: dict[str, set[str]] = {}
    for item in subject.texts:
        asked.setdefault(item.variant.category, set()).update(key for _, key in item.asked)
    for one in subject.filler_lists:
        if (one.item is not None and one.item.suffix) or one.category not in asked:
            continue
        values, optional = _agreeing(one.language)
        known = {*asked[one.category], *values, *optional}
        for key, having in _named(one.fillers, _is_form):
            if key not in known:
                what = f"no text uses the form '{key}' of {having} of {one.whose}"
                hint = f"use it in a text, [{one.slot}.{key}], or delete it" if one.slot else ""
                yield one.remark(what, hint)


def _is_form(filler: Filler, key: str) -> bool:
    """Whether a value holds the beginning of a word of the name; accents come and go."""
    text = _without_marks(filler.feature(key) or "")
    starts = (_without_marks(word)[:_STEM] for word in filler.text.split())
    return any(start in text for start in starts if start)


def _without_marks(text: str) -> str:
    """The letters and digits of a text alone, in one case."""
    parts = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in parts if unicodedata.category(letter)[0] in "LN")


@rule
def feature_spelling(subject: Subject) -> Iterator[Remark]:
    """`black` and `Black` are two values to a condition.

    Named forms are texts, and are not compared.
    """
    for item in subject.started:
        forms = {slot.named for text in item.parsed.values() for slot in text.slots}
        first: dict[tuple[str, str], str] = {}
        for name, declared in item.listed:
            pairs = dict.fromkeys(pair for filler in declared.fillers for pair in filler.features)
            for key, value in pairs:
                known = first.setdefault((key, letters(value) or value), value)
                if known != value and key not in forms:
                    message = f"{key} is '{value}' in slot {declared.name}, elsewhere '{known}'"
                    yield subject.in_wording(item, name, message)


@rule
def feature_unknown(subject: Subject) -> Iterator[Remark]:
    """`gender: fem` is no `gender: f`, and `sex: f` is not looked for.

    What conditions or named forms of the variant ask for may have any name and value.
    """
    for one in subject.filler_lists:
        asked = {feature for _, feature in one.item.asked} if one.item else set()
        for message in _strange(one.fillers, _agreeing(one.language)[0], asked):
            yield one.remark(f"{one.whose}: {message}")


def _strange(
    fillers: Sequence[Filler], known: Mapping[str, Sequence[str]], asked: set[str]
) -> Iterator[str]:
    """Each value that is a known one in other letters, and each name in place of a known one."""
    for key, value in dict.fromkeys(pair for filler in fillers for pair in filler.features):
        if key in asked:
            continue
        meant = [item for item in known.get(key, ()) if value.casefold().startswith(item)]
        if meant and value not in meant:
            yield f"{key} is '{value}', but agreement uses {meant[0]}"
        names = [name for name, values in known.items() if value in values]
        if key not in known and len(names) == 1:
            having = (item for item in fillers if item.feature(key))
            if any(item.feature(names[0]) is None for item in having):
                yield f"'{key}: {value}' is not used; agreement uses {names[0]}"
