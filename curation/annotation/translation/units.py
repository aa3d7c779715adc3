"""The distinct texts of each template, and what the bank and `translations.csv` have for each."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, partial
from pathlib import Path

from curation.files.codec import Codec, followed
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records import bank as records
from curation.records.messages import CurateError, Finding, Results, refusal, warning
from curation.slots import grammar
from curation.slots.fill import FillError, compile_text
from curation.slots.protection import Flag, bare, has_words, inspect, propose

LIST_FIELDS = ("names", "words")
"""The fields of a variant that hold slot lists."""


class Kind(StrEnum):
    """What a text is: one with slots, plain words, or a filler of a list."""

    TEXT = "text"
    PLAIN = "plain"
    FILLER = "filler"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a text: a field of a variant, and for a filler its slot and position."""

    variant: records.VariantId
    field: str
    slot: str = ""
    index: int = 0


def lettered(named: Iterable[tuple[str, Place]]) -> list[str]:
    """What places are called, each name once, with its variants: `questions (a, b)`."""
    found: dict[str, dict[str, None]] = {}
    for name, place in named:
        found.setdefault(name, {})[place.variant.short] = None
    return [f"{name} ({', '.join(letters)})" for name, letters in found.items()]


UnitKey = tuple[str, str, str]
"""Template, name and text of a unit."""


class Variants(dict[records.VariantId, records.Variant]):
    """The variants of a bank by id.

    Args:
        rows: The variants.
        language: Of their translations.

    Attributes:
        people: By category the names of its groups, with which the survey fills open lists.
    """

    def __init__(self, rows: Iterable[records.Variant], language: LanguageOrCode) -> None:
        super().__init__((row.id, row) for row in rows)
        self.language = language
        self.people = defaultdict[str, list[grammar.Filler]](list)


def variants_of(workspace: Workspace) -> Variants:
    """The variants of a workspace's bank, and its groups."""
    variants = Variants(workspace.bank.variants, workspace.language)
    for group, fillers in grammar.fillers_of(workspace.groups):
        variants.people[group.category] += fillers
    return variants


@dataclass(frozen=True, slots=True)
class Unit:
    """One distinct text of a template.

    Attributes:
        template: The template.
        category: Its category.
        kind: What the text is.
        text: The text as written.
        parsed: The text, parsed; a plain one is one literal.
        places: Where it stands.
        context: The template's text around it, without slots.
        fillers: For what each slot of the text asks for (`N1`, `N1.def`), a filler.
        version: The version of its variants: each is worded by itself. A stereotype has none, for
            all variants of a template name the same.
        letter: The variant's letter where the template is untied, so that each variant's texts
            with slots are translated by themselves; empty elsewhere.
    """

    template: records.TemplateId
    category: str
    kind: Kind
    text: str
    parsed: grammar.SlotText
    places: tuple[Place, ...]
    context: str = ""
    fillers: tuple[tuple[str, str], ...] = ()
    version: records.VariantVersion = records.VariantVersion.ONLY
    letter: str = ""

    @property
    def key(self) -> UnitKey:
        """A key that is different for every unit."""
        parts = self.kind.value, self.version.value, self.letter
        return str(self.template), ".".join(filter(None, parts)), self.text

    @property
    def short_key(self) -> str:
        """A short name that changes with its source text."""
        return _digest(self.key)

    @property
    def uid(self) -> str:
        """Its name where those of all templates lie together, as on a server."""
        return f"{self.template}-{self.short_key}"

    @property
    def where(self) -> list[str]:
        """Its fields with their variants, each as `ambiguous_context (a, b)`."""
        return lettered((f"filler of {at.slot}" if at.slot else at.field, at) for at in self.places)

    @property
    def bare_text(self) -> str:
        """The text with its slots as a translator keeps them."""
        return grammar.print_text(bare(self.parsed)) if self.kind is Kind.TEXT else self.text

    @property
    def is_to_write(self) -> bool:
        """Whether somebody has to translate it: a bare slot is taken over as it is."""
        return self.kind is not Kind.TEXT or not is_bare(self.parsed)

    def machine(self, variants: Variants) -> str:
        """The machine's text, of the first place that has one."""
        texts = (text_at(variants[place.variant].machine_texts, place) for place in self.places)
        return next((text for text in texts if text), "")

    def own(self, variants: Variants) -> tuple[str, ...]:
        """What people have written at its places, empty texts too, each once."""
        found = (text_at(variants[place.variant].texts, place) for place in self.places)
        return tuple(dict.fromkeys(found))

    def has_other_list(self, variants: Mapping[records.VariantId, records.Variant]) -> bool:
        """Whether people have put a list of another length in the place of its own."""
        lists = (
            [
                grammar.readable_lists(getattr(texts, at.field))[0].get(at.slot)
                for texts in (row.texts, row.source_texts)
            ]
            for at in self.places
            for row in (variants[at.variant],)
        )
        return self.kind is Kind.FILLER and all(
            own and source and 0 < len(own.fillers) != len(source.fillers) for own, source in lists
        )

    def read(self, text: str) -> grammar.SlotText:
        """Parse a translation by the kind of the text.

        Raises:
            SlotError: If it has brackets that are no slots.
        """
        parts = (text,) if text else ()
        return grammar.parse_text(text) if self.kind is Kind.TEXT else grammar.SlotText(parts)


