"""A folder that can be put on the Hugging Face hub as it is: Parquet, card and metadata."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path

from curation.files.atomic import write_file
from curation.files.lock import writing
from curation.files.manifest import FileRecord, file_record
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.files.writers import texts_alone
from curation.files.writers.parquet import write_parquet
from curation.records.messages import Progress, Results, refuse_unknown, silent
from exports.card import citation as cite
from exports.card.facts import Facts, PublishedTable, gather
from exports.card.readme import PICTURE, card, picture, sentences
from exports.edition import SETS, open_edition
from exports.folders import EXPORT, refuse_foreign, write_export
from exports.releases import refuse_stale

HUB = "hub"
"""What the manifest of the folder says that it is an export of."""
CARD = "README.md"
"""The dataset card's name, as the hub wants it."""
CHECKSUMS = "checksums.txt"
"""Hashes of all other files, as `sha256sum -c` reads them."""


def hub(
    workspace: Workspace,
    sets: Sequence[str] = ("all", "test"),
    *,
    per_template: int | None = None,
    out: Path | None = None,
    progress: Progress = silent,
) -> Results:
    """Write a dataset folder, by default to `exports/hub`.

    Args:
        workspace: The workspace.
        sets: `all`: every filling (configuration `samples`); `test`: one for each pair (`test`).
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        out: The folder to write to.
        progress: Called with the progress of planning and writing.

    Returns:
        What `write_export` gives, and of the keys of `culture.yaml` that are empty what a card
        would say by them (`not_stated`).

    Raises:
        CurateError: If something that it is made from is stale or unconfirmed (`OF_INPUTS`), a
            file cannot be read or written, templates cannot be filled, none gives samples, there
            are more than `samples.limit`, or the folder holds what no such export wrote.
    """
    for name in sets:
        refuse_unknown("set of samples", name, SETS)
    with writing(workspace, "curate export package --only hub", to=out):
        edition = open_edition(workspace, progress, per_template=per_template)
        edition.refuse([edition.seed, *([None] if "all" in sets else [])])
        refuse_stale(workspace, edition.final)
        folder = out or workspace.exports_folder / HUB
        refuse_foreign(folder, HUB)
        facts = gather(edition, sets)
        exported = write_export(
            edition,
            folder,
            lambda stage: write_folder(stage, facts),
            settings={EXPORT: HUB, "sets": sorted(sets)},
            seed=edition.seed,
            sets=sets,
        )
    empty = cite.unstated(workspace.culture, surveyed=facts.survey is not None)
    listed = [{"key": key, "what": what} for key, what in empty.items()]
    return Results({**exported, "not_stated": listed})


