"""What still gives the people of a story away, and what makes it no story."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.records.findings import Severity
from curation.slots import Slot
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.neutral import ROLES
from evaluation.stories.placeholders import PEOPLE
from evaluation.stories.records import Remark, StoryPair, Version, remark

COLUMN = "disambiguating_context"
_EDIT = "edit the text: curate evaluate stories sheet"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks stories.

    Attributes:
        language: What the language needs.
        repeat_limit: How often a placeholder may occur in a story.
        bank: The bank as findings show it.
        overrides: The file of edited texts as findings show it.
        groups: By category the names of its groups.
    """

    language: StoryLanguage
    repeat_limit: int
    bank: str
    overrides: str
    groups: Mapping[str, Sequence[str]]

    def check(self, pairs: Sequence[StoryPair]) -> list[Remark]:
        """Remarks on some stories, in their order."""
        return [item for pair in pairs for item in self._pair(pair)]

    def _pair(self, pair: StoryPair) -> Iterator[Remark]:
        for version in pair.versions:
            yield from self._people(version)
            yield from self._left(version)
            yield from self._gender(version)
            yield from self._repeated(version)
        if not pair.is_whole:
            only = pair.versions[0]
            missing = only.variant.id.twin.short
            yield self._say(
                only,
                "story-version-missing",
                Severity.ERROR,
                f"variant {missing} is missing, so the story has no second version",
                "write it: the same with the two people exchanged",
                pair.name,
            )
            return
        yield from self._apart(pair)

    def _say(
        self,
        version: Version,
        rule: str,
        severity: Severity,
        text: str,
        hint: str = _EDIT,
        subject: str = "",
    ) -> Remark:
        file, row = (self.overrides, None) if version.edited else (self.bank, version.variant.row)
        place = file, row, COLUMN
        return remark(subject or str(version.variant.id), rule, severity, place, text, hint)

    def _people(self, version: Version) -> Iterator[Remark]:
        """Both people must be named in both parts, and as placeholders in the second."""
        there = self.language.whole(version.neutral.printed, self.language.written)
        if not there or (not version.edited and not version.neutral.mentions):
            yield self._say(
                version,
                "story-no-person",
                Severity.ERROR,
                "the disambiguating part names neither person",
            )
        if version.neutral.unformed:
            slot = version.neutral.unformed[0]
            yield self._say(
                version,
                "story-form-unknown",
                Severity.ERROR,
                f"the forms of slot {slot} follow no rule that also applies to a placeholder",
                f"write agreement instead, such as [{slot}|a/an], or {_EDIT}",
            )
        counts = [version.mentions_in(field) for field in ("ambiguous_context", COLUMN)]
        for slot in PEOPLE:
            if not version.edited and sum(count[slot] for count in counts) < 2:
                yield self._say(
                    version,
                    "story-person-once",
                    Severity.WARNING,
                    (
                        f"the contexts mention person {slot} only once, so no placeholder is "
                        "used for that person"
                    ),
                )
        if any(
            isinstance(part, Slot) and part.name[0] == "X" for part in version.neutral.text.parts
        ):
            yield self._say(
                version,
                "story-pair-bound",
                Severity.WARNING,
                "the disambiguating part has a word that is bound to the people (X1, X2)",
            )

    def _texts(self, version: Version) -> str:
        """All that the neutral part can read: its text and the words of its slots."""
        parts = [part if isinstance(part, str) else " " for part in version.neutral.text.parts]
        names = [part.name for part in version.neutral.text.parts if isinstance(part, Slot)]
        words = version.fillers(list(dict.fromkeys(names)))
        return " | ".join(("".join(parts), *words))

    def _left(self, version: Version) -> Iterator[Remark]:
        """Look for names and groups that the neutral part still holds."""
        text = self._texts(version)
        groups = self.groups.get(version.variant.category, ())
        people = version.fillers(PEOPLE)
        left = self.language.whole(text, list(dict.fromkeys((*people, *groups))))
        if left:
            yield self._say(
                version,
                "story-person-left",
                Severity.WARNING,
                f"{_listed(left)} is still in the disambiguating part",
            )
        for filler in people:
            words = self.language.inside(text, filler)
            if words:
                yield self._say(
                    version,
                    "story-filler-inside-word",
                    Severity.WARNING,
                    f"'{filler}' is inside {_listed(words)} in the disambiguating part",
                    "check whether the word reveals who the person is; " + _EDIT,
                )

    def _gender(self, version: Version) -> Iterator[Remark]:
        """Gendered words tell who is who where the two people are of different gender."""
        found = self.language.gendered(self._texts(version))
        people = [self.language.gendered(" | ".join(version.fillers([slot]))) for slot in PEOPLE]
        genders = [tuple(bool(words) for words in person) for person in people]
        differ = sorted(genders) == [(False, True), (True, False)]
        words = [*found[0], *found[1]]
        if words and differ:
            yield self._say(
                version,
                "story-gendered",
                Severity.WARNING,
                (
                    f"{_listed(words)} in the disambiguating part tells the two "
                    "people apart: one is a woman and the other a man"
                ),
            )

    def _repeated(self, version: Version) -> Iterator[Remark]:
        counts = self.language.placeholder_counts(self._texts(version))
        named = zip(ROLES, self.language.placeholders, counts, strict=True)
        for role, placeholder, count in named:
            if count > self.repeat_limit:
                yield self._say(
                    version,
                    "story-placeholder-repeated",
                    Severity.WARNING,
                    (
                        f"'{placeholder}' ({role}) occurs {count} times in the "
                        f"disambiguating part; the limit is {self.repeat_limit}"
                    ),
                )

    def _apart(self, pair: StoryPair) -> Iterator[Remark]:
        """The two versions must read alike, in their words of gender too."""
        second = pair.versions[1]
        texts = [version.neutral.printed for version in pair.versions]
        if " ".join(texts[0].split()) == " ".join(texts[1].split()):
            return
        words = [self.language.gendered(self._texts(version)) for version in pair.versions]
        gendered = [sorted({*part[0], *part[1]}) for part in words]
        if gendered[0] != gendered[1]:
            apart = sorted(set(gendered[0]) ^ set(gendered[1]))
            yield self._say(
                second,
                "story-versions-gendered",
                Severity.WARNING,
                f"the two versions differ in words of gender: {_listed(apart)}",
                subject=pair.name,
            )
        yield self._say(
            second,
            "story-versions-differ",
            Severity.WARNING,
            "the disambiguating parts of the two versions differ",
            subject=pair.name,
        )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words[:_SHOWN]) + (", ..." if words[_SHOWN:] else "")
