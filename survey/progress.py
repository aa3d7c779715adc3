"""The step of every template, and open tasks by person, for `curate status`."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from curation.annotation.classify import current_labels
from curation.annotation.drafts import DRAFTS
from curation.annotation.labels import (
    CLASSIFY,
    LabelState,
    agenda,
    agreed,
    asked_in_sheets,
    asked_on_server,
    classifiable,
    classify_hashes,
    read_labels,
    settled,
    stand,
    to_be_decided,
    to_classify,
)
from curation.annotation.labelstudio.store import (
    FROM_SERVER,
    KindState,
    load_state,
    state_file,
    work_of,
)
from curation.annotation.newtemplates import NEW
from curation.annotation.suggestions import usable_suggestions
from curation.annotation.translation.collect import read_pulled
from curation.annotation.translation.handed import KIND as TRANSLATE
from curation.annotation.translation.handed import PAGES, Translation
from curation.annotation.translation.units import (
    Unit,
    Variants,
    read_translated,
    reviewed_texts,
    rows_held,
    units_by_key,
    units_either_way,
)
from curation.bank.status import TemplateStep, Verdict, count_steps, where_it_stands, without_source
from curation.files.manifest import MANIFEST, of_part
from curation.files.outcomes import Questions
from curation.files.questionnaire import read_questionnaire
from curation.files.tables import read_bytes, read_table
from curation.files.workbooks.opening import Glance, glance_at
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation, person_key
from curation.records.bank import Label, Template
from curation.records.messages import CurateError, Finding, Results, finding, warning
from curation.records.survey import Decision, Status, surveyed_subjects
from curation.slots.grammar import is_open
from survey.bank import (
    FinalBank,
    changed_since,
    final_bank,
    stale_inputs,
    unasked_comprehension,
)

_LABEL_COLUMNS = ("label", "reason", "proposed_targets", "proposed_non_targets", "remark")
CONSENSUS = "consensus"
"""The kind of task by which disagreements are decided on a server."""
_PULL_TEXTS = "curate pull translate && curate collect annotations/translate.csv"


Owed = dict[str, Any]
"""Something that somebody has to do, as `owe` gives it."""


OWED_FIELDS = ("what", "who", "count", "text", "items", "do", "link")


class People:
    """What is known of the work of people.

    Args:
        workspace: The workspace.
        named: Only these templates or categories, and what is owed of them; all where none is.

    Attributes:
        workspace: The workspace.
        final: Its final bank.
        templates: The bank's templates.
        steps: Where those that were named stand.
        sheets: The workbooks that were handed out.
        findings: Workbooks that cannot be opened.
        unconfirmed: Ids of templates with text of the machine that nobody has confirmed.
        out: Ids of the templates of which nobody has to do anything: they are not used.
        only: Ids of the templates whose tasks are counted.
        is_part: Whether these are some of several.
    """

    def __init__(self, workspace: Workspace, named: Collection[str]) -> None:
        self.workspace, self.is_part = workspace, bool(named)
        self.final = final_bank(workspace)
        self.templates = [item.template for item in self.final.outcomes]
        unconfirmed = reviewed_texts(workspace)["unconfirmed"]
        self.unconfirmed, chosen = {*unconfirmed}, workspace.chosen(named)
        # Who was asked to label those with the label SR has yet to say what they think.
        self.out = workspace.not_used - {str(item.id) for item in to_classify(workspace)}
        self.only = chosen - self.out
        decided = _verdicts(self.final)
        self.steps = [
            where_it_stands(item, decided.get(str(item.id)), unconfirmed.get(str(item.id), 0))
            for item in self.templates
            if str(item.id) in chosen
        ]
        self.sheets: list[Glance] = []
        self.findings: list[Finding] = []
        for found in glance_at(workspace.annotations.sheets):
            if isinstance(found, CurateError):
                said = warning("status-sheet", found.where, found.what, found.hint)
                self.findings.append(said)
            else:
                self.sheets.append(found)

    def owe(
        self,
        key: str,
        items: Iterable[str],
        who: str = "",
        link: str = "",
        count: int | None = None,
        **words: object,
    ) -> Iterator[Owed]:
        """Yield what is owed of some items; nothing where there are none, or they are not used.

        Of some templates what is not counted by templates is left out.

        Args:
            key: What there is to do, as `findings.yaml` lists it: its kind of work is the `rule`.
            items: Which they are.
            who: Who has to do it.
            link: Where it is done.
            count: How many there are, where that is not the number of items.
            words: What stands in braces.

        Yields:
            `what` and `who`; the `count` of templates, texts or questions; the `text` that says
            what is to be done; the `items`; what to `do`; and the `link` to where it is done on a
            server of Label Studio, empty elsewhere.
        """
        found = tuple(one for one in items if one not in self.out)
        if self.is_part and key != "owed-texts":  # they are counted by templates already
            found, count = tuple(one for one in found if one in self.only), None
        number = len(found) if count is None else count
        if number or key == "owed-import":
            told = finding("survey", key, "", count=number, **words)  # type: ignore[arg-type]
            cells = (told.rule, who, number, told.message, found, told.hint, link)
            yield dict(zip(OWED_FIELDS, cells, strict=True))

    def owed(self) -> Iterator[Owed]:
        """Yield what is owed, in the order of the work."""
        if not self.templates:
            yield from self.owe("owed-import", ())
        yield from self._labels()
        yield from self._meeting()
        yield from self._new()
        yield from self._texts()
        yield from self._pulled_texts()
        yield from self._survey()

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
    def work(self) -> list[dict[str, Any]]:
        """How far everybody is in the projects of Label Studio."""
        return work_of(self.workspace)

    def _place(self, kind: str, who: str) -> str:
        """Where somebody's project is to be looked at; empty where they have none."""
        mine = (row for row in self.work if (row["kind"], row["annotator"]) == (kind, who))
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
        return read_labels(self.workspace)

    @cached_property
    def _standing(self) -> LabelState:
        return current_labels(self.workspace)

    @cached_property
    def settled(self) -> Mapping[str, Decision]:
        """By template the decisions of people on labels."""
        return settled(self.workspace.renamed_decisions)

    def _labels(self) -> Iterator[Owed]:
        """Yield who has yet to label templates."""
        in_sheets = asked_in_sheets(self.sheets, {*self._hashes}, self.workspace.renamed)
        for sheet in self.sheets_of(CLASSIFY):
            name = " ".join(sheet.about.get("annotator", "").split())
            filled = sheet.filled(_LABEL_COLUMNS)
            if filled and not self.is_collected(sheet):
                done = (
                    row.get("template_id", "") for row in filled if row.get("label", "").strip()
                )
                in_sheets[name] -= {self.workspace.renamed.get(one, one) for one in done}
                yield from self._not_collected(sheet, name, len(filled))
        pushed = self.server(CLASSIFY).now(self.workspace.renamed)
        own = {name: uids for name, uids in pushed.allotted.items() if name}
        on_server, _ = asked_on_server(replace(pushed, allotted=own), self._annotations)
        handed = {
            name: in_sheets.get(name, set()) | set(on_server.get(name, ()))
            for name in (*in_sheets, *on_server, *self._of_common_project(pushed))
        }
        changed = self._changed_on_server(pushed)
        now = stand(self._classifiable, self._annotations, self._hashes, handed)
        for name, every in now.missing.items():
            ids = [uid for uid in every if uid not in self.settled and uid in self.only]
            unasked = [uid for uid in ids if uid in changed and name in on_server]
            asked_now = [uid for uid in ids if uid not in unasked]
            place = self._place(CLASSIFY, name)
            key = "owed-label-server" if name in on_server else "owed-label"
            yield from self.owe(key, asked_now, name, place)
            ids_again = " --update ".join(unasked)
            yield from self.owe("owed-again", unasked, name, place, ids=ids_again)
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
        common = set(pushed.allotted.get("", ())) - self.settled.keys()
        left = [name for name in open_ids if name in common and not self._is_answered(name)]
        few = [
            name
            for name in ratings
            if name in common and self._is_answered(name)
            if self._standing.answered(name) < self._standing.needed.get(name, 1)
        ]
        for names, key in ((left, "owed-label-none"), (few, "owed-label-few")):
            if names:
                who = f"annotators of project {pushed.projects[''].id}"
                yield from self.owe(key, names, who, self._place(CLASSIFY, ""))
        known = {person_key(name) for name in handed}
        if not known.issuperset(map(person_key, self._standing.annotators)):
            return  # somebody was asked about all of them
        asked = common.union(*handed.values())
        nobody = [
            str(item.id)
            for item in self._classifiable
            if item.label is None
            and str(item.id) not in asked | self.settled.keys()
            and not ratings[str(item.id)]
        ]
        yield from self.owe("owed-classify", nobody)

    def _is_answered(self, name: str) -> bool:
        """Say whether anybody gave a template a label, or said why they are not sure of one."""
        return self._standing.answered(name) > 0

    def _disputed(self) -> Iterator[Owed]:
        """Yield what no further label can settle, by where it is to be decided."""
        standing = self._standing
        items = agenda(self._classifiable, standing, self.settled)
        on_page = set(self.server(CONSENSUS).allotted.get("", ()))
        kinds = {"disagreement": "owed-disagreement", "incomplete": "owed-incomplete"}
        decided = to_be_decided(items, standing)
        who, place = "consensus meeting", self._place(CONSENSUS, "")
        for kind, key in kinds.items():
            found = [item.template_id for item in decided if item.kind == kind]
            pages = [name for name in found if name in on_page]
            rest = [name for name in found if name not in on_page]
            yield from self.owe(key, rest, who, do=self._way_to_decide)
            yield from self.owe(key, pages, who, place, do="curate pull consensus")

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
        yield from self._disputed()
        least = min(2, len(self._standing.annotators)) or 1
        of_all = self._unrecorded(least)
        few = " --at-least 1" if least == 1 else ""
        yield from self.owe("owed-record", of_all, few=few)
        if least > 1:
            alone = [name for name in self._unrecorded(1) if name not in of_all]
            yield from self.owe("owed-record-alone", alone)
        open_ids = (str(item.id) for item in self._classifiable if item.label is None)
        lost = [name for name in open_ids if name in self.settled]
        yield from self.owe("owed-record-again", lost, few=few)

    def _unrecorded(self, at_least: int) -> list[str]:
        """Templates on which all agree, on a label that the ledger does not hold."""
        every = agreed(self._classifiable, self._standing, self.settled, at_least)
        outcomes = {name: item.outcome for name, item in self.settled.items()}
        return [item.subject for item in every if item.outcome is not outcomes.get(item.subject)]

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
        yield from self.owe("owed-collect-sheet", (file,), who, count=rows, sheet=file)

    def _texts(self) -> Iterator[Owed]:
        """Yield templates without translation, and texts that no person has looked at."""
        translated = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)
        waiting = self.at(Status.CLASSIFIED)
        missing = [row.template_id for row in waiting if row.label in translated]
        known = {str(template.id): template for template in self.templates}
        silent = {name: fields for name in missing if (fields := without_source(known[name]))}
        lacking = ", ".join(dict.fromkeys(field for one in silent.values() for field in one))
        key = "owed-write-stereotype" if lacking == "stereotype" else "owed-write-source"
        yield from self.owe(key, silent, lacking=lacking)
        missing = [name for name in missing if name not in silent]
        yield from self.owe("owed-translate", missing)
        unwritten = [row.template_id for row in waiting if row.label not in translated]
        yield from self.owe("owed-write", unwritten)
        asked: set[str] = set()
        for item in self._by_translator():
            asked.update(item["items"])
            yield item
        review = [row.template_id for row in self.at(Status.TRANSLATED)]
        unsure = [row.template_id for row in self.steps if row.template_id in self.unconfirmed]
        yield from self.owe("owed-confirm", unsure)
        nobody = [name for name in review if name not in asked | {*unsure}]
        yield from self.owe("owed-review", nobody)

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
        by_key = units_by_key(self.workspace, *self._open_units)
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
        told = {"templates": len(found), "do": do}
        yield from self.owe("owed-texts", found, who, link, len(mine), **told)

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
            [
                unit
                for unit in units
                if unit.is_to_write
                and not all(unit.own(self._variants))
                and not unit.has_other_list(self._variants)
            ]
            for units in units_either_way(self.workspace)
        )
        return tied, untied

    def _pulled_texts(self) -> Iterator[Owed]:
        """Yield texts that were pulled and are not in the bank."""
        if not PAGES.path(self.workspace).exists():
            return
        _, merged, refused = read_pulled(self.workspace, read_translated(self.workspace))
        yield from self.owe("owed-collect", (unit.uid for unit in merged.fresh))
        by_people: dict[str, list[str]] = {}
        for item in merged.conflicts.values():
            if not item.known and item.people:
                by_people.setdefault(item.people, []).append(item.unit.uid)
        for who, uids in by_people.items():
            yield from self.owe("owed-differing", uids, who)
        yield from self.owe("owed-correct", (), count=len(refused))

    def _survey(self) -> Iterator[Owed]:
        """Yield what is owed for the survey."""
        workspace = self.workspace
        templates = {str(template.id): template for template in self.templates}
        reviewed = [row.template_id for row in self.at(Status.REVIEWED)]
        translated = [row.template_id for row in self.at(Status.TRANSLATED)]
        lacking = [name for name in (*translated, *reviewed) if _lacks_groups(templates[name])]
        yield from self.owe("owed-groups", lacking)
        path, renaming = workspace.questionnaire_file, workspace.renaming
        written = read_questionnaire(path, workspace.book) if path.exists() else ()
        asked = [*map(renaming.question, written)]
        book = Questions(asked, workspace.book)
        ready = [name for name in reviewed if book.match(templates[name])[0] is None]
        counts, do = workspace.published_counts_file, "curate survey build"
        if not asked and counts.exists():
            do = f"curate filter --survey {workspace.shown(counts)}"
        yield from self.owe("owed-questionnaire", ready, do=do)
        answers = workspace.responses_folder / "responses.csv"
        filter_again = "curate filter --survey FILE, or first with --draft"
        if answers.exists():
            filter_again = f"curate filter --survey {workspace.shown(answers)}"
        answered = {tally.question.id for tally in self.final.tallies if tally.respondents}
        decided = surveyed_subjects(workspace.renamed_decisions)
        open_ids = [
            question.id
            for question in asked
            if question.subject not in decided or question.id not in answered
        ]
        yield from self.owe("owed-decision", open_ids, "respondents", do=filter_again)
        steps = {"owed-undecided": Status.UNDECIDED, "owed-unfinished": Status.SURVEYED}
        for key, step in steps.items():
            names = [row.template_id for row in self.at(step)]
            yield from self.owe(key, names, first="".join(names[:1]))
        stale = [*stale_inputs(workspace)]
        said = "; ".join(item.message for item in stale)
        yield from self.owe("owed-filter", [it.file for it in stale], said=said, do=filter_again)