def write_folder(folder: Path, facts: Facts) -> dict[str, int]:
    """Write everything into a folder that is new or empty.

    Args:
        folder: The folder.
        facts: What is known of the benchmark, with its tables.

    Returns:
        How many rows each table has, by what they are called.

    Raises:
        CurateError: If a cell holds no text, or something cannot be written.
    """
    for item in facts.tables:
        _write(folder, item)
    files = {item.path: file_record(folder / item.path) for item in facts.tables}
    texts = {
        CARD: card(facts),
        CROISSANT: croissant(facts, files),
        cite.CITATION: cite.citation(facts.culture),
    }
    for name, text in texts.items():
        write_file(folder / name, text)
    write_file(folder / PICTURE, picture(facts))
    hashes = {name: sha256(folder / name) for name in (*texts, PICTURE)}
    hashes |= {name: content.sha256 for name, content in files.items()}
    told = (f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    write_file(folder / CHECKSUMS, "".join(told))
    return {item.counted: item.size for item in facts.tables}


def _write(folder: Path, item: PublishedTable) -> None:
    path = folder / item.path
    names = [column.name for column in item.columns]
    kinds = [column.kind for column in item.columns]
    with texts_alone(Path(item.path)):
        written = write_parquet(path, names, item.rows, kinds)
    if written != item.size:
        raise ValueError(f"{item.name} has {written} rows, not {item.size}")


CROISSANT = "croissant.json"
"""Its name in the folder."""
CONFORMS_TO = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")

_TYPES = {
    "text": "sc:Text",
    "list": "sc:Text",
    "whole number": "sc:Integer",
    "truth value": "sc:Boolean",
}


def croissant(facts: Facts, files: Mapping[str, FileRecord]) -> str:
    """Write the description.

    Args:
        facts: What is known of the benchmark.
        files: The content of each configuration's file, by path.
    """
    context = resources.files("exports.card").joinpath("croissant_context.json")
    made = {
        "@context": json.loads(context.read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        **cite.stated(_about(facts)),
        "isLiveDataset": False,
        **cite.stated(_responsible(facts)),
        "distribution": [_file(item, files[item.path]) for item in facts.tables],
        "recordSet": [_records(item) for item in facts.tables],
    }
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _about(facts: Facts) -> dict[str, object]:
    """What the data set is."""
    culture, release = facts.culture, facts.culture.release
    creators = [
        {
            "@type": "sc:Organization" if author.name else "sc:Person",
            "name": author.shown,
            **({"url": f"https://orcid.org/{author.orcid}"} if author.orcid else {}),
        }
        for author in release.authors
    ]
    return {
        "name": facts.title,
        "alternateName": culture.release_name,
        "description": release.description or facts.title,
        "version": culture.version,
        "inLanguage": [culture.language],
        "keywords": ["bias", "fairness", "stereotypes", "question answering", culture.culture],
        "license": cite.licence_address(release.licence) or release.licence,
        "creator": creators,
        "datePublished": release.date and release.date.isoformat(),
        "url": release.url,
        "sameAs": [f"https://doi.org/{release.doi}"] if release.doi else [],
        "citeAs": cite.bibtex(cite.paper(culture) or cite.dataset(culture)),
    }


def _responsible(facts: Facts) -> dict[str, object]:
    """The fields of responsible AI."""
    release, survey, agreement = facts.culture.release, facts.survey, facts.agreement or {}
    asked = ["Surveys & Questionnaires"] if survey is not None else []
    days = (release.survey.began, release.survey.ended) if survey is not None else ()
    method = survey["method"] if survey is not None else ()
    biases = (
        "The data contains stereotypes on purpose: those that people of one culture said they "
        "know. Groups and stereotypes that it does not name are not measured."
    )
    return {
        "rai:dataCollection": " ".join(sentences("collection", facts)) if survey else "",
        "rai:dataCollectionType": [*asked, "Manual Human Curator"],
        "rai:dataCollectionTimeframe": [day.isoformat() for day in days if day],
        "rai:dataPreprocessingProtocol": [f"{title}: {text}" for title, text in method],
        "rai:dataManipulationProtocol": " ".join(sentences("manipulation", facts)),
        "rai:annotatorDemographics": release.annotators,
        "rai:dataAnnotationAnalysis": [
            f"{name}: {value}" for name, value in agreement.get("statistics", ())
        ],
        "rai:annotationsPerItem": str(agreement.get("annotators", "")),
        "rai:dataLimitations": [*sentences("limits", facts), *release.limits],
        "rai:dataBiases": [biases],
        "rai:dataUseCases": [*sentences("uses", facts), *release.uses],
        "rai:dataSocialImpact": " ".join(facts.forbidden),
        "rai:personalSensitiveInformation": sentences("privacy", facts),
    }


def _file(item: PublishedTable, content: FileRecord) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{item.name}-file",
        "name": f"{item.name}-file",
        "description": f"{item.title}.",
        "contentUrl": item.path,
        "contentSize": f"{content.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": content.sha256,
    }


def _records(item: PublishedTable) -> dict[str, object]:
    keys = [{"@id": f"{item.name}/{name}"} for name in item.key]
    return {
        "@type": "cr:RecordSet",
        "@id": item.name,
        "name": item.name,
        "description": f"{item.title}.",
        "key": keys if len(keys) > 1 else keys[0],
        "field": list(_fields(item)),
    }


def _fields(item: PublishedTable) -> Iterator[dict[str, object]]:
    for column in item.columns:
        yield {
            "@type": "cr:Field",
            "@id": f"{item.name}/{column.name}",
            "name": column.name,
            "description": column.meaning.replace("`", ""),
            "dataType": _TYPES[column.kind],
            **({"repeated": True} if column.kind == "list" else {}),
            "source": {
                "fileObject": {"@id": f"{item.name}-file"},
                "extract": {"column": column.name},
            },
        }
