"""`curate evaluate occupations survey`: the same items, asked of people."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.evaluate_occupations_people import FOLDER
from curation.cli.final import manifest_inputs
from curation.io.atomic import atomic_text
from curation.io.manifest import write_manifest
from curation.io.tables import read_text
from curation.io.workspace import Workspace
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.questionnaire import Wording as CultureWording
from curation.model.survey import Option, Question, QuestionKind, Role
from evaluation.occupations.design import designs
from evaluation.occupations.items import Item, read_items
from evaluation.occupations.prompts import Survey, bundled_prompts, read_prompts
from evaluation.occupations.ratios import Ratio, by_group, read_ratios
from evaluation.occupations.sampling import two_forms
from survey.building.forms import Form
from survey.building.tables import refuse_to_lose, write_forms_table, write_questionnaire
from survey.building.wording import words_for
from survey.forms import PLATFORMS, Written, write_forms
from survey.forms.kit import make_kit

_CATEGORY = "Occupations"  # a questionnaire has categories; this one holds one task
_COUNTED = "curate filter --survey FILE"
_SCORED = "curate evaluate occupations score --items FILE --ratios FILE --responses FILE"


@dataclass(frozen=True, slots=True)
class Built:
    """Two forms; nothing is written yet."""

    questions: tuple[Question, ...]
    forms: tuple[Form, ...]
    culture: Culture


@click.command("survey")
@workspace_option
@click.option("--items", type=click.Path(path_type=Path), required=True, help="The items.")
@click.option("--ratios", type=click.Path(path_type=Path), required=True, help="The real ratios.")
@click.option("--task", help="Which task of the items [default: the one that there is].")
@click.option(
    "--per-form",
    type=click.IntRange(2),
    default=40,
    show_default=True,
    help="Items of each of the two forms at most.",
)
@click.option("--respondents", type=click.IntRange(1), help="People who answer one form.")
@click.option("--prompts", type=click.Path(path_type=Path), help="Words of your own (YAML).")
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw of items.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(PLATFORMS),
    default=("workbook", "csv"),
    show_default=True,
    help="For which platform forms are written; may be given several times.",
)
@click.option("--replace", is_flag=True, help="Change a questionnaire that people have answered.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"The folder to write to [default: exports/{FOLDER.as_posix()}].",
)
@json_option
def command(
    workspace: Workspace,
    items: Path,
    ratios: Path,
    task: str | None,
    per_form: int,
    respondents: int | None,
    prompts: Path | None,
    seed: int,
    formats: tuple[str, ...],
    replace: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask people the items that models are asked, in two forms.

    Each pair of occupations that is drawn stands in one form with one group and in the other with
    the other group, so that nobody sees what is compared. Quotas and language are those of the
    workspace. Give the answers to 'curate evaluate occupations score --responses'.

    \b
    Example: curate evaluate occupations survey --items asked/items.csv \\
               --ratios asked/ratios.csv --per-form 30 --format qualtrics
    """  # noqa: D301  # \b keeps click from wrapping the example
    asked = read_items(items)
    known = read_ratios(ratios)
    name = _task(asked, task)
    words = (read_prompts(prompts) if prompts else bundled_prompts(_language(workspace))).task(name)
    built = _build(
        two_forms(asked, name, per_form=per_form, seed=seed),
        _ratio(asked, known, name, str(items)),
        _culture(workspace.culture, words.survey, respondents),
    )
    folder = out or workspace.exports_folder / FOLDER
    written = _save(workspace, built, formats, folder, [items, ratios], replace=replace, seed=seed)
    _tell(built, name, written, folder, as_json=as_json)


def _language(workspace: Workspace) -> str:
    return workspace.culture.language.split("-")[0]


def _task(items: Sequence[Item], wanted: str | None) -> str:
    known = list(dict.fromkeys(item.task for item in items))
    if wanted is not None:
        return wanted
    if len(known) > 1:
        raise click.UsageError(f"say with --task which one: {', '.join(known)}")
    return known[0]


def _ratio(
    items: Sequence[Item], ratios: Sequence[Ratio], task: str, file: str
) -> tuple[str, dict[str, float]]:
    """Give the group of a task whose ratios are known, and these."""
    mine = [item for item in items if item.task == task]
    if not mine:
        return "", {}  # said where the items are drawn
    (design,), _ = designs(mine, ratios, file=file)
    return design.groups[0], by_group(ratios)[design.groups[0]]


