"""Machine translation of what is not translated yet: what it would cost, and the run."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from curation.annotation.engines.memory import Memory, reply_key
from curation.annotation.engines.runner import (
    Item,
    Listener,
    Outcome,
    problem_of,
    send,
    tell_unanswered,
)
from curation.annotation.engines.services import service_for
from curation.annotation.translation.machine import (
    Question,
    Settled,
    apply_machine,
    keys_of,
    settle_all,
    wanted_texts,
    written,
)
from curation.annotation.translation.table import read_translated, row_of, write_translated
from curation.annotation.translation.units import Unit, choice_of, translation_units, units_of
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.bank import Bank
from curation.records.culture import TranslationSettings
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.slots import SlotText
from curation.slots.protection import FLAGGED, bare

_BY_HAND = "translate by hand what 'curate translate run --status' lists as waiting"


class _Run:
    """What is to be translated by which engine, and how far that is."""

    def __init__(
        self,
        workspace: Workspace,
        engine: str | None,
        file: Path | None,
        unlabelled: bool,
        missing: bool,
    ) -> None:
        culture = workspace.culture
        self.culture, self.language = culture, workspace.language
        self.service = service_for(engine or culture.translation.engine, workspace, file)
        self.choice = choice_of(workspace, unlabelled=unlabelled, missing=missing)
        self.units, self.findings = units_of(workspace, self.choice)
        self.wanted = wanted_texts(self.units, _every_unit(workspace))
        self.settled: Mapping[SlotText, Settled] = {}
        self.questions: list[Question] = []
        self.rounds: list[Outcome] = []  # one for each time that texts were sent
        self.cells = 0
        self.declined = False

    def look(self, memory: Memory) -> None:
        """Find out which translations are settled, and which texts have to be sent."""
        signed = self.service.signature
        keys = {
            (wire, context): reply_key(signed(wire), context, wire)
            for wire, context in keys_of(self.wanted.values())
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

    def cost(self, characters: int) -> str:
        """What characters cost, in words."""
        return cost_text(characters, self.culture.translation, free=self.service.is_free)


def _every_unit(workspace: Workspace) -> list[Unit]:
    """The texts of all templates, whatever their labels: one may have been sent with them."""
    variants = (replace(variant, label=None) for variant in workspace.bank.variants)
    return translation_units(
        Bank(tuple(variants)), choice_of(workspace, unlabelled=True, every=True)
    )[0]


def _memory_file(workspace: Workspace) -> Path:
    return workspace.curate_folder / "translation.sqlite"


def price_of(characters: int, settings: TranslationSettings) -> Fraction | None:
    """The price of characters; None where no price is stated."""
    return None if settings.price is None else settings.price * characters / 1_000_000


def cost_text(characters: int, settings: TranslationSettings, *, free: bool) -> str:
    """What characters cost, in words."""
    if free:
        return f"{characters:,} characters, free of charge"
    price = price_of(characters, settings)
    if price is None:
        return f"{characters:,} characters"
    return f"{characters:,} characters, {float(price):,.2f} {settings.currency}".rstrip()


def estimate_translation(
    workspace: Workspace,
    engine: str | None = None,
    file: Path | None = None,
    *,
    unlabelled: bool = False,
    missing: bool = False,
) -> dict[str, Any]:
    """Estimate the cost of a translation; no key is needed.

    Args:
        workspace: The workspace.
        engine: What translates; that of the settings by default.
        file: Translations, for the engine `file`.
        unlabelled: Whether templates that nobody has classified are translated too.
        missing: Whether only texts are whose own column is still empty.

    Returns:
        engine: What would translate.
        free: Whether it bills nothing.
        templates: Templates with texts to be translated.
        texts: Their distinct texts.
        distinct: Texts that differ over all templates.
        known: Those of them that the translation memory holds.
        to_send: Texts that would be sent.
        characters: Their characters, as they are billed.
        most: Their characters if each that has slots must be sent a second time.
        price: What they cost; None where that is not known, or nothing.
        currency: Of the price.
        billed_so_far: Characters that the engine has billed.
        budget: Characters that it may bill; None without a budget.
        findings: Source texts that cannot be parsed.

    Raises:
        CurateError: If settings, bank, glossary or translation memory cannot be read.
    """
    run = _Run(workspace, engine, file, unlabelled, missing)
    with Memory(_memory_file(workspace), read_only=True) as memory:
        run.look(memory)
        spent = memory.billed(run.service.name)
    settings, free = run.culture.translation, run.service.is_free
    characters = sum(question.characters for question in run.questions)
    price = None if free else price_of(characters, settings)
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
    file: Path | None = None,
    *,
    unlabelled: bool = False,
    missing: bool = False,
    over_budget: bool = False,
    listener: Listener | None = None,
) -> dict[str, Any]:
    """Translate by machine what is not translated yet, and write the machine columns.

    Each reply is stored as soon as it arrives, so a run that ends early continues where it stopped.
    A text whose slots came back damaged is sent a second time.

    Args:
        workspace: The workspace.
        engine: What translates; that of the settings by default.
        file: Translations, for the engine `file`.
        unlabelled: Whether templates that nobody has classified are translated too.
        missing: Whether only texts are whose own column is still empty.
        over_budget: Whether a budget or the account's quota may be exceeded.
        listener: Who is told and asked; nobody by default.

    Returns:
        engine: What translated.
        free: Whether it bills nothing.
        texts: Distinct texts of templates that were to be translated.
        distinct: Those that differ over all templates.
        known: Those of them that the translation memory held before.
        requests: Requests that were answered.
        answered: Texts in them.
        sent_again: Those of them that were sent a second time, for their slots.
        billed: Characters that the engine says it billed.
        unanswered: Texts that were sent without a reply, which may have been billed.
        waiting: Texts that have no translation yet.
        flagged: How often a person has to look at a text, by reason.
        cells: Cells of the bank that were written.
        declined: Whether more was not sent for its cost.
        problem: Why not everything was sent and answered; None when it was.
        findings: Source texts that cannot be parsed, and texts that a person has to look at.

    Raises:
        CurateError: If a key is missing or refused, another run is under way, the budget is not
            enough and nobody can be asked, or a file cannot be read or written.
    """
    listener = listener or Listener()
    # Two at once would pay twice. It may take long, so that the bank is locked at its end alone.
    with writing(workspace, "curate translate run", lock="translation"):
        run = _Run(workspace, engine, file, unlabelled, missing)
        with Memory(_memory_file(workspace)) as memory:
            tell_unanswered(memory, listener)
            run.look(memory)
            known = len(run.settled)
            try:
                _send_all(run, memory, listener, over_budget=over_budget)
            except (CurateError, KeyboardInterrupt):
                # What was paid for is written, whatever ends the run.
                run.look(memory)
                _save(workspace, run)
                raise
        _save(workspace, run)
    settled = run.settled
    flags = Counter(flag.value for item in settled.values() for flag in item.flags)
    return {
        "engine": run.service.name,
        "free": run.service.is_free,
        "texts": len(run.units),
        "distinct": len(run.wanted),
        "known": known,
        "requests": sum(outcome.requests for outcome in run.rounds),
        "answered": sum(outcome.answered for outcome in run.rounds),
        "sent_again": run.rounds[1].answered if len(run.rounds) > 1 else 0,
        "billed": sum(outcome.billed for outcome in run.rounds),
        "unanswered": sum(len(outcome.unanswered) for outcome in run.rounds),
        "waiting": len(run.wanted) - len(settled),
        "flagged": dict(sorted(flags.items())),
        "cells": run.cells,
        "declined": run.declined,
        "problem": problem_of(run.rounds, "text", _BY_HAND),
        "findings": (*run.findings, *_to_look_at(workspace, run)),
    }


def _send_all(run: _Run, memory: Memory, listener: Listener, *, over_budget: bool) -> None:
    for turn in range(2):
        refused = {wire for outcome in run.rounds for wire in outcome.refused}
        items = [
            Item(question.wire, question.context, question.characters)
            for question in run.questions
            if question.wire not in refused
        ]
        if not items:
            return
        characters = sum(item.characters for item in items)
        if not turn:
            listener.tell(f"To send: {run.cost(characters)}.")
        if not (over_budget or _may_spend(run, characters, memory, listener)):
            run.declined = True
            return
        if not turn:
            run.service.prepare()
        workers = run.culture.translation.workers
        outcome = send(items, run.service, memory, workers, listener.progress)
        run.rounds.append(outcome)
        run.look(memory)
        if outcome.stopped or outcome.unanswered:
            return


def _may_spend(run: _Run, characters: int, memory: Memory, listener: Listener) -> bool:
    """Ask before a budget or the account's quota is exceeded."""
    if run.service.is_free:
        return True
    reasons = []
    usage = run.service.usage()
    if usage is not None and usage.limit is not None:
        left = max(0, usage.limit - usage.used)
        if characters > left:
            reasons.append(f"the account has {left:,} characters left")
    budget = run.culture.translation.budget
    spent = memory.billed(run.service.name)
    if budget is not None and spent + characters > budget:
        reasons.append(f"the budget is {budget:,} characters, {spent:,} of them billed so far")
    if not reasons:
        return True
    said = f"{characters:,} characters are to be sent, and {' and '.join(reasons)}"
    if listener.confirm is None:
        raise CurateError(said, "translation.budget", "go on with --yes, or raise the budget")
    return listener.confirm(f"{said[:1].upper()}{said[1:]}. Go on?")


