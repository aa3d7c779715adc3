"""What the commands of `curate translate` share: what is to be done, and what is known of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import click

from curation.cli.common import F
from curation.io.translation.engine import Service
from curation.io.translation.memory import Memory, reply_key
from curation.io.translation.services import ENGINES, service_for
from curation.io.workspace import Workspace
from curation.model.bank import Bank
from curation.model.culture import Culture, TranslationSettings
from curation.model.findings import Finding
from curation.slots import SlotText
from curation.stages.translate.settle import (
    Question,
    Settled,
    Wanted,
    keys_of,
    settle_all,
    wanted_texts,
)
from curation.stages.translate.units import Choice, Unit, translation_units


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be translated, and by which engine."""

    culture: Culture
    service: Service
    choice: Choice
    units: tuple[Unit, ...]
    wanted: Mapping[SlotText, Wanted]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the work is: translations that are settled, and texts that have to be sent."""

    settled: Mapping[SlotText, Settled]
    questions: tuple[Question, ...]

    @property
    def characters(self) -> int:
        """The characters that sending would bill."""
        return sum(question.characters for question in self.questions)


def memory_file(workspace: Workspace) -> Path:
    """Give the path of the translation memory."""
    return workspace.curate_folder / "translation.sqlite"


def selection_options(function: F) -> F:
    """Add the options that say what is translated, and by which engine."""
    options: Sequence[Callable[[F], F]] = (
        click.option(
            "--engine",
            type=click.Choice(ENGINES),
            help="What translates [default: translation.engine in culture.yaml].",
        ),
        click.option(
            "--file",
            "file",
            type=click.Path(path_type=Path),
            help="For the engine 'file': a table with columns source and translation.",
        ),
        click.option(
            "--unlabelled", is_flag=True, help="Also templates that nobody has classified."
        ),
        click.option("--missing", is_flag=True, help="Only texts whose own column is still empty."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def choice_of(culture: Culture, *, unlabelled: bool, missing: bool) -> Choice:
    """Give what is to be translated."""
    return Choice(unlabelled, missing, culture.translation.context, culture.source_language)


def prepare_work(
    workspace: Workspace, engine: str | None, file: Path | None, *, unlabelled: bool, missing: bool
) -> Work:
    """Find out what is to be translated.

    Raises:
        CurateError: If settings, bank or glossary cannot be read.
    """
    culture = workspace.culture
    if file is not None and engine != "file":
        raise click.UsageError("--file belongs to --engine file")
    service = service_for(engine or culture.translation.engine, culture, workspace.root, file)
    choice = choice_of(culture, unlabelled=unlabelled, missing=missing)
    units, findings = units_of(workspace, workspace.bank, choice)
    return Work(culture, service, choice, tuple(units), wanted_texts(units), tuple(findings))


def units_of(workspace: Workspace, bank: Bank, choice: Choice) -> tuple[list[Unit], list[Finding]]:
    """List what of a bank is to be translated."""
    return translation_units(bank, choice, workspace.shown(workspace.bank_file))


def standing(work: Work, memory: Memory) -> Standing:
    """Say how far the work is."""
    signature = work.service.signature
    keys = {
        (wire, context): reply_key(signature, context, wire)
        for wire, context in keys_of(work.wanted.values())
    }
    replies = memory.find(list(keys.values()))
    settled, questions = settle_all(
        work.wanted,
        lambda wire, context: replies.get(keys[wire, context]),
        work.culture.language,
        again=not work.service.is_free,  # the free ones answer the same every time
    )
    return Standing(settled, tuple(questions))


def price_of(characters: int, settings: TranslationSettings) -> Fraction | None:
    """Give the price of characters; None where no price is stated."""
    return None if settings.price is None else settings.price * characters / 1_000_000


def cost_text(characters: int, work: Work) -> str:
    """Say what characters cost, in words."""
    settings = work.culture.translation
    if work.service.is_free:
        return f"{characters:,} characters, free of charge"
    price = price_of(characters, settings)
    if price is None:
        return f"{characters:,} characters"
    return f"{characters:,} characters, {float(price):,.2f} {settings.currency}".rstrip()
