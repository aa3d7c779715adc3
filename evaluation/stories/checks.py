"""What still gives the people of a story away, and what makes it no story."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.records.findings import Severity
from curation.slots import Slot, parse_text
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.neutral import ROLES
from evaluation.stories.placeholders import PEOPLE
from evaluation.stories.records import Remark, StoryPair, Version, remark

COLUMN = "disambiguating_context"
_EDIT = "edit the text: curate evaluate stories sheet"
_HINTS = {
    "story-version-missing": "write it: the same with the two people exchanged",
    "story-form-unknown": f"write agreement instead, such as [N1|a/an], or {_EDIT}",
    "story-filler-inside-word": f"check whether the word reveals who the person is; {_EDIT}",
}
_ERRORS = ("story-version-missing", "story-no-person", "story-form-unknown")
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
            for rule, text in self._version(version):
                yield self._say(version, rule, text, str(version.variant.id))
        last = pair.versions[-1]
        for rule, text in self._apart(pair.versions):
            yield self._say(last, rule, text, pair.name)

    def _say(self, version: Version, rule: str, text: str, subject: str) -> Remark:
        file, row = (self.overrides, None) if version.edited else (self.bank, version.variant.row)
        severity = Severity.ERROR if rule in _ERRORS else Severity.WARNING
        return remark(subject, rule, severity, (file, row, COLUMN), text, _HINTS.get(rule, _EDIT))

    def _version(self, version: Version) -> Iterator[tuple[str, str]]:
        """Rules that one version breaks, each with how."""
        neutral, language = version.neutral, self.language
        there = language.whole(neutral.printed, language.written)
        if not there or (not version.edited and not neutral.mentions):
            yield "story-no-person", "the disambiguating part names neither person"
        if neutral.unformed:
            yield (
                "story-form-unknown",
                f"the forms of slot {neutral.unformed[0]} follow no rule that also applies to a "
                "placeholder",
            )
        texts = version.variant.texts
        for slot in () if version.edited else PEOPLE:
            contexts = (texts.ambiguous_context, texts.disambiguating_context)
            slots = [item.name for text in contexts for item in parse_text(text).slots]
            if slots.count(slot) < 2:
                yield (
                    "story-person-once",
                    f"the contexts mention person {slot} only once, so no placeholder is used for "
                    "that person",
                )
        names = [part.name for part in neutral.text.parts if isinstance(part, Slot)]
        if any(name[0] == "X" for name in names):
            yield (
                "story-pair-bound",
                "the disambiguating part has a word that is bound to the people (X1, X2)",
            )
        yield from self._given_away(version)

    def _texts(self, version: Version) -> str:
        """All that the neutral part can read: its text and the words of its slots."""
        parts = [part if isinstance(part, str) else " " for part in version.neutral.text.parts]
        names = [part.name for part in version.neutral.text.parts if isinstance(part, Slot)]
        words = version.fillers(list(dict.fromkeys(names)))
        return " | ".join(("".join(parts), *words))

    def _given_away(self, version: Version) -> Iterator[tuple[str, str]]:
        """Look for names, groups and words of gender that the neutral part still holds."""
        text, language = self._texts(version), self.language
        groups = self.groups.get(version.variant.category, ())
        people = version.fillers(PEOPLE)
        left = language.whole(text, list(dict.fromkeys((*people, *groups))))
        if left:
            yield "story-person-left", f"{_listed(left)} is still in the disambiguating part"
        for filler in people:
            words = language.inside(text, filler)
            if words:
                what = f"'{filler}' is inside {_listed(words)} in the disambiguating part"
                yield "story-filler-inside-word", what
        # Gendered words tell who is who where the two people are of different gender.
        found = [word for words in language.gendered(text) for word in words]
        both = [language.gendered(" | ".join(version.fillers([slot]))) for slot in PEOPLE]
        genders = sorted((bool(feminine), bool(masculine)) for feminine, masculine in both)
        if found and genders == [(False, True), (True, False)]:
            yield (
                "story-gendered",
                f"{_listed(found)} in the disambiguating part tells the two people apart: one is "
                "a woman and the other a man",
            )
        counts = language.placeholder_counts(text)
        for role, placeholder, count in zip(ROLES, language.placeholders, counts, strict=True):
            if count > self.repeat_limit:
                yield (
                    "story-placeholder-repeated",
                    f"'{placeholder}' ({role}) occurs {count} times in the disambiguating part; "
                    f"the limit is {self.repeat_limit}",
                )

    def _apart(self, versions: Sequence[Version]) -> Iterator[tuple[str, str]]:
        """Both versions must be there and read alike, in their words of gender too."""
        if len(versions) < 2:
            missing = versions[0].variant.id.twin.short
            what = f"variant {missing} is missing, so the story has no second version"
            yield "story-version-missing", what
            return
        first, second = (version.neutral.printed.split() for version in versions)
        if first == second:
            return
        words = [self.language.gendered(self._texts(version)) for version in versions]
        one, other = ({*feminine, *masculine} for feminine, masculine in words)
        if one != other:
            what = f"the two versions differ in words of gender: {_listed(sorted(one ^ other))}"
            yield "story-versions-gendered", what
        yield (
            "story-versions-differ",
            "the disambiguating parts of the two versions differ",
        )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words[:_SHOWN]) + (", ..." if words[_SHOWN:] else "")