def _culture(culture: Culture, words: Survey, respondents: int | None) -> Culture:
    """Put the words of the items over those of the workspace's own survey."""
    settings = culture.questionnaire
    own = settings.wording.model_dump()
    own |= {
        "title": words.title,
        "intro": words.intro,
        "instructions_choice": words.instructions,
        "choice": words.question,
    }
    changed: dict[str, object] = {"wording": CultureWording.model_validate(own)}
    if respondents is not None:
        changed["respondents_per_form"] = respondents
    return culture.model_copy(update={"questionnaire": settings.model_copy(update=changed)})


def _build(
    forms: tuple[tuple[Item, ...], tuple[Item, ...]],
    ratio: tuple[str, dict[str, float]],
    culture: Culture,
) -> Built:
    questions = {
        item.item_id: _question(item, *ratio)
        for item in sorted((*forms[0], *forms[1]), key=lambda item: item.item_id)
    }
    made = tuple(
        Form(
            id=f"f{number:02d}",
            questions=tuple(questions[item.item_id] for item in form),
            orders=tuple(_order(item) for item in form),
        )
        for number, form in enumerate(forms, start=1)
    )
    return Built(tuple(questions.values()), made, culture)


def _question(item: Item, group: str, ratio: dict[str, float]) -> Question:
    """Give an item as a question: its target is the occupation more common in its group."""
    first, *others = sorted(item.occupations, key=lambda name: ratio[name])
    target = others[-1] if item.group == group else first
    return Question(
        id=item.item_id,
        kind=QuestionKind.CHOICE,
        category=_CATEGORY,
        stereotype=item.sentence,
        options=tuple(
            Option(
                code=str(at),
                groups=() if option == item.unknown else (option,),
                role=_role(option, item, target),
                counts=option != item.unknown,
                text=option,
            )
            for at, option in enumerate(item.options, start=1)
        ),
    )


def _role(option: str, item: Item, target: str) -> Role:
    if option == item.unknown:
        return Role.NONE
    return Role.TARGET if option == target else Role.NON_TARGET


def _order(item: Item) -> tuple[int, ...]:
    """Give the occupations as the item orders them; that it cannot be known stays last."""
    unknown = item.options.index(item.unknown)
    return (*(at for at in range(len(item.options)) if at != unknown), unknown)


def _save(
    workspace: Workspace,
    built: Built,
    formats: Sequence[str],
    folder: Path,
    inputs: Sequence[Path],
    *,
    replace: bool,
    seed: int,
) -> list[Written]:
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder for the forms")
    kit = make_kit(built.questions, built.forms, {}, words_for(built.culture), built.culture)
    if not replace:
        refuse_to_lose(folder, built.questions, built.forms, ())
    write_questionnaire(folder / "questionnaire.csv", built.questions)
    write_forms_table(folder / "forms" / "forms.csv", built.forms)
    written = write_forms(folder / "forms", kit, formats)
    for item in written:
        _say_how_to_read(item)
    files = [folder / "questionnaire.csv", folder / "forms" / "forms.csv"]
    files += [folder / "forms" / "codes.csv", *(path for item in written for path in item.files)]
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, inputs),
        counts={"questions": len(built.questions), "forms": len(built.forms)},
        settings={"seed": seed},
        files=files,
    )
    return written


def _say_how_to_read(written: Written) -> None:
    """Name the command that scores these answers, in place of the one that filters templates."""
    for path in written.files:
        if path.name == "README.txt":
            text = read_text(path).replace(_COUNTED, _SCORED)
            with atomic_text(path) as stream:
                stream.write(text)


def _tell(
    built: Built, task: str, written: Sequence[Written], folder: Path, *, as_json: bool
) -> None:
    sizes = {form.id: len(form.questions) for form in built.forms}
    people = built.culture.questionnaire
    respondents = people.respondents_per_form or people.respondents_per_question
    if as_json:
        print_json(
            {
                "task": task,
                "questions": len(built.questions),
                "forms": sizes,
                "respondents_per_form": respondents,
                "folder": str(folder),
                "formats": [item.name for item in written],
            }
        )
        return
    listed = " and ".join(
        f"{name} with {count} {plural('item', count)}" for name, count in sizes.items()
    )
    click.echo(f"{task}: forms {listed} in {folder}, for {respondents} people each.")
    click.echo(f"Score what they answer: {_SCORED} --mapping fNN.mapping.yaml")
