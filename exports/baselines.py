"""What a benchmark is compared with: a control set, and machine-translated samples.

A control set has the same templates with people of no particular group. MBBQ (Neplenbroek et al.
2024) has one in each language: where a model's answers are as often wrong when the text names no
group, it is not the group that misleads it. Groups are replaced by given names of the language,
drawn by seed for each template; who has which role stays as it is.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from curation.bank.generate import Filling, is_waiting, prepare, unread_lists
from curation.bank.planning import fault
from curation.bank.removal import in_use
from curation.checks.subject import LIST_FIELDS
from curation.files.sources import published_set, read_terms
from curation.files.workspace import Workspace
from curation.languages import Language, between_sentences, load
from curation.records.bank import (
    FILLED_FIELDS,
    GROUP_FIELDS,
    PSEUDO_MARKS,
    SLOT_TEXT_FIELDS,
    Template,
    Variant,
)
from curation.records.culture import SampleSettings
from curation.records.letters import IN_WORDS
from curation.records.messages import CurateError, Finding, Progress, Severity, refusal, silent
from curation.report.texts import filled
from curation.slots import grammar
from curation.slots.fill import generalise
from curation.slots.grammar import ALONE, BASE, Slot, SlotError, SlotList, SlotText, parse_fillers
from curation.slots.protection import BROKEN, Flag, flagged, inspect, reordered
from exports.edition import Edition
from survey.bank import FinalBank

CONTROL = "control"
"""The export's name: of its folder, of its files, and in its manifest."""
COLUMNS = ("template_id", "in", "reason", "context", "question", "answer", "other_answer")
"""Of the table of templates."""
NAMES = 3
"""Names of each of the two people of a template."""
_PEOPLE = ("N1", "N2")
_OF_PEOPLE = ("X1", "X2")  # words that say more of the one or the other
_ALSO_INFLECTED = 4  # letters of a word that is found with an ending, too: Turk, Turkish
_WITHOUT_SPACES = 0x0E00  # scripts from here on write words or particles without spaces
_GENDERS = {"female": "f", "male": "m"}


class _NoNameFitsError(Exception):
    """Why names cannot stand in a template."""


def control_edition(
    edition: Edition, *, left_out: Collection[str] = ()
) -> tuple[Edition, list[dict[str, str]]]:
    """The templates of the final bank with names of people of no particular group.

    Args:
        edition: The benchmark.
        left_out: Ids of templates in which a person found that names do not fit.

    Returns:
        The samples; and a row (`COLUMNS`) of every template, with the reason of each that is left
        out, and one filling of each other one, for a person to read.

    Raises:
        CurateError: If the language has too few names, an id is unknown, or names fit nowhere.
    """
    workspace, final = edition.workspace, edition.final
    known = {str(item.id) for item in final.templates}
    for item in left_out:
        if item not in known:
            raise refusal(__package__, "baseline-left-out", "--leave-out", item=item)
    language = load(workspace.language)
    writer = _Writer(language, edition.seed)
    found: list[Template] = []
    rows: list[tuple[str, ...]] = []
    for template in final.fillable:
        name = str(template.id)
        try:
            if name in left_out:
                raise _NoNameFitsError("left out by hand")
            filled = writer.write(template)
        except _NoNameFitsError as error:
            rows.append((name, "no", str(error), "", "", "", ""))
            continue
        found.append(filled)
        rows.append((name, "yes", "", *_example(filled, language)))
    if not found:
        reasons = "; ".join(dict.fromkeys(row[2] for row in rows)) or "there is no template"
        raise CurateError(
            f"names fit in no template: {reasons}", workspace.shown(workspace.bank_file)
        )
    made = replace(edition, final=replace(_UNDECIDED, every=tuple(found)))
    return made, [dict(zip(COLUMNS, row, strict=True)) for row in rows]


_UNDECIDED = FinalBank((), (), (), (), (), (), ())
"""A bank of which no survey has decided anything."""


