"""Turn a slot text and its lists into filled texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from curation.languages import LanguageOrCode
from curation.records.messages import CurateError
from curation.slots.agreement import agreement_for
from curation.slots.grammar import (
    Condition,
    Filler,
    Slot,
    SlotList,
    SlotText,
    parse_conditions,
    parse_lists,
)
from curation.slots.joining import joining_of


class FillError(CurateError):
    """A slot that has no form for one of its fillers."""


@dataclass(frozen=True, slots=True)
class CompiledText:
    """A text whose slots are resolved to the forms of each filler.

    `parts` alternates between literal strings and (axis, forms), where the axis is the
    position of the slot in the list of declared slots.
    """

    parts: tuple[str | tuple[int, tuple[str, ...]], ...]

    def render(self, indices: Sequence[int]) -> str:
        """Fill the text.

        Args:
            indices: For each declared slot the position of the filler in its list, from 0.
        """
        return "".join(
            [part if isinstance(part, str) else part[1][indices[part[0]]] for part in self.parts]
        ).strip()


def form_of(slot: Slot, filler: Filler, index: int, language: LanguageOrCode) -> str:
    """The form that a filler takes at a slot.

    Args:
        slot: The slot.
        filler: The filler.
        index: Position of the filler in its list, from 0.
        language: The language, or its ISO 639-1 code, for agreement.

    Raises:
        FillError: If the slot lists no form for the filler, the filler lacks the named form,
            or agreement cannot be known.
    """
    if slot.named is not None:
        named = filler.feature(slot.named)
        if named is None:
            raise FillError(
                f"'{filler.text}' has no form '{slot.named}' for [{slot.name}.{slot.named}]",
                hint=f"write it into the list: {filler.text} {{{slot.named}: ...}}",
            )
        return named
    if slot.forms is not None:
        if index >= len(slot.forms):
            raise FillError(
                f"slot {slot.name} lists {len(slot.forms)} forms, none for '{filler.text}'",
                hint="list one form for each filler, in the order of the list",
            )
        return slot.forms[index]
    if slot.agreement is None:
        return filler.text
    agreement = agreement_for(language)
    if agreement is None:
        raise FillError(
            f"no agreement is known for language '{language}'",
            hint=f"list the forms, [{slot.name}: form1, form2], or write {filler.text} "
            f"{{def: ...}} for each filler and [{slot.name}.def] here",
        )
    try:
        form = agreement.form(filler, slot.agreement)
    except ValueError as error:
        raise FillError(str(error), hint="correct the agreement, or list the forms") from error
    if form is None:
        raise FillError(
            f"the form of '{filler.text}' cannot be known for [{slot.name}|{slot.agreement}]",
            hint=agreement.hint(filler),
        )
    return form


def generalise(slot: Slot, fillers: Sequence[Filler], language: LanguageOrCode) -> Slot | None:
    """Say without a list what the listed forms of a slot do, so that it fits other fillers.

    Args:
        slot: A slot.
        fillers: The fillers that its forms belong to.
        language: The language, or its ISO 639-1 code.

    Returns:
        The slot without forms where they are the fillers themselves or follow one of the
        language's common agreements; None where nothing of that kind holds.
    """
    if slot.forms is None:
        return slot
    if len(slot.forms) != len(fillers) or not fillers:
        return None
    agreement = agreement_for(language)
    candidates = [Slot(slot.name)]
    candidates += (
        [Slot(slot.name, agreement=pair) for pair in agreement.common] if agreement else []
    )
    for candidate in candidates:
        try:
            forms = [form_of(candidate, filler, 0, language) for filler in fillers]
        except FillError:
            continue
        if forms == list(slot.forms):
            return candidate
    return None


def list_forms(
    text: SlotText,
    lists: Mapping[str, SlotList],
    language: LanguageOrCode,
    wanted: Callable[[Slot], bool] | None = None,
) -> SlotText:
    """List the form of each filler at the slots of a text.

    A form that begins a sentence gets a capital, unless the slot itself names its case. Where a
    named or agreed form follows a word that the language contracts with it, the two are written
    as one (`de el` as `del`).

    Args:
        text: The text.
        lists: The declared lists by slot name.
        language: The language, or its ISO 639-1 code.
        wanted: The slots to do it at; all by default.

    Raises:
        FillError: If such a slot is not declared, or a filler has no form at it.
    """
    return SlotText(
        tuple(
            Slot(part[0], forms=part[1]) if isinstance(part, tuple) else part
            for part in _formed(text, lists, language, wanted)
        )
    )


def _is_capitalised(slot: Slot, language: LanguageOrCode) -> bool:
    """Whether a form gets a capital where it begins a sentence: the slot names no case itself."""
    if slot.named is not None or slot.agreement is None:
        return slot.named is not None
    agreement = agreement_for(language)
    return agreement is not None and agreement.is_capitalised


def compile_text(
    text: SlotText, lists: Mapping[str, SlotList], order: Sequence[str], language: LanguageOrCode
) -> CompiledText:
    """Resolve every slot of a text, as `list_forms` does.

    Args:
        text: The text.
        lists: The declared lists by slot name.
        order: The slot names in the order of the indices given to `render`.
        language: The language, or its ISO 639-1 code, for agreement.

    Raises:
        FillError: If a slot is not declared, or a filler has no form at a slot.
    """
    axes = {name: axis for axis, name in enumerate(order)}
    return CompiledText(
        tuple(
            (axes[part[0]], part[1]) if isinstance(part, tuple) else part
            for part in _formed(text, lists, language)
            if not isinstance(part, Slot)
        )
    )


_Forms = tuple[str, tuple[str, ...]]
"""A slot's name with the form of each of its fillers."""


