"""Label Studio, for a small group: a labelling page and a task for each form, and its CSV.

Its CSV has a row an annotation; several choices are a JSON object.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from textwrap import shorten
from xml.sax.saxutils import quoteattr

from curation.files.atomic import atomic_text
from curation.records.progress import watched
from survey.mapping import AttentionPart, QuestionPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import ATTENTION, Check, Instruction, Item, Kit, Sheet, attribute_parts
from survey.platforms.recognise import Described, Head, Recognised, Start, found_in

TITLE = "Label Studio"
STEPS = (
    "Make a project for each form. Settings > Labeling Interface > Code takes fNN.xml, Import "
    "takes fNN.tasks.json: one task, which is the whole form.",
    "Set the annotations per task to the number of respondents of the form (Settings > Quality, "
    "or maximum_annotations by the API), and invite each respondent to one project only.",
    "Export as CSV when all have submitted.",
    "Read it: {command} --mapping fNN.mapping.yaml",
)
LIMITS = (
    (
        "random order of options for each respondent",
        "everybody who answers a form sees the order written into its page. Forms with the same "
        "questions have other orders: invite the same number of people to each, assigned at "
        "random. The task has the order as order_QNNN, so it is read from the export.",
    ),
    (
        "that the last option of a multiple answer excludes the others",
        "answers that contradict each other are excluded from the question and listed.",
    ),
    ("quotas", "plan.csv has the numbers; invite by them."),
    (
        "that each person answers one form, once",
        "invite each person to one project; the server does not check who submits.",
    ),
    (
        "that a person who does not agree cannot go on",
        "the consent is at the top of the page: a person who does not agree skips the task.",
    ),
    ("anonymous answers", "the export names who gave them, as `annotator`."),
    ("how long one question takes", "the time for the whole form is exported."),
)
_TAIL = "</View>"
_STYLE = """
.lsf-sidepanels__wrapper { display: none !important; }
.lsf-sidepanels__content, .lsf-main-content { width: 100% !important; max-width: none !important; }
.lsf-sidepanels { padding-inline: 0 !important; }
.survey-question { display: grid; grid-template-columns: 32px minmax(0, 1fr) minmax(0, 1fr); gap: 0 12px; align-items: start; padding: 4px 0; border-bottom: 1px solid rgba(128, 128, 128, 0.35); }
.survey-question h4, .survey-form .lsf-richtext__line { font-size: 14px; line-height: 19px; margin: 0 !important; }
.survey-form .lsf-richtext__container, .survey-form .lsf-richtext__line { padding: 0 !important; }
.survey-question .ant-form-item { margin-bottom: 2px !important; }
"""  # noqa: E501  # a rule of a style sheet is a line
_ASKED = 160
"""Characters of a question that are shown where its answer is missing."""


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write a page and a task for each form."""
    files = []
    for sheet in watched(kit.sheets, "Forms for Label Studio", kit.progress):
        page, task = folder / f"{sheet.id}.xml", folder / f"{sheet.id}.tasks.json"
        with atomic_text(page) as stream:
            stream.write("\n".join((_head(kit), *_page(kit, sheet), _TAIL)) + "\n")
        with atomic_text(task) as stream:
            json.dump([{"data": _data(kit, sheet)}], stream, ensure_ascii=False, indent=1)
            stream.write("\n")
        files += [page, task]
    return files


def _head(kit: Kit) -> str:
    """The page's begin: each question stands beside its options, over the whole width."""
    way = ' style="direction:rtl;text-align:right"' if kit.right_to_left else ""
    return f'<View className="survey-form"{way}>\n<Style>{_STYLE}</Style>'


def _tag(kind: str, **attributes: str) -> str:
    cells = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"  <{kind}{cells}/>"


def _text(name: str) -> str:
    return _tag("Text", name=f"text_{name}", value=f"$text_{name}")


