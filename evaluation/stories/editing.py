"""What editors changed in stories: their workbook, and `annotations/stories_overrides.csv`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.files.codec import Codec
from curation.files.workbooks import Column, Sheet, SheetRow
from curation.records.findings import Severity
from curation.slots import SlotError, parse_text
from evaluation.stories.placeholders import PEOPLE
from evaluation.stories.records import Remark, StoryPair, Version, remark

EDIT = "stories-edit"
"""The kind of an editor's workbook."""
OVERRIDES = "stories_overrides.csv"
"""The file's name in `annotations/`."""

_COLUMNS = (
    Column("variant", 18),
    Column("category", 16),
    Column("ambiguous_context", 46),
    Column("disambiguating_context", 46),
    Column("story", 46),
    Column("findings", 40),
    Column("text", 46, editable=True),
    Column("remark", 30, editable=True),
)


@dataclass(frozen=True, slots=True)
class Override:
    """A text that an editor gave; fields are the columns of the file.

    Attributes:
        variant: The variant with this disambiguating part.
        editor: Name of the editor.
        made: The text that it replaces. If the toolkit now makes another one, the entry is stale.
        text: The new text; empty where the editor only wrote a remark.
        remark: The editor's remark.
        source_file: The workbook.
        collected_at: When it was read, ISO 8601.
    """

    variant: str
    editor: str
    made: str
    text: str
    remark: str = ""
    source_file: str = ""
    collected_at: str = ""


OVERRIDE_TABLE = Codec(
    Override,
    "restore the file from version control",
    key=("variant", "editor"),
    order=("variant", "editor"),
)
"""The table of what editors changed."""


def resolve(
    overrides: Sequence[Override], made: Mapping[str, str], file: str
) -> tuple[dict[str, str], list[Remark]]:
    """The text that each variant has by its editors, and remarks on those that are not used.

    A text that changes another one than the toolkit makes today is stale and not used; two
    editors who give two texts are an error, for neither is taken.

    Args:
        overrides: What editors changed.
        made: By variant the text as the toolkit makes it.
        file: The file as findings show it.
    """
    texts: dict[str, dict[str, str]] = {}
    remarks: list[Remark] = []
    for item in overrides:
        if not item.text.strip():
            continue
        if item.variant not in made:
            remarks.append(_stale(item, file, "no story of the bank has this variant"))
        elif _plain(item.made) != _plain(made[item.variant]):
            remarks.append(_stale(item, file, "the story was another one when it was edited"))
        else:
            texts.setdefault(item.variant, {})[item.editor] = _plain(item.text)
    chosen: dict[str, str] = {}
    for variant, by_editor in texts.items():
        if len(set(by_editor.values())) > 1:
            remarks.append(_differ(variant, by_editor, file))
        elif _plain(made[variant]) != next(iter(by_editor.values())):
            chosen[variant] = next(iter(by_editor.values()))
    return chosen, remarks


def _plain(text: str) -> str:
    return " ".join(text.split())


def _stale(item: Override, file: str, why: str) -> Remark:
    text = f"the text of {item.editor} is not used: {why}"
    hint = "hand out the sheet again: curate evaluate stories sheet"
    place = file, None, "made"
    return remark(item.variant, "story-override-stale", Severity.WARNING, place, text, hint)


def _differ(variant: str, by_editor: Mapping[str, str], file: str) -> Remark:
    text = f"{' and '.join(by_editor)} give it different texts"
    hint = "let them agree, and collect the sheet of one with the other's text"
    return remark(
        variant, "story-override-differs", Severity.ERROR, (file, None, "text"), text, hint
    )


def edit_sheet(pairs: Sequence[StoryPair], remarks: Sequence[Remark]) -> Sheet:
    """The sheet of an editor.

    Args:
        pairs: The stories as the toolkit makes them.
        remarks: On the same.
    """
    rows = tuple(_row(pair, version, remarks) for pair in pairs for version in pair.versions)
    return Sheet("stories", _COLUMNS, rows, key="variant")


def _row(pair: StoryPair, version: Version, remarks: Sequence[Remark]) -> SheetRow:
    name, texts = str(version.variant.id), version.variant.texts
    said = [item.text for item in remarks if item.subject in (name, pair.name)]
    return SheetRow(
        name,
        {
            "variant": name,
            "category": version.variant.category,
            "ambiguous_context": texts.ambiguous_context,
            "disambiguating_context": texts.disambiguating_context,
            "story": version.made.printed,
            "findings": "\n".join(said),
        },
    )


def problem_of(text: str, version: Version) -> str:
    """Say why a text cannot stand in the place of a story's; nothing where it can."""
    try:
        names = parse_text(text).names
    except SlotError as error:
        return error.what
    people = [name for name in names if name in PEOPLE]
    if people:
        return f"the text names a person, [{people[0]}]"
    strange = [name for name in names if name not in version.lists]
    return f"there is no slot {strange[0]}" if strange else ""
