"""What annotators, translators and writers of templates owe, for `curate status`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import Any

from curation.annotation.classify import current_labels
from curation.annotation.drafts import DRAFTS
from curation.annotation.labels import (
    CLASSIFY,
    LabelState,
    agenda,
    asked_in_sheets,
    asked_on_server,
    classifiable,
    classify_hashes,
    settled,
    stand,
    to_be_decided,
    unanimous,
)
from curation.annotation.labelstudio.store import (
    FROM_SERVER,
    KindState,
    load_state,
    state_file,
    words,
    work_of,
)
from curation.annotation.newtemplates import NEW
from curation.annotation.translation.collect import read_pulled
from curation.annotation.translation.merge import Merged
from curation.annotation.translation.sheet import KIND as TRANSLATE
from curation.annotation.translation.tasks import KIND as PAGES
from curation.annotation.translation.tasks import Translation
from curation.annotation.translation.units import (
    Unit,
    Variants,
    read_translated,
    rows_held,
    units_by_key,
    units_either_way,
)
from curation.bank.status import Status, TemplateStep, without_source
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.tables import read_bytes
from curation.files.workbooks.opening import Glance
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation, person_key
from curation.records.bank import Label, Template
from curation.records.messages import plural

_LABEL_COLUMNS = ("label", "reason", "proposed_targets", "proposed_non_targets", "remark")
CONSENSUS = "consensus"
"""The kind of task by which disagreements are decided on a server."""
_PULL_LABELS = "curate pull classify && curate collect annotations/classify.csv"
_PULL_TEXTS = "curate pull translate && curate collect annotations/translate.csv"


Owed = dict[str, Any]
"""Something that somebody has to do, as `owe` gives it."""


OWED_FIELDS = ("what", "who", "count", "text", "items", "do", "link")


def owe(
    what: str,
    who: str,
    items: Iterable[str],
    text: str,
    do: str,
    link: str = "",
    *,
    unit: str = "template",
    count: int | None = None,
) -> Iterator[Owed]:
    """Yield what is owed of some items; nothing where there are none.

    Args:
        what: Which kind of work, one word.
        who: Who has to do it.
        items: Which they are.
        text: What is to be said of so many.
        do: What comes next.
        link: Where it is done.
        unit: What is counted.
        count: How many there are, where that is not the number of items.

    Yields:
        `what` and `who`; the `count` of templates, texts or questions; the `text` that says what is
        to be done; the `items`; what to `do`; and the `link` to where it is done on a server of
        Label Studio, empty elsewhere.
    """
    found = tuple(items)
    number = len(found) if count is None else count
    if number:
        text = f"{number} {plural(unit, number)} {text}"
        cells = (what, who, number, text, found, do, link)
        yield dict(zip(OWED_FIELDS, cells, strict=True))


class People:
    """What is known of the work of people.

    Attributes:
        workspace: The workspace.
        templates: The bank's templates.
        steps: Where they stand.
        sheets: The workbooks that were handed out.
        unconfirmed: Ids of templates with text of the machine that nobody has confirmed.
        only: Ids of the templates whose texts and labels are counted.
    """

    def __init__(
        self,
        workspace: Workspace,
        templates: Sequence[Template],
        steps: Sequence[TemplateStep],
        sheets: Sequence[Glance],
        unconfirmed: Set[str],
        only: Collection[str],
    ) -> None:
        self.workspace, self.templates, self.steps = workspace, templates, steps
        self.sheets, self.unconfirmed, self.only = sheets, unconfirmed, only

    def owed(self) -> Iterator[Owed]:
        """Yield what is owed, in the order of the work."""
        yield from self._labels()
        yield from self._meeting()
        yield from self._new()
        yield from self._texts()
        yield from self._pulled_texts()

    def at(self, *steps: Status) -> list[TemplateStep]:
        """The templates at some step."""
        return [row for row in self.steps if row.step in steps]

    def sheets_of(self, kind: str) -> list[Glance]:
        """The workbooks of a kind."""
        return [sheet for sheet in self.sheets if sheet.kind == kind]

    def server(self, kind: str) -> KindState:
        """What was pushed of a kind, if anything was."""
        state = self._state.get(kind, KindState())
        return state if state.projects else KindState()

    @cached_property
    def _work(self) -> list[dict[str, Any]]:
        return work_of(self.workspace)

    def _place(self, kind: str, who: str) -> str:
        """Where somebody's project is to be looked at; empty where they have none."""
        mine = (row for row in self._work if (row["kind"], row["annotator"]) == (kind, who))
        return next((row["link"] for row in mine if row["left"] is not None), "")

    @cached_property
    def _state(self) -> Mapping[str, KindState]:
        return load_state(state_file(self.workspace)).kinds

    def is_collected(self, sheet: Glance) -> bool:
        """Say whether a workbook was collected as it lies here."""
        return self.workspace.annotations.raw(sheet.path.name, read_bytes(sheet.path)).exists()

    @cached_property
    def _classifiable(self) -> list[Template]:
        return classifiable(self.templates)

    @cached_property
    def _hashes(self) -> dict[str, str]:
        return classify_hashes(self._classifiable)

    @cached_property
    def _annotations(self) -> list[Annotation]:
        return CLASSIFY_TABLE.read(self.workspace.annotations.classify)

    @cached_property
    def _standing(self) -> LabelState:
        return current_labels(self.workspace)

    @cached_property
    def _settled(self) -> frozenset[str]:
        return frozenset(settled(self.workspace.renamed_decisions))

    def _labels(self) -> Iterator[Owed]:
        """Yield who has yet to label templates."""
        in_sheets = asked_in_sheets(self.sheets, {str(item.id) for item in self._classifiable})
        for sheet in self.sheets_of(CLASSIFY):
            name = " ".join(sheet.about.get("annotator", "").split())
            filled = sheet.filled(_LABEL_COLUMNS)
            if filled and not self.is_collected(sheet):
                in_sheets[name] -= {
                    row.get("template_id", "") for row in filled if row.get("label", "").strip()
                }
                yield from self._not_collected(sheet, name, len(filled))
        pushed = self.server(CLASSIFY)
        own = {name: uids for name, uids in pushed.allotted.items() if name}
        on_server, _ = asked_on_server(replace(pushed, allotted=own), self._annotations)
        handed = {
            name: in_sheets.get(name, set()) | set(on_server.get(name, ()))
            for name in (*in_sheets, *on_server, *self._of_common_project(pushed))
        }
        changed = self._changed_on_server(pushed)
        now = stand(self._classifiable, self._annotations, self._hashes, handed)
        for name, every in now.missing.items():
            ids = [uid for uid in every if uid not in self._settled and uid in self.only]
            do = _PULL_LABELS if name in on_server else "curate collect FILE..."
            unasked = [uid for uid in ids if uid in changed and name in on_server]
            asked_now = [uid for uid in ids if uid not in unasked]
            begun = words(self.workspace, CLASSIFY, name, ids) if asked_now else ""
            place = self._place(CLASSIFY, name)
            yield from owe("label", name, asked_now, f"to label{begun}", do, place)
            text = "that changed after they were labelled: ask again"
            again = f"curate push classify --update {' --update '.join(unasked)}"
            yield from owe("again", name, unasked, text, again, place)
        yield from self._labels_of_nobody(handed, pushed)

    def _changed_on_server(self, pushed: KindState) -> set[str]:
        """The templates that are on the server as they were before they changed."""
        now = self._hashes
        return {
            uid
            for sent in pushed.projects.values()
            for uid, version in sent.tasks.items()
            if uid in now and now[uid] != version
        }

    def _of_common_project(self, pushed: KindState) -> list[str]:
        """Who annotated in the project of all: each of its tasks goes to some of them."""
        if "" not in pushed.projects:
            return []
        source = f"{FROM_SERVER}{pushed.projects[''].id}"
        return [item.annotator for item in self._annotations if item.source_file == source]

    def _labels_of_nobody(
        self, handed: Mapping[str, set[str]], pushed: KindState
    ) -> Iterator[Owed]:
        """Yield what nobody in particular was asked to label, or nobody at all."""
        ratings = self._standing.ratings
        open_ids = [name for name, given in ratings.items() if not given]
        common = set(pushed.allotted.get("", ())) - self._settled
        left = [name for name in open_ids if name in common and not self._is_answered(name)]
        few = [
            name
            for name in ratings
            if name in common and self._is_answered(name)
            if self._standing.answered(name) < self._standing.needed.get(name, 1)
        ]
        more = "with too few labels"
        for names, text in ((left, "without any label"), (few, more)):
            if names:
                who = f"annotators of project {pushed.projects[''].id}"
                place = self._place(CLASSIFY, "")
                yield from owe("label", who, names, text, _PULL_LABELS, place)
        known = {person_key(name) for name in handed}
        if not known.issuperset(map(person_key, self._standing.annotators)):
            return  # somebody was asked about all of them
        asked = common.union(*handed.values())
        nobody = [
            str(item.id)
            for item in self._classifiable
            if item.label is None
            and str(item.id) not in asked | self._settled
            and not ratings[str(item.id)]
        ]
        do = "curate classify sheet --annotator NAME --annotator NAME"
        yield from owe("classify", "", nobody, "that nobody was asked to label", do)

    def _is_answered(self, name: str) -> bool:
        """Say whether anybody gave a template a label, or said why they are not sure of one."""
        return self._standing.answered(name) > 0

    def _disputed(self) -> Iterator[Owed]:
        """Yield what no further label can settle, by where it is to be decided."""
        standing = self._standing
        items = agenda(self._classifiable, standing, self._settled)
        on_page = set(self.server(CONSENSUS).allotted.get("", ()))
        kinds = (
            ("disagreement", "on which annotators disagree"),
            ("incomplete", "with an annotator who is not sure of the label"),
        )
        decided = to_be_decided(items, standing)
        for kind, text in kinds:
            found = [item.template_id for item in decided if item.kind == kind]
            pages = [name for name in found if name in on_page]
            rest = [name for name in found if name not in on_page]
            who, place = "consensus meeting", self._place(CONSENSUS, "")
            yield from owe("consensus", who, rest, text, self._way_to_decide)
            yield from owe("consensus", who, pages, text, "curate pull consensus", place)

    @property
    def _way_to_decide(self) -> str:
        """How templates are decided: on a server where labels were given on one."""
        if self.server(CLASSIFY).projects:
            return "curate push consensus"
        if self.workspace.annotations.agenda("xlsx").exists():
            return "curate collect annotations/agenda.xlsx --by NAME"
        return "curate collect annotations/classify.csv"

    def _meeting(self) -> Iterator[Owed]:
        """Yield disagreements, and what all agree on but nobody has recorded."""
        standing = self._standing
        yield from self._disputed()
        least = min(2, len(standing.annotators)) or 1
        agreed = [name for name in unanimous(standing, least) if name not in self._settled]
        only = " --at-least 1" if least == 1 else ""
        collect = "curate collect annotations/classify.csv"
        record = f"{collect}{only} --by NAME"
        text = "on which all annotators agree, not recorded yet"
        yield from owe("record", "", agreed, text, record)
        if least > 1:
            open_ids = (name for name in unanimous(standing, 1) if name not in self._settled)
            alone = [name for name in open_ids if name not in agreed]
            text = "labelled by one annotator only, not recorded yet"
            yield from owe("record", "", alone, text, f"{collect} --at-least 1 --by NAME")
        lost = [
            str(item.id)
            for item in self._classifiable
            if item.label is None and str(item.id) in self._settled
        ]
        text = "with a consensus label that is not in the bank"
        yield from owe("record", "", lost, text, f"resolve them again: {record}")

    def _new(self) -> Iterator[Owed]:
        """Yield new templates that are written or judged but not collected."""
        for kind, columns in ((NEW, ("stereotype", "ambiguous_context")), (DRAFTS, ("judgement",))):
            for sheet in self.sheets_of(kind):
                filled = sheet.filled(columns)
                if filled and not self.is_collected(sheet):
                    who = sheet.about.get("annotator", "")
                    yield from self._not_collected(sheet, who, len(filled))

    def _not_collected(self, sheet: Glance, who: str, rows: int) -> Iterator[Owed]:
        file = self.workspace.shown(sheet.path)
        text, do = "filled in, not collected", f"curate collect {file}"
        yield from owe("collect", who, (file,), text, do, unit="row", count=rows)

    def _texts(self) -> Iterator[Owed]:
        """Yield templates without translation, and texts that no person has looked at."""
        translated = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)
        waiting = self.at(Status.CLASSIFIED)
        missing = [row.template_id for row in waiting if row.label in translated]
        bank = {str(template.id): template for template in self.workspace.bank.templates()}
        silent = {name: fields for name in missing if (fields := without_source(bank[name]))}
        lacking = ", ".join(dict.fromkeys(field for one in silent.values() for field in one))
        text = f"whose source has no {lacking} to translate"
        do = _WORDING if lacking == "stereotype" else _REWRITE
        yield from owe("write", "", silent, text, do)
        missing = [name for name in missing if name not in silent]
        yield from owe("translate", "", missing, "without translation", "curate translate run")
        unwritten = [row.template_id for row in waiting if row.label not in translated]
        text = "newly created, with texts missing"
        yield from owe("write", "", unwritten, text, _REWRITE)
        asked: set[str] = set()
        for item in self._by_translator():
            asked.update(item["items"])
            yield item
        review = [row.template_id for row in self.at(Status.TRANSLATED)]
        unsure = [row.template_id for row in self.steps if row.template_id in self.unconfirmed]
        text = "with unchanged machine text that nobody has confirmed"
        yield from owe("confirm", "", unsure, text, _CONFIRM)
        nobody = [name for name in review if name not in asked | {*unsure}]
        text = "with machine text that nobody was asked to review"
        yield from owe("review", "", nobody, text, "curate translate sheet")

    def _by_translator(self) -> Iterator[Owed]:
        """Yield what each translator owes, by the templates that they were handed."""
        sheets, pushed = self.sheets_of(TRANSLATE), self.server(TRANSLATE)
        if not sheets and not pushed.allotted:
            return
        for sheet in sheets:
            rows = rows_held(self.workspace, sheet.keys, *self._open_units, self._variants)
            held = [row.templates for row in rows if row.key in sheet.keys]
            name = sheet.about.get("translator", "") or "translator"
            yield from self._texts_owed(name, held, "curate collect FILE...")
        pulled: list[Translation] = PAGES.read(self.workspace)
        by_key = units_by_key(*self._open_units)
        for name, uids in pushed.allotted.items():
            key = person_key(name)
            done = {row.unit_id for row in pulled if not name or person_key(row.annotator) == key}
            wanted = {*uids, *self._translated}
            texts = [
                [one for unit in by_key[key] if (one := str(unit.template)) in wanted]
                for key, template in pushed.asked.items()
                if template in uids and key in by_key and f"{template}-{key}" not in done
            ]
            if texts:
                who = name or f"translators of project {pushed.projects[''].id}"
                link = self._place(TRANSLATE, name)
                yield from self._texts_owed(who, texts, _PULL_TEXTS, link)

    def _texts_owed(
        self, who: str, texts: Iterable[Iterable[str]], do: str, link: str = ""
    ) -> Iterator[Owed]:
        """Yield texts that somebody has to translate, each given by its templates."""
        mine = [kept for one in texts if (kept := [name for name in one if name in self.only])]
        found = list(dict.fromkeys(template for one in mine for template in one))
        text = f"to translate, of {len(found)} {plural('template', len(found))}"
        yield from owe("texts", who, found, text, do, link, unit="text", count=len(mine))

    @cached_property
    def _translated(self) -> frozenset[str]:
        labels = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)
        return frozenset(str(item.id) for item in self.templates if item.label in labels)

    @cached_property
    def _variants(self) -> Variants:
        return Variants(self.workspace.bank.variants, self.workspace.language)

    @cached_property
    def _open_units(self) -> tuple[list[Unit], list[Unit]]:
        """The texts that lack a person's at some place: of templates as tied, and as untied."""
        tied, untied = (
            [u for u in units if u.is_to_write and not all(u.own(self._variants))]
            for units in units_either_way(self.workspace)
        )
        return tied, untied

    def _pulled_texts(self) -> Iterator[Owed]:
        """Yield texts that were pulled and are not in the bank."""
        if not PAGES.path(self.workspace).exists():
            return
        _, merged, refused = read_pulled(self.workspace, read_translated(self.workspace))
        collect = "curate collect annotations/translate.csv"
        fresh = [unit.uid for unit in merged.fresh]
        text = "pulled, not in the bank yet"
        yield from owe("collect", "", fresh, text, collect, unit="text")
        yield from _differing(merged, f"{collect} --by NAME")
        count, why = len(refused), f"{collect} says why"
        text = "pulled that cannot be used"
        yield from owe("correct", "", (), text, why, unit="text", count=count)


_REWRITE = "write them as new templates: curate new sheet; then curate templates delete"
_WORDING = "write it in the translator's sheet 'wording': curate translate sheet"
_CONFIRM = "curate collect --accept unchanged --by NAME"


def _differing(merged: Merged, do: str) -> Iterator[Owed]:
    """Yield texts with different translations, by who they are."""
    by_people: dict[str, list[str]] = {}
    for item in merged.conflicts.values():
        if not item.known and item.people:
            by_people.setdefault(item.people, []).append(item.unit.uid)
    for who, uids in by_people.items():
        text = "with different translations"
        yield from owe("disagreement", who, uids, text, do, unit="text")
