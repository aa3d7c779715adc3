"""How scores came about: what two of them must share to be compared, told by content."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from curation.records.errors import CurateError
from evaluation.prompts import OWN_PROMPTS

_ALIKE = {
    "mode": "score both with the same --mode: strict reads each language by its own rules",
    "orders": "ask both with the same orders",
    "prompts": "score both over the same prompts, named with --requests FILE",
}
"""What must be the same on both sides, with what to do."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How models were asked and their replies read.

    Attributes:
        mode: How replies were read.
        orders: The orders of the choices.
        prompt_set: What the prompts are called; empty where it is not known.
        prompts: By id what identifies the texts of each prompt.
        language: In which language; empty where it is not known.
        samples: What identifies the samples by their content; empty where it is not known.
    """

    mode: str = ""
    orders: str = ""
    prompt_set: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    samples: str = ""

    def settings(self) -> dict[str, object]:
        """What a manifest holds of it."""
        told = {"name": self.prompt_set, "sha256": dict(self.prompts)}
        found = {"mode": self.mode, "orders": self.orders, "language": self.language}
        found |= {"samples_sha256": self.samples}
        return {**{name: text for name, text in found.items() if text}, "prompts": told}


def measured_of(settings: Mapping[str, object], ids: Iterable[str]) -> Measured:
    """Read it from the settings of a manifest of scores.

    Args:
        settings: The settings.
        ids: Of the prompts that the scores are over.
    """
    told = settings.get("prompts")
    prompts = told if isinstance(told, dict) else {}
    hashes = prompts.get("sha256")
    known = hashes if isinstance(hashes, dict) else {}
    mode, orders, language, samples = (
        str(settings.get(name) or "") for name in ("mode", "orders", "language", "samples_sha256")
    )
    texts = {name: str(known.get(name, "")) for name in sorted(ids)}
    return Measured(mode, orders, str(prompts.get("name") or ""), texts, language, samples)


def refuse_unlike(one: tuple[str, Measured], two: tuple[str, Measured], where: str) -> None:
    """Refuse to compare scores that were asked for, or read, in ways that change them.

    Args:
        one: What the first is called, and how it was measured.
        two: Likewise the second.
        where: Both places.

    Raises:
        CurateError: If mode, orders or the prompts' ids differ.
    """
    for name, hint in _ALIKE.items():
        first, second = _values(one[1])[name], _values(two[1])[name]
        if first != second:
            raise CurateError(
                f"{one[0]} and {two[0]} were not measured with the same {name}: "
                f"{first or 'not stated'}, and {second or 'not stated'}",
                where,
                hint,
            )


def unlike(one: tuple[str, Measured], two: tuple[str, Measured]) -> Iterator[str]:
    """Say in what two scores differ besides their samples.

    Prompts are compared by their texts, for ids 1 to 5 are those of every set of prompts. The
    toolkit's own in two languages are one set.

    Args:
        one: What the first is called, and how it was measured.
        two: Likewise the second.
    """
    names = f"{one[0]} and {two[0]}"
    first, second = one[1], two[1]
    values = [_values(item) | {"language": item.language} for item in (first, second)]
    for name in values[0]:
        both = [item[name] or "not known" for item in values]
        if both[0] != both[1]:
            yield f"{names} differ in {name}: {' and '.join(both)}"
    shared = [name for name in first.prompts if name in second.prompts]
    texts = [(first.prompts[name], second.prompts[name]) for name in shared]
    sets = [item.prompt_set or "not known" for item in (first, second)]
    own = all(name.startswith(OWN_PROMPTS) for name in sets)
    if any(a != b for a, b in texts) and not (own and first.language != second.language):
        yield (
            f"{names} were asked with prompts of different texts ({' and '.join(sets)}), "
            "which may change the scores"
        )


def _values(item: Measured) -> dict[str, str]:
    return {"mode": item.mode, "orders": item.orders, "prompts": ", ".join(item.prompts)}
