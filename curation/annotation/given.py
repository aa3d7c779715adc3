"""What a person has answered to one task, whatever it came in, and how it joins what is there.

A row of a workbook, a page of Label Studio and a record of another tool's file become one `Given`.
What may be taken of it, how it is compared with what was collected before, and what stands in the
table afterwards is the same for all of them.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from curation.records.annotation import person_key

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Given:
    """One person's answer to one task.

    Attributes:
        uid: The key of what was asked about.
        person: The name of who answered.
        said: What stands there, by question or column.
        source: How the medium is named in `source_file`.
        at: When it was read, UTC, ISO 8601.
        refuse: Says of a question, where the answer stands, why it cannot be taken.
        hash: Of what the person was shown; empty where that is not known.
    """

    uid: str
    person: str
    said: Mapping[str, str]
    source: str
    at: str
    refuse: Callable[[str, str], None]
    hash: str = ""

    def text(self, name: str) -> str:
        """What was said to a question."""
        return self.said.get(name, "").strip()


def join(
    before: Sequence[R],
    new: Sequence[R],
    key: Sequence[str],
    drops: Callable[[R], bool],
    *,
    apart: Sequence[str] = ("collected_at",),
) -> tuple[list[R], dict[str, int]]:
    """Put answers into the table of earlier ones; what did not change stays as it was collected.

    Args:
        before: What is there.
        new: What was read now, no two rows of one key.
        key: The fields that tell rows apart, that of the person first.
        drops: Which earlier rows go, though nothing was read in their place.
        apart: Fields in which a row may differ and still be the same.

    Returns:
        All rows, and by person who answered now how many of their earlier rows are others now.
    """

    def key_of(row: R) -> tuple[str, ...]:
        return person_key(getattr(row, key[0])), *(str(getattr(row, name)) for name in key[1:])

    def plain(row: R) -> R:
        return replace(row, **dict.fromkeys(apart, ""))

    people = {person_key(getattr(row, key[0])): getattr(row, key[0]) for row in new}
    read = {key_of(row): row for row in new}
    replaced: Counter[str] = Counter()
    rows: list[R] = []
    for row in before:
        now, who = read.get(key_of(row)), people.get(key_of(row)[0])
        is_same = now is not None and plain(now) == plain(row)
        if is_same:
            read[key_of(row)] = row
        elif now is None and not drops(row):
            rows.append(row)
        if who is not None:
            replaced[who] += not is_same and (now is not None or drops(row))
    return [*rows, *read.values()], dict(sorted(replaced.items()))


def people_in(new: Sequence[R], field: str) -> Callable[[R], bool]:
    """Tells of a row whether it is by somebody who has answered now, however they are spelled."""
    people = {person_key(getattr(row, field)) for row in new}
    return lambda row: person_key(getattr(row, field)) in people