_RELEASES = "releases.csv"


def status(workspace: Workspace, named: Collection[str] = ()) -> Results:
    """Give the step of every template, open tasks by person, and the next command.

    Args:
        workspace: The workspace.
        named: Only these templates or categories, and what is owed of them; all by default.

    Returns:
        The step of each template, and what is to be done.

        - `categories`: By category, and in total, as `count_steps` gives them.
        - `templates`: Where each template stands, a `TemplateStep`.
        - `undecided`: Those that the survey does not decide.
        - `owed`: Who owes what, in the order of the work, as `People.owe` gives it.
        - `labelstudio`: How far everybody is in the projects of Label Studio, as the last pulls saw
          it.
        - `suggestions`: How many `templates` have a suggested label that was made of them as they
          are, and those without a consensus that changed since theirs was made (`stale`).
        - `next`: The commands that are suggested, each once.
        - `released`: Whether the version that the settings name was released, and no file that its
          package was made from has changed since.
        - `findings`: What could not be looked at.

    Raises:
        CurateError: If a file of the workspace cannot be read.
    """
    people = People(workspace, named)
    labelled = {str(item.id) for item in people.templates if item.label}
    # What has a label already waits for nobody else's.
    owed = sorted(
        people.owed(), key=lambda it: it["what"] == "label" and labelled.issuperset(it["items"])
    )
    suggested, changed = usable_suggestions(workspace)
    samples = workspace.exports_folder / "samples"
    of_chosen = of_part(samples, workspace.shown(samples))
    released = _is_released(workspace)
    ahead = dict.fromkeys(it["do"] for it in owed if it["do"].startswith("curate "))
    if not owed and not released and people.at(Status.KEPT):
        exported = not of_chosen and _is_as_exported(workspace, samples) is True
        ahead = dict.fromkeys(
            [
                *["curate export samples --set all,test"] * (not exported),
                "curate check --release",
                "curate export package",
            ]
        )
    values = {
        "categories": count_steps(people.steps),
        "templates": people.steps,
        "undecided": [row.template_id for row in people.at(Status.UNDECIDED)],
        "owed": owed,
        "labelstudio": people.work,
        "suggestions": {
            "templates": len(suggested),
            "stale": [name for name in changed if name not in people.settled],
        },
        "next": [*ahead],
        "released": released,
        "findings": [
            *people.findings,
            *unasked_comprehension(workspace, people.final),
            *of_chosen,
        ],
    }
    return Results(values, {"templates": ("template_id", "category", "label", "step", "reason")})


