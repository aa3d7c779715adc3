"""The two versions of a story as the bank gives them, with what editors changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.model.bank import Template, Variant
from curation.model.errors import CurateError
from curation.model.ids import VariantLetter
from curation.slots import SlotList, declared_lists, parse_text
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.neutral import PEOPLE, Neutral, neutralise


@dataclass(frozen=True, slots=True)
class Version:
    """One variant of a template as a story.

    Attributes:
        variant: The variant.
        lists: Its lists by slot.
        made: Its disambiguating part without its people, as the toolkit makes it.
        neutral: The same as it is used: edited, if somebody edited it.
    """

    variant: Variant
    lists: Mapping[str, SlotList]
    made: Neutral
    neutral: Neutral

    @property
    def edited(self) -> bool:
        """Whether an editor changed the text."""
        return self.neutral is not self.made

    def mentions_in(self, field: str) -> dict[str, int]:
        """Count how often each person is named in a text of the variant."""
        names = [slot.name for slot in parse_text(getattr(self.variant.texts, field)).slots]
        return {name: names.count(name) for name in PEOPLE}

    def fillers(self, names: Sequence[str]) -> list[str]:
        """Give the fillers of some slots, each once."""
        found = [f.text for name in names if name in self.lists for f in self.lists[name].fillers]
        return list(dict.fromkeys(item for item in found if item))


@dataclass(frozen=True, slots=True)
class StoryPair:
    """A story in its two versions.

    Attributes:
        template: The template.
        pair: `ab` or `cd`, the variants that the versions are.
        versions: The versions in order; one is missing where the template lacks the variant.
    """

    template: Template
    pair: str
    versions: tuple[Version, ...]

    @property
    def is_whole(self) -> bool:
        """Whether both versions are there."""
        return len(self.versions) == 2

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"{self.template.id}{'/'.join(self.pair)}"


def story_pairs(
    templates: Sequence[Template],
    code: str,
    language: StoryLanguage,
    texts: Mapping[str, str],
    *,
    published: bool = False,
) -> list[StoryPair]:
    """Make the stories of templates.

    Args:
        templates: The templates.
        code: ISO 639-1 code of the language.
        language: What the language needs.
        texts: By variant the text that editors gave its disambiguating part.
        published: Make it as BBG's own files have it.

    Raises:
        CurateError: If a text or list of a variant cannot be read.
    """
    pairs = []
    for template in templates:
        for letters in ("ab", "cd"):
            found = tuple(
                _version(variant, code, language, texts, published)
                for letter in letters
                for variant in template.variants
                if variant.letter is VariantLetter(letter)
            )
            if found:
                pairs.append(StoryPair(template, letters, found))
    return pairs


def _version(
    variant: Variant,
    code: str,
    language: StoryLanguage,
    texts: Mapping[str, str],
    published: bool,
) -> Version:
    own = variant.texts
    try:
        lists = declared_lists(own.names, own.words)
        made = neutralise(own.disambiguating_context, lists, code, language, published=published)
        edited = texts.get(str(variant.id))
        neutral = made if edited is None else made.edited(edited)
    except CurateError as error:
        where = f"bank, row {variant.row}, {variant.id}" if variant.row else str(variant.id)
        raise CurateError(error.what, where, error.hint or "see 'curate check'") from error
    return Version(variant, lists, made, neutral)
