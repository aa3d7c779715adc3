"""Machine translation of what is not translated yet: its cost, the run, which replies are taken."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from curation.annotation.engines import engine as engines
from curation.annotation.engines.services import service_for
from curation.annotation.translation import units as corpus
from curation.annotation.translation.merge import machine_cells, put
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.messages import CurateError, Finding, warning
from curation.slots import protection
from curation.slots.grammar import SlotText, print_text

_BY_HAND = "translate by hand what 'curate translate run --status' lists as waiting"


class _Run:
    """What is to be translated by which engine, and how far that is."""

    def __init__(
        self, workspace: Workspace, engine: str | None, missing: bool, named: Collection[str]
    ) -> None:
        culture = workspace.culture
        self.culture, self.language = culture, workspace.language
        self.service = service_for(engine or culture.translation.engine, workspace)
        self.units_of = partial(corpus.units_of, missing=missing, named=named)
        self.units, self.findings = self.units_of(workspace)
        self.wanted = wanted_texts(self.units, _every_unit(workspace))
        if not self.service.sees_context:
            self.wanted = {text: replace(one, contexts=("",)) for text, one in self.wanted.items()}
        self.settled: Mapping[SlotText, Settled] = {}
        self.questions: list[engines.TextToSend] = []
        self.outcome = engines.Outcome()
        self.sent_again = self.cells = self.kept = 0
        self.declined = False

    def look(self, memory: engines.Memory) -> None:
        """Find out which translations are settled, and which texts have to be sent."""
        signed = self.service.signature
        keys = {
            (sent.wire, context): engines.reply_key(signed(sent.wire), context, sent.wire)
            for wanted in self.wanted.values()
            for context in wanted.contexts
            for sent in (wanted.plain, wanted.filled)
            if sent is not None
        }
        replies = memory.find(list(keys.values()))
        self.settled, self.questions = settle_all(
            self.wanted,
            lambda wire, context: replies.get(keys[wire, context]),
            self.language,
            again=not self.service.is_free,  # the free ones answer the same every time
        )

    def characters_again(self) -> int:
        """The characters of a second sending of all that has slots, which damaged slots need."""
        asked = {question.wire for question in self.questions}
        second = {
            one.filled.wire: one.filled.characters
            for one in self.wanted.values()
            if one.filled is not None and one.plain.wire in asked
        }
        return sum(second.values())


def _every_unit(workspace: Workspace) -> list[corpus.Unit]:
    """The texts of all templates, whatever their labels: one may have been sent with them."""
    context, language = workspace.culture.translation.context, workspace.source_language
    untied = workspace.untied
    return corpus.translation_units(
        workspace.bank, context=context, language=language, untied=untied
    )[0]


def _memory_file(workspace: Workspace) -> Path:
    return workspace.curate_folder / "translation.sqlite"


def estimate_translation(
    workspace: Workspace,
    engine: str | None = None,
    *,
    missing: bool = False,
    named: Collection[str] = (),
) -> dict[str, Any]:
    """Estimate the cost of a translation; no key is needed.

    Args:
        workspace: The workspace.
        engine: What translates; that of the settings by default.
        missing: Whether only texts are whose own column is still empty.
        named: Only these templates or categories; all by default.

    Returns:
        What it comes to, by key.

        - `engine`: What would translate.
        - `free`: Whether it bills nothing.
        - `templates`: Templates with texts to be translated.
        - `texts`: Their distinct texts.
        - `distinct`: Texts that differ over all templates.
        - `known`: Those of them that the translation memory holds.
        - `to_send`: Texts that would be sent.
        - `characters`: Their characters, as they are billed.
        - `most`: Their characters if each that has slots must be sent a second time.
        - `price`: What they cost; None where that is not known, or nothing.
        - `currency`: Of the price.
        - `billed_so_far`: Characters that the engine has billed.
        - `budget`: Characters that it may bill; None without a budget.
        - `findings`: Source texts that cannot be parsed.

    Raises:
        CurateError: If settings, bank, glossary or translation memory cannot be read.
    """
    run = _Run(workspace, engine, missing, named)
    with engines.Memory(_memory_file(workspace), read_only=True) as memory:
        run.look(memory)
        spent = memory.billed(run.service.name)
    settings, free = run.culture.translation, run.service.is_free
    characters = sum(question.characters for question in run.questions)
    price = None if free else engines.price_of(characters, settings)
    return {
        "engine": run.service.name,
        "free": free,
        "templates": len({unit.template for unit in run.units}),
        "texts": len(run.units),
        "distinct": len(run.wanted),
        "known": len(run.settled),
        "to_send": len(run.questions),
        "characters": characters,
        "most": characters + (0 if free else run.characters_again()),
        "price": None if price is None else round(float(price), 4),
        "currency": settings.currency,
        "billed_so_far": spent,
        "budget": settings.budget,
        "findings": tuple(run.findings),
    }


def run_translation(
    workspace: Workspace,
    engine: str | None = None,
    *,
    missing: bool = False,
    named: Collection[str] = (),
    over_budget: bool = False,
    listener: engines.Listener | None = None,
) -> dict[str, Any]:
    """Translate by machine what is not translated yet, and write the machine columns.

    Each reply is stored as soon as it arrives, so a run that ends early continues where it stopped.
    A text whose slots came back damaged is sent a second time.

    Args:
        workspace: The workspace.
        engine: What translates; that of the settings by default.
        missing: Whether only texts are whose own column is still empty.
        named: Only these templates or categories; all by default.
        over_budget: Whether a budget or the account's quota may be exceeded.
        listener: Who is told and asked; nobody by default.

    Returns:
        What it comes to, by key.

        - `engine`: What translated.
        - `free`: Whether it bills nothing.
        - `texts`: Distinct texts of templates that were to be translated.
        - `distinct`: Those that differ over all templates.
        - `known`: Those of them that the translation memory held before.
        - `requests`: Requests that were answered.
        - `answered`: Texts in them.
        - `sent_again`: Those of them that were sent a second time, for their slots.
        - `billed`: Characters that the engine says it billed.
        - `unanswered`: Texts that were sent without a reply, which may have been billed.
        - `waiting`: Texts that have no translation yet.
        - `flagged`: How often a person has to look at a text, by reason.
        - `cells`: Cells of the bank that were written.
        - `kept`: Texts that stand as a machine wrote them earlier, of which it writes others now.
        - `declined`: Whether more was not sent for its cost.
        - `problem`: Why not everything was sent and answered; None when it was.
        - `findings`: Source texts that cannot be parsed, and texts that a person has to look at.

    Raises:
        CurateError: If a key is missing or refused, another run is under way, the budget is not
            enough and nobody can be asked, or a file cannot be read or written.
    """
    listener = listener or engines.Listener()
    # Two at once would pay twice. It may take long, so that the bank is locked at its end alone.
    with writing(workspace, "curate translate run", lock="translation"):
        run = _Run(workspace, engine, missing, named)
        with engines.Memory(_memory_file(workspace)) as memory:
            engines.tell_unanswered(memory, listener)
            run.look(memory)
            known = len(run.settled)
            try:
                _send_all(run, memory, listener, over_budget=over_budget)
            finally:  # what was paid for is written, whatever ends the run
                run.look(memory)
                _save(workspace, run)
    settled = run.settled
    flags = Counter(flag.value for item in settled.values() for flag in item.flags)
    return {
        "engine": run.service.name,
        "free": run.service.is_free,
        "texts": len(run.units),
        "distinct": len(run.wanted),
        "known": known,
        "requests": run.outcome.requests,
        "answered": run.outcome.answered,
        "sent_again": run.sent_again,
        "billed": run.outcome.billed,
        "unanswered": len(run.outcome.unanswered),
        "waiting": len(run.wanted) - len(settled),
        "flagged": dict(sorted(flags.items())),
        "cells": run.cells,
        "kept": run.kept,
        "declined": run.declined,
        "problem": engines.problem_of(run.outcome, "text", _BY_HAND),
        "findings": (*run.findings, *_to_look_at(workspace, run)),
    }


def _send_all(
    run: _Run, memory: engines.Memory, listener: engines.Listener, *, over_budget: bool
) -> None:
    for turn in range(2):
        if turn:
            run.look(memory)
        items = [item for item in run.questions if item.wire not in run.outcome.refused]
        if not items:
            return
        characters = sum(item.characters for item in items)
        if not turn:
            cost = engines.cost_text(characters, run.culture.translation, free=run.service.is_free)
            listener.tell(f"To send: {cost}.")
        if not (over_budget or _may_spend(run, characters, memory, listener)):
            run.declined = True
            return
        if not turn:
            run.service.prepare()
        workers, before = run.culture.translation.workers, run.outcome.answered
        engines.send(items, run.service, memory, workers, listener.progress, run.outcome)
        run.sent_again = run.outcome.answered - before if turn else 0
        if run.outcome.stopped or run.outcome.unanswered:
            return


def _may_spend(
    run: _Run, characters: int, memory: engines.Memory, listener: engines.Listener
) -> bool:
    """Ask before a budget or the account's quota is exceeded."""
    said = engines.over_budget(run.service, run.culture.translation.budget, characters, memory)
    if not said:
        return True
    if listener.confirm is None:
        way = "go on with --yes, or raise translation.budget or the account's quota"
        raise CurateError(said, hint=way)
    return listener.confirm(f"{said[:1].upper()}{said[1:]}. Go on?")


