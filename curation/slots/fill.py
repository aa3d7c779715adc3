"""The fillings of a variant and their numbers, and the texts that they give.

Without conditions fillings are the Cartesian product of the lists, row-major. Conditions take rows
out of it; those that stay keep their order and are numbered anew. Nothing here goes through the
product: for each list it is worked out how many ways there are to go on, given what was chosen
before it (the elimination of variables, one list at a time from the last to the first). A list
that no condition names multiplies the count and costs nothing.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from curation.languages import LanguageOrCode
from curation.records.messages import CurateError, and_more, refusal
from curation.slots.agreement import agreement_for, joining_of
from curation.slots.grammar import Condition, Filler, Slot, SlotComparison, SlotList, SlotText

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


_LARGEST_TABLE = 20_000_000  # entries; a table of numbers of ways then takes 160 MB
_LARGEST_COUNT = 2**62  # of ways, as 64 bits hold them
_MOST_LISTS = 32  # axes of an array before numpy 2
_MOST_KNOWN = 1000  # choices before a list of which it is remembered what they leave


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """What the choices before a list leave of it.

    Attributes:
        before: The axes of earlier lists that it depends on.
        ways: For each class of fillers of those, then of this list, in how many ways the lists
            that depend on them can go on; 0 where a condition is not met.
        classes: For each of these axes the class of every filler, this list's last.
        known: What was worked out already, by the classes of the choices before.
    """

    before: tuple[int, ...]
    ways: "npt.NDArray[Any]"
    classes: "tuple[npt.NDArray[np.intp], ...]"
    known: dict[tuple[int, ...], "tuple[npt.NDArray[Any], list[int]]"] = field(
        default_factory=dict, repr=False
    )

    def ways_after(self, chosen: Sequence[int]) -> "tuple[npt.NDArray[Any], list[int]]":
        """The number of ways for each filler of the list, given the positions chosen before.

        Returns:
            The numbers, and for each filler their sum up to and with it.
        """
        axes = zip(self.before, self.classes[:-1], strict=True)
        at = tuple([classes[chosen[axis]] for axis, classes in axes])
        found = self.known.get(at)
        if found is None:
            weights: npt.NDArray[Any] = self.ways[at][self.classes[-1]]
            found = weights, weights.cumsum(dtype="int64").tolist()
            if len(self.known) < _MOST_KNOWN:
                self.known[at] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Fillings:
    """Fillings as positions in lists, from 0, numbered from 1.

    Attributes:
        sizes: The number of fillers of each list, in the order of the product.
        count: The number of fillings.
        steps: For each list what earlier choices leave of it; None where they leave all.
    """

    sizes: tuple[int, ...]
    count: int
    steps: tuple[_Step | None, ...]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """All fillings in their order, one at a time."""
        last = max((axis for axis, step in enumerate(self.steps) if step), default=-1)
        free = [range(size) for size in self.sizes[last + 1 :]]
        if last < 0:
            return product(*free)
        return (chosen + rest for chosen in self._chosen(last + 1) for rest in product(*free))

    def _chosen(self, lists: int) -> Iterator[tuple[int, ...]]:
        """The positions in the first lists that fillings have, in their order."""
        if not lists:
            yield ()
            return
        axis = lists - 1
        step = self.steps[axis]
        for before in self._chosen(axis):
            if step is None:
                allowed: Sequence[int] = range(self.sizes[axis])
            else:
                allowed = step.ways_after(before)[0].nonzero()[0].tolist()
            for position in allowed:
                yield (*before, position)

    def at(self, index: int) -> tuple[int, ...]:
        """The positions of filling `index`, counted from 1 as ids do.

        Raises:
            IndexError: If there is no such filling.
        """
        if not 1 <= index <= self.count:
            raise IndexError(f"there is no filling {index} of {self.count}")
        rest, left = index - 1, self.count
        chosen: list[int] = []
        for size, step in zip(self.sizes, self.steps, strict=True):
            if step is None:
                left //= size
                position, rest = divmod(rest, left)
            else:
                until = step.ways_after(chosen)[1]
                left //= until[-1]
                position = bisect_right(until, rest // left)
                ways_before = until[position - 1] if position else 0
                rest -= left * ways_before
                left *= until[position] - ways_before
            chosen.append(position)
        return tuple(chosen)

    def index_of(self, positions: Sequence[int]) -> int | None:
        """The number of the filling with these positions; None where conditions exclude it."""
        index, left = 1, self.count
        for axis, (size, step) in enumerate(zip(self.sizes, self.steps, strict=True)):
            position = positions[axis]
            if step is None:
                left //= size
                index += left * position
                continue
            until = step.ways_after(positions)[1]
            ways_before = until[position - 1] if position else 0
            ways = until[position] - ways_before
            if not ways:
                return None
            left //= until[-1]
            index += left * ways_before
            left *= ways
        return index

    def first(self, allowed: Sequence[Collection[int] | None]) -> tuple[int, ...] | None:
        """The first filling whose positions are all allowed; None where there is none.

        What follows from fillers that no condition tells apart is worked out once.

        Args:
            allowed: For each list the positions it may have; None where it may have all.
        """
        last = len(self.sizes)
        later: list[frozenset[int]] = [frozenset()] * (last + 1)
        for axis in reversed(range(last)):  # the earlier lists that this one and later ones need
            step = self.steps[axis]
            later[axis] = (later[axis + 1] | set(step.before if step else ())) - {axis}
        without: set[tuple[int, ...]] = set()

        def go_on(chosen: tuple[int, ...]) -> tuple[int, ...] | None:
            axis = len(chosen)
            if axis == last:
                return chosen
            state = (axis, *(self._class(one, chosen[one]) for one in sorted(later[axis])))
            if state in without:
                return None
            step, may_be = self.steps[axis], allowed[axis]
            positions = range(self.sizes[axis]) if may_be is None else sorted(may_be)
            weights = step.ways_after(chosen)[0] if step else None
            tried = set()
            for position in positions:
                kind = self._class(axis, position)
                if kind not in tried and (weights is None or weights[position]):
                    tried.add(kind)
                    found = go_on((*chosen, position))
                    if found is not None:
                        return found
            without.add(state)
            return None

        return go_on(())

    def _class(self, axis: int, position: int) -> int:
        """Which class of fillers that conditions do not tell apart one belongs to."""
        step = self.steps[axis]
        return int(step.classes[-1][position]) if step else 0


def number_fillings(
    lists: Mapping[str, SlotList], order: Sequence[str], conditions: Sequence[Condition] = ()
) -> Fillings:
    """Number the fillings of lists.

    Args:
        lists: The declared lists by slot name.
        order: The slot names in the order of the product.
        conditions: What fillings have to meet, all of it.

    Returns:
        The fillings; none where no filling meets the conditions.

    Raises:
        CurateError: If a condition names a slot without list, compares a feature that a
            filler lacks, or pairs lists of unequal length; or if it compares more fillers at
            once than can be worked out.
    """
    sizes = tuple(len(lists[name].fillers) for name in order)
    if not conditions or 0 in sizes:
        return Fillings(sizes, math.prod(sizes), (None,) * len(sizes))
    for condition in conditions:
        for error in problems(condition, lists):
            raise error
    return _eliminate(lists, order, conditions)


def never_met(conditions: Sequence[Condition]) -> CurateError:
    """The error of conditions that no filling meets."""
    return refusal(__package__, "conditions-unmet", conditions="; ".join(map(str, conditions)))


def problems(condition: Condition, lists: Mapping[str, SlotList]) -> Iterator[CurateError]:
    """Why a condition cannot be judged on these lists; nothing where it can.

    Open lists are passed over: the survey will fill them.
    """
    for name in condition.slots:
        if name not in lists:
            yield refusal(__package__, "list-of-condition", condition=condition, slot=name)
    said: set[tuple[str, str]] = set()
    for item in condition.alternatives:
        sides = [lists[name] for name in (item.left, item.right) if name in lists]
        if any(side.open for side in sides):
            continue
        if item.operator == "~" and len(sides) == 2:
            one, other = (len(side.fillers) for side in sides)
            if one != other:
                told = {"left": item.left, "right": item.right, "one": one, "other": other}
                yield refusal(__package__, "lists-unequal", condition=item, **told)
        for side in sides if item.feature else ():
            lacking = [
                filler for filler in side.fillers if filler.feature(item.feature or "") is None
            ]
            if lacking and (side.name, item.feature or "") not in said:
                said.add((side.name, item.feature or ""))
                yield _lacking(condition, side, item.feature or "", lacking)


def _lacking(
    condition: Condition, side: SlotList, feature: str, fillers: Sequence[Filler]
) -> CurateError:
    more = and_more(len(fillers), "more filler")
    told = {"slot": side.name, "name": fillers[0].text, "feature": feature}
    return refusal(__package__, "feature-lacking", condition=condition, more=more, **told)


def _classes(slot: SlotList, conditions: Sequence[Condition]) -> tuple[list[int], list[int]]:
    """The class of each filler, those that no condition tells apart; where each class begins."""
    every = (item for condition in conditions for item in condition.alternatives)
    mine = [item for item in every if slot.name in (item.left, item.right)]
    keys = [
        tuple(_compared(item, filler, position) for item in mine)
        for position, filler in enumerate(slot.fillers)
    ]
    first: dict[tuple[object, ...], int] = {}
    for position, key in enumerate(keys):
        first.setdefault(key, position)
    number = {key: at for at, key in enumerate(first)}
    return [number[key] for key in keys], list(first.values())


def _compared(item: SlotComparison, filler: Filler, position: int) -> object:
    if item.operator == "~":
        return position
    return filler.text if item.feature is None else filler.feature(item.feature)


def _eliminate(
    lists: Mapping[str, SlotList], order: Sequence[str], conditions: Sequence[Condition]
) -> Fillings:
    """Work out for each list, from the last to the first, the ways to go on.

    A table of ways, or of what meets a condition, has an axis for each list, of its classes of
    fillers, or of length 1 where nothing depends on it.
    """
    import numpy as np  # only where there are conditions

    listed = [lists[name] for name in order]
    if len(listed) > _MOST_LISTS:
        raise _too_large(listed)
    told = [_classes(item, conditions) for item in listed]
    classes, firsts = [one for one, _ in told], [first for _, first in told]
    sizes = tuple(len(item.fillers) for item in listed)

    def refuse_large(axes: Iterable[int], ways: int = 0) -> None:
        if math.prod(len(firsts[at]) for at in axes) > _LARGEST_TABLE or ways > _LARGEST_COUNT:
            raise _too_large([listed[at] for at in axes])

    tables = []
    for condition in conditions:
        joint = sorted(order.index(name) for name in condition.slots)
        refuse_large(joint)
        tables.append((joint, _meeting(condition, order, lists, firsts)))
    steps: list[_Step | None] = [None] * len(order)
    count = 1
    for at in reversed(range(len(order))):
        mine = [table for axes, table in tables if at in axes]
        if not mine:
            count *= sizes[at]
            continue
        joint = sorted({axis for axes, _ in tables if at in axes for axis in axes})
        refuse_large(joint, math.prod(int(table.max(initial=0)) for table in mine))
        shape = [len(firsts[axis]) for axis in joint]
        ways = math.prod(mine[1:], start=mine[0]).reshape(shape)
        refuse_large(joint, int(ways.max(initial=0)) * sizes[at])
        codes = tuple(np.asarray(classes[axis], dtype=np.intp) for axis in joint)
        steps[at] = _Step(tuple(joint[:-1]), ways, codes)
        before = np.zeros(shape[:-1], dtype=np.int64)
        for kind, often in enumerate(np.bincount(codes[-1])):
            before += ways[..., kind] * often
        tables = [(axes, table) for axes, table in tables if at not in axes]
        if before.ndim:
            whole = [len(first) if axis in joint[:-1] else 1 for axis, first in enumerate(firsts)]
            tables.append((joint[:-1], before.reshape(whole)))
        else:
            count *= int(before)
    return Fillings(sizes, count, tuple(steps))


def _meeting(
    condition: Condition,
    order: Sequence[str],
    lists: Mapping[str, SlotList],
    firsts: Sequence[Sequence[int]],
) -> "npt.NDArray[Any]":
    """The table of the classes of fillers that meet a condition."""
    import numpy as np

    met: npt.NDArray[Any] = np.zeros([1] * len(order), dtype=bool)
    for item in condition.alternatives:
        number: dict[object, int] = {}
        sides = []
        for name in (item.left, item.right):
            axis = order.index(name)
            fillers = ((lists[name].fillers[position], position) for position in firsts[axis])
            codes = [number.setdefault(_compared(item, *it), len(number)) for it in fillers]
            sides.append(np.reshape(codes, [-1 if at == axis else 1 for at in range(len(order))]))
        same = sides[0] == sides[1]
        met = met | (~same if item.operator == "!=" else same)
    return met


def _too_large(lists: Sequence[SlotList]) -> CurateError:
    sizes = ", ".join(f"{item.name} ({len(item.fillers):,} fillers)" for item in lists)
    return refusal(__package__, "conditions-large", sizes=sizes)


class FillError(CurateError):
    """A slot that has no form for one of its fillers."""


def _unfilled(key: str, **words: object) -> FillError:
    """The error in the words of `findings.yaml`."""
    told = refusal(__package__, key, **words)
    return FillError(told.what, hint=told.hint)


@dataclass(frozen=True, slots=True)
class CompiledText:
    """A text whose slots are resolved to the forms of each filler.

    `parts` alternates between literal strings and (axis, forms), where the axis is the
    position of the slot in the list of declared slots.
    """

    parts: tuple[str | tuple[int, tuple[str, ...]], ...]

    def render(self, indices: Sequence[int] | Mapping[int, int]) -> str:
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
            raise _unfilled("form-lacking", filler=filler.text, form=slot.named, slot=slot.name)
        return named
    if slot.forms is not None:
        if index >= len(slot.forms):
            count = len(slot.forms)
            raise _unfilled("form-unlisted", slot=slot.name, count=count, filler=filler.text)
        return slot.forms[index]
    if slot.agreement is None:
        return filler.text
    agreement = agreement_for(language)
    if agreement is None:
        told = {"language": language, "slot": slot.name, "filler": filler.text}
        raise _unfilled("agreement-unknown", **told)
    try:
        form = agreement.form(filler, slot.agreement)
    except ValueError as error:
        raise _unfilled("agreement-wrong", why=str(error)) from error
    if form is None:
        asked = {"slot": slot.name, "agreement": slot.agreement, "filler": filler.text}
        raise _unfilled("form-unknown", hint=agreement.hint(filler), **asked)
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
    common = agreement.common if agreement else ()
    for candidate in (Slot(slot.name), *(Slot(slot.name, agreement=pair) for pair in common)):
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
    parts = _formed(text, lists, language, wanted)
    return SlotText(
        tuple(Slot(it[0], forms=it[1]) if isinstance(it, tuple) else it for it in parts)
    )


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
            raise _unfilled("list-lacking", slot=part.name)
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
    agreement = agreement_for(language) if slot.agreement else None
    # a slot that names its case itself keeps it
    may_change = agreement.is_capitalised if agreement else slot.named is not None
    if may_change and joining.opens_sentence(before, first=is_first):
        forms = tuple(map(joining.capital, forms))
    kept, forms = joining.join(before, forms)
    if kept != before:
        parts[-1:] = [kept] if kept else []
    return forms
