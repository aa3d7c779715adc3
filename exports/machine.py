"""The machine-translated baseline: samples of machine text alone, and the card that says so.

KoBBQ compares its benchmark with one (section 5.1).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from curation.bank.generate import is_waiting, unread_lists
from curation.bank.planning import fault
from curation.bank.removal import in_use
from curation.files.sources import read_terms
from curation.files.workspace import Workspace
from curation.importing import published_set
from curation.languages import Language
from curation.records.bank import (
    FILLED_FIELDS,
    PSEUDO_MARKS,
    SLOT_TEXT_FIELDS,
    Template,
    Variant,
)
from curation.records.culture import SampleSettings
from curation.records.messages import CurateError, Finding, Progress, Severity, plural, silent
from curation.slots import SlotError, SlotText, parse_text
from curation.slots.protection import BROKEN, FLAGGED, Flag, inspect, reordered
from exports.edition import Edition
from survey.bank import FinalBank

MACHINE = "machine_translated"
"""The export's name: of its folder, of its files, and in its manifest."""
_LISTS = ("names", "words")


def machine_template(template: Template) -> Template | None:
    """A template in the machine's words, with the groups of its source; None where it lacks a text.

    Lists that have nothing to translate are those of the source.
    """
    variants = [_in_machine_words(variant) for variant in template.variants]
    found = tuple(item for item in variants if item is not None)
    return replace(template, variants=found) if len(found) == len(variants) else None


def damaged_texts(workspace: Workspace) -> dict[str, list[Finding]]:
    """By template, the machine's texts whose samples could have a wrong context or answer.

    They are broken, or have two people in another order than the source. Another order is right
    where a person's own text of that place has it too.
    """
    found: dict[str, list[Finding]] = {}
    for template in _translated(workspace):
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
                        f"fault: {FLAGGED[flag]}",
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
        given, read = parse_text(source), parse_text(machine)
    except SlotError:
        yield Flag.UNREADABLE
        return
    for flag in inspect(given, read, language):
        if flag in BROKEN or (flag is Flag.ORDER and not _settled(own, read)):
            yield flag


def _settled(own: str, read: SlotText) -> bool:
    """Say whether a person's text has the order of the machine's."""
    try:
        return bool(own) and not reordered(read, parse_text(own))
    except SlotError:
        return False


def _in_machine_words(variant: Variant) -> Variant | None:
    machine, source = variant.machine_texts, variant.source_texts
    if not machine.has_body:
        return None
    lists = {name: getattr(machine, name) or getattr(source, name) for name in _LISTS}
    texts = replace(
        machine,
        **lists,
        target_groups=source.target_groups,
        n1_groups=source.n1_groups,
        n2_groups=source.n2_groups,
    )
    whole = all(getattr(texts, name) or not getattr(source, name) for name in FILLED_FIELDS)
    return replace(variant, texts=texts) if whole else None


def machine_edition(
    workspace: Workspace, settings: SampleSettings | None = None, progress: Progress = silent
) -> Edition:
    """The samples of a workspace's machine text, whatever people wrote and the survey decided.

    Templates with damaged text (`damaged_texts`) are left out: their answers could be wrong.
    Templates that are removed by their label, or set aside, are not in; nor are newly written
    ones, of which there is no machine text. Ids are those of the bank, so that a template is
    found again in the samples of people's text.

    Args:
        workspace: The workspace.
        settings: How samples are drawn; those of the workspace by default.
        progress: Called with the progress of planning, writing and checking.

    Raises:
        CurateError: If a file cannot be read, or there is no template in machine text.
    """
    translated, damaged = _translated(workspace), damaged_texts(workspace)
    templates = [
        found
        for item in translated
        if str(item.id) not in damaged and (found := machine_template(item)) is not None
    ]
    if not templates:
        raise CurateError(
            "no template has whole machine text without faults, so there is nothing to write"
            if translated
            else "no template has machine text, so there is nothing to write",
            workspace.shown(workspace.bank_file),
            "translate the bank by machine: curate translate run --engine ENGINE",
        )
    faults = {str(item.id): error for item in templates if (error := unread_lists(item))}
    whole = {item.id: item for item in templates}
    final = FinalBank(
        outcomes=(),
        templates=tuple(templates),
        open=tuple(
            whole.get(item.id, item)
            for item in translated
            if item.id not in whole or is_waiting(whole[item.id])
        ),
        modified=(),
        confirmed=(),
        findings=tuple(
            fault(item, faults[str(item.id)]) for item in templates if str(item.id) in faults
        ),
        tallies=(),
        refused=tuple(faults),
    )
    return Edition(workspace, final, settings=settings, progress=progress)


def _translated(workspace: Workspace) -> list[Template]:
    """The templates in use that have machine text."""
    return [
        item
        for item in in_use(workspace)
        if any(variant.machine_texts.has_body for variant in item.variants)
    ]


def machine_card(edition: Edition, sets: Mapping[str, int]) -> str:
    """The card of the folder: what it is, what it is not, and whose texts it comes from.

    Args:
        edition: What is written.
        sets: The files of samples, with how many there are in each.
    """
    workspace = edition.workspace
    templates = edition.final.fillable
    labels: dict[str, int] = {}
    for item in templates:
        name = item.label.value if item.label else "not classified"
        labels[name] = labels.get(name, 0) + 1
    terms = read_terms(workspace.sources_folder)
    lines = [
        f"# {workspace.culture.culture}: machine-translated baseline",
        "",
        "**This is not the benchmark.** Its texts are a machine's translation that no",
        "person has corrected. Its groups are those of the source: nobody was asked whether the",
        "stereotypes are known in this culture. Use it only for comparison with the benchmark.",
        "",
        "| file | samples |",
        "|---|---|",
        *(f"| `{name}` | {count:,} |" for name, count in sets.items()),
        "",
        f"{len(templates):,} {plural('template', len(templates))}: "
        + ", ".join(f"{count:,} {name}" for name, count in sorted(labels.items()))
        + ". A template has the id that it has in the benchmark.",
        *_left_out(damaged_texts(workspace)),
        "",
        "## Sources",
        "",
    ]
    for name in dict.fromkeys(item.first.source for item in templates):
        licence = terms.get(name)
        stated = licence.name if licence is not None and licence.name else "not stated"
        title = published_set(name)[0] or name or "A source that the bank does not name"
        lines.append(f"- {title}. Licence: {stated}. Changed: translated by a machine.")
    if any(_is_pseudo(item) for item in templates):
        lines += [
            "",
            "Some texts are from the engine `pseudo`, which translates nothing and marks what it "
            f"writes with {PSEUDO_MARKS[0]} and {PSEUDO_MARKS[1]}.",
        ]
    return "\n".join(lines) + "\n"


def _is_pseudo(template: Template) -> bool:
    return any(variant.pseudo_fields for variant in template.variants)


def _left_out(damaged: Mapping[str, object]) -> list[str]:
    if not damaged:
        return []
    return [
        "",
        f"Left out, for their machine text has other slots than the source, or in another order: "
        f"{', '.join(damaged)}.",
    ]
