"""Two benchmarks whose templates come from the same ones: which are pairs, and how they differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.compare.pairs import paired_rows
from evaluation.compare.sides import Side
from evaluation.compare.values import corrected
from evaluation.qa.score import Row
from evaluation.qa.sources import OWN, Source


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides, with the sources that they share.

    Attributes:
        first: The first side.
        second: The second one.
        shared: What templates of both come from, in the order of the first.
    """

    first: Side
    second: Side
    shared: tuple[Source, ...]

    @classmethod
    def of(cls, first: Side, second: Side) -> "Pair":
        """Pair two sides."""
        there = set(second.sources.values())
        own = dict.fromkeys(first.sources.values())
        return cls(first, second, tuple(source for source in own if source in there))

    def notes(self) -> Iterator[str]:
        """Say which templates of a culture's own the other side lacks."""
        for side, other in ((self.first, self.second), (self.second, self.first)):
            own = [item for item in side.sources.values() if item.set.startswith(OWN)]
            lacking = sum(item not in self.shared for item in own)
            count = side.frame["template_id"].nunique()
            if lacking:
                yield (
                    f"{side.name}: {lacking:,} of {count:,} templates were newly created and are "
                    f"not in {other.name}"
                )

    def label(self, source: Source) -> str:
        """The labels of a source on both sides, one where they do not differ."""
        found = dict.fromkeys(side.label(source) for side in (self.first, self.second))
        return " / ".join(text for text in found if text)

    def rows(self, model: str, metrics: Sequence[str]) -> Iterator[Row]:
        """Yield how a model's scores differ, with `group_by`, `group` and the columns of `PAIRED`.

        Args:
            model: The model.
            metrics: Which scores.
        """
        for group_by, group, sources in self._groups():
            kept = frozenset(sources)
            frames, keys = [], []
            for side in (self.first, self.second):
                frame = side.frame[side.frame["model"] == model]
                of_row = frame["template_id"].map(side.sources.get)
                there = of_row.isin(kept)
                frames.append(frame[there])
                keys.append(of_row[there].tolist())
            for row in paired_rows(frames[0], frames[1], (keys[0], keys[1]), metrics):
                yield {"group_by": group_by, "group": group, **row}

    def _groups(self) -> Iterator[tuple[str, str, Sequence[Source]]]:
        """All that is shared, each category of the source, and each of several labels."""
        yield "overall", "", self.shared
        named = {source: self.first.categories[source] for source in self.shared}
        labelled = {source: self.label(source) for source in self.shared}
        for group_by, of in (("category", named), ("label", labelled)):
            found = [name for name in dict.fromkeys(of.values()) if name]
            if group_by == "category" or len(set(of.values())) > 1:
                for name in found:
                    yield group_by, name, [item for item in self.shared if of[item] == name]


_ORDER = {name: at for at, name in enumerate(("overall", "category", "label"))}


def in_families(rows: Sequence[Row]) -> list[Row]:
    """Correct the tests of each model and grouping by Holm; they are put in that order."""
    families: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        families.setdefault((str(row["model"]), str(row["group_by"])), []).append(row)
    order = sorted(families, key=lambda family: (family[0], _ORDER[family[1]]))
    return [row for family in order for row in corrected(families[family])]