class _Writer:
    """Writes templates with names in the place of groups."""

    def __init__(self, language: Language, seed: int) -> None:
        found = language.control
        if found is None:
            where = str(language.file or language)
            raise refusal(__package__, "baseline-no-control", where, language=language)
        self._lists = {
            gender: parse_fillers(f"[{', '.join(getattr(found, gender))}]") for gender in _GENDERS
        }
        few = [gender for gender, fillers in self._lists.items() if len(fillers) < 2 * NAMES]
        if few:
            count = len(self._lists[few[0]])
            told = f"{2 * NAMES} {few[0]}"
            raise refusal(
                __package__, "baseline-few-names", names=told, language=language, count=count
            )
        self._seed, self._language = seed, language
        agreement = language.agreement
        self._follows = agreement is not None and agreement.after
        self._forms = {
            key for fillers in self._lists.values() for item in fillers for key, _ in item.features
        }

    def write(self, template: Template) -> Template:
        """Write a template.

        Raises:
            _NoNameFitsError: If names do not fit in it.
        """
        draw = random.Random(f"{self._seed}:{CONTROL}:{template.id}")  # noqa: S311  # a seeded draw
        gender = draw.choice(sorted(_GENDERS))
        drawn = draw.sample(self._lists[gender], 2 * NAMES)
        named = [
            replace(it, features=tuple({"gender": _GENDERS[gender], **dict(it.features)}.items()))
            for it in drawn
        ]
        people = [tuple(named[at :: len(_PEOPLE)]) for at in range(len(_PEOPLE))]
        variants = tuple(self._variant(item, people) for item in template.variants)
        return replace(template, variants=variants)

    def _variant(self, variant: Variant, people: Sequence[tuple[grammar.Filler, ...]]) -> Variant:
        texts = variant.texts
        lists = grammar.declared_lists(texts)
        for name in (name for name in _PEOPLE if name not in lists):
            raise _NoNameFitsError(f"[{name}] is not a slot of it")
        for name in (name for name in _OF_PEOPLE if name in lists):
            raise _NoNameFitsError(f"[{name}] says more of a person")
        groups = {*texts.n1_groups, *texts.n2_groups, *texts.target_groups}
        said = {item.text for name in _PEOPLE for item in lists[name].fillers} | groups
        written = {name: self._text(getattr(texts, name), said, lists) for name in SLOT_TEXT_FIELDS}
        # The roles are exchanged in the second variant of a pair, the people stay who they are.
        first, second = people if variant.letter.is_biased else reversed(people)
        lists["N1"] = replace(lists["N1"], fillers=first, open=False)
        lists["N2"] = replace(lists["N2"], fillers=second, open=False)
        declared = [lists[name] for name in _PEOPLE]  # in one order, so that fillings pair
        words = [item for name, item in lists.items() if name not in _PEOPLE]
        _refuse_named(said, (filler.text for item in words for filler in item.fillers))
        conditions = grammar.declared_conditions(texts)
        wording = replace(
            texts,
            **written,
            names=grammar.print_lists(declared, conditions),
            words=grammar.print_lists(words),
            target_groups=(),
            n1_groups=(),
            n2_groups=(),
        )
        found = replace(variant, texts=wording)
        try:
            prepare(found, self._language)
        except CurateError as error:
            raise _NoNameFitsError(error.what) from error
        return found

    def _text(self, text: str, said: Collection[str], lists: Mapping[str, SlotList]) -> str:
        """A text with names in place of groups, without the articles before them."""
        parts: list[str | Slot] = []
        every = grammar.parse_text(text).parts
        for at, part in enumerate(every):
            if isinstance(part, Slot) and part.name in _PEOPLE:
                whole = generalise(part, lists[part.name].fillers, self._language) or part
                self._refuse_noun(whole, every[at - 1 : at], every[at + 1 : at + 2])
                parts.append(self._place(parts, part, lists[part.name].fillers))
                continue
            if isinstance(part, str):
                _refuse_named(said, [part])
            parts.append(part)
        return grammar.print_text(SlotText(tuple(part for part in parts if part != "")))

    def _refuse_noun(
        self, slot: Slot, before: Sequence[str | Slot], after: Sequence[str | Slot]
    ) -> None:
        """Refuse a noun beside a slot: a name would stand there as a group does.

        Raises:
            _NoNameFitsError: If there is one.
        """
        found = self._language.control
        last = [text.lower().split()[-1:] for text in before if isinstance(text, str)]
        first = [text.lower().split()[:1] for text in after if isinstance(text, str)]
        if not slot.is_bare and self._follows:
            first = []  # a particle stands between the two
        touching = any(isinstance(text, str) and text[:1].isalnum() for text in after)
        for noun in found.nouns if found is not None else ():
            inflected = ord(noun[0]) >= _WITHOUT_SPACES
            is_after = any(
                word == noun or (inflected and word.startswith(noun))
                for (word,) in filter(None, first)
            )
            spaced = between_sentences(self._language) == " "
            if [noun] in last or (is_after and not (spaced and touching)):
                raise _NoNameFitsError(f"the noun '{noun}' is next to [{slot.name}]")

    def _place(
        self, before: list[str | Slot], slot: Slot, groups: Sequence[grammar.Filler]
    ) -> Slot:
        """The slot of a name in place of a group's; it takes an article before it away."""
        if slot.forms is not None:
            found = generalise(slot, groups, self._language)
            if found is None:
                told = f"forms of [{slot.name}] are listed, and no rule covers them"
                raise _NoNameFitsError(told)
            slot = found
        articles, taken_off = _articles(self._language)
        if slot.agreement is not None and not slot.agreement.startswith(ALONE):
            words = {word.strip().lower() for word in slot.agreement.split("/")}
            slot = Slot(slot.name) if words <= articles else slot
        if slot.named is not None and slot.named not in self._forms:
            slot = Slot(slot.name, named=BASE)
        if not slot.is_word and before and isinstance(before[-1], str):
            before[-1] = taken_off(before[-1])
        # What stands before may elide: d'Anna.
        return Slot(slot.name, named=BASE) if slot.is_bare else slot


