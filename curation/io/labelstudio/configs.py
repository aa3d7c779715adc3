"""Labelling pages, and a lint for them: the server's own check lets most mistakes pass.

Texts are shown by `Text`, which shows slots, tags and ampersands as they are written.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET  # pages are ours, not received
from xml.sax.saxutils import quoteattr

from curation.model.bank import Label
from curation.model.errors import CurateError

_RTL = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"})
_OBJECTS = frozenset({"Text"})
_CONTROLS = frozenset({"Choices", "TextArea", "Rating"})
_PLAIN = frozenset({"View", "Header", "Choice", "Style"})
_CHOICE_KINDS = frozenset({"single", "single-radio", "multiple"})

LABELS = (
    (Label.SIMPLY_TRANSFERRED, "Simply-Transferred (known here of the same groups)", "1"),
    (Label.TARGET_MODIFIED, "Target-Modified (known here of other groups)", "2"),
    (Label.SAMPLE_REMOVED, "Sample-Removed (not known or makes no sense here)", "3"),
)
"""The labels of classification: what is stored, what is shown, and the key that chooses it."""
CHECKS = (
    ("entities_adapted", "Names and things are adapted to the culture"),
    ("slots_kept", "All slots in brackets are kept"),
)
"""The checkboxes of translation."""

_CLASSIFY_SHOWN = (
    ("Stereotype", "stereotype"),
    ("Groups that it is about", "target_groups"),
    ("Ambiguous context", "ambiguous_context"),
    ("Disambiguating context", "disambiguating_context"),
    ("Questions", "questions"),
    ("Answers", "answers"),
    ("Put into the slots", "fillers"),
    ("Reference", "reference"),
)


def is_rtl(language: str) -> bool:
    """Say whether a language is written from right to left."""
    parts = language.lower().split("-")
    return "arab" in parts or parts[0] in _RTL


def classify_page(language: str) -> str:
    """Give the page on which a template is classified.

    Args:
        language: Of the texts that are shown.
    """
    choices = [(label.value, text, key) for label, text, key in LABELS]
    to = "ambiguous_context"
    return _page(
        _tag("Header", value="$heading"),
        *_shown(_CLASSIFY_SHOWN, language),
        _tag("Header", value="Do people in our culture know this stereotype?"),
        _choices("decision", to, choices),
        _when(
            "decision",
            (Label.SAMPLE_REMOVED,),
            _tag("Header", value="Why is it removed?"),
            _area("removal_reason", to, "Always needed", required=True),
        ),
        _when(
            "decision",
            (Label.TARGET_MODIFIED,),
            _tag("Header", value="Which groups, separated by commas, if you can"),
            _area("proposed_targets", to, "Groups that the stereotype is about here"),
            _area("proposed_non_targets", to, "Groups that it is not about"),
        ),
        _when(
            "decision",
            (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED),
            _area("reason", to, "Why, if you want to say"),
        ),
        _area("remark", to, "Anything else"),
    )


def translate_page(source_language: str, language: str) -> str:
    """Give the page on which a machine translation is edited."""
    to = "source_text"
    boxes = [(name, text, "") for name, text in CHECKS]
    return _page(
        _tag("Header", value="$heading"),
        *_shown((("Text", "source_text"), ("Where it stands", "context")), source_language),
        _tag("Header", value="Translation: edit it where it stands"),
        _box(language, _area("target", to, "", required=True, value="$mt")),
        _tag("Header", value="How good was the machine's?"),
        _tag("Rating", name="rating", toName=to, maxRating="5"),
        _choices("checks", to, boxes, several=True),
        _area("remark", to, "Anything else"),
    )


def comprehension_page(language: str) -> str:
    """Give the page on which a context is asked about."""
    return _page(*_asked("Read this", "context", language, "Anything that was unclear"))


def passages_page(language: str) -> str:
    """Give the page on which a whole story is read as an evaluator reads it."""
    rule = (
        "Go by what the story says, not by what you think likely of such people. Where it does "
        "not say, or says both, choose that it cannot be known."
    )
    return _page(
        _tag("Header", value=rule, size="5"),
        *_asked("Read the story", "story", language, "Anything else"),
    )


def _asked(title: str, text: str, language: str, hint: str) -> list[str]:
    """Show a text with a question on it, and the task's own options."""
    options = _tag(
        "Choices",
        name="answer",
        toName="question",
        value="$options",
        choice="single-radio",
        required="true",
    )
    return [
        *_shown(((title, text), ("Question", "question")), language),
        _box(language, options),
        _area("remark", "question", hint),
    ]


def _page(*parts: str) -> str:
    page = "\n".join(("<View>", *parts, "</View>"))
    lint(page)
    return page


def _tag(kind: str, **attributes: str) -> str:
    cells = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{kind}{cells}/>"


