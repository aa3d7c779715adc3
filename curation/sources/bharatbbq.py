"""BharatBBQ's template files (Tomar et al. 2025): Indian English, several rows a template.

`Pairing` says who is in the stereotyped role: in a `biased` row the answer to the negative question
is the target, in an `anti` row the other person. So `biased` rows are variants `b` and `d`, `anti`
rows `a` and `c`, whatever the published `version` says. Where `NAME1_info` and `NAME2_info` state
the stereotyped group of the other person alone, the role is open. A template may come with several
lists of people: those with proper names are version `p`, a further list is `c` and `d`. The
published examples are every filling of every row. What is no slot in them is none here either: a
slot without a list stands in the published texts as it is written, and so it does in the bank, with
a finding.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from curation.files.jsonl import Record, stream
from curation.files.tables import Row, list_literal
from curation.records.bank import ANSWER_FIELDS, TemplateId, Texts, VariantVersion
from curation.records.messages import CellError, CurateError
from curation.slots import grammar
from curation.sources import imported
from curation.sources.bbq_people import simple_target, target_person
from curation.sources.roles import folded

FORMAT = imported.template_format("bharatbbq")
_PROPER = ("Proper Nouns", "Proper_Nouns", "Proper_Noun", "Proper_nouns_only")
_TARGETS = (
    *("Known_stereotyped_groups", "Known_stereotyped_group"),
    *("Known_stereotyped_race", "Known_stereotyped_var2"),
)
_SLOT = re.compile(r"\{\{\s*([A-Za-z0-9]+)\s*\}\}")
_BOUND = ("GEN", "OCC")
"""What a person is besides: slots that change places with the people."""
_UNNUMBERED = 1000
"""What is added to the row of a template whose `Q_id` is no number."""
_PROPER_ROWS = "1"
"""What rows with proper names have in their column; other values but 0 are further lists."""

Question = tuple[str, str, bool, bool]
"""What rows and published examples have in common: category, number, whether the pairing is
`biased`, and whether people have proper names."""


def question(example: Record) -> Question:
    """The question of a published example."""

    def cell(column: str) -> str:
        return str(example.get(column) or "").strip()

    biased = cell("Pairing").casefold() == "biased"
    number = cell("Qid").removesuffix(".0")
    return folded(cell("Category")), number, biased, cell("Proper_Noun") == _PROPER_ROWS


def doubts(path: Path, folder: Path | None) -> Callable[[Record], bool] | None:
    """Find published examples whose templates leave it open who the target is, whatever they say.

    Args:
        path: The file of examples; templates are in a folder beside its own.
        folder: Where they are, if they are not there.

    Returns:
        Whether an example is such a one; None where there are no templates.

    Raises:
        CurateError: If a file cannot be read.
    """
    beside = sorted(path.resolve().parent.parent.glob("*[Tt]emplate*"))
    places = (*beside, *([folder] if folder is not None else ()))
    files = (list(filter(are_templates, sorted(place.rglob("*.csv")))) for place in places)
    templates = next(filter(None, files), None)
    if templates is None:
        return None
    open_ones = set()
    for item in (item for item in read(templates).variants if item.role_open):
        category = folded(item.source_category or item.category)
        is_proper = item.id.version is VariantVersion.PROPER_NAMES
        number = item.source_id.removesuffix(".0")
        open_ones.add((category, number, item.letter.is_biased, is_proper))
    return lambda record: question(record) in open_ones


def are_templates(path: Path) -> bool:
    """Whether a table has the columns of template files."""
    try:
        return not FORMAT.lacking(stream(path, "").names)
    except CurateError:
        return False


def read(paths: Sequence[Path]) -> imported.Imported:
    """Read templates.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    reports, other = FORMAT.open(paths)
    drafts: list[imported.UnletteredVariant] = []
    templates: dict[TemplateId, int] = {}
    counted: Counter[object] = Counter()
    for (draft, people), row, _ in imported.read_rows(reports, _variant):
        of_list = draft.template, people == _PROPER_ROWS, people
        first = templates.setdefault(draft.template, len(templates))
        # a biased and an anti row of one list are a pair
        unit = (first, *of_list[1:], counted[*of_list, draft.is_biased])
        counted[*of_list, draft.is_biased] += 1
        drafts.append(replace(draft, unit=unit, says=tuple(row.cells.items())))
    variants = [variant for _, variant in imported.settled(FORMAT, drafts)[0]]
    return FORMAT.imported(reports, variants, other)


def _variant(row: Row, report: imported.RowReport) -> tuple[imported.UnletteredVariant, str]:
    """What a row says, and which list of people it has: empty, or as `Proper Nouns` says."""
    template, category = _template(row, report)
    pairing = row["Pairing"].strip().casefold()
    if not pairing:
        raise imported.cell_error("no-pairing", "Pairing")
    if pairing not in ("biased", "anti"):
        report.say("pairing-unclear", row.number, "Pairing", cell=row["Pairing"])
    lists = _slots({**_lists(row, "Names", report), **_words(row, report)})
    parts = {
        field: _text(row, FORMAT.first(row, names), lists, report)
        for field, names in FORMAT.texts.items()
    }
    fillers = dict(sorted(lists.values(), key=lambda own: own[0] if own[0][0] == "N" else "Z"))
    targets = _targets(row)
    biased = pairing == "biased"
    one, other = (parts[field].names for field in ANSWER_FIELDS)
    negative = imported.answering(one, other)
    (n1_groups, n2_groups), why = _roles(row, report, targets, negative, biased)
    texts = Texts(
        stereotype=row.get("Relevant_social_values").strip(),
        target_groups=targets,
        n1_groups=n1_groups,
        n2_groups=n2_groups,
        **imported.list_cells(fillers),
        **{field: grammar.print_text(text) for field, text in parts.items()},
    )
    people = next((row[name].strip() for name in _PROPER if name in row.cells), "").lstrip("0")
    is_proper = people == _PROPER_ROWS
    draft = imported.UnletteredVariant(
        report,
        row,
        template,
        category,
        texts,
        texts,
        texts,
        biased,
        published=row.get("version").strip().casefold(),
        version=VariantVersion.PROPER_NAMES if is_proper else VariantVersion.ONLY,
        open=why,
    )
    return draft, people