def _save(workspace: Workspace, run: _Run) -> None:
    """Write the machine's texts into the table and the bank as they are now."""
    with writing(workspace, "curate translate run") as fresh:
        units, _ = units_of(fresh, run.choice)
        table = read_translated(fresh)
        rows = dict(table)
        for unit in units:
            found = run.settled.get(bare(unit.parsed))
            if found is not None:
                text = written(unit.kind, found.text)
                row = row_of(rows, unit)
                engine = row.engine if text == row.machine else run.service.name
                rows[unit.key] = replace(row, machine=text, engine=engine)
        if rows != table:
            write_translated(fresh, rows.values())
        bank, run.cells = apply_machine(fresh.bank, units, run.settled)
        if run.cells:
            fresh.write_bank(fresh.bank_file, bank)


def _to_look_at(workspace: Workspace, run: _Run) -> list[Finding]:
    """A finding for each text that a person has to look at."""
    rows = {variant.id: variant.row for variant in workspace.bank.variants}
    findings = []
    for unit in run.units:
        settled = run.settled.get(bare(unit.parsed))
        for flag in settled.flags if settled else ():
            place = unit.places[0]
            findings.append(
                Finding(
                    f"translation-{flag.value}",
                    Severity.WARNING,
                    workspace.shown(workspace.bank_file),
                    rows.get(place.variant) or None,
                    f"{place.field}_machine",
                    f"{unit.template}: check the machine's text: {FLAGGED[flag]}",
                    "the text is open in the translator's sheet: 'curate translate sheet'",
                )
            )
    return findings