def _shown(fields: Iterable[tuple[str, str]], language: str) -> list[str]:
    parts = []
    for title, name in fields:
        text = _tag("Text", name=name, value=f"${name}")
        parts += [_tag("Header", value=title, size="5"), _box(language, text)]
    return parts


def _box(language: str, part: str) -> str:
    if not is_rtl(language):
        return part
    return f'<View style="direction:rtl;text-align:right">{part}</View>'


def _choices(
    name: str, to: str, options: Sequence[tuple[str, str, str]], *, several: bool = False
) -> str:
    kind = "multiple" if several else "single-radio"
    required = {} if several else {"required": "true"}
    head = _tag("Choices", name=name, toName=to, choice=kind, **required).removesuffix("/>")
    rows = [
        _tag("Choice", value=text, alias=alias, **({"hotkey": key} if key else {}))
        for alias, text, key in options
    ]
    return "\n".join((f"{head}>", *rows, "</Choices>"))


def _area(name: str, to: str, hint: str, *, required: bool = False, value: str = "") -> str:
    more = {"placeholder": hint} if hint else {}
    more |= {"required": "true"} if required else {}
    more |= {"value": value} if value else {}
    return _tag(
        "TextArea",
        name=name,
        toName=to,
        editable="true",
        maxSubmissions="1",
        rows="3",
        showSubmitButton="false",
        **more,
    )


def _when(name: str, labels: Sequence[Label], *parts: str) -> str:
    shown = {label: text for label, text, _ in LABELS}
    head = _tag(
        "View",
        visibleWhen="choice-selected",
        whenTagName=name,
        whenChoiceValue=",".join(shown[label] for label in labels),
    ).removesuffix("/>")
    return "\n".join((f"{head}>", *parts, "</View>"))


def fields_of(page: str) -> set[str]:
    """Give the fields of a task's data that a page shows."""
    return set(re.findall(r'"\$([A-Za-z_]\w*)"', page))


def lint(page: str) -> None:
    """Refuse a page that the server would take and annotators could not use.

    Raises:
        CurateError: Naming the first fault.
    """
    problem = next(iter(problems(page)), "")
    if problem:
        raise CurateError(f"the labelling page is wrong: {problem}", "labelling page")


def problems(page: str) -> list[str]:
    """List what is wrong with a page."""
    try:
        root = ET.fromstring(page)  # noqa: S314  # a page of ours
    except ET.ParseError as error:
        return [f"it is no XML: {error}"]
    tags = list(root.iter())
    known = _OBJECTS | _CONTROLS | _PLAIN
    found = [f"there is no tag {tag.tag}" for tag in tags if tag.tag not in known]
    found += [f"an empty {tag.tag}" for tag in tags if tag.tag == "View" and not len(tag)]
    names = [tag.get("name", "") for tag in tags if tag.tag in _OBJECTS | _CONTROLS]
    found += [
        f"two tags are named '{name}'" for name in sorted(set(names)) if names.count(name) > 1
    ]
    if "" in names:
        found.append("a tag has no name")
    objects = {tag.get("name") for tag in tags if tag.tag in _OBJECTS}
    choices = {tag.get("name"): tag for tag in tags if tag.tag == "Choices"}
    for tag in tags:
        if tag.tag in _CONTROLS and tag.get("toName") not in objects:
            found.append(f"{tag.get('name')} points to no text: {tag.get('toName')}")
        if tag.tag == "Choices":
            found += _of_choices(tag)
        if tag.get("visibleWhen"):
            found += _of_condition(tag, choices)
    # The page shows the whole task in the place of a field of this name.
    found += ["a field is called 'source'"] if "source" in fields_of(page) else []
    if not any(tag.tag in _CONTROLS for tag in tags):
        found.append("nothing can be answered")
    return found


def _of_choices(tag: ET.Element) -> list[str]:
    name, options = tag.get("name"), [item for item in tag if item.tag == "Choice"]
    found = []
    if tag.get("choice") not in _CHOICE_KINDS:
        found.append(f"{name} has no kind of choice")
    if not options and not tag.get("value"):
        found.append(f"{name} has no options")
    for key in ("value", "alias", "hotkey"):
        values = [item.get(key) for item in options if item.get(key)]
        if len(set(values)) < len(values):
            found.append(f"two options of {name} have one {key}")
    return found


def _of_condition(tag: ET.Element, choices: Mapping[str | None, ET.Element]) -> list[str]:
    target = choices.get(tag.get("whenTagName"))
    if target is None:
        return [f"something is shown by '{tag.get('whenTagName')}', which is no question"]
    values = {item.get("value") for item in target}
    wanted = (tag.get("whenChoiceValue") or "").split(",")
    return [
        f"something is shown by the choice '{v}', which is none" for v in wanted if v not in values
    ]
