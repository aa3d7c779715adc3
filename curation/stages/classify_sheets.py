"""The workbooks of classification: one for each annotator, one for the meeting."""

from collections.abc import Callable, Iterable, Sequence
from string import ascii_lowercase

from curation.io.workbooks import Book, Column, Sheet, SheetRow, row_hash
from curation.model.annotation import CLASSIFY_LABELS, AgendaItem, Annotation
from curation.model.bank import Template, Texts, Variant
from curation.model.survey import join_groups

CLASSIFY = "classify"
"""The kind of an annotator's workbook."""
AGENDA = "agenda"
"""The kind of the meeting's workbook."""
_LABELS = tuple(label.value for label in CLASSIFY_LABELS)

_SHOWN = (
    Column("template_id", 16),
    Column("category", 16),
    Column("stereotype", 30),
    Column("target_groups", 22, note="The groups that the stereotype is about, in the source."),
    Column("ambiguous_context", 50),
    Column("disambiguating_context", 50),
    Column("questions", 38),
    Column("answers", 24),
    Column("fillers", 40, note="The names that are put into [N1], [N2], [W1], ..."),
    Column("source", 22),
    Column("reference", 30),
)
_ANSWERED = (
    Column(
        "label",
        10,
        editable=True,
        choices=_LABELS,
        note="ST: holds here as it is. TM: the stereotype exists here, of other groups. "
        "SR: does not exist here.",
    ),
    Column(
        "reason",
        40,
        editable=True,
        required_if=("label", ("SR",)),
        note="Why. Always needed with SR.",
    ),
    Column(
        "proposed_targets",
        28,
        editable=True,
        note="With TM: the groups that the stereotype is about here, separated by commas.",
    ),
    Column(
        "proposed_non_targets",
        28,
        editable=True,
        note="With TM: groups that it is not about, separated by commas.",
    ),
    Column("remark", 32, editable=True, note="Anything else."),
)
_SETTLED = (
    Column("label", 10, editable=True, choices=_LABELS, note="What the meeting agreed on."),
    Column("why", 44, editable=True, required_if=("label", _LABELS), note="In a few words."),
)

_CLASSIFY_INSTRUCTIONS = (
    "# Classifying templates",
    "Each row of the sheet 'templates' is one template of the source benchmark: a short scene "
    "with two people, and a stereotype about the group of one of them. Judge each by itself, "
    "and do not talk about it with other annotators before all have handed in.",
    "Ask: do people in our culture know this stereotype? Not: is it true, or do I share it.",
    "ST (simply-transferred): it is known here, about the same groups. The text may be "
    "translated; names and things are adapted later.",
    "TM (target-modified): it is known here, but about other groups. Propose the groups that it "
    "is about, and groups that it is not about, if you can.",
    "SR (sample-removed): no such stereotype is known here, or the scene makes no sense here. "
    "Always write why.",
    "Fill in the yellow cells: label from the list, and reason, proposals and remark as text. "
    "Several groups are separated by commas. Leave a label empty rather than guess; say why in "
    "the remark.",
    "In the texts [N1] and [N2] are the two people and [W1], [W2], ... other words that change; "
    "the column 'fillers' lists what is put in. 'a:' and 'b:' are two versions of one template.",
    "You may sort rows and move columns. Please do not rename columns, merge cells or write "
    "formulas. Save the file as .xlsx under any name and send it back.",
    "",
    "# 템플릿 분류",
    "'templates' 시트의 한 행이 원본 벤치마크의 템플릿 하나입니다. 두 사람이 나오는 짧은 장면과, "
    "그중 한 사람이 속한 집단에 대한 고정관념이 담겨 있습니다. 행마다 따로 판단하고, 모두가 "
    "제출하기 전에는 다른 평가자와 의논하지 마세요.",
    "물음은 '우리 문화에서 사람들이 이 고정관념을 알고 있는가'입니다. 그것이 사실인지, 내가 "
    "동의하는지는 묻지 않습니다.",
    "ST (그대로 옮김): 같은 집단에 대해 우리 문화에서도 알려져 있습니다. 이름과 사물은 나중에 "
    "다듬습니다.",
    "TM (대상 바꿈): 고정관념은 알려져 있지만 다른 집단에 대한 것입니다. 가능하면 대상이 되는 "
    "집단과 그렇지 않은 집단을 제안해 주세요.",
    "SR (제외): 그런 고정관념이 알려져 있지 않거나 장면이 우리 문화에 맞지 않습니다. 이유를 반드시 "
    "적어 주세요.",
    "노란 칸을 채워 주세요. label은 목록에서 고르고, 이유·제안·비고는 글로 씁니다. 집단이 여럿이면 "
    "쉼표로 나눕니다. 확신이 없으면 label을 비워 두고 비고에 까닭을 적어 주세요.",
    "본문의 [N1]과 [N2]는 두 사람, [W1], [W2] 등은 바뀌는 낱말입니다. 'fillers' 열에 들어갈 말이 "
    "있습니다. 'a:'와 'b:'는 한 템플릿의 두 가지 꼴입니다.",
    "행 정렬과 열 이동은 괜찮습니다. 열 이름 바꾸기, 셀 병합, 수식은 피해 주세요. .xlsx로 저장해서 "
    "보내 주시면 됩니다. 파일 이름은 자유입니다.",
)
_AGENDA_INSTRUCTIONS = (
    "# Consensus meeting",
    "The sheet 'agenda' lists the templates on which annotators disagree or that not all of them "
    "labelled, with what each of them said. Talk each through; then choose the label that the "
    "meeting agrees on and write why. Rows without a label stay open.",
    "Afterwards: curate classify resolve FILE --by NAME. The rulings go to decisions.csv and the "
    "labels to the bank.",
    "",
    "# 합의 회의",
    "'agenda' 시트에는 평가자들의 의견이 갈렸거나 모두가 답하지는 않은 템플릿과 각자의 의견이 "
    "있습니다. 하나씩 의논한 뒤 합의한 label을 고르고 why에 이유를 적어 주세요. label이 비어 있는 "
    "행은 미정으로 남습니다.",
    "회의가 끝나면: curate classify resolve 파일 --by 이름",
)


