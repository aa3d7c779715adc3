"""Contexts, questions and answers."""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import product

from curation.checks.subject import Cell, ParsedVariant, Remark, Subject, rule
from curation.records.bank import ANSWER_FIELDS, SLOT_TEXT_FIELDS, TemplateId
from curation.report.texts import same_start
from curation.slots.fill import CompiledText, Fillings

_SHOWN = 3
# Every control character but the line breaks, which have a rule of their own.
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
# Soft hyphen, joiner of graphemes, fillers of Hangul, zero-width spaces, marks of direction,
# byte-order mark, annotation and tag characters. Variation selectors are left to emoji.
_WITHOUT_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
# Arabic, Indic and Mongolian scripts have joiners and separators, and emoji; else they are stray.
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u2600-\u27bf\ufb50-\ufeff"
_INVISIBLE = re.compile(
    f"[{_WITHOUT_WIDTH}]|(?<![{_JOINED}\ufe0f\U0001f000-\U0001faff])[\u180e\u200c\u200d]"
)
_REPLACEMENT = re.compile("\ufffd")
# White space but line breaks.
_SPACE = r"[^\S\r\n]"
_FIRST = re.compile(_SPACE)
_LAST = re.compile(rf"{_SPACE}\Z")
_DOUBLED = re.compile(rf"(?<!\s){_SPACE}{{2,}}(?!\s)")
_LISTS = ("names", "words", "fillers", "names_source", "words_source")


@rule
def control_character(subject: Subject) -> Iterator[Remark]:
    """They come in by copying, cannot be seen, and reach the model that is evaluated."""
    return _found(subject, _CONTROL, "control character")


@rule
def line_break(subject: Subject) -> Iterator[Remark]:
    """A text is one paragraph; a break mostly comes from a cell that was pasted."""
    return _found(subject, _BREAK, "line break")


@rule
def invisible_character(subject: Subject) -> Iterator[Remark]:
    """Two texts that look alike are then not equal, and names are not found in replies."""
    return _found(subject, _INVISIBLE, "invisible character")


@rule
def replacement_character(subject: Subject) -> Iterator[Remark]:
    """The original character cannot be recovered from the file."""
    return _found(subject, _REPLACEMENT, "lost letter")


@rule
def unicode_form(subject: Subject) -> Iterator[Remark]:
    """Letters in parts look the same, but are not equal and do not show their final sound."""
    for cell in subject.cells:
        if unicodedata.is_normalized("NFC", cell.text):
            continue
        same = same_start(cell.text, unicodedata.normalize("NFC", cell.text))
        yield cell.remark(f"not in Unicode form NFC from position {same + 1} on")


@rule
def white_space(subject: Subject) -> Iterator[Remark]:
    """It reaches the samples, where tokenisers see it."""
    for cell in subject.cells:
        if found := list(_stray_spaces(cell)):
            yield cell.remark(", ".join(found))


def _found(subject: Subject, pattern: re.Pattern[str], what: str) -> Iterator[Remark]:
    """Yield each text with characters of a pattern, as `U+0008 at position 3`, from 1."""
    for cell in subject.cells:
        if not pattern.search(cell.text):
            continue
        found = pattern.finditer(cell.text)
        places = [f"U+{ord(one[0]):04X} at position {one.start() + 1}" for one in found]
        more = f", and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        yield cell.remark(f"{what} {', '.join(places[:_SHOWN])}{more}")


def _stray_spaces(cell: Cell) -> Iterator[str]:
    text = cell.text
    if _FIRST.match(text):
        yield "white space at the beginning"
    if _LAST.search(text):
        yield "white space at the end"
    for match in _DOUBLED.finditer(text):
        inner = match.start() > 0 and match.end() < len(text)
        if inner and not _is_dropped(cell, match):
            yield f"doubled white space at position {match.start() + 1}"
            return


def _is_dropped(cell: Cell, match: re.Match[str]) -> bool:
    """Whether white space is beside a character of a list, where parsing drops it."""
    text, at = cell.text, match.start()
    in_list = cell.column in _LISTS or text.rfind("[", 0, at) > text.rfind("]", 0, at)
    return in_list and (text[at - 1] in "[],;:|" or text[match.end()] in "[],;:|")