def _formed(
    text: SlotText,
    lists: Mapping[str, SlotList],
    language: LanguageOrCode,
    wanted: Callable[[Slot], bool] | None = None,
) -> list[str | Slot | _Forms]:
    """The parts of a text with forms for the slots that are wanted; for all by default."""
    parts: list[str | Slot | _Forms] = []
    for part in text.parts:
        if isinstance(part, str) or (wanted is not None and not wanted(part)):
            parts.append(part)
            continue
        if part.name not in lists:
            raise FillError(
                f"slot {part.name} has no list of fillers", hint="declare it in names or words"
            )
        fillers = lists[part.name].fillers
        if part.is_bare:
            parts.append((part.name, tuple(filler.text for filler in fillers)))
            continue
        forms = tuple(
            form_of(part, filler, index, language) for index, filler in enumerate(fillers)
        )
        if part.forms is None:
            forms = _joined(parts, part, forms, language)
        parts.append((part.name, forms))
    return parts


def _joined(
    parts: list[str | Slot | _Forms], slot: Slot, forms: tuple[str, ...], language: LanguageOrCode
) -> tuple[str, ...]:
    """Join named or agreed forms to the parts before them, whose last word they may take over."""
    joining = joining_of(language)
    before = parts[-1] if parts and isinstance(parts[-1], str) else ""
    is_first = len(parts) == (1 if before else 0)
    if _is_capitalised(slot, language) and joining.opens_sentence(before, first=is_first):
        forms = tuple(map(joining.capital, forms))
    kept, forms = joining.join(before, forms)
    if kept != before:
        parts[-1:] = [kept] if kept else []
    return forms


def declared_lists(names: str, words: str) -> dict[str, SlotList]:
    """All lists of a variant, names before words, in declared order.

    Raises:
        SlotError: If a list cannot be read.
        CurateError: If a slot has a list in names and one in words.
    """
    lists = parse_lists(names)
    for name, item in parse_lists(words).items():
        if name in lists:
            raise CurateError(
                f"slot {name} has a list in names and one in words", hint="keep one of the two"
            )
        lists[name] = item
    return lists


def declared_conditions(names: str, words: str) -> tuple[Condition, ...]:
    """All conditions of a variant, those beside names before those beside words.

    Raises:
        SlotError: If lists or conditions cannot be read.
    """
    return (*parse_conditions(names), *parse_conditions(words))


def is_open(names: str, words: str) -> bool:
    """Whether the survey has yet to fill one of the lists (`[*]`).

    Raises:
        CurateError: If the lists cannot be read.
    """
    return any(item.open for item in declared_lists(names, words).values())
