"""Label Studio, for a small group: a labelling page and a task for each form, and its CSV.

Its CSV has a row an annotation; several choices are a JSON object.
"""

import json
from collections.abc import Iterator
from itertools import count
from textwrap import shorten

from survey.mapping import AttentionPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import ATTENTION, Asked, FormItem, FormTexts, Instruction, Kit

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


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give a page and a task."""
    yield ".xml", "\n".join((_head(kit), *_page(kit, sheet), _TAIL)) + "\n"
    task = json.dumps([{"data": _data(kit, sheet)}], ensure_ascii=False, indent=1)
    yield ".tasks.json", f"{task}\n"


def _head(kit: Kit) -> str:
    """The page's begin: each question stands beside its options, over the whole width."""
    way = ' style="direction:rtl;text-align:right"' if kit.right_to_left else ""
    return f'<View className="survey-form"{way}>\n<Style>{_STYLE}</Style>'


def _tag(kind: str, **attributes: str) -> str:
    from xml.sax.saxutils import quoteattr  # loads all of urllib

    cells = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"  <{kind}{cells}/>"


def _text(name: str) -> str:
    return _tag("Text", name=f"text_{name}", value=f"$text_{name}")


def _page(kit: Kit, sheet: FormTexts) -> Iterator[str]:
    yield _text("intro")
    numbers = count(1)
    for step in (*kit.attributes, *kit.steps(sheet)):
        if isinstance(step, Instruction):
            yield _text(step.name)
        else:
            yield from _choices(next(numbers), step)
    yield _text("thanks")


def _choices(number: int, asked: Asked) -> Iterator[str]:
    """Write a question; what is exported is the alias, its code.

    Where it is not answered, its number and text are said: that is the respondents' own language.
    """
    yield '  <View className="survey-question">'
    yield _tag("Header", value=str(number), size="5")
    yield _text(asked.name)
    told = shorten(f"{number}. {asked.text}", _ASKED, placeholder=" ...")
    head = _tag(
        "Choices",
        name=asked.name,
        toName=f"text_{asked.name}",
        choice="multiple" if asked.is_multiple else "single-radio",
        layout="inline",
        required="true",
        requiredMessage=told,
    )
    yield f"{head.removesuffix('/>')}>"
    for _, code, label in asked.choices:
        yield "  " + _tag("Choice", value=label, alias=code)
    yield "  </Choices>"
    yield "  </View>"


def _data(kit: Kit, sheet: FormTexts) -> dict[str, str]:
    """The texts of the page, and the order in which its options are written."""
    data = {
        "uid": f"survey-{sheet.id}",
        "form": sheet.id,
        "text_intro": "\n\n".join(
            (kit.words.fill("title"), sheet.intro, kit.words.fill("consent"))
        ),
        "text_thanks": kit.words.fill("thanks"),
        f"text_{ATTENTION}": kit.check.text,
    }
    for step in (*kit.attributes, *kit.steps(sheet)):
        data[f"text_{step.name}"] = step.text
        if isinstance(step, FormItem):
            data[f"order_{step.name}"] = "|".join(code for _, code, _ in step.choices)
    return data


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the exported CSV, a row an annotation, is read."""
    return FileMapping(
        preset="label_studio",
        respondent=RespondentPart(id="annotator", duration="lead_time", submitted="updated_at"),
        attention=(AttentionPart(column=ATTENTION, expect=(str(kit.check.answer + 1),)),),
        attributes={"form": "form", **kit.attribute_parts()},
        questions=tuple(item.part(order=f"order_{item.code}") for item in sheet.items),
        ignored=("uid", "id", "annotation_id", "created_at", "text_*"),
    )