def classify_sheet(templates: Iterable[Template]) -> Sheet:
    """Give the sheet of templates that an annotator fills in."""
    rows = tuple(SheetRow(str(item.id), shown(item)) for item in templates)
    return Sheet("templates", (*_SHOWN, *_ANSWERED), rows, key="template_id")


def classify_book(templates: Iterable[Template], annotator: str) -> Book:
    """Give the workbook of one annotator."""
    sheet = classify_sheet(templates)
    return Book(CLASSIFY, (sheet,), _CLASSIFY_INSTRUCTIONS, {"annotator": annotator})


def classify_hashes(templates: Iterable[Template]) -> dict[str, str]:
    """Give the hash of what annotators are shown of each template."""
    sheet = classify_sheet(templates)
    return {row.key: row_hash(sheet, row.cells) for row in sheet.rows}


def agenda_sheet(templates: Iterable[Template], items: Sequence[AgendaItem]) -> Sheet:
    """Give the sheet that a meeting fills in."""
    by_id = {str(item.id): item for item in templates}
    opinions = (
        Column("kind", 14),
        Column("counts", 14),
        Column("opinions", 70, note="What each annotator said."),
    )
    rows = tuple(
        SheetRow(
            item.template_id,
            {
                **shown(by_id[item.template_id]),
                "kind": item.kind,
                "counts": counts_text(item),
                "opinions": "\n".join(opinion_text(opinion) for opinion in item.opinions),
            },
        )
        for item in items
    )
    columns = (*_SHOWN[:4], *opinions, *_SETTLED, *_SHOWN[4:])
    return Sheet("agenda", columns, rows, key="template_id")


def agenda_book(templates: Iterable[Template], items: Sequence[AgendaItem]) -> Book:
    """Give the workbook of the meeting."""
    return Book(AGENDA, (agenda_sheet(templates, items),), _AGENDA_INSTRUCTIONS)


def counts_text(item: AgendaItem) -> str:
    """Say how many gave each label."""
    return ", ".join(f"{label} {count}" for label, count in item.counts) or "no label"


def opinion_text(opinion: Annotation) -> str:
    """Say what an annotator said in one line."""
    parts = [opinion.label.value if opinion.label else "no label"]
    if opinion.reason.strip():
        parts.append(" ".join(opinion.reason.split()))
    if opinion.proposed_targets:
        parts.append(f"targets: {join_groups(opinion.proposed_targets)}")
    if opinion.proposed_non_targets:
        parts.append(f"non-targets: {join_groups(opinion.proposed_non_targets)}")
    if opinion.remark.strip():
        parts.append(f"remark: {' '.join(opinion.remark.split())}")
    return f"{opinion.annotator}: {'; '.join(parts)}"


def agenda_markdown(items: Sequence[AgendaItem]) -> str:
    """Write the agenda to be read out."""
    lines = [f"# Agenda of the consensus meeting: {len(items)} templates", ""]
    for item in items:
        lines += [f"## {item.template_id}: {' '.join(item.stereotype.split())}", ""]
        lines += [f"{item.category}, {item.kind}: {counts_text(item)}", ""]
        lines += [f"- {opinion_text(opinion)}" for opinion in item.opinions]
        lines += ["- nobody has labelled it"] if not item.opinions else []
        lines.append("")
    return "\n".join(lines)


def shown(template: Template) -> dict[str, str]:
    """Give what annotators are shown of a template: its source, or its text where it has none."""
    first = template.first
    return {
        "template_id": str(template.id),
        "category": template.category,
        "stereotype": _of(template, lambda texts: texts.stereotype),
        "target_groups": _of(template, lambda texts: join_groups(texts.target_groups)),
        "ambiguous_context": _of(template, lambda texts: texts.ambiguous_context),
        "disambiguating_context": _of(template, lambda texts: texts.disambiguating_context),
        "questions": _of(template, _questions),
        "answers": _of(template, _answers),
        "fillers": _of(template, lambda texts: _lines(texts.names, texts.words)),
        "source": " ".join(
            part for part in (first.source, first.source_category, first.source_id) if part
        ),
        "reference": first.reference,
    }


def _of(template: Template, part: Callable[[Texts], str]) -> str:
    """Give a part of every variant: once where all have the same, else by letters."""
    by_text: dict[str, list[str]] = {}
    for variant in template.variants:
        text = part(_side(variant)).strip()
        if text:
            by_text.setdefault(text, []).append(variant.letter.value)
    if len(by_text) < 2:
        return next(iter(by_text), "")
    ordered = sorted(by_text.items(), key=lambda item: ascii_lowercase.index(item[1][0]))
    return "\n".join(f"{', '.join(letters)}: {text}" for text, letters in ordered)


def _side(variant: Variant) -> Texts:
    return variant.source_texts if variant.source_texts.has_body else variant.texts


def _questions(texts: Texts) -> str:
    return _named(texts.biased_question, texts.counter_biased_question)


def _answers(texts: Texts) -> str:
    return _named(texts.biased_answer, texts.counter_biased_answer)


def _named(biased: str, counter: str) -> str:
    return _lines(
        f"biased: {biased}" if biased else "", f"counter-biased: {counter}" if counter else ""
    )


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