def translation_units(
    bank: records.Bank,
    file: str = "",
    *,
    missing: bool = False,
    context: Sequence[str] = records.SLOT_TEXT_FIELDS,
    language: LanguageOrCode = "en",
    untied: Collection[str] = (),
) -> tuple[list[Unit], list[Finding]]:
    """List the distinct texts of each template, in the bank's order.

    Args:
        bank: The templates.
        file: The bank's path, for findings.
        missing: Whether only fields are whose own column is empty.
        context: Fields that make up the context.
        language: Language of the source texts.
        untied: The templates whose variants are translated apart.

    Returns:
        The units, and a finding for each source cell that cannot be read.
    """
    units: list[Unit] = []
    findings: list[Finding] = []
    for template in bank.templates():
        variants = [v for v in template.variants if not v.source_texts.is_empty]
        around = context_of(variants[0].source_texts, context, language) if variants else ""
        found: dict[UnitKey, Unit] = {}
        for variant in variants:
            letter = variant.letter.value if str(template.id) in untied else ""
            for field in ("stereotype", *records.SLOT_TEXT_FIELDS, *LIST_FIELDS):
                if missing and getattr(variant.texts, field):
                    continue
                try:
                    made = [*_of_field(variant, field, letter)]
                except grammar.SlotError as error:
                    findings.append(_unreadable(file, variant, field, error))
                    continue
                for unit in made:
                    known = found.get(unit.key)
                    places = (*known.places, *unit.places) if known else unit.places
                    found[unit.key] = replace(known or unit, places=places, context=around)
        units += found.values()
    return units, findings


def _of_field(variant: records.Variant, field: str, letter: str) -> Iterator[Unit]:
    """The texts of a field; a list is one of fillers.

    Raises:
        SlotError: If it cannot be parsed.
    """
    make = partial(Unit, variant.template_id, variant.category, version=variant.id.version)
    text = getattr(variant.source_texts, field).strip()
    place = (Place(variant.id, field),)
    if field in LIST_FIELDS:
        own = grammar.parse_lists(getattr(variant.texts, field))
        for name, declared in grammar.parse_lists(text).items():
            if name in own and own[name].open:
                continue  # the survey chooses who stands there
            for index, filler in enumerate(declared.fillers):
                if filler.text:
                    at = Place(variant.id, field, name, index)
                    yield make(Kind.FILLER, filler.text, grammar.SlotText((filler.text,)), (at,))
    elif text and field == "stereotype":
        yield make(
            Kind.PLAIN, text, grammar.SlotText((text,)), place, version=records.VariantVersion.ONLY
        )
    elif text:
        parsed = grammar.parse_text(text)
        used = tuple((slot.key, _form(slot, variant)) for slot in dict.fromkeys(bare(parsed).slots))
        yield make(Kind.TEXT, text, parsed, place, fillers=used, letter=letter)


