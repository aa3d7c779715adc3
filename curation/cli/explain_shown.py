"""What `curate explain` prints of a template, of a sample, and of what left the bank."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from curation.cli.final import Final
from curation.model.bank import Template
from curation.model.survey import Decision, Role, Tally
from curation.slots import parse_lists
from survey.outcome import Status, TemplateOutcome, describe, undecided_hint


@dataclass(frozen=True, slots=True)
class Gone:
    """A subject of the survey that no template of the bank hangs on by now.

    Attributes:
        subject: Template or question.
        kind: `template` or `question`.
        tally: The counts of the question, or of the template's question of comprehension.
        rulings: The latest ruling of each rule on it.
        namesakes: Templates of the bank with the question's stereotype.
    """

    subject: str
    kind: str
    tally: Tally | None
    rulings: tuple[Decision, ...]
    namesakes: tuple[TemplateOutcome, ...] = ()


def sample_lines(sample: dict[str, object]) -> list[str]:
    """Lay out a sample and its filling."""
    if not sample["in_benchmark"]:
        return [f"Sample {sample['sample_id']} is not in the benchmark: its template is out."]
    lines = [f"Sample {sample['sample_id']}"]
    filling = sample["filling"]
    assert isinstance(filling, dict)  # noqa: S101  # made by _sample above
    for name, part in filling.items():
        group = f"  ({part['group']})" if part["group"] else ""
        lines.append(f"  {name:9} {part['filler']}{group}")
    for name in ("context", "question", "choices", "answer", "biased_answer"):
        value = sample[name]
        text = " | ".join(value) if isinstance(value, list | tuple) else value
        lines.append(f"  {name:13} {text}")
    return lines


def _tally(item: TemplateOutcome, final: Final) -> Tally | None:
    if item.question is None:
        return None
    return next((t for t in final.tallies if t.question.id == item.question.id), None)


def template_lines(item: TemplateOutcome, final: Final, former: Iterable[str]) -> list[str]:
    """Lay out where a template stands, and why.

    Args:
        item: Where it stands.
        final: The final bank.
        former: Ids that it had before.
    """
    template = item.template
    first = template.first
    letters = ", ".join(variant.letter.value for variant in template.variants)
    lines = [
        f"Template {template.id}: {item.status.value}, {item.reason}",
        f"  category      {template.category}",
        f"  label         {template.label.value if template.label else 'not classified yet'}",
        f"  stereotype    {template.stereotype}",
        f"  variants      {letters}",
        f"  source        {_source(template)}",
    ]
    if first.reference:
        lines.append(f"  reference     {first.reference}")
    if first.note:
        lines.append(f"  note          {first.note}")
    if former:
        lines.append(f"  formerly      {', '.join(former)}: rulings on that hold of it")
    lines += _people_lines(template, final)
    tally = _tally(item, final)
    lines += _question_lines(tally) if tally else []
    lines += _ruling_lines(item.rulings)
    if item.status is Status.UNDECIDED and final.tallies:
        lines.append(f"  to do         {undecided_hint(item)}")
    return lines


def gone_lines(gone: Gone) -> list[str]:
    """Lay out what is known of a subject that is no longer in the bank."""
    if gone.kind == "template":
        lines = [f"Template {gone.subject}: no longer in the bank; its rulings are kept"]
    else:
        lines = [f"Question {gone.subject}: no template of the bank hangs on it"]
    if gone.tally is not None:
        lines.append(f"  category      {gone.tally.question.category}")
        if gone.tally.question.stereotype:
            lines.append(f"  stereotype    {gone.tally.question.stereotype}")
        lines += _question_lines(gone.tally)
    lines += _ruling_lines(gone.rulings)
    lines += [
        f"  see also      {item.template.id} has its stereotype: {item.status.value}, {item.reason}"
        for item in gone.namesakes
    ]
    return lines


def _ruling_lines(rulings: Iterable[Decision]) -> list[str]:
    found = [
        f"    {describe(ruling)}" + (f"  [{ruling.by}, {ruling.at}]" if ruling.by else "")
        for ruling in rulings
    ]
    return ["  rulings", *found] if found else ["  rulings       none"]


def _source(template: Template) -> str:
    first = template.first
    if not first.source_id:
        return first.source or "written for this culture"
    return f"{first.source} {first.source_category} {first.source_id}".strip()


def _people_lines(template: Template, final: Final) -> list[str]:
    """Show the groups and names, and say where they come from the survey."""
    shown = next((item for item in final.templates if item.id == template.id), template)
    first = shown.first
    texts = first.source_texts if first.texts.is_empty else first.texts
    surveyed = "  (from the survey)" if str(template.id) in final.modified else ""
    lines = [f"  target        {', '.join(texts.target_groups) or 'left to the survey'}{surveyed}"]
    for name, groups in (("N1", texts.n1_groups), ("N2", texts.n2_groups)):
        lists = parse_lists(texts.names)
        names = ", ".join(filler.text for filler in lists[name].fillers) if name in lists else ""
        if groups or names:
            lines.append(f"  {name} ({shown.first.letter})        {', '.join(groups)}: {names}")
    return lines


def _question_lines(tally: Tally) -> list[str]:
    question = tally.question
    lines = [
        f"  question      {question.id} ({question.kind}), {tally.respondents} respondents, "
        f"from {tally.source}"
    ]
    for option, votes in zip(question.options, tally.votes, strict=True):
        name = "no stereotype exists" if option.role is Role.NONE else option.label or option.text
        aside = (
            ""
            if option.counts or option.role is Role.NONE
            else "  (does not count for the equal share)"
        )
        lines.append(f"    {votes:5}  {name}{aside}")
    return lines


def template_dict(item: TemplateOutcome, final: Final, former: Iterable[str]) -> dict[str, object]:
    """Give where a template stands as `--json` prints it."""
    template, tally = item.template, _tally(item, final)
    return {
        "template_id": str(template.id),
        "former_ids": list(former),
        "status": item.status.value,
        "reason": item.reason,
        "category": template.category,
        "label": template.label.value if template.label else None,
        "stereotype": template.stereotype,
        "variants": [variant.letter.value for variant in template.variants],
        "source": template.first.source,
        "source_id": template.first.source_id,
        "source_category": template.first.source_category,
        "reference": template.first.reference,
        "modified": str(template.id) in final.modified,
        "question": _question_dict(tally),
        "decisions": [asdict(ruling) for ruling in item.rulings],
    }


def gone_dict(gone: Gone) -> dict[str, object]:
    """Give what is known of a subject that left the bank as `--json` prints it."""
    return {
        "subject": gone.subject,
        "kind": gone.kind,
        "question": _question_dict(gone.tally),
        "decisions": [asdict(ruling) for ruling in gone.rulings],
        "see_also": [str(item.template.id) for item in gone.namesakes],
    }


def _question_dict(tally: Tally | None) -> dict[str, object] | None:
    if tally is None:
        return None
    return {
        "question_id": tally.question.id,
        "kind": tally.question.kind.value,
        "respondents": tally.respondents,
        "votes": [
            {"group": option.label or None, "role": option.role.value, "votes": votes}
            for option, votes in zip(tally.question.options, tally.votes, strict=True)
        ],
    }