def _save(workspace: Workspace, run: _Run) -> None:
    """Write the machine's texts into the table and the bank as they are now.

    What stands in the bank as a machine wrote it keeps its machine's text: beside another it would
    look like a person's.
    """
    with writing(workspace, "curate translate run") as fresh:
        units, _ = run.units_of(fresh)
        variants = corpus.Variants(fresh.bank.variants, fresh.language)
        table = corpus.read_translated(fresh)
        rows = dict(table)
        texts: dict[corpus.Place, str] = {}
        run.kept = 0
        for unit in units:
            found = run.settled.get(protection.bare(unit.parsed))
            if found is not None:
                text = written(unit.kind, found.text)
                row = corpus.row_of(rows, unit)
                if corpus.unchanged_text(unit, variants):
                    was = unit.machine(variants)
                    run.kept += text != was
                    text = was
                engine = row.engine if text == row.machine else run.service.name
                rows[unit.key] = replace(row, machine=text, engine=engine)
                texts |= dict.fromkeys(unit.places, text)
        if rows != table:
            corpus.write_translated(fresh, rows.values())
        bank, counts = put(fresh.bank, texts, "machine_texts", machine_cells)
        run.cells = counts["written"]
        if run.cells:
            fresh.write_bank(fresh.bank_file, bank)


