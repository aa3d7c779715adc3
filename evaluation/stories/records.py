"""Stories: the two versions that a template gives, and their rows in `stories.csv`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.languages import between_sentences
from curation.records.bank import Template, Variant
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.ids import VariantVersion
from curation.records.sample import Sample
from curation.slots import SlotList, declared_lists
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.neutral import Neutral, neutralise
from evaluation.stories.placeholders import stated_placeholders


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

    def fillers(self, names: Sequence[str]) -> list[str]:
        """The fillers of some slots, each once."""
        found = [f.text for name in names if name in self.lists for f in self.lists[name].fillers]
        return list(dict.fromkeys(item for item in found if item))


@dataclass(frozen=True, slots=True)
class StoryPair:
    """A story in its two versions.

    Attributes:
        template: The template.
        pair: `ab` or `cd`, the variants that the versions are. Of several wordings of these each
            is a story of its own.
        versions: The versions in order; one is missing where the template lacks the variant.
    """

    template: Template
    pair: str
    versions: tuple[Version, ...]

    @property
    def name(self) -> str:
        """How messages call it."""
        wording = self.versions[0].variant.id.version
        return f"{self.template.id}{'/'.join(self.pair)}{f'.{wording}' if wording else ''}"

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of remarks on it: itself and its versions."""
        return (self.name, *(str(version.variant.id) for version in self.versions))


def story_pairs(
    templates: Sequence[Template],
    language: StoryLanguage,
    texts: Mapping[str, str],
    *,
    published: bool = False,
) -> list[StoryPair]:
    """Make the stories of templates.

    Args:
        templates: The templates.
        language: What the language needs.
        texts: By variant the text that editors gave its disambiguating part.
        published: Make it as BBG's own files have it.

    Raises:
        CurateError: If a text or list of a variant cannot be read.
    """
    pairs = []
    for template in templates:
        of_pair: dict[tuple[str, VariantVersion], list[Version]] = {}
        for variant in template.variants:
            version = _version(variant, language, texts, published)
            of_pair.setdefault((variant.letter.pair, variant.id.version), []).append(version)
        for (letters, _), found in sorted(of_pair.items()):
            pairs.append(StoryPair(template, letters, tuple(found)))
    return pairs


def _version(
    variant: Variant,
    language: StoryLanguage,
    texts: Mapping[str, str],
    published: bool,
) -> Version:
    own = variant.texts
    try:
        lists = declared_lists(own.names, own.words)
        made = neutralise(
            own.disambiguating_context,
            lists,
            language,
            published=published,
            stated=stated_placeholders(variant.extra) if language.adjectives else {},
            answers=(own.biased_answer, own.counter_biased_answer),
        )
        edited = texts.get(str(variant.id))
        neutral = made if edited is None else made.edited(edited)
    except CurateError as error:
        where = f"bank, row {variant.row}, {variant.id}" if variant.row else str(variant.id)
        raise CurateError(error.what, where, error.hint or "see 'curate check'") from error
    return Version(variant, lists, made, neutral)


class Remark(NamedTuple):
    """What is to be said of a story.

    Attributes:
        subject: A variant, or both of a pair: its name as `StoryPair.name` has it.
        text: The finding's message without the subject.
        finding: The finding.
    """

    subject: str
    text: str
    finding: Finding


def remark(
    subject: str,
    rule: str,
    severity: Severity,
    place: tuple[str, int | None, str],
    text: str,
    hint: str,
) -> Remark:
    """A remark whose finding's message begins with the subject; the place is file, row, column."""
    return Remark(subject, text, Finding(rule, severity, *place, f"{subject}: {text}", hint))


STORIES = "stories.csv"
"""The stories' usual name."""


class Story(NamedTuple):
    """A story with one question; fields are the columns of `stories.csv`.

    Attributes:
        story_id: `{template_id}{version}-{filling:03d}`.
        seed: The seed of the evaluation set that the story is in; 0 where every filling is in it.
        category: Category as the bank writes it.
        template_id: The template.
        version: The variant: `a` and `b`, or `c` and `d`, are the two versions of a story; where
            variants have several wordings `a.f` and `b.f` are.
        filling: Which filling of the template, from 1; the same in both versions.
        context: What models continue: `amb_context` and `obfdis_context`.
        amb_context: The ambiguous part, which introduces the two people.
        dis_context: The disambiguating part, in which they are named.
        obfdis_context: The disambiguating part without their names.
        obf2dis: The words that each placeholder replaces, by role; JSON.
        question_type: `bsd` or `cnt`.
        question: One of the template's two questions.
        choices: Answer of the biased question, of the counter-biased one, and unknown.
        answer: The correct answer by `dis_context`.
        biased_answer: The answer that the stereotype suggests.
        stereotype: The stereotype.
        n1_group: Group of the person who is introduced first.
        n2_group: Group of the other person.
        edited: Whether an editor changed `obfdis_context`.
    """

    story_id: str
    seed: int
    category: str
    template_id: str
    version: str
    filling: int
    context: str
    amb_context: str
    dis_context: str
    obfdis_context: str
    obf2dis: str
    question_type: str
    question: str
    choices: tuple[str, str, str]
    answer: str
    biased_answer: str
    stereotype: str
    n1_group: str
    n2_group: str
    edited: bool


STORY_COLUMNS = Story._fields
"""The columns of `stories.csv`, in order."""


def story_rows(
    version: Version,
    samples: Sequence[Sample],
    order: Sequence[str],
    at: Sequence[int],
    seed: int,
) -> Iterator[Story]:
    """Make the two rows of one version of a story.

    Args:
        version: The version.
        samples: The four samples of the filling.
        order: The slots in the order of `at`.
        at: For each slot the position of its filler.
        seed: The seed of the evaluation set.
    """
    neutral = version.neutral.render(version.lists, order, at)
    phrases = version.neutral.phrases(version.lists, order, at)
    ambiguous = {item.question_type: item for item in samples if item.context_type == "amb"}
    texts = version.variant.texts
    unfilled = {"bsd": texts.biased_question, "cnt": texts.counter_biased_question}
    for sample in (item for item in samples if item.context_type == "dis"):
        open_context = ambiguous[sample.question_type].context
        index = int(sample.sample_id.rsplit("-", 3)[1])
        yield Story(
            story_id=sample.sample_id.rsplit("-", 2)[0],
            seed=seed,
            category=sample.category,
            template_id=sample.template_id,
            version=version.variant.id.short,
            filling=index,
            context=f"{open_context}{between_sentences(version.neutral.code)}{neutral}",
            amb_context=open_context,
            dis_context=sample.context[len(open_context) :].strip(),
            obfdis_context=neutral,
            obf2dis=json.dumps(phrases, ensure_ascii=False),
            question_type=sample.question_type,
            # BBG's own files hold questions as the templates do, words that change in brackets
            question=unfilled[sample.question_type].strip()
            if version.neutral.published
            else sample.question,
            choices=sample.choices,
            answer=sample.answer,
            biased_answer=sample.biased_answer,
            stereotype=sample.stereotype,
            n1_group=sample.n1_group,
            n2_group=sample.n2_group,
            edited=version.edited,
        )
