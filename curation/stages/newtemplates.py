"""New templates (NC): the workbook that people write them in, and the pair made of a row."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.io.workbooks import Book, Column, Sheet, SheetRow
from curation.model.bank import (
    GROUP_FIELDS,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Bank,
    Group,
    Label,
    Texts,
    Variant,
)
from curation.model.errors import CurateError
from curation.model.ids import TemplateId, VariantId, VariantLetter, category_slug
from curation.model.survey import split_groups
from curation.slots import (
    Slot,
    SlotError,
    SlotList,
    SlotText,
    generalise,
    parse_lists,
    parse_text,
    print_lists,
    print_text,
)

NEW = "new"
"""The kind of the workbook."""
SHEET = "templates"
"""The sheet that is filled in."""
OTHER = "_b"
"""What the names of columns end in that hold a text of variant b, where it differs."""
_EXCHANGED = {"N1": "N2", "N2": "N1", "X1": "X2", "X2": "X1"}

_INSTRUCTIONS = (
    "# New templates",
    "Each row of the sheet 'templates' is one new template: a stereotype that is known in this "
    "culture and that the source benchmark has not. Write at least its category, stereotype, "
    "groups, texts, names, and where the stereotype is documented (reference).",
    "A row is variant a: the person who is NOT of the target group does what the stereotype "
    "says. Variant b is made of it by exchanging the two people.",
    "ambiguous_context leaves open who it was; disambiguating_context tells. biased_question "
    "asks for the person of the stereotype, counter_biased_question for the other; biased_answer "
    "and counter_biased_answer are the persons that variant a gives, such as [N1] and [N2].",
    "[N1] and [N2] are the two people. names lists who they can be, N1: [baker, cook]; N2: "
    "[potter, weaver], the two lists of like length where possible; n1_groups and n2_groups are "
    "their groups. words lists other words that change, W1: [spring, autumn].",
    "Where a particle or an article follows the name, write agreement, [N1|은/는] or [N1|a/an]. If "
    "forms must be listed, [N1: form, form], write the text of variant b in the column that ends "
    "in _b.",
    "The sheet 'groups' lists the groups that there are; a new one is added by: curate groups.",
    "",
    "# 새 템플릿",
    "'templates' 시트의 한 행이 새 템플릿 하나입니다. 우리 문화에 알려져 있으나 원본 "
    "벤치마크에는 없는 고정관념을 적습니다. 범주, 고정관념, 집단, 본문, 이름 목록과 근거 "
    "문헌(reference)은 꼭 적어 주세요.",
    "한 행은 a형입니다. 대상 집단이 아닌 사람이 고정관념에 맞는 행동을 합니다. b형은 두 "
    "사람을 맞바꾸어 만듭니다.",
    "ambiguous_context는 누가 그랬는지 알 수 없는 글, disambiguating_context는 알 수 있게 하는 "
    "글입니다. biased_question은 고정관념에 맞는 사람을, counter_biased_question은 다른 사람을 "
    "묻습니다. 답은 a형에서의 정답으로 [N1], [N2]처럼 적습니다.",
    "names에는 두 사람의 이름을 N1: [제빵사, 요리사]; N2: [도예가, 직조공]처럼, n1_groups와 "
    "n2_groups에는 그들의 집단을, words에는 바뀌는 낱말을 W1: [봄, 가을]처럼 적습니다.",
    "이름 뒤 조사는 [N1|은/는]처럼 적습니다. 꼴을 직접 늘어놓아야 하면 b형의 글을 _b로 끝나는 "
    "열에 적어 주세요.",
    "'groups' 시트에 집단 목록이 있습니다. 새 집단은 curate groups로 더합니다.",
)


def _text(name: str, width: float, note: str, *, required: bool = True) -> Column:
    return Column(name, width, editable=True, required=required, note=note)


def new_sheet(categories: Sequence[str], rows: int) -> Sheet:
    """Give the sheet of new templates, empty."""
    columns = (
        Column(
            "category",
            18,
            editable=True,
            choices=tuple(categories),
            required=True,
            note="From the list; new categories are added in culture.yaml.",
        ),
        _text("stereotype", 30, "What is said of the target group, one sentence."),
        _text("target_groups", 22, "The groups it is about, separated by commas."),
        _text("n1_groups", 22, "The groups of [N1], separated by commas."),
        _text("n2_groups", 22, "The groups of [N2], separated by commas."),
        _text("ambiguous_context", 50, "Leaves open who it was."),
        _text("disambiguating_context", 50, "Tells that the other person, not the target, did it."),
        _text("biased_question", 36, "Asks for the person of the stereotype."),
        _text("counter_biased_question", 36, "Asks for the other person."),
        _text("biased_answer", 18, "The answer of biased_question in this row, such as [N1]."),
        _text("counter_biased_answer", 18, "The answer of the other question, such as [N2]."),
        _text("names", 44, "N1: [baker, cook]; N2: [potter, weaver]"),
        _text("words", 30, "W1: [spring, autumn]; empty where none is used.", required=False),
        _text("reference", 36, "Where the stereotype is documented."),
        _text("note", 24, "Remarks.", required=False),
        *(
            _text(f"{name}{OTHER}", 40, "Only where forms are listed: variant b.", required=False)
            for name in SLOT_TEXT_FIELDS[:2]
        ),
    )
    return Sheet(SHEET, columns, blank=rows)


def new_book(categories: Sequence[str], groups: Iterable[Group], rows: int) -> Book:
    """Give the workbook: the empty sheet, and the groups to look up."""
    names = ("category", "group", "parent", "fillers")
    listed = tuple(
        SheetRow(f"{item.category}/{item.group}", {name: getattr(item, name) for name in names})
        for item in groups
    )
    known = Sheet("groups", tuple(Column(name, 30) for name in names), listed)
    return Book(NEW, (new_sheet(categories, rows), known), _INSTRUCTIONS)


class RowError(CurateError):
    """A cell of a new template that cannot be used."""

    def __init__(self, column: str, what: str, hint: str) -> None:
        super().__init__(what, hint=hint)
        self.column = column


@dataclass(frozen=True, slots=True)
class NewTemplate:
    """What a row gives: variants a and b, or the template that the bank holds already."""

    first: Variant
    second: Variant
    known_as: TemplateId | None = None


class Numbers:
    """Gives new templates the next free ids.

    Args:
        taken: Ids that are in use, or once were.
    """

    def __init__(self, taken: Iterable[TemplateId]) -> None:
        self._last: dict[str, int] = {}
        for item in taken:
            self._last[item.category] = max(self._last.get(item.category, 0), item.number)

    def next(self, category: str) -> TemplateId:
        """Give the next id of a category."""
        slug = category_slug(category)
        self._last[slug] = self._last.get(slug, 0) + 1
        return TemplateId(slug, self._last[slug])


def make_pair(
    cells: Mapping[str, str], bank: Bank, numbers: Numbers, language: str, row: int
) -> NewTemplate:
    """Make variants a and b of a row.

    In b the groups and the lists of the two people (and of X1 and X2) are exchanged. Listed
    forms of theirs are rewritten as agreement where they follow one.

    Args:
        cells: The row.
        bank: The bank, in which the template may be already.
        numbers: Of free ids.
        language: The culture's, for agreement.
        row: What the variants give as their row.

    Raises:
        RowError: If a list of groups cannot be read, or the texts of b cannot be made.
    """
    texts = _texts(cells)
    category = cells["category"].strip()
    for item in bank.variants:
        if item.letter is VariantLetter.A and (item.category, item.texts) == (category, texts):
            return NewTemplate(item, item, item.template_id)
    other = _exchanged(texts, cells, language)
    name = numbers.next(category)
    first = Variant(
        id=VariantId(name, VariantLetter.A),
        category=category,
        label=Label.NEWLY_CREATED,
        texts=texts,
        reference=cells["reference"].strip(),
        note=cells["note"].strip(),
        row=row,
    )
    second = replace(first, id=VariantId(name, VariantLetter.B), texts=other)
    return NewTemplate(first, second)


def _texts(cells: Mapping[str, str]) -> Texts:
    values: dict[str, str | tuple[str, ...]] = {}
    for name in TEXT_FIELDS:
        text = cells[name].strip()
        try:
            values[name] = split_groups(text) if name in GROUP_FIELDS else text
        except ValueError as error:
            raise RowError(name, f"'{text}' is no list of groups", "separate by commas") from error
    return Texts(**values)  # type: ignore[arg-type]  # group fields hold tuples, the others text


def _exchanged(texts: Texts, cells: Mapping[str, str], language: str) -> Texts:
    """Exchange the two people; what cannot be read is left as it is, for the checks to say."""
    try:
        lists = {**parse_lists(texts.names), **parse_lists(texts.words)}
        return Texts(
            stereotype=texts.stereotype,
            target_groups=texts.target_groups,
            names=_exchange_lists(texts.names),
            words=_exchange_lists(texts.words),
            n1_groups=texts.n2_groups,
            n2_groups=texts.n1_groups,
            **{name: _other_text(name, texts, cells, lists, language) for name in SLOT_TEXT_FIELDS},
        )
    except SlotError:
        return texts


def _exchange_lists(text: str) -> str:
    """Give each of two people, or of X1 and X2, the other's list."""
    lists = parse_lists(text)
    swapped = [
        replace(lists[_EXCHANGED[name]], name=name)
        if name in _EXCHANGED and _EXCHANGED[name] in lists
        else item
        for name, item in lists.items()
    ]
    return print_lists(swapped) if swapped else text


def _other_text(
    name: str,
    texts: Texts,
    cells: Mapping[str, str],
    lists: Mapping[str, SlotList],
    language: str,
) -> str:
    written = cells.get(f"{name}{OTHER}", "").strip()
    if written:
        return written
    parsed = parse_text(getattr(texts, name))
    parts = tuple(
        _general(name, part, lists, language) if isinstance(part, Slot) else part
        for part in parsed.parts
    )
    return getattr(texts, name) if parts == parsed.parts else print_text(SlotText(parts))


def _general(name: str, slot: Slot, lists: Mapping[str, SlotList], language: str) -> Slot:
    """Rewrite listed forms of one of two who are exchanged."""
    if slot.forms is None or slot.name not in _EXCHANGED or slot.name not in lists:
        return slot
    general = generalise(slot, lists[slot.name].fillers, language)
    if general is None:
        where = f", or write the text of variant b in {name}{OTHER}"
        raise RowError(
            name,
            f"the forms listed for {slot.name} do not tell those of variant b",
            f"write [{slot.name}] or agreement such as [{slot.name}|은/는]"
            + (where if name in SLOT_TEXT_FIELDS[:2] else ""),
        )
    return general
