"""Which questions a bank asks of the public: what each template asks for, and how.

Whether a template is understood is asked of one filling of it.
"""

import random
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.bank.generate import disambiguated, draw_index, prepare
from curation.bank.rewording import retarget
from curation.files.bank import GroupBook
from curation.files.outcomes import Questions, outcomes
from curation.files.tables import read_flag
from curation.languages import LanguageOrCode
from curation.records.bank import (
    REFERENCE_COLUMN,
    Group,
    Label,
    QuestionType,
    Template,
    Variant,
    category_slug,
    target_slot,
)
from curation.records.culture import Culture
from curation.records.messages import CurateError, Finding, finding, has_errors, shortened
from curation.records.sample import Sample
from curation.records.survey import Decision, Option, Question, QuestionKind, Role, join_groups
from curation.slots.grammar import is_open, parse_fillers, parse_text
from survey.counts import NONE_CODE, group_question

Subject = tuple[str, str]
"""What a question is about: category, as ids write it, and stereotype."""
Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The target's groups and the non-target's."""


class Remarks:
    """Collects what is to be said of templates.

    Args:
        bank: The bank's path, as findings show it.
    """

    def __init__(self, bank: str) -> None:
        self._bank = bank
        self.findings: list[Finding] = []

    def say(self, template: Template | None, key: str, way: str = "", **words: object) -> None:
        """Say something of a template, or of the bank; an error keeps the survey from being built.

        Args:
            template: The template; None for the bank.
            key: What is said, as `findings.yaml` lists it.
            way: Which of several ways.
            words: What stands in braces.
        """
        words = {"id": template.id if template else "", "reference": REFERENCE_COLUMN, **words}
        said = finding("survey", key, self._bank, way=way, severity=None, **words)
        row = template.first.row or None if template else None
        self.findings.append(replace(said, row=row))


@dataclass(frozen=True, slots=True)
class Asked:
    """What one template asks for.

    Attributes:
        template: The template.
        category: Category as the culture writes it.
        stereotype: Its stereotype, on one line.
        select_all: Whether its groups are looked for among all of the category.
    """

    template: Template
    category: str
    stereotype: str
    select_all: bool

    @property
    def subject(self) -> Subject:
        """What it is about; templates with one subject share their questions."""
        return category_slug(self.category), self.stereotype


def asked_templates(
    templates: Iterable[Template], ledger: Sequence[Decision], culture: Culture
) -> list[Template]:
    """The templates that the survey asks about, in order of category and number.

    Those are all that nobody has taken out, whatever an earlier survey says of them.
    """
    found = outcomes(list(templates), (), ledger)
    ranks = {category_slug(item.id): at for at, item in enumerate(culture.categories)}
    left = [item.template for item in found if not item.is_out_of_use]
    last = len(ranks)
    return sorted(left, key=lambda item: (ranks.get(item.id.category, last), item.id))


def read_template(template: Template, culture: Culture, remarks: Remarks) -> Asked | None:
    """Read what a template asks for; None, and a remark, where nothing can be asked."""
    stereotype = " ".join(template.first.texts.stereotype.split())
    if not stereotype:
        way = "untranslated" if template.stereotype else "lacking"
        remarks.say(template, "questionnaire-stereotype", way)
        return None
    if not _is_plain(stereotype):
        remarks.say(template, "questionnaire-slots", stereotype=stereotype)
        return None
    if template.label is None:
        remarks.say(template, "questionnaire-label")
    known = next(
        (item for item in culture.categories if category_slug(item.id) == template.id.category),
        None,
    )
    select_all = template.label is Label.TARGET_MODIFIED or (
        known is not None and known.question is QuestionKind.SELECT_ALL
    )
    if select_all and _names_non_targets(template, remarks):
        select_all = False
    return Asked(template, known.id if known else template.category, stereotype, select_all)


def _is_plain(text: str) -> bool:
    try:
        return not parse_text(text).slots
    except CurateError:
        return False


def _names_non_targets(template: Template, remarks: Remarks) -> bool:
    """Read the curators' column; a template says it once for all of its variants."""
    cells = [
        cell
        for variant in template.variants
        for column, cell in variant.extra
        if column == REFERENCE_COLUMN and cell.strip()
    ]
    try:
        flags = {read_flag(cell, default=False) for cell in cells}
    except ValueError as error:
        remarks.say(template, "questionnaire-reference", "unread", error=error)
        return False
    if len(flags) > 1:
        remarks.say(template, "questionnaire-reference", "apart")
    return True in flags


