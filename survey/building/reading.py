"""What each template asks for: its stereotype, its groups, and how they are asked about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.io.tables import read_flag
from curation.model.bank import REFERENCE_COLUMN, Label, Template, Variant, target_slot
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.ids import category_slug
from curation.model.survey import Decision, Outcome, QuestionKind, Rule
from curation.slots import parse_text
from survey.ledger import current

Subject = tuple[str, str]
"""What a question is about: category, as ids write it, and stereotype."""
Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The target's groups and the non-target's."""

_HINTS = {
    "stereotype": "write the stereotype in the culture's language, or label the template SR",
    "slots": "write it without: respondents read it as it stands",
    "label": "its label decides how it is asked about: classify it before the survey",
    "reference": f"write true or false in {REFERENCE_COLUMN}, the same for all of its variants",
    "kind": "nothing to do; it would have been validated with its own groups otherwise",
    "options": "groups.csv must list two groups of the category at least, one that counts",
    "sides": "one question cannot ask both: mend the target of one, or its stereotype",
    "groups": "the groups of one person must be among target_groups and those of the other not, "
    "alike in all variants; or ask about all groups of the category, with "
    "'question: select_all' in culture.yaml",
    "group-unknown": "add it, with its parent and whether it counts, or mend its spelling",
    "answers": "mend its answers, or the unknown expression in culture.yaml",
    "comprehension": "see 'curate check'; every template is asked about once",
    "empty": "import templates, or label what is there other than SR",
    "signs": "take them out of bank.csv and groups.csv",
    "match": "every template must hang on exactly one question: mend its groups",
}


class Remarks:
    """Collects what is to be said of templates.

    Args:
        bank: The bank's path, as findings show it.
    """

    def __init__(self, bank: str) -> None:
        self._bank = bank
        self.findings: list[Finding] = []

    def say(
        self, template: Template, rule: str, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Say something of a template; an error keeps the survey from being built."""
        self._add(rule, severity, template.first.row or None, f"{template.id}: {message}")

    def say_of_bank(self, rule: str, message: str) -> None:
        """Say something of the bank that keeps the survey from being built."""
        self._add(rule, Severity.ERROR, None, message)

    def _add(self, rule: str, severity: Severity, row: int | None, message: str) -> None:
        self.findings.append(
            Finding(f"questionnaire-{rule}", severity, self._bank, row, "", message, _HINTS[rule])
        )


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
    """Give the templates that the survey asks about, in order of category and number.

    Those labelled SR are out, and those that a person has dropped.
    """
    rulings = current(ledger)
    ranks = {category_slug(item.id): at for at, item in enumerate(culture.categories)}

    def dropped(template: Template) -> bool:
        ruling = rulings.get((str(template.id), Rule.OVERRIDE))
        return ruling is not None and ruling.outcome is Outcome.DROP

    left = [
        template
        for template in templates
        if template.label is not Label.SAMPLE_REMOVED and not dropped(template)
    ]
    last = len(ranks)
    return sorted(left, key=lambda item: (ranks.get(item.id.category, last), item.id))


def read_template(template: Template, culture: Culture, remarks: Remarks) -> Asked | None:
    """Read what a template asks for; None, and a remark, where nothing can be asked."""
    stereotype = " ".join(template.first.texts.stereotype.split())
    if not stereotype:
        what = "is not translated" if template.stereotype else "has no stereotype"
        remarks.say(template, "stereotype", f"it {what}, so that nobody can be asked about it")
        return None
    if not _is_plain(stereotype):
        remarks.say(template, "slots", f"the stereotype '{stereotype}' has slots")
        return None
    if template.label is None:
        remarks.say(template, "label", "nobody has classified it yet", Severity.WARNING)
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
        remarks.say(template, "reference", str(error))
        return False
    if len(flags) > 1:
        remarks.say(template, "reference", f"its variants differ in {REFERENCE_COLUMN}")
    return True in flags


def sides_of(asked: Asked, remarks: Remarks) -> Sides | None:
    """Give a template's target and non-target groups, which all its variants must state alike."""
    found = [_variant_sides(variant) for variant in asked.template.variants]
    sides = [item for item in found if item is not None]
    if len(sides) < len(found) or not sides:
        remarks.say(asked.template, "groups", "it states no two sides to ask about")
        return None
    if len({(frozenset(target), frozenset(other)) for target, other in sides}) > 1:
        remarks.say(asked.template, "groups", "its variants are about different groups")
        return None
    return sides[0]


def _variant_sides(variant: Variant) -> Sides | None:
    """Give the groups of the target person, who may be of some of the target groups only."""
    texts = variant.texts
    people = {"N1": texts.n1_groups, "N2": texts.n2_groups}
    slot = target_slot(texts)
    other = people["N1" if slot == "N2" else "N2"]
    if not slot or not other:
        return None
    return tuple(dict.fromkeys(people[slot])), tuple(dict.fromkeys(other))


def stated_groups(template: Template) -> tuple[str, ...]:
    """Give the groups of a template's people; those of its target where the people are open."""
    named = (
        group
        for variant in template.variants
        for group in (*variant.texts.n1_groups, *variant.texts.n2_groups)
        or variant.texts.target_groups
    )
    return tuple(dict.fromkeys(named))