def _form(slot: grammar.Slot, variant: records.Variant) -> str:
    """The first filler of a slot of a source text, in the form that it names."""
    texts = variant.source_texts
    try:
        declared = grammar.declared_lists(texts).get(slot.name)
    except CurateError:
        return ""
    if declared is None or not declared.fillers:
        return ""
    filler = declared.fillers[0]
    return (filler.feature(slot.named) if slot.named else None) or filler.text


def context_of(texts: records.Texts, fields: Sequence[str], language: LanguageOrCode) -> str:
    """A template's texts with its first fillers; slots that have none keep their names."""
    filled = [_filled(texts, getattr(texts, field), language) for field in fields]
    return " ".join(text for text in filled if text)


def _filled(texts: records.Texts, text: str, language: LanguageOrCode) -> str:
    try:
        lists = grammar.declared_lists(texts)
        parsed = grammar.parse_text(text)
        compiled = compile_text(parsed, lists, tuple(lists), language)
        return compiled.render([0] * len(lists))
    except (FillError, IndexError):
        return "".join(
            p if isinstance(p, str) else p.name for p in grammar.parse_text(text).parts
        ).strip()
    except CurateError:
        return text.strip()


def _unreadable(file: str, variant: records.Variant, field: str, error: CurateError) -> Finding:
    what = f"{error.what}; the text is not translated"
    hint = "correct the source text: 'curate check' lists all that is wrong with it"
    rule, row = "translate-source-unreadable", variant.row or None
    return warning(rule, file, what, error.hint or hint, f"{field}_source", row)


def text_at(texts: records.Texts, place: Place) -> str:
    """The text at a place; of a list, the filler as a translator writes it.

    Features that conditions compare are not the translator's: they come with the source.
    """
    cell: str = getattr(texts, place.field)
    if not place.slot:
        return cell
    declared = grammar.readable_lists(cell)[0].get(place.slot)
    if declared is None or place.index >= len(declared.fillers):
        return ""
    filler, compared = declared.fillers[place.index], compared_features(texts)
    own = tuple(pair for pair in filler.features if pair[0] not in compared)
    return grammar.print_fillers([replace(filler, features=own)])[1:-1]


def compared_features(texts: records.Texts) -> frozenset[str]:
    """The features that a wording's conditions compare; none where they cannot be parsed."""
    try:
        conditions = grammar.declared_conditions(texts)
    except grammar.SlotError:
        return frozenset()
    found = (one.feature for condition in conditions for one in condition.alternatives)
    return frozenset(feature for feature in found if feature)


def machine_flags(unit: Unit, text: str, language: LanguageOrCode) -> tuple[Flag, ...]:
    """Name what a person has to check in a machine text of the bank."""
    try:
        return inspect(unit.parsed, unit.read(text), language)
    except grammar.SlotError:
        return (Flag.UNREADABLE,)


_CAPITALS = "".join(filter(str.isupper, map(chr, range(0x2000))))
_NAME = re.compile(rf"[{_CAPITALS}][\w’'&-]*(?:\s+(?:&\s+)?[{_CAPITALS}][\w’'&-]*)*")
_NO_NAMES = frozenset({"I", "I'm", "I'd", "I've", "I'll", "I’m", "I’d", "I’ve", "I’ll"})
_SENTENCE_END = re.compile(r"[.!?:…\u0589]['\"”’)]*\s*$|^\s*['\"“‘(]*$")