def sides_of(asked: Asked, remarks: Remarks) -> Sides | None:
    """A template's target and non-target groups, which all its variants must state alike."""
    found = [_variant_sides(variant) for variant in asked.template.variants]
    sides = [item for item in found if item is not None]
    if len(sides) < len(found) or not sides:
        remarks.say(asked.template, "questionnaire-groups", "none")
        return None
    if len({(frozenset(target), frozenset(other)) for target, other in sides}) > 1:
        remarks.say(asked.template, "questionnaire-groups", "apart")
        return None
    return sides[0]


def _variant_sides(variant: Variant) -> Sides | None:
    """The groups of the target person, who may be of some of the target groups only."""
    texts = variant.texts
    people = {"N1": texts.n1_groups, "N2": texts.n2_groups}
    slot = target_slot(texts)
    other = people["N1" if slot == "N2" else "N2"]
    if not slot or not other:
        return None
    return tuple(dict.fromkeys(people[slot])), tuple(dict.fromkeys(other))


def stated_groups(template: Template) -> tuple[str, ...]:
    """The groups of a template's people; those of its target where the people are open."""
    named = (
        group
        for variant in template.variants
        for group in (*variant.texts.n1_groups, *variant.texts.n2_groups)
        or variant.texts.target_groups
    )
    return tuple(dict.fromkeys(named))