@lru_cache(maxsize=32)
def _articles(language: Language) -> tuple[frozenset[str], Callable[[str], str]]:
    """The articles of a language, and what takes one off the end of a text.

    Of a contraction its other word is left: `del` leaves `de`.
    """
    found = language.control
    words = found.articles if found is not None else ()
    kept = {
        whole: first
        for first, second, whole in (language.general.contractions if language.general else ())
        if second in words
    }
    spaces = between_sentences(language) == " "
    alone = [word for word in words if ord(word[0]) >= _WITHOUT_SPACES and not spaces]
    either = "|".join(
        re.escape(word)
        if word in alone
        else rf"(?<!\w){re.escape(word)}" + (r"\s+" if word[-1].isalpha() else "")
        for word in words
    )
    whole = "|".join(map(re.escape, kept))
    at_end = re.compile(rf"(?:{either})$" if words else "(?!)", re.IGNORECASE)
    contracted = rf"(?<!\w)(?P<word>{whole})\s+$" if kept else "(?!)"
    in_one_word = re.compile(contracted, re.IGNORECASE)

    def taken_off(text: str) -> str:
        match = in_one_word.search(text)
        if match is None:
            return at_end.sub("", text)
        left = kept[match["word"].lower()]
        left = left.capitalize() if match["word"][0].isupper() else left
        return f"{text[: match.start('word')]}{left} "

    return frozenset(words), taken_off


def _refuse_named(said: Collection[str], texts: Iterable[str]) -> None:
    """Refuse texts that name a group outside of its slot: a name would not hide it.

    Raises:
        _NoNameFitsError: If one does.
    """
    for text in texts:
        for word in sorted(said):
            if word and re.search(_naming(word), text, re.IGNORECASE):
                raise _NoNameFitsError(f"its texts name '{word}' outside of [N1] and [N2]")


def _naming(word: str) -> str:
    """A pattern of a group's word, also where an ending or a particle is written with it."""
    if not word[0].isalpha() or ord(word[0]) >= _WITHOUT_SPACES:
        return re.escape(word)
    end = "" if len(word) >= _ALSO_INFLECTED else f"(?![{IN_WORDS}])"
    return f"(?<![{IN_WORDS}]){re.escape(word)}{end}"


def _example(template: Template, language: Language) -> tuple[str, ...]:
    """The first filling of a template: context, question and the two answers."""
    filling: Filling = prepare(template.variants[0], language)
    at = filling.indices(1)
    texts = {name: text.render(at) for name, text in filling.texts.items()}
    context = filling.between.join((texts["ambiguous_context"], texts["disambiguating_context"]))
    asked = ("biased_question", "biased_answer", "counter_biased_answer")
    return context, *(texts[name] for name in asked)


def control_card(
    edition: Edition, rows: Sequence[Mapping[str, str]], sets: Mapping[str, int]
) -> str:
    """The card of the folder: what it is for, and what is not in.

    Args:
        edition: What is written.
        rows: What became of every template; see `control_edition`.
        sets: The files of samples, with how many there are in each.
    """
    left = [row for row in rows if row["in"] == "no"]
    return _card(edition, CONTROL, sets=sets, used=len(rows) - len(left), left=left)


def _card(edition: Edition, kind: str, **told: object) -> str:
    culture = edition.workspace.culture.culture
    return filled(__package__, f"{kind}.md.j2", culture=culture, **told)


MACHINE = "machine_translated"
"""The export's name: of its folder, of its files, and in its manifest."""


def _damaged(workspace: Workspace, templates: Iterable[Template]) -> dict[str, list[Finding]]:
    """By template, the machine's texts whose samples could have a wrong context or answer.

    They are broken, or have two people in another order than the source. Another order is right
    where a person's own text of that place has it too.
    """
    found: dict[str, list[Finding]] = {}
    for template in templates:
        for variant in template.variants:
            for name in SLOT_TEXT_FIELDS:
                for flag in _damage(variant, name, workspace.language):
                    finding = Finding(
                        f"translation-{flag.value}",
                        Severity.WARNING,
                        workspace.shown(workspace.bank_file),
                        variant.row or None,
                        f"{name}_machine",
                        f"{template.id} is left out, for the machine's text of {variant.id} has a "
                        f"fault: {flagged(flag)}",
                        "let a translator look at it: 'curate translate sheet'",
                    )
                    found.setdefault(str(template.id), []).append(finding)
    return found