def _template(row: Row, report: imported.RowReport) -> tuple[TemplateId, str]:
    slug, category = FORMAT.category_of(row, Path(report.table.file).stem)
    if not re.search(r"[^\W_]", row[FORMAT.category]):
        report.say("no-category", row.number, FORMAT.category, category=category)
    try:
        return TemplateId(slug, FORMAT.number_of(row)), category
    except CellError:
        name = row[FORMAT.number].strip()
        same = (one.number for one in report.table.rows if one[FORMAT.number].strip() == name)
        template = TemplateId(slug, _UNNUMBERED + (next(same) if name else row.number))
        report.say("no-number", row.number, FORMAT.number, name=name, template=template)
        return template, category


_Lists = dict[str, tuple[str, ...]]
_Slots = dict[str, tuple[str, tuple[str, ...]]]


def _lists(row: Row, column: str, report: imported.RowReport) -> _Lists:
    """Read `{{NAME1}}: [a, b]; {{NAME2}}: [c]`, as the published examples were made of it."""
    lists: _Lists = {}
    for entry in filter(None, (part.strip() for part in row.get(column).split(";"))):
        name, *written = entry.split(":")
        key = _key(name)
        if not key or len(written) != 1 or not written[0].strip():
            raise imported.cell_error("no-list", column, near=entry[:20])
        if key in lists:
            raise imported.cell_error("two-lists", column, slot=key)
        items = list_literal(written[0].strip()) or written[0].strip("[] \n").split(",")
        lists[key] = tuple(item.strip() for item in items)
        odd = [item for item in lists[key] if not item or {*"[]{}"} & {*item}]
        if odd:
            report.say("odd-name", row.number, column, key=key, odd=odd[0])
    if not lists and column == "Names":
        raise imported.cell_error("nobody-named", column)
    return lists


def _words(row: Row, report: imported.RowReport) -> _Lists:
    try:
        return _lists(row, "Lexical_diversity", report)
    except CellError as error:
        said = {"what": error.what, "hint": error.hint}
        report.say("words-unreadable", row.number, error.column, **said)
        return {}


def _key(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", name).upper()


def _slots(lists: _Lists) -> _Slots:
    """The fillers by published slot, each with the name of the slot in the bank.

    Raises:
        CellError: If there are more slots than the grammar has names for.
    """
    names: dict[str, str] = {"NAME1": "N1", "NAME2": "N2"}
    if bound := next((kind for kind in _BOUND if {f"{kind}1", f"{kind}2"} <= {*lists}), ""):
        names |= {f"{bound}1": "X1", f"{bound}2": "X2"}
    names |= {key: f"W{key[4:]}" for key in lists if re.fullmatch(r"WORD[1-9]\d?", key)}
    taken = {*names.values()}
    free = (name for number in range(1, 100) if (name := f"W{number}") not in taken)
    names |= {key: next(free, "") for key in lists if key not in names}
    if "" in names.values():
        raise imported.cell_error("too-many-slots", "Lexical_diversity")
    return {key: (names[key], fillers) for key, fillers in lists.items()}


def _text(row: Row, column: str, lists: _Slots, report: imported.RowReport) -> grammar.SlotText:
    """Read a text; what looks like a slot and has no list is reported, and stays as it is."""
    *literals, last = _SLOT.split(imported.text_of(row, column))
    parts: list[str | grammar.Slot] = []
    for literal, name in zip(literals[::2], literals[1::2], strict=True):
        own = lists.get(_key(name))
        parts += [literal, grammar.Slot(own[0]) if own else f"{{{{{name}}}}}"]
    return imported.as_published((*parts, last), row, column, report)


def _targets(row: Row) -> tuple[str, ...]:
    """The stereotyped groups; with two attributes, every pair of them."""
    stated = [groups for name in _TARGETS if (groups := imported.read_groups(row.get(name)))]
    return tuple(" ".join(pair) for pair in product(*stated)) if stated else ()


def _roles(
    row: Row,
    report: imported.RowReport,
    targets: imported.Groups,
    negative: int | None,
    biased: bool,
) -> tuple[imported.People, str]:
    """The people's groups, and why it is open who the target is.

    Where nothing is stated of the other person, they are of none of the target groups.
    """
    one, two = (imported.read_groups(row.get(name)) for name in ("NAME1_info", "NAME2_info"))
    said = target_person(simple_target(targets), (one, two))
    if negative is None or not targets:
        column = "Answer_negative" if targets else "Known_stereotyped_groups"
        report.say("target-by-pairing", row.number, column)
        return (one, two), ""
    target = negative if biased else 3 - negative
    if said not in (None, target):
        why = f"NAME{said} is stated to be of the target groups, by the pairing it is NAME{target}"
        report.open_role(row.number, "Pairing", f"{why}, and so it is by Target of the examples")
        return (one, two), why
    stated = (one, two)[2 - target] if said else ()
    none = f"non-{targets[0]}" if len(targets) == 1 else f"non-({' / '.join(targets)})"
    other = stated or (none,)
    return ((targets, other) if target == 1 else (other, targets)), ""
