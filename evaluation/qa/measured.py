"""How scores came about: what two of them must share to be compared, told by content."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from curation.records.errors import CurateError
from evaluation.prompts import OWN_PROMPTS

Measured = Mapping[str, Any]
"""How models were asked and their replies read, as manifests hold it: `mode`, `orders`, `language`
and `samples_sha256`, of which those lack that are not known; and of `prompts` the `name` of the
set, and by id what identifies the texts of each (`sha256`)."""
_ALIKE = {
    "mode": "score both with the same --mode: strict reads each language by its own rules",
    "orders": "ask both with the same orders",
    "prompts": "score both over the same prompts, named with --requests FILE",
}
"""What must be the same on both sides, with what to do."""


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
    names = ("mode", "orders", "language", "samples_sha256")
    texts = {name: str(known.get(name, "")) for name in sorted(ids)}
    return {
        **{name: str(settings[name]) for name in names if settings.get(name)},
        "prompts": {"name": str(prompts.get("name") or ""), "sha256": texts},
    }


def refuse_unlike(one: tuple[str, Measured], two: tuple[str, Measured], where: str) -> None:
    """Refuse to compare scores that were asked for, or read, in ways that change them.

    Args:
        one: What the first is called, and how it was measured.
        two: Likewise the second.
        where: Both places.

    Raises:
        CurateError: If mode, orders or the prompts' ids differ.
    """
    values = [_values(item) for _, item in (one, two)]
    for name, hint in _ALIKE.items():
        first, second = (item[name] for item in values)
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
    values = [_values(item) | {"language": item.get("language", "")} for _, item in (one, two)]
    for name in values[0]:
        both = [item[name] or "not known" for item in values]
        if both[0] != both[1]:
            yield f"{names} differ in {name}: {' and '.join(both)}"
    first, second = (item["prompts"]["sha256"] for _, item in (one, two))
    sets = [item["prompts"]["name"] or "not known" for _, item in (one, two)]
    own = all(name.startswith(OWN_PROMPTS) for name in sets)
    in_two = values[0]["language"] != values[1]["language"]
    if any(first[it] != second[it] for it in first if it in second) and not (own and in_two):
        yield (
            f"{names} were asked with prompts of different texts ({' and '.join(sets)}), "
            "which may change the scores"
        )


def _values(item: Measured) -> dict[str, str]:
    ids = ", ".join(item["prompts"]["sha256"])
    return {"mode": item.get("mode", ""), "orders": item.get("orders", ""), "prompts": ids}