def entities(unit: Unit) -> tuple[str, ...]:
    """The capitalised names of a text, each once, in order.

    A capitalised word at the start of a sentence is taken for a name only in a filler.
    """
    found: dict[str, None] = {}
    text = "".join(part if isinstance(part, str) else "_" for part in unit.parsed.parts)
    for match in _NAME.finditer(text):
        name = match[0]
        if unit.kind is not Kind.FILLER and _SENTENCE_END.search(text[: match.start()]):
            _, _, name = name.partition(" ")
        name = name.strip()
        if name[:1].isupper() and name not in _NO_NAMES:
            found.setdefault(name.removesuffix("'s").removesuffix("’s"))
    return tuple(found)


def is_bare(text: grammar.SlotText) -> bool:
    """Whether a text is one slot and nothing else, which nobody has to translate."""
    if len(text.parts) != 1 or isinstance(text.parts[0], str):
        return False
    return text.parts[0].forms is None and text.parts[0].agreement is None


def units_of(
    workspace: Workspace,
    *,
    unlabelled: bool | None = None,
    missing: bool = False,
    every: bool = False,
    untied: Collection[str] | None = None,
    named: Collection[str] = (),
) -> tuple[list[Unit], list[Finding]]:
    """The texts that are to be translated by the settings of a culture, and what cannot be parsed.

    Args:
        workspace: The workspace.
        unlabelled: Whether those of templates are that nobody has classified; as
            `translation.unlabelled` says by default.
        missing: Whether only fields are whose own column is empty.
        every: Whether those of templates are that are not used, and those of lists that people
            have replaced by others: what comes back is read of all.
        untied: The templates that are untied; those that the bank says by default.
        named: Only these templates or categories; all by default.
    """
    settings = workspace.culture.translation
    labels: set[records.Label | None] = {
        records.Label.SIMPLY_TRANSFERRED,
        records.Label.TARGET_MODIFIED,
    }
    labels |= {None} if (settings.unlabelled if unlabelled is None else unlabelled) else set()
    chosen = workspace.chosen(named) - (frozenset() if every else workspace.not_used)
    rows = [
        row
        for row in workspace.bank.variants
        if row.label in labels and str(row.template_id) in chosen
    ]
    units, findings = translation_units(
        records.Bank(tuple(rows)),
        workspace.shown(workspace.bank_file),
        missing=missing,
        context=settings.context,
        language=workspace.source_language,
        untied=workspace.untied if untied is None else untied,
    )
    known = {row.id: row for row in rows}
    return [it for it in units if every or not it.has_other_list(known)], findings


def rows_held(
    workspace: Workspace,
    keys: Set[str],
    tied: Iterable[Unit],
    untied: Iterable[Unit],
    variants: Variants,
) -> list["Row"]:
    """The rows of a workbook, each with the texts that it is for now; and those that are not in it.

    Args:
        workspace: The workspace.
        keys: The keys of its rows: a text that has one of its own stands apart from its equals, and
            a template is untied of which a variant has.
        tied: The texts as they are where no template is untied.
        untied: The same where each one is.
        variants: The bank's variants.
    """
    untied, is_all = [*untied], workspace.culture.translation.unlabelled

    def named(unit: Unit) -> Unit:
        both = (unit, *_before(workspace, unit))
        return next((it for it in both if not keys.isdisjoint(_keys(it))), unit)

    apart = {it.template for it in untied if it.letter and named(it).short_key in keys}
    units = [unit for unit in tied if unit.template not in apart]
    units += [unit for unit in untied if unit.template in apart]

    def is_meant(unit: Unit) -> bool:
        return is_all or variants[unit.places[0].variant].label is not None

    rows = rows_of(units, variants, keys, named)
    return [replace(row, units=tuple(filter(is_meant, row.units)) or row.units) for row in rows]


def units_either_way(workspace: Workspace) -> tuple[list[Unit], list[Unit]]:
    """All texts as they are where no template is untied, and where each one is."""
    ways = frozenset[str](), workspace.bank.template_names
    tied, untied = (
        units_of(workspace, unlabelled=True, every=True, untied=names)[0] for names in ways
    )
    return tied, untied