def _is_released(workspace: Workspace) -> bool:
    """Whether the version was released; a package that was made elsewhere cannot be compared."""
    path = workspace.root / _RELEASES
    if not path.exists():
        return False
    versions = [row["version"] for row in read_table(path, required=["version"]).rows]
    kept = _is_as_exported(workspace, workspace.exports_folder / "package")
    return workspace.culture.version in versions and kept is not False


def _is_as_exported(workspace: Workspace, folder: Path) -> bool | None:
    """Whether the files that a folder was made from are as they were; None without a folder."""
    return not changed_since(workspace, folder) if (folder / MANIFEST).exists() else None


def _verdicts(final: FinalBank) -> dict[str, Verdict]:
    """What the decisions make of each template; before a survey undecided means nothing."""
    waiting = {template.id for template in final.open}
    return {
        str(item.template.id): (item.status, item.reason, item.template.id not in waiting)
        for item in final.outcomes
        if item.status is not Status.UNDECIDED or final.tallies
    }


def _lacks_groups(template: Template) -> bool:
    """Say whether the source names groups where the culture's texts name none."""
    return any(
        variant.texts.has_body
        and bool(variant.source_texts.target_groups)
        and not (variant.texts.target_groups or is_open(variant.texts))
        for variant in template.variants
    )
