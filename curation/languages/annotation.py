"""What annotators, translators and editors read in a language."""

from pydantic import field_validator

from curation.languages.general import Part


class WorkbookTexts(Part):
    """What a workbook says.

    Attributes:
        title: Heading of its first sheet.
        rules: Paragraphs below it.
        notes: What to write, by column; `sheet / column` where another sheet says otherwise.
    """

    title: str
    rules: tuple[str, ...]
    notes: dict[str, str] = {}


class Workbooks(Part):
    """The workbooks by kind.

    Attributes:
        headings: What columns are called in words; `sheet / column` where one sheet differs.
        handling: What may be done with a workbook, and how it is sent back; paragraphs.
        key: What is said of the narrow column of keys, in a paragraph and at its heading.
        classify: In which annotators say which templates hold here.
        agenda: Of the meeting that decides where they disagree.
        translate: In which translators write and correct texts.
        new: In which templates are written that the source does not have.
        groups: In which groups are edited.
        unreadable: In which people read what no rule could read of models' replies.
        stories_passages: In which people read stories as the evaluator does.
        stories_edit: In which editors correct stories.
    """

    headings: dict[str, str] = {}
    handling: tuple[str, ...] = ()
    key: str = ""
    classify: WorkbookTexts | None = None
    agenda: WorkbookTexts | None = None
    translate: WorkbookTexts | None = None
    new: WorkbookTexts | None = None
    groups: WorkbookTexts | None = None
    unreadable: WorkbookTexts | None = None
    stories_passages: WorkbookTexts | None = None
    stories_edit: WorkbookTexts | None = None


def without_comma(value: str) -> str:
    """Refuse a comma in what can be chosen: by it a page tells choices apart.

    Raises:
        ValueError: If there is one.
    """
    if "," in value:
        raise ValueError("it has a comma, but on a page commas separate labels")
    return value


class Labels(Part):
    """The labels of classification as they are shown."""

    ST: str
    TM: str
    SR: str

    @field_validator("*")
    @classmethod
    def _no_comma(cls, value: str) -> str:
        return without_comma(value)


class Guidelines(Part):
    """The instructions before the first page, by kind of task, in paragraphs."""

    classify: tuple[str, ...]
    translate: tuple[str, ...]
    comprehension: tuple[str, ...]
    passages: tuple[str, ...]


class Pages(Part):
    """The pages of Label Studio: titles of what is shown, questions, what is missing."""

    stereotype: str
    target_groups: str
    ambiguous_context: str
    disambiguating_context: str
    questions: str
    answers: str
    fillers: str
    reference: str
    known: str
    labels: Labels
    why_removed: str
    always_needed: str
    which_groups: str
    proposed_targets: str
    proposed_non_targets: str
    reason: str
    remark: str
    text: str
    context: str
    machine: str
    edit: str
    other_texts: str
    rating: str
    entities_adapted: str
    slots_kept: str
    read: str
    question: str
    unclear: str
    read_story: str
    example: str
    unsure: str
    why_unsure: str
    choose_label: str
    say_why_removed: str
    say_why_unsure: str
    choose_answer: str
    keys: str
    leave: str
    guidelines: Guidelines

    @field_validator("unsure")
    @classmethod
    def _is_told_apart(cls, value: str) -> str:
        return without_comma(value)


class ConsensusPage(Part):
    """The page of Label Studio on which a label is decided that annotators do not agree on.

    Attributes:
        said: Heading of what they said.
        unsure: Heading of those who are not sure.
        remark: Before what somebody remarked.
        targets: Before groups that somebody proposed.
        non_targets: Before groups that somebody proposed to be set against them.
        decide: The question.
        choose: What is said where no label was chosen.
        why: Heading of the reason.
        guidelines: What is told before the first page; paragraphs.
    """

    said: str
    unsure: str
    remark: str
    targets: str
    non_targets: str
    decide: str
    choose: str
    why: str
    guidelines: tuple[str, ...]


class AnnotationTexts(Part):
    """The texts for annotators; missing texts are English.

    Attributes:
        workbooks: Rules and notes of workbooks.
        pages: Pages of Label Studio.
        consensus: The page of Label Studio on which disagreements are decided.
    """

    workbooks: Workbooks = Workbooks()
    pages: Pages | None = None
    consensus: ConsensusPage | None = None