@dataclass(frozen=True, slots=True)
class Row:
    """Equal texts that are translated once.

    Attributes:
        key: Tells it from every other; it changes with its source text alone.
        units: The texts, one of each template, in the bank's order.
    """

    key: str
    units: tuple[Unit, ...]

    @property
    def unit(self) -> Unit:
        """The first text, with the places of all."""
        places = tuple(place for unit in self.units for place in unit.places)
        return replace(self.units[0], places=places)

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, each once."""
        return tuple(dict.fromkeys(str(unit.template) for unit in self.units))


def _digest(parts: Iterable[str]) -> str:
    text = "\x1f".join(filter(None, parts))  # a version is named only where there is one
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def shared_key(unit: Unit) -> str:
    """A short name for a unit that it shares with its equals in other templates.

    It holds what work the text does in a template, by the first field that has it. Stereotypes and
    names are shared within a category alone.
    """
    field = unit.places[0].field
    role = field.removesuffix("s") if unit.kind is Kind.FILLER else field.rpartition("_")[2]
    category = unit.category if role in ("stereotype", "name") else ""
    return _digest(("*", role, f"version {unit.version.value}", category, unit.text))


def _keys(unit: Unit) -> list[str]:
    """The keys of a text: its own, and the one that it shares, where it shares one."""
    return [unit.short_key] if unit.letter else [unit.short_key, shared_key(unit)]


def _before(workspace: Workspace, unit: Unit) -> Iterator[Unit]:
    """A text as it was named before its template moved."""
    for old, category in workspace.former.get(str(unit.template), ()):
        yield replace(unit, template=records.TemplateId.parse(old), category=category)


def rows_of(
    units: Iterable[Unit],
    variants: Variants,
    apart: Collection[str] | None = None,
    named: Callable[[Unit], Unit] = lambda unit: unit,
) -> list[Row]:
    """Put equal texts together, in the bank's order; a bare slot is in no row.

    Args:
        units: The texts of templates.
        variants: The bank's variants.
        apart: Keys of the texts (`short_key`) that stand alone; by default those to which people
            have given another translation than to most of their equals.
        named: A text as the keys name it.
    """
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.is_to_write:
            groups.setdefault(_keys(named(unit))[-1], []).append(unit)
    found: dict[str, list[Unit]] = {}
    for key, members in groups.items():
        alone = _alone(members, variants) if apart is None else {*apart}
        for unit in members:
            own = named(unit).short_key
            found.setdefault(own if own in alone else key, []).append(unit)
    return [Row(key, tuple(members)) for key, members in found.items()]


def units_by_key(workspace: Workspace, *lists: Iterable[Unit]) -> dict[str, list[Unit]]:
    """The units that are meant by a key of a row: one by its own key, all equals by a shared one.

    Args:
        workspace: The workspace, in which templates may have been of other ids and categories.
        lists: Units, those of tied and of untied templates perhaps; what is in several counts once.
    """
    found: dict[str, dict[Unit, None]] = {}
    for unit in (unit for units in lists for unit in units):
        for one in (unit, *_before(workspace, unit)):
            for key in _keys(one) if unit.is_to_write else (one.short_key,):
                found.setdefault(key, {})[unit] = None
    return {key: [*units] for key, units in found.items()}


def usual_text(units: Iterable[Unit], variants: Variants) -> str:
    """The translation that most of several equal texts have; empty where none has one."""
    written = ({*filter(None, unit.own(variants))} for unit in units)
    counts = Counter(text for texts in written if len(texts) == 1 for text in texts)
    return max(counts, key=lambda text: counts[text], default="")


def _alone(members: list[Unit], variants: Variants) -> set[str]:
    """The keys of texts with another translation than most of their equals."""
    if len(members) == 1:
        return set()
    known = {"", usual_text(members, variants)}
    return {unit.short_key for unit in members if not known.issuperset(unit.own(variants))}


@dataclass(frozen=True, slots=True)
class Translated:
    """A text of a template with its translations; fields are the columns of `translations.csv`.

    Attributes:
        template_id: The template.
        unit: `text`, `plain` (a stereotype) or `filler` (a name or word of a list), with the
            version of its variants and, where the template is untied, the variant: `text.m.a`.
        source: The source text.
        source_hash: Hash of `source`, by which an edit of that cell is found.
        machine: What the machine wrote.
        engine: Which machine.
        text: The translation that was collected.
        by: Who wrote it, or left it as the machine wrote it.
        at: When it was collected, UTC, ISO 8601.
        confirmed: Who says that it holds; empty where nobody has looked at the machine's text.
        remark: The translator's remark.
        over: Texts of other translators that were not chosen.
    """

    template_id: str
    unit: str
    source: str
    source_hash: str = ""
    machine: str = ""
    engine: str = ""
    text: str = ""
    by: str = ""
    at: str = ""
    confirmed: str = ""
    remark: str = ""
    over: tuple[str, ...] = ()

    @property
    def key(self) -> UnitKey:
        """What it translates."""
        return self.template_id, self.unit, self.source


TRANSLATIONS = Codec(Translated, "undo the edit")
"""The columns of `translations.csv`, and how they are read."""
Translations = Mapping[UnitKey, Translated]
"""The rows of `translations.csv`, by what they translate."""


def translations_file(workspace: Workspace) -> Path:
    """The path of the table: it lies beside the bank."""
    return workspace.bank_file.with_name("translations.csv")


def row_of(table: Translations, unit: Unit) -> Translated:
    """The row of a text, a new one where there is none."""
    template, name, source = unit.key
    return table.get(unit.key) or Translated(template, name, source, _hash(source))


def _hash(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_translated(workspace: Workspace) -> dict[UnitKey, Translated]:
    """Read the table, by the ids that templates have now; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read, a source text was edited in it, or a text occurs twice.
    """
    path = translations_file(workspace)
    found: dict[UnitKey, Translated] = {}
    for item in followed(TRANSLATIONS.read(path), workspace.renamed, "template_id"):
        where = f"{workspace.shown(path)}, {item.template_id}, source '{item.source}'"
        if item.source_hash != _hash(item.source):
            raise refusal(__package__, "translated-edited", where)
        if item.key in found:
            raise refusal(__package__, "translated-twice", where, template=item.template_id)
        found[item.key] = item
    return found


def write_translated(workspace: Workspace, items: Iterable[Translated]) -> None:
    """Write the table in place of the earlier one.

    Raises:
        CurateError: If it cannot be written.
    """
    TRANSLATIONS.write(translations_file(workspace), items)


CONFIRMED, UNCONFIRMED = "confirmed", "unconfirmed"
"""Whether somebody has confirmed an unchanged machine text in the bank."""


@lru_cache(maxsize=100_000)
def proposed_text(machine: str, kind: Kind, language: LanguageOrCode) -> tuple[str, int]:
    """A machine's text with the agreement that it seems to ask for, and how much is proposed."""
    if not machine or kind is not Kind.TEXT:
        return machine, 0
    try:
        text, found = propose(grammar.parse_text(machine), language)
    except grammar.SlotError:
        return "", 0
    return grammar.print_text(text), found


