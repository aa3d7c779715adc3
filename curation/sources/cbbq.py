"""CBBQ's template files (Huang and Xiong 2024): Chinese, four files a category.

A negative and a non-negative file hold the two questions of a template, in a folder of ambiguous
and one of disambiguating contexts: four rows make one template. The published samples name the two
people in either order where they are mentioned first, and never exchange their roles. So a template
has variants `a` and `c`, or `b` and `d` where the disambiguating context confirms the stereotype;
the second of them mentions the other person first. Who is the target is told by the answers, as
the reader of samples tells it; where they do not tell, the role is open, and the letters are `a`
and `c`.

Which question and which context a row has is told by the published names of file and folder, before
its cells. Rows that do not go together in every word make templates of their own besides, so that
every published sample comes out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from curation.files.tables import Row
from curation.languages import load
from curation.records.bank import OPEN_COLUMN, TemplateId, Texts, Variant, VariantId, VariantLetter
from curation.records.messages import Finding, finding
from curation.slots.grammar import Slot, print_text
from curation.sources import imported
from curation.sources.roles import Role, agreed, by_answers, groups_of_cell

FORMAT = imported.template_format("cbbq")
_CONDITIONS = {"ambiguous": False, "ambig": False, "disambiguous": True, "disambig": True}
_POLARITIES = {"neg": True, "nonneg": False}
_ANSWERS = ("ans0", "ans1")
_ONE, _TWO = "{{NAME1}}", "{{NAME2}}"
_LETTERS = "acbd"
"""Letters, by whether the target is in the stereotyped role, then by the order of mention."""
_SENTENCE = re.compile('[^\u3002\uff01\uff1f!?]*[\u3002\uff01\uff1f!?]+[\u201d"]?')


class _Item(NamedTuple):
    """A row of one of the four files.

    Attributes:
        report: Where remarks on it go.
        row: The row.
        slug: Its category as ids write it.
        category: Its category.
        disambiguates: Whether its context is a disambiguated one.
        negative: Whether its question is the negative one.
        names: The fillers of both people.
        groups: The groups that it names.
        context: What is told.
        question: What is asked.
        answers: `ans0` and `ans1`.
        label: Which of them is right.
    """

    report: imported.RowReport
    row: Row
    slug: str
    category: str
    disambiguates: bool
    negative: bool
    names: tuple[tuple[str, ...], tuple[str, ...]]
    groups: imported.Groups
    context: str
    question: str
    answers: tuple[str, str]
    label: str

    def contexts(self) -> tuple[str, str]:
        """Its context with the people mentioned in either order, as the samples have it."""
        first_only = self.disambiguates and any("{{" in answer for answer in self.answers)
        return self.context, _exchanged(self.context, first_only=first_only)


class _Scene(NamedTuple):
    """One variant before it has a letter.

    Attributes:
        order: 0 as the rows have the people, 1 where the other is mentioned first.
        ambiguous: The ambiguous context.
        disambiguating: What follows it.
        questions: The negative and the non-negative question.
        answers: `ans0` and `ans1`.
        negative: Which of them answers the negative question.
    """

    order: int
    ambiguous: str
    disambiguating: str
    questions: tuple[str, str]
    answers: tuple[str, str]
    negative: int

    def gives(self, item: _Item) -> bool:
        """Whether the samples of a row, in this order of mention, are among its own."""
        context = item.contexts()[self.order]
        own = self.ambiguous
        if item.disambiguates:
            own += self.disambiguating
            if item.label != str(self.negative if item.negative else 1 - self.negative):
                return False
        said = self.questions[not item.negative], self.answers
        return _squeezed(own) == _squeezed(context) and said == (item.question, item.answers)


def read(paths: Sequence[Path]) -> imported.Imported:
    """Read templates.

    Raises:
        CurateError: If a file as a whole cannot be read, none holds templates, or all lack the
            rows that belong to them.
    """
    reports, other = FORMAT.open(paths)
    categories: dict[str, list[_Item]] = {}
    for item, _, _ in imported.read_rows(reports, _item):
        categories.setdefault(item.category, []).append(item)
    variants = [made for items in categories.values() for made in _variants(items, other)]
    return FORMAT.imported(reports, variants, other)


def _item(row: Row, report: imported.RowReport) -> _Item:
    slug, category = FORMAT.category_of(row)
    folder, _, file = report.table.file.rpartition("/")
    disambiguates = _stated(_CONDITIONS, (folder, row["context_condition"]))
    if disambiguates is None:
        raise imported.cell_error("condition-unclear", "context_condition")
    stated = Path(file).stem.partition("generate_")[2], row["question_polarity"]
    negative = _stated(_POLARITIES, stated)
    if negative is None:
        raise imported.cell_error("polarity-unclear", "question_polarity")
    context, asked, one, other = (
        imported.text_of(row, it) for it in ("context", "question", *_ANSWERS)
    )
    label = row["label"].strip()
    if disambiguates and label not in ("0", "1"):
        raise imported.cell_error("label-unclear", "label", cell=row["label"])
    names = _fillers(row, "NAME1"), _fillers(row, "NAME2")
    groups = groups_of_cell(row.get("bias_targeted_groups"))
    item = partial(_Item, report, row, slug, category, disambiguates, negative, names, groups)
    return item(context, asked, (one, other), label)


def _stated(known: Mapping[str, bool], texts: Sequence[str]) -> bool | None:
    """What the first text says that says anything: folder or file, before a cell."""
    plain = (re.sub(r"[\W_]", "", text).casefold() for text in texts)
    return next((known[text] for text in plain if text in known), None)


def _fillers(row: Row, column: str) -> tuple[str, ...]:
    """Read `[a, b]`; white space inside a name is not in the published samples."""
    inside = row[column].strip().strip("[]")
    found = ("".join(item.split()).strip("\"'") for item in re.split("[,\uff0c\u3001]", inside))
    if filled := tuple(filter(None, found)):
        return filled
    raise imported.cell_error("nobody-named", column)


def _exchanged(text: str, *, first_only: bool = False) -> str:
    """A context with the people exchanged, all over or where each is mentioned first."""
    seen: list[str] = []

    def other(match: re.Match[str]) -> str:
        seen.append(match[0])
        if first_only and seen.count(match[0]) > 1:
            return match[0]
        return _TWO if match[0] == _ONE else _ONE

    return re.sub(f"{re.escape(_ONE)}|{re.escape(_TWO)}", other, text)


def _squeezed(text: str) -> str:
    return "".join(text.split())


_Pair = tuple[_Item, _Item]


def _variants(items: Sequence[_Item], findings: list[Finding]) -> Iterator[Variant]:
    """Make the templates of a category of its rows."""
    files = {
        kind: [item for item in items if (item.disambiguates, item.negative) == kind]
        for kind in product((False, True), (True, False))
    }
    lacking = [
        f"{'neg' if negative else 'non_neg'} of {'dis' * disambiguates}ambiguous contexts"
        for (disambiguates, negative), found in files.items()
        if not found
    ]
    if lacking:
        of, file, count = items[0].category, items[0].report.table.file, len(items)
        told = finding(__package__, "half-missing", file, category=of, lacking=lacking, count=count)
        findings.append(told)
        for item in items:
            item.report.refused.add(item.row.number)
        return
    open_pairs = _twins(files[False, True], files[False, False])
    free = max(item.row.number for item in files[True, True])
    extra = iter(range(free, free + 4 * len(items) + 1))
    for pair in _twins(files[True, True], files[True, False]):
        twin = _open_twin(pair, open_pairs)
        if twin is None:
            _refuse(pair, "there is no ambiguous context for it")
            continue
        open_pairs.remove(twin)
        yield from _template(pair, twin, extra)
    for pair in open_pairs:
        _refuse(pair, "there is no disambiguating context for it")


def _refuse(items: Iterable[_Item], why: str) -> None:
    for item in items:
        item.report.say("twin-missing", item.row.number, "context", why=why)


def _twins(negative: Sequence[_Item], others: Sequence[_Item]) -> list[_Pair]:
    """Pair the rows of the two questions: of one context, else of one index and the same names.

    Files are parallel, and indices slip: of several rows with one context the one in the same row
    goes before the one with the same index.
    """
    left = list(others)
    found: dict[int, _Item] = {}
    keys: tuple[Callable[[_Item], object], ...] = (
        lambda item: (_squeezed(item.context), item.names, item.row.number),
        lambda item: (_squeezed(item.context), item.names, _index(item)),
        lambda item: (_squeezed(item.context), item.names),
        lambda item: (_index(item), item.names),
    )
    for key, (place, item) in product(keys, enumerate(negative)):
        twin = next((other for other in left if key(other) == key(item)), None)
        if place not in found and twin is not None:
            found[place] = twin
            left.remove(twin)
    alone = [item for place, item in enumerate(negative) if place not in found]
    _refuse(alone, "there is no non-negative row for it")
    _refuse(left, "there is no negative row for it")
    return [(negative[place], twin) for place, twin in sorted(found.items())]


def _index(item: _Item) -> str:
    return item.row[FORMAT.number].strip()


def _open_twin(pair: _Pair, candidates: Sequence[_Pair]) -> _Pair | None:
    """The ambiguous rows of a template: of its context and questions, else context or index."""
    whole = _squeezed(pair[0].context)

    def fits(twin: _Pair) -> int:
        """How well they fit: 4 where context and both questions do, 0 where nothing does."""
        if twin[0].names != pair[0].names:
            return 0
        if whole.startswith(_squeezed(twin[0].context)):
            same = sum(a.question == b.question for a, b in zip(twin, pair, strict=True))
            return 2 + same
        return _index(twin[0]) == _index(pair[0])

    return max(filter(fits, candidates), key=fits, default=None)


def _template(pair: _Pair, twin: _Pair, extra: Iterator[int]) -> Iterator[Variant]:
    """Yield the variants of a template, and of those that its rows make besides."""
    rows = (*pair, *twin)
    scenes: list[_Scene] = []
    for order, item in product((0, 1), rows):
        if not any(scene.order == order and scene.gives(item) for scene in scenes):
            scenes.append(_scene(item, pair, twin, order))
    head = pair[0]
    template = TemplateId(head.slug, head.row.number - 1)
    roles = [_role(scene.answers, rows) for scene in scenes]
    taken: dict[TemplateId, set[VariantLetter]] = {template: set()}
    for scene, role in zip(scenes, roles, strict=True):
        letter = VariantLetter(_LETTERS[2 * (scene.negative == role.at) + scene.order])
        home = next((name for name, letters in taken.items() if letter not in letters), None)
        if home is None:
            home = TemplateId(head.slug, next(extra))
            told = {"template": template, "home": home}
            head.report.say("rows-differ", head.row.number, "question", **told)
        taken.setdefault(home, set()).add(letter)
        yield _variant(scene, head, VariantId(home, letter), role)
    if why := next((role.why for role in roles if role.at is None), ""):
        places = ", ".join(f"{item.report.table.file} row {item.row.number}" for item in rows)
        message = f"{template} does not say who is the target of '{'/'.join(head.groups)}': {why}"
        head.report.open_role(head.row.number, "bias_targeted_groups", f"{message} ({places})")


def _role(answers: tuple[str, str], rows: Sequence[_Item]) -> Role:
    """Who is the target by two answers, in all fillings and for the groups of all rows.

    Rows that do not tell leave it to the others.
    """
    return agreed(
        by_answers((_filled(answers[0], names), _filled(answers[1], names)), item.groups)
        for item in rows
        for names in product(*item.names)
    )


def _filled(answer: str, names: Sequence[str]) -> str:
    return answer.replace(_ONE, names[0]).replace(_TWO, names[1])


def _scene(item: _Item, pair: _Pair, twin: _Pair, order: int) -> _Scene:
    """The variant that gives the samples of a row, and as many of the other rows' as can be."""
    opening = twin[0].contexts()[order]
    told = pair[0].contexts()[order]
    questions = pair[0].question, pair[1].question
    negative = int(pair[0].label)
    if item.disambiguates:
        told = item.contexts()[order]
        negative = int(item.label) if item.negative else 1 - int(item.label)
    else:
        opening = item.contexts()[order]
    at = _length(told, opening)
    if at is None:
        at = _sentences(told, opening)
        opening = told[:at] if item.disambiguates else opening
    rest = told[at:]
    own = (item.question, questions[1]) if item.negative else (questions[0], item.question)
    return _Scene(order, opening.strip(), rest.strip(), own, item.answers, negative)


