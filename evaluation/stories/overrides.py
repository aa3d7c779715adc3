"""What editors changed in stories: their workbook, and `annotations/stories_overrides.csv`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from curation.io.tables import read_table, refuse_problems, write_csv
from curation.io.workbooks import Book, Column, FilledRow, FilledSheet, Sheet, SheetRow
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.slots import SlotError, parse_text
from evaluation.stories.neutral import PEOPLE
from evaluation.stories.versions import StoryPair, Version

EDIT = "stories-edit"
"""The kind of an editor's workbook."""
OVERRIDES = "stories_overrides.csv"
"""The file's name in `annotations/`."""

_COLUMNS = (
    Column("variant", 18),
    Column("category", 16),
    Column("ambiguous_context", 46),
    Column("disambiguating_context", 46, note="With the names of the two people."),
    Column("story", 46, note="The same without their names, as made from it."),
    Column("findings", 40, note="What may still tell who is who."),
    Column(
        "text",
        46,
        editable=True,
        note="The story as it should read; leave it empty where it is good as it is.",
    ),
    Column("remark", 30, editable=True, note="Anything else."),
)
_INSTRUCTIONS = (
    "# Editing stories",
    "Each row is the second part of a story, in which two people act. The column 'story' has it "
    "without their names: one and the other stand for them, whoever they are. Nobody who reads "
    "the first part and the story may be able to tell which of the two did what.",
    "Look for words that still tell: a name or group, a word of gender, a pronoun that fits one "
    "of them alone. See too that each of the two is mentioned, that the sentence is right, and "
    "that 'one' and 'the other' do not stand too often. The column 'findings' says what a "
    "program noticed; not all of it must be changed, and it does not notice all.",
    "Where something is to be changed, write the whole text anew in the column 'text'. The two "
    "versions of a story (a and b, c and d) should read alike. Leave 'text' empty where the "
    "story is good as it is.",
    "[W1], [W2], ... are words that change from story to story: leave them as they are.",
    "Please do not rename columns, merge cells or write formulas. Save the file as .xlsx under "
    "any name and send it back.",
    "",
    "# 이야기 다듬기",
    "한 행은 두 사람이 나오는 이야기의 뒷부분입니다. 'story' 열에는 이름을 지운 글이 있고, 두 "
    "사람은 '한 사람'과 '다른 사람'으로 적혀 있습니다. 앞부분과 이 글을 읽은 사람이 누가 무엇을 "
    "했는지 알 수 있어서는 안 됩니다.",
    "누구인지 드러내는 말(이름, 집단, 성별을 나타내는 말)이 남아 있는지, 두 사람이 모두 나오는지, "
    "문장이 자연스러운지 살펴보세요. 'findings' 열은 프로그램이 찾은 것이며, 모두 고쳐야 하는 것도 "
    "아니고 이것이 전부도 아닙니다.",
    "고칠 것이 있으면 'text' 열에 글 전체를 새로 적으세요. 한 이야기의 두 판(a와 b, c와 d)은 같은 "
    "글이어야 합니다. 그대로 좋으면 'text'를 비워 두세요. [W1], [W2] 등은 그대로 두세요.",
)


@dataclass(frozen=True, slots=True)
class Override:
    """A text that an editor gave; fields are the columns of the file.

    Attributes:
        variant: Whose disambiguating part it is.
        editor: Who gave it.
        made: The text that it changes: where the toolkit makes another one today, it is stale.
        text: The text in its place; empty where the editor only remarked something.
        remark: The editor's remark.
        source_file: The workbook.
        collected_at: When, ISO 8601.
    """

    variant: str
    editor: str
    made: str
    text: str
    remark: str
    source_file: str
    collected_at: str


OVERRIDE_COLUMNS = tuple(Override.__dataclass_fields__)
"""The columns of the file, in order."""


def read_overrides(path: Path) -> list[Override]:
    """Read what editors changed; nothing where there is no file.

    Raises:
        CurateError: If a row cannot be read, or one editor has two on one variant.
    """
    if not path.exists():
        return []
    table = read_table(path, required=("variant", "editor", "made", "text"))
    refuse_problems(table)
    found: dict[tuple[str, str], Override] = {}
    for row in table.rows:
        item = Override(*(row.get(name) for name in OVERRIDE_COLUMNS))
        key = item.variant, person_key(item.editor)
        if key in found:
            raise CurateError(
                f"{item.editor} has two texts for {item.variant}",
                f"{table.file}, row {row.number}",
                "keep one of the two",
            )
        found[key] = item
    return list(found.values())