def _to_look_at(workspace: Workspace, run: _Run) -> list[Finding]:
    """A finding for each text that a person has to look at."""
    rows = {variant.id: variant.row for variant in workspace.bank.variants}
    file = workspace.shown(workspace.bank_file)
    findings = []
    for unit in run.units:
        settled = run.settled.get(protection.bare(unit.parsed))
        for flag in settled.flags if settled else ():
            place, rule = unit.places[0], f"translation-{flag.value}"
            what = f"{unit.template}: check the machine's text: {protection.flagged(flag)}"
            hint = "the text is open in the translator's sheet: 'curate translate sheet'"
            column, row = f"{place.field}_machine", rows.get(place.variant) or None
            findings.append(warning(rule, file, what, hint, column, row))
    return findings


_ASKED_AGAIN = protection.BROKEN | {
    protection.Flag.SPACING,
    protection.Flag.MOVED,
    protection.Flag.ORDER,
}


@dataclass(frozen=True, slots=True)
class TextToTranslate:
    """One distinct text of the bank, to be translated once.

    Attributes:
        source: The text.
        plain: As it is sent.
        filled: As it is sent again when a slot has suffered; None without slots or fillers.
        contexts: Contexts of the templates that it stands in, in the bank's order.
    """

    source: SlotText
    plain: protection.Protected
    filled: protection.Protected | None
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The result for a text: its translation, with the flags that a person has to check."""

    text: SlotText
    flags: tuple[protection.Flag, ...]


Lookup = Callable[[str, str], str | None]
"""The reply to a text in a context, where it is known."""


def wanted_texts(
    units: Iterable[corpus.Unit], bank: Iterable[corpus.Unit] = ()
) -> dict[SlotText, TextToTranslate]:
    """The distinct texts of units, slots bare, in order.

    Texts that differ in their slots' names alone are sent as the same text, so they share
    their contexts.

    Args:
        units: What is to be translated.
        bank: Texts that are not, or not any more: an equal one that was paid for in their context
            is not paid for again.
    """
    contexts: dict[str, dict[str, None]] = {}
    first: dict[SlotText, tuple[corpus.Unit, protection.Protected]] = {}
    for unit in units:
        plain = protection.protect(unit.parsed)
        contexts.setdefault(plain.wire, {}).setdefault(unit.context)
        first.setdefault(protection.bare(unit.parsed), (unit, plain))
    for unit in bank:
        known = contexts.get(protection.protect(unit.parsed).wire)
        if known is not None:
            known.setdefault(unit.context)
    wanted = {}
    for text, (unit, plain) in first.items():
        fillers = {name: filler for name, filler in unit.fillers if filler}
        filled = protection.protect(unit.parsed, fillers) if fillers else None
        wanted[text] = TextToTranslate(unit.parsed, plain, filled, tuple(contexts[plain.wire]))
    return wanted


def settle_all(
    wanted: Mapping[SlotText, TextToTranslate],
    known: Lookup,
    language: LanguageOrCode,
    *,
    again: bool = True,
) -> tuple[dict[SlotText, Settled], list[engines.TextToSend]]:
    """Say what texts have become, and what is to be sent for them.

    A text without a letter outside slots is its own translation. A reply whose slots have
    suffered is asked for once more, with a filler in each tag; the better one of the two holds.

    Args:
        wanted: The texts.
        known: The replies so far.
        language: That of the translation, or its ISO 639-1 code.
        again: Whether asking once more is of use.

    Returns:
        What is settled, by text with bare slots, and what is to be sent, each once.
    """
    settled: dict[SlotText, Settled] = {}
    questions: dict[engines.TextToSend, None] = {}
    for text, item in wanted.items():
        own = Settled(protection.bare(item.source), ())
        found = [] if protection.has_words(item.source) else [own]
        replies = ((context, known(item.plain.wire, context)) for context in item.contexts)
        context = next((name for name, one in replies if one is not None), item.contexts[0])
        for sent in (item.plain, item.filled if again else None):
            if sent is None or (found and not _ASKED_AGAIN & {*found[0].flags}):
                continue
            reply = known(sent.wire, context)
            if reply is None:
                questions[engines.TextToSend(sent.wire, context, sent.characters)] = None
                break
            made = protection.restore(sent, reply)
            found.append(Settled(made, protection.inspect(item.source, made, language)))
        else:
            settled[text] = min(found, key=_weight)
    return settled, [*questions]


def _weight(settled: Settled) -> tuple[int, bool, int]:
    """How bad a text is: broken, then with people who may be exchanged, then by its flags."""
    flags = settled.flags
    return len(protection.BROKEN & {*flags}), protection.Flag.ORDER in flags, len(flags)


def written(kind: corpus.Kind, text: SlotText) -> str:
    """A translation as a cell holds it: plain text needs no escapes."""
    if kind is corpus.Kind.TEXT:
        return print_text(text)
    return "".join(part if isinstance(part, str) else f"[{part.name}]" for part in text.parts)