class Built:
    """The questions of a bank.

    Args:
        templates: Those to ask about, in order.
        culture: For the categories and how they are asked about.
        groups: The groups of the workspace.
        understandings: By template id, its question of comprehension.
        none_text: The option that no such stereotype exists.
        bank: The bank's path, as findings show it.

    Attributes:
        questions: Those about stereotypes, in order of category and template, then those of
            comprehension.
        subjects: By question id, what it is about; a question of comprehension is about its
            template's stereotype.
        templates: How many templates are asked about.
        findings: What keeps templates from being asked about, and what is to be said.
    """

    def __init__(
        self,
        templates: Sequence[Template],
        culture: Culture,
        groups: Sequence[Group],
        understandings: Mapping[str, Sample],
        none_text: str,
        *,
        bank: str = "bank.csv",
    ) -> None:
        self._groups, self._multiple = groups, culture.survey.target_multiple
        self._book, self._remarks = GroupBook(groups), Remarks(bank)
        self._none = Option(NONE_CODE, (), Role.NONE, counts=False, text=none_text)
        self.findings = self._remarks.findings
        read = [read_template(template, culture, self._remarks) for template in templates]
        every = [asked for asked in read if asked is not None]
        self.templates = len(every)
        self.subjects: dict[str, Subject] = {}
        found: dict[str, Question] = {}
        by_subject: dict[Subject, list[Asked]] = {}
        for asked in every:
            by_subject.setdefault(asked.subject, []).append(asked)
        for subject, members in by_subject.items():
            for question in self._questions_of(members):
                found.setdefault(question.id, question)
                self.subjects[question.id] = subject
        for asked in every:
            item = understandings.get(str(asked.template.id))
            if item is not None:
                question = self._comprehension(asked, item)
                found[question.id] = question
                self.subjects[question.id] = asked.subject
        self.questions = tuple(found.values())
        self._check_characters()
        if not has_errors(self.findings):
            self._check_matches(every)

    @property
    def saved(self) -> int:
        """Questions saved because several templates are linked to one."""
        asked = sum(item.kind is not QuestionKind.COMPREHENSION for item in self.questions)
        return self.templates - asked

    def _questions_of(self, members: Sequence[Asked]) -> Iterator[Question]:
        """Make the questions about one stereotype.

        Where one of its templates needs target selection, all are linked to that one question:
        its options hold the groups of the others too: with a question of validation beside it they
        would be linked to both.
        """
        deciding = next((asked for asked in members if asked.select_all), None)
        if deciding is None:
            yield from self._choices(members)
            return
        for asked in members:
            self._known(asked, stated_groups(asked.template))
            if not asked.select_all:
                self._remarks.say(
                    asked.template,
                    "questionnaire-kind",
                    stereotype=asked.stereotype,
                    other=deciding.template.id,
                )
        yield from self._select_all(deciding, members)

    def _select_all(self, asked: Asked, members: Sequence[Asked]) -> Iterator[Question]:
        groups = ordered_groups(self._groups, asked.category)
        counting = sum(group.counts for group in groups)
        if len(groups) < 2 or not counting:
            self._remarks.say(
                asked.template,
                "questionnaire-options",
                category=asked.category,
                groups=len(groups),
                counting=counting,
            )
            return
        if counting <= self._multiple:
            names = shortened([str(item.template.id) for item in members])
            key = "questionnaire-few-options"
            self._remarks.say(asked.template, key, counting=counting, names=names)
        labelled = [(group.group, (group.group,)) for group in groups]
        yield self._question(QuestionKind.SELECT_ALL, asked, labelled)

    def _choices(self, members: Sequence[Asked]) -> Iterator[Question]:
        firsts: dict[str, tuple[frozenset[str], Asked]] = {}
        for asked in members:
            sides = sides_of(asked, self._remarks)
            if sides is None or not self._known(asked, (*sides[0], *sides[1])):
                continue
            labelled = [(join_groups(side), side) for side in sides]
            question = self._question(QuestionKind.CHOICE, asked, labelled)
            target, first = firsts.setdefault(question.id, (frozenset(sides[0]), asked))
            if target != frozenset(sides[0]):
                other = first.template.id
                self._remarks.say(asked.template, "questionnaire-sides", other=other)
            yield question

    def _known(self, asked: Asked, groups: Iterable[str]) -> bool:
        unknown = [group for group in groups if not self._book.known(asked.category, group)]
        for group in unknown:
            key = "questionnaire-group-unknown"
            self._remarks.say(asked.template, key, group=group, category=asked.category)
        return not unknown

    def _question(
        self, kind: QuestionKind, asked: Asked, labelled: Sequence[tuple[str, Sequence[str]]]
    ) -> Question:
        category, stereotype = asked.category, asked.stereotype
        return group_question(kind, category, stereotype, labelled, self._book, self._none)

    def _comprehension(self, asked: Asked, item: Sample) -> Question:
        """Make the question whether a template is understood."""
        texts = item.choices
        if len({" ".join(text.split()) for text in texts}) < len(texts):
            answers = ", ".join(texts)
            self._remarks.say(asked.template, "questionnaire-answers", answers=answers)
        roles = Role.WRONG, Role.CORRECT, Role.WRONG
        return Question(
            id=f"c-{asked.template.id}",
            kind=QuestionKind.COMPREHENSION,
            category=asked.category,
            stereotype="",
            options=tuple(
                Option(str(code), (), role, counts=False, text=text)
                for code, (role, text) in enumerate(zip(roles, texts, strict=True), start=1)
            ),
            template_id=str(asked.template.id),
        )

    def _check_characters(self) -> None:
        """Find stereotypes and options that hold characters nobody can see."""
        for question in self.questions:
            for text in (question.stereotype, *(option.text for option in question.options)):
                if any(unicodedata.category(character) == "Cc" for character in text):
                    key = "questionnaire-characters"
                    self._remarks.say(None, key, question=question.id, text=text)

    def _check_matches(self, every: Sequence[Asked]) -> None:
        """Find templates that would be linked to no question, or to several."""
        book = Questions(self.questions)
        for asked in every:
            question, problem, _ = book.match(asked.template)
            if question is None:
                self._remarks.say(asked.template, "questionnaire-match", problem=problem)