_COMPARED = ("ambiguous_context", "disambiguating_context", "biased_question")
_MOST_FILLINGS = 20_000


@rule
def text_missing(subject: Subject) -> Iterator[Remark]:
    """A variant without any text waits for its translation; half of one makes empty samples."""
    for item in subject.wordings:
        for name in SLOT_TEXT_FIELDS:
            if not getattr(item.texts, name).strip():
                yield subject.in_wording(item, name)


@rule
def text_duplicate(subject: Subject) -> Iterator[Remark]:
    """Compared without fillers: the same scene with other groups counts as the same text."""
    first: dict[tuple[str, ...], TemplateId] = {}
    said: set[TemplateId] = set()
    for item in subject.texts:
        key = tuple((item.skeleton(name) or "").casefold() for name in _COMPARED)
        template = item.variant.template_id
        known = first.setdefault(key, template)
        if all(key) and known != template and template not in said:
            said.add(template)
            told = {"template": template, "known": known}
            yield subject.in_wording(item, "ambiguous_context", **told)


@rule
def answers_equal(subject: Subject) -> Iterator[Remark]:
    """Compared as filled, so that two slots with the same name are found too."""
    for item in subject.wordings:
        answers = [text for _, text in _compiled_answers(item)]
        if len(answers) < 2:
            continue
        equal = sorted({text for text, at in _agreements(*answers) if _occurs(item, at)})
        if equal:
            more = f", and {len(equal) - 1} more" if len(equal) > 1 else ""
            yield subject.in_wording(item, "counter_biased_answer", equal=equal[0], more=more)


@rule
def answer_unknown(subject: Subject) -> Iterator[Remark]:
    """Two of the three choices would be the same."""
    unknown = subject.culture.unknown
    for item in subject.texts:
        for name, text in _compiled_answers(item):
            if any(_occurs(item, at) for _, at in _agreements(text, CompiledText((unknown,)))):
                yield subject.in_wording(item, name, unknown=unknown)


def _compiled_answers(item: ParsedVariant) -> Iterator[tuple[str, CompiledText]]:
    """Yield field and text of each answer that is written and can be filled.

    An answer names one or two slots; one with very many fillings is left out, not filled.
    """
    for name in ANSWER_FIELDS:
        text = item.compiled[name] if getattr(item.texts, name) else None
        if text is None:
            continue
        sizes = {part[0]: len(part[1]) for part in text.parts if not isinstance(part, str)}
        if math.prod(sizes.values()) <= _MOST_FILLINGS:
            yield name, text


_Positions = Mapping[int, int]
"""The positions of fillers in their lists, by that of the list among the declared."""


def _agreements(one: CompiledText, other: CompiledText) -> Iterator[tuple[str, _Positions]]:
    """Yield each text, folded, that two slot texts both become, and the fillers that give it."""
    first, second = _filled(one), _filled(other)
    for text in first.keys() & second.keys():
        for at, beside in product(first[text], second[text]):
            if all(at[axis] == beside[axis] for axis in at.keys() & beside.keys()):
                yield text, {**at, **beside}


def _filled(text: CompiledText) -> Mapping[str, list[_Positions]]:
    """The texts, folded, that a slot text becomes, each with the fillers that give it."""
    sizes = {part[0]: range(len(part[1])) for part in text.parts if not isinstance(part, str)}
    found: dict[str, list[_Positions]] = {}
    for positions in product(*sizes.values()):
        at = dict(zip(sizes, positions, strict=True))
        found.setdefault(" ".join(text.render(at).split()).casefold(), []).append(at)
    return found


def _occurs(item: ParsedVariant, at: _Positions) -> bool:
    """Whether a filling has these fillers; so it is taken where conditions cannot be judged."""
    numbered = item.numbered
    if not item.conditions or not isinstance(numbered, Fillings):
        return True
    allowed = [(at[axis],) if axis in at else None for axis in range(len(numbered.sizes))]
    return numbered.first(allowed) is not None