def _damage(variant: Variant, name: str, language: Language) -> Iterator[Flag]:
    texts = variant.source_texts, variant.machine_texts, variant.texts
    source, machine, own = (getattr(each, name) for each in texts)
    if not (source and machine):
        return
    try:
        given, read = grammar.parse_text(source), grammar.parse_text(machine)
    except SlotError:
        yield Flag.UNREADABLE
        return
    for flag in inspect(given, read, language):
        if flag in BROKEN or (flag is Flag.ORDER and not _settled(own, read)):
            yield flag


def _settled(own: str, read: SlotText) -> bool:
    """Say whether a person's text has the order of the machine's."""
    try:
        return bool(own) and not reordered(read, grammar.parse_text(own))
    except SlotError:
        return False


def _in_machine_words(variant: Variant) -> Variant | None:
    """A variant in the machine's words, with the groups of its source; None where it lacks a text.

    Lists that have nothing to translate are those of the source.
    """
    machine, source = variant.machine_texts, variant.source_texts
    if not machine.has_body:
        return None
    lists = {name: getattr(machine, name) or getattr(source, name) for name in LIST_FIELDS}
    groups: dict[str, Any] = {name: getattr(source, name) for name in GROUP_FIELDS}
    texts = replace(machine, **lists, **groups)
    whole = all(getattr(texts, name) or not getattr(source, name) for name in FILLED_FIELDS)
    return replace(variant, texts=texts) if whole else None


def machine_edition(
    workspace: Workspace, settings: SampleSettings, progress: Progress = silent
) -> tuple[Edition, dict[str, list[Finding]]]:
    """The samples of a workspace's machine text, whatever people wrote and the survey decided.

    Templates with damaged text are left out: their answers could be wrong.
    Templates that are removed by their label, or set aside, are not in; nor are newly written
    ones, of which there is no machine text. Ids are those of the bank, so that a template is
    found again in the samples of people's text.

    Args:
        workspace: The workspace.
        settings: How samples are drawn.
        progress: Called with the progress of planning, writing and checking.

    Returns:
        The samples; and by template with damaged text what is wrong with it.

    Raises:
        CurateError: If a file cannot be read, or there is no template in machine text.
    """
    translated = [
        item
        for item in in_use(workspace)
        if any(variant.machine_texts.has_body for variant in item.variants)
    ]
    damaged = _damaged(workspace, translated)
    templates = []
    for item in translated:
        found = [_in_machine_words(variant) for variant in item.variants]
        if str(item.id) not in damaged and None not in found:
            templates.append(replace(item, variants=tuple(filter(None, found))))
    if not templates:
        key = "machine-faults" if translated else "machine-none"
        raise refusal(__package__, key, workspace.shown(workspace.bank_file))
    faults = [(item, error) for item in templates if (error := unread_lists(item))]
    whole = {item.id: item for item in templates}
    waiting = [whole.get(item.id, item) for item in translated]
    final = replace(
        _UNDECIDED,
        every=tuple(templates),
        open=tuple(item for item in waiting if item.id not in whole or is_waiting(item)),
        findings=tuple(fault(*pair) for pair in faults),
        refused=tuple(str(item.id) for item, _ in faults),
    )
    return Edition(workspace, final, settings, progress=progress), damaged


def machine_card(edition: Edition, damaged: Collection[str], sets: Mapping[str, int]) -> str:
    """The card of the folder: what it is, what it is not, and whose texts it comes from.

    Args:
        edition: What is written.
        damaged: The templates that are left out.
        sets: The files of samples, with how many there are in each.
    """
    templates = edition.final.fillable
    terms = read_terms(edition.workspace.sources_folder)
    sources = [
        (
            published_set(name)[0] or name or "A source that the bank does not name",
            (name in terms and terms[name].name) or "not stated",
        )
        for name in dict.fromkeys(item.first.source for item in templates)
    ]
    return _card(
        edition,
        MACHINE,
        sets=sets,
        used=len(templates),
        labels=Counter(item.label.value if item.label else "not classified" for item in templates),
        damaged=damaged,
        sources=sources,
        pseudo=any(variant.pseudo_fields for item in templates for variant in item.variants),
        marks=PSEUDO_MARKS,
    )