def _page(kit: Kit, sheet: Sheet) -> Iterator[str]:
    yield _text("intro")
    numbers = count(1)
    for attribute in kit.attributes:
        pairs = [(value, label) for value, label in attribute.values]
        yield from _choices(next(numbers), attribute.name, attribute.text, pairs, multiple=False)
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            yield _text(f"instructions_{step.kind.value}")
        elif isinstance(step, Check):
            pairs = [(str(code), option) for code, option in enumerate(step.options, start=1)]
            yield from _choices(next(numbers), ATTENTION, step.text, pairs, multiple=False)
        else:
            options = [step.question.options[at] for at in step.order]
            pairs = [(option.code, option.text) for option in options]
            yield from _choices(
                next(numbers),
                step.code,
                step.text,
                pairs,
                multiple=step.is_multiple,
            )
    yield _text("thanks")


def _choices(
    number: int, name: str, text: str, options: list[tuple[str, str]], *, multiple: bool
) -> Iterator[str]:
    """Write a question; what is exported is the alias, its code.

    Where it is not answered, its number and text are said: that is the respondents' own language.
    """
    yield '  <View className="survey-question">'
    yield _tag("Header", value=str(number), size="5")
    yield _text(name)
    choice = "multiple" if multiple else "single-radio"
    asked = shorten(f"{number}. {text}", _ASKED, placeholder=" ...")
    more = {"layout": "inline", "required": "true", "requiredMessage": asked}
    head = _tag("Choices", name=name, toName=f"text_{name}", choice=choice, **more)
    yield f"{head.removesuffix('/>')}>"
    for code, label in options:
        yield "  " + _tag("Choice", value=label, alias=code)
    yield "  </Choices>"
    yield "  </View>"


def _data(kit: Kit, sheet: Sheet) -> dict[str, str]:
    """The texts of the page, and the order in which its options are written."""
    data = {
        "uid": f"survey-{sheet.id}",
        "form": sheet.id,
        "text_intro": "\n\n".join((kit.words.title, sheet.intro, kit.words.consent)),
        "text_thanks": kit.words.thanks,
        f"text_{ATTENTION}": kit.check.text,
    }
    for attribute in kit.attributes:
        data[f"text_{attribute.name}"] = attribute.text
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            data[f"text_instructions_{step.kind.value}"] = step.text
        elif isinstance(step, Item):
            codes = [step.question.options[at].code for at in step.order]
            data[f"text_{step.code}"] = step.text
            data[f"order_{step.code}"] = "|".join(codes)
    return data


def mapping(kit: Kit, sheet: Sheet) -> FileMapping:
    """Say how the exported CSV, a row an annotation, is read."""
    return FileMapping(
        preset="label_studio",
        respondent=RespondentPart(id="annotator", duration="lead_time", submitted="updated_at"),
        attention=(AttentionPart(column=ATTENTION, expect=(str(kit.check.answer + 1),)),),
        attributes={"form": "form", **attribute_parts(kit, coded(kit))},
        questions=tuple(
            QuestionPart(
                id=item.question.id,
                kind=item.question.kind,
                column=item.code,
                order=f"order_{item.code}",
                missing=("",),
                options={option.code: option.code for option in item.question.options},
            )
            for item in sheet.items
        ),
        ignored=("uid", "id", "annotation_id", "created_at", "text_*"),
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """How values of attributes stand in the export: as they are in the quotas."""
    return {
        attribute.name: {value: value for value, _ in attribute.values}
        for attribute in kit.attributes
    }


_OWN = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Label Studio."""
    own = found_in(head.row(1), _OWN)
    if not {"annotator", "annotation_id"} <= set(own):
        return None
    return Recognised("label_studio", (f"its own columns are there: {', '.join(own)}",))


def start(described: Described) -> Start:
    """Begin a mapping: the annotator is the respondent."""
    return Start(
        respondent=RespondentPart(
            id="annotator",
            duration=described.first("lead_time"),
            submitted=described.first("updated_at", "created_at"),
        ),
        missing=("",),
        joined=(),
        writes_codes=True,
        rows_hold_options=False,
        known=frozenset(found_in(described.titles, ("id", *_OWN[1:]))),
    )