def ordered_groups(groups: Iterable[Group], category: str) -> list[Group]:
    """The groups of a category in the order of the file, each parent before its parts."""
    mine = {group.group: group for group in groups if group.category == category}
    parts: dict[str, list[Group]] = {}
    for group in mine.values():
        parent = group.parent if group.parent in mine else ""
        parts.setdefault(parent, []).append(group)
    ordered: dict[str, Group] = {}

    def walk(members: Collection[Group]) -> None:
        for group in members:
            if group.group not in ordered:
                ordered[group.group] = group
                walk(parts.get(group.group, ()))

    walk(parts.get("", ()))
    walk(mine.values())  # what hangs in a circle of parents
    return list(ordered.values())


def understandings(
    templates: Sequence[Template],
    culture: Culture,
    groups: Sequence[Group],
    remarks: Remarks,
    language: LanguageOrCode,
) -> dict[str, Sample]:
    """Fill one counter-biased context of each template, with its counter-biased question.

    Args:
        templates: The templates.
        culture: For the unknown expression, and for the seed of the filling, which depends on the
            template's id beside, and on nothing else.
        groups: For templates that leave their groups open: any two of the category stand in.
        remarks: Takes what keeps a template from being filled.
        language: The culture's.

    Returns:
        By template id the sample that asks whether it is understood: of its choices the second is
        correct.
    """
    found = {}
    for template in templates:
        if template.first.texts.is_empty:
            continue  # not translated: that is said where its stereotype is missing
        try:
            found[str(template.id)] = _understanding(template, culture, groups, language)
        except CurateError as error:
            place = f" ({error.where})" if error.where else ""
            remarks.say(template, "questionnaire-comprehension", error=f"{error.what}{place}")
    return found


def _understanding(
    template: Template, culture: Culture, groups: Sequence[Group], language: LanguageOrCode
) -> Sample:
    variant, seed = _counter_biased(template), culture.questionnaire.seed
    if is_open(variant.texts):
        sides = _stand_ins(variant, groups, seed)
        variant = retarget(variant, sides[:1], sides[1:], groups, language)
    filling = prepare(variant, language)
    index = draw_index(str(template.id), variant.letter.pair, seed, filling.count)
    sample = disambiguated(filling, culture.unknown, index, QuestionType.COUNTER_BIASED)
    texts = map(_readable, (sample.context, sample.question, *sample.choices))
    context, question, wrong, correct, unknown = texts
    return sample._replace(context=context, question=question, choices=(wrong, correct, unknown))


def _readable(text: str) -> str:
    """Take out control characters: nobody sees them, and workbooks cannot hold them."""
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) != "Cc"
    )


def _counter_biased(template: Template) -> Variant:
    """The first variant whose context contradicts the stereotype.

    Raises:
        CurateError: If there is none, or it is not written.
    """
    variant = next((item for item in template.variants if not item.letter.is_biased), None)
    if variant is None:
        raise CurateError("it has no variant a, whose context contradicts the stereotype")
    texts = variant.texts
    for name in ("disambiguating_context", "counter_biased_question", "counter_biased_answer"):
        if not getattr(texts, name).strip():
            raise CurateError(f"its {name} is not written", f"row {variant.row}, column {name}")
    return variant


def _stand_ins(variant: Variant, groups: Sequence[Group], seed: int) -> list[str]:
    """Draw two groups of a category that have fillers, neither a part of another group.

    Raises:
        CurateError: If the category has fewer.
    """
    able = [
        group.group
        for group in groups
        if group.category == variant.category and not group.parent and parse_fillers(group.fillers)
    ]
    if len(able) < 2:
        raise CurateError(
            f"its groups are left to the survey: two groups of {variant.category} with fillers "
            f"are needed in their place, and there {'is' if len(able) == 1 else 'are'} {len(able)}",
            "groups.csv, column fillers",
        )
    rng = random.Random(f"{seed}:{variant.template_id}:groups")  # noqa: S311  # a seeded draw
    return rng.sample(able, 2)