def machine_forms(machine: str, kind: Kind, language: LanguageOrCode) -> set[str]:
    """A machine's text as it came, and as a workbook proposes it; none where there is none."""
    return {*filter(None, (machine, proposed_text(machine, kind, language)[0]))}


def unchanged_text(unit: Unit, variants: Variants) -> str:
    """The unchanged machine text in the bank; empty if there is none.

    A text without words, such as a number, is not the machine's.
    """
    if not has_words(unit.parsed):
        return ""
    for place in unit.places:
        variant = variants[place.variant]
        text = text_at(variant.texts, place)
        machine = text_at(variant.machine_texts, place)
        if text and text in machine_forms(machine, unit.kind, variants.language):
            return text
    return ""


def review_of(unit: Unit, variants: Variants, table: Translations) -> str:
    """What is known of a text as the machine wrote it; nothing of one that a person has written."""
    text = unchanged_text(unit, variants)
    held = CONFIRMED if is_confirmed(unit, text, table) else UNCONFIRMED
    return held if text else ""


def is_confirmed(unit: Unit, text: str, table: Translations) -> bool:
    """Whether somebody has confirmed a text that stands, here or for all variants."""
    rows = (row_of(table, unit), row_of(table, replace(unit, letter="")))
    return any(row.text == text and row.confirmed for row in rows)