def write_overrides(path: Path, overrides: Iterable[Override]) -> int:
    """Write overrides in place of `path`, in order of variants; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    ordered = sorted(overrides, key=lambda item: (item.variant, person_key(item.editor)))
    return write_csv(path, OVERRIDE_COLUMNS, (astuple(item) for item in ordered))


def merge_overrides(old: Iterable[Override], new: Sequence[Override]) -> list[Override]:
    """Put what editors returned in the place of what the same editors returned earlier."""
    editors = {person_key(item.editor) for item in new}
    return [*(item for item in old if person_key(item.editor) not in editors), *new]


def resolve(
    overrides: Sequence[Override], made: Mapping[str, str], file: str
) -> tuple[dict[str, str], list[Finding]]:
    """Give the text that each variant has by its editors.

    A text that changes another one than the toolkit makes today is stale and not used; two
    editors who give two texts are an error, for neither is taken.

    Args:
        overrides: What editors changed.
        made: By variant the text as the toolkit makes it.
        file: The file as findings show it.
    """
    texts: dict[str, dict[str, str]] = {}
    findings: list[Finding] = []
    for item in overrides:
        if not item.text.strip():
            continue
        if item.variant not in made:
            findings.append(_stale(item, file, "no story of the bank has this variant"))
        elif _plain(item.made) != _plain(made[item.variant]):
            findings.append(_stale(item, file, "the story was another one when it was edited"))
        else:
            texts.setdefault(item.variant, {})[item.editor] = _plain(item.text)
    chosen: dict[str, str] = {}
    for variant, by_editor in texts.items():
        if len(set(by_editor.values())) > 1:
            findings.append(_differ(variant, by_editor, file))
        elif _plain(made[variant]) != next(iter(by_editor.values())):
            chosen[variant] = next(iter(by_editor.values()))
    return chosen, findings


def _plain(text: str) -> str:
    return " ".join(text.split())


def _stale(item: Override, file: str, why: str) -> Finding:
    message = f"{item.variant}: the text of {item.editor} is not used: {why}"
    hint = "hand out the sheet again: curate evaluate stories sheet"
    return Finding("story-override-stale", Severity.WARNING, file, None, "made", message, hint)


def _differ(variant: str, by_editor: Mapping[str, str], file: str) -> Finding:
    message = f"{variant}: {' and '.join(by_editor)} give it different texts"
    hint = "let them agree, and collect the sheet of one with the other's text"
    return Finding("story-override-differs", Severity.ERROR, file, None, "text", message, hint)


def edit_book(pairs: Sequence[StoryPair], findings: Sequence[Finding], editor: str) -> Book:
    """Make the workbook of an editor: a row a version of each story."""
    return Book(EDIT, (edit_sheet(pairs, findings),), _INSTRUCTIONS, {"editor": editor})


def edit_sheet(pairs: Sequence[StoryPair], findings: Sequence[Finding]) -> Sheet:
    """Make the sheet of an editor.

    Args:
        pairs: The stories as the toolkit makes them.
        findings: Of the same; each names a variant, or both of a pair.
    """
    rows = tuple(_row(pair, version, findings) for pair in pairs for version in pair.versions)
    return Sheet("stories", _COLUMNS, rows, key="variant")


def _row(pair: StoryPair, version: Version, findings: Sequence[Finding]) -> SheetRow:
    name, texts = str(version.variant.id), version.variant.texts
    prefixes = (f"{name}: ", f"{pair.name}: ")
    said = [
        item.message.removeprefix(prefix)
        for item in findings
        for prefix in prefixes
        if item.message.startswith(prefix)
    ]
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


def override_of(
    filled: FilledSheet, row: FilledRow, version: Version, editor: str, source: str, at: str
) -> Override:
    """Read a row that an editor filled in; a text that cannot be used is marked.

    Args:
        filled: The sheet.
        row: The row.
        version: The version that it is about.
        editor: Who filled it in.
        source: The workbook as the file names it.
        at: When, ISO 8601.
    """
    text = _plain(row.cells["text"])
    if text:
        problem = _problem(text, version)
        if problem:
            filled.mark(row, "text", "story-text", f"{row.key}: {problem}", "mend the text")
    made, remark = row.cells["story"], row.cells["remark"].strip()
    return Override(row.key, editor, _plain(made), text, remark, source, at)


def _problem(text: str, version: Version) -> str:
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
