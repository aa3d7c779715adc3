"""Label Studio, for a small group: a labelling page and a task for each form, and its CSV.

Its CSV has a row an annotation; several choices are a JSON object.
"""

import json
from collections.abc import Iterator
from textwrap import shorten

from curation.report.texts import filled
from survey.mapping import AttentionPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import ATTENTION, FormItem, FormTexts, Kit


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give a page and a task."""
    from xml.sax.saxutils import quoteattr  # loads all of urllib

    steps = [*kit.attributes, *kit.steps(sheet)]
    how = {"quoted": quoteattr, "shorten": shorten}
    yield ".xml", filled(__package__, "label_studio.xml.j2", kit=kit, steps=steps, **how)
    task = json.dumps([{"data": _data(kit, sheet)}], ensure_ascii=False, indent=1)
    yield ".tasks.json", f"{task}\n"


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