def _length(text: str, beginning: str) -> int | None:
    """How much of a text a beginning takes, white space apart; None if it begins otherwise."""
    wanted = r"\s*".join(map(re.escape, _squeezed(beginning)))
    found = re.match(rf"\s*{wanted}", text)
    return found.end() if found else None


def _sentences(text: str, like: str) -> int:
    """Where as many sentences of a text end as another has."""
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    count = len(_SENTENCE.findall(like))
    return ends[min(count, len(ends)) - 1] if ends and count else 0


def _variant(scene: _Scene, item: _Item, name: VariantId, role: Role) -> Variant:
    groups = item.groups
    not_of = load(FORMAT.written_in[0]).general
    other = not_of.none_of.format(groups="/".join(groups)) if not_of is not None and groups else ""
    people: list[imported.Groups] = [(), ()]
    named = [] if role.at is None else [slot in scene.answers[role.at] for slot in (_ONE, _TWO)]
    if sum(named) == 1:
        people = [groups if is_target else (other,) * bool(other) for is_target in named]
    answers = [
        _text(answer, item, column, (slot,))
        for answer, column, slot in zip(scene.answers, _ANSWERS, (_ONE, _TWO), strict=True)
    ]
    texts = Texts(
        stereotype=item.row.get("subcategory").strip(),
        target_groups=groups,
        ambiguous_context=_text(scene.ambiguous, item, "context"),
        disambiguating_context=_text(scene.disambiguating, item, "context"),
        biased_question=_text(scene.questions[0], item, "question", ()),
        counter_biased_question=_text(scene.questions[1], item, "question", ()),
        biased_answer=answers[scene.negative],
        counter_biased_answer=answers[1 - scene.negative],
        **imported.list_cells(dict(zip(("N1", "N2"), item.names, strict=True))),
        n1_groups=people[0],
        n2_groups=people[1],
    )
    is_open = ((OPEN_COLUMN, role.why),) if role.at is None else ()
    extra = (("cbbq_unknown", item.row["ans2"].strip()), *is_open)
    return FORMAT.variant(item.row, name, texts, category=item.category, extra=extra)


def _text(text: str, item: _Item, column: str, slots: Iterable[str] = (_ONE, _TWO)) -> str:
    """Write a text in the bank's grammar; a slot that the samples do not fill stays as it is."""
    names = dict(zip((_ONE, _TWO), ("N1", "N2"), strict=True))
    parts = (
        Slot(names[part]) if part in slots else part
        for part in re.split(r"(\{\{NAME[12]\}\})", text)
    )
    return print_text(imported.as_published(parts, item.row, column, item.report))