def reviewed_texts(workspace: Workspace) -> dict[str, Counter[str]]:
    """Count the unchanged machine texts of a workspace's bank by template.

    Returns:
        How many are `confirmed` and how many `unconfirmed`, and how many `texts` a template has.

    Raises:
        CurateError: If the bank, or the table of translations, cannot be read.
    """
    variants = variants_of(workspace)
    counts = {name: Counter[str]() for name in ("texts", CONFIRMED, UNCONFIRMED)}
    if any(not variant.machine_texts.is_empty for variant in variants.values()):
        table = read_translated(workspace)
        for unit in units_of(workspace, unlabelled=True)[0]:
            counts["texts"][str(unit.template)] += unit.is_to_write
            if review := review_of(unit, variants, table):
                counts[review][str(unit.template)] += 1
    return counts


_COUNTS = (
    *("templates", "texts", "machine", "flagged", "collected", "waiting"),
    *("confirmed", "unconfirmed"),
)


def translation_status(workspace: Workspace, named: Collection[str] = ()) -> Results:
    """Count the progress of the translation, by category.

    Args:
        workspace: The workspace.
        named: Only these templates or categories; all by default.

    Returns:
        What it comes to, by key.

        - `rows`: Of each `category`, in the bank's order, how many `templates` have texts to be
          translated, and how many distinct `texts` they have: with `machine` text, `flagged` of
          these, `collected` in the bank's own columns, `waiting` for both; and of those collected
          as the machine wrote them, how many somebody has `confirmed`, and `unconfirmed`. A text of
          two categories counts in both.
        - `total`: The counts of all categories, each text once.
        - `findings`: Source texts that cannot be parsed.
        - `untied`: Templates whose variants are texts of their own.

    Raises:
        CurateError: If the bank, or the table of translations, cannot be read.
    """
    units, findings = units_of(workspace, named=named)
    variants = variants_of(workspace)
    table = read_translated(workspace)

    def counted(row: Row) -> Counter[str]:
        unit = row.unit
        text = unit.machine(variants)
        collected = all(unit.own(variants))
        reviews = {review_of(one, variants, table) for one in row.units}
        return Counter(
            texts=1,
            machine=bool(text),
            flagged=bool(text and machine_flags(unit, text, workspace.language)),
            collected=collected,
            waiting=not (text or collected),
            # One row is confirmed when all its texts are.
            confirmed=CONFIRMED in reviews and UNCONFIRMED not in reviews,
            unconfirmed=UNCONFIRMED in reviews,
        )

    counts = {"": Counter[str](), **{unit.category: Counter[str]() for unit in units}}
    for row in rows_of(units, variants):
        count = counted(row)
        for name in {"", *(unit.category for unit in row.units)}:
            counts[name] += count
    for name, count in counts.items():
        mine = (unit.template for unit in units if name in ("", unit.category))
        count["templates"] = len({*mine})
    total, *each = ({n: count[n] for n in _COUNTS} for count in counts.values())
    apart = workspace.untied
    values = {
        "rows": tuple({"category": n, **c} for n, c in zip([*counts][1:], each, strict=True)),
        "total": total,
        "findings": tuple(findings),
        "untied": tuple(str(t.id) for t in workspace.bank.templates() if str(t.id) in apart),
    }
    return Results(values, {"rows": ("category", *_COUNTS)})
