"""`croissant.json`: the data set described for machines (Croissant 1.0, with RAI 1.0).

The vocabulary is that of https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html and
https://docs.mlcommons.org/croissant/docs/croissant-rai-spec.html.
"""

import json
from collections.abc import Iterator, Mapping
from importlib import resources

from curation.files.manifest import FileRecord
from exports.card.citation import bibtex, dataset, paper
from exports.card.facts import Facts, Table
from exports.card.licences import licence_address
from exports.card.readme import sentences

CROISSANT = "croissant.json"
"""Its name in the folder."""
CONFORMS_TO = (
    "http://mlcommons.org/croissant/1.0",
    "http://mlcommons.org/croissant/RAI/1.0",
)

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
    context = resources.files(__package__).joinpath("croissant_context.json")
    made = {
        "@context": json.loads(context.read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        **dict(_about(facts)),
        **dict(_responsible(facts)),
        "distribution": [_file(item, files[item.path]) for item in facts.tables],
        "recordSet": [_records(item) for item in facts.tables],
    }
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _about(facts: Facts) -> Iterator[tuple[str, object]]:
    """Yield what the data set is; what is not stated is left out."""
    culture, release = facts.culture, facts.culture.release
    yield "name", facts.title
    yield "alternateName", culture.release_name
    yield "description", release.description or facts.title
    yield "version", culture.version
    yield "inLanguage", [culture.language]
    yield "keywords", ["bias", "fairness", "stereotypes", "question answering", culture.culture]
    if release.licence:
        yield "license", licence_address(release.licence) or release.licence
    if release.authors:
        yield (
            "creator",
            [
                {
                    "@type": "sc:Organization" if author.name else "sc:Person",
                    "name": author.shown,
                    **({"url": f"https://orcid.org/{author.orcid}"} if author.orcid else {}),
                }
                for author in release.authors
            ],
        )
    if release.date:
        yield "datePublished", release.date.isoformat()
    if release.url:
        yield "url", release.url
    if release.doi:
        yield "sameAs", [f"https://doi.org/{release.doi}"]
    yield "citeAs", bibtex(paper(culture) or dataset(culture))
    yield "isLiveDataset", False


def _responsible(facts: Facts) -> Iterator[tuple[str, object]]:
    """Yield the fields of responsible AI."""
    notes, survey = facts.culture.release.survey, facts.survey
    if survey is not None:
        yield "rai:dataCollection", " ".join(sentences("collection", facts))
        yield "rai:dataCollectionType", ["Surveys & Questionnaires", "Manual Human Curator"]
        days = [day.isoformat() for day in (notes.began, notes.ended) if day]
        if days:
            yield "rai:dataCollectionTimeframe", days
        yield (
            "rai:dataPreprocessingProtocol",
            [f"{title}: {text}" for title, text in survey["method"]],
        )
    else:
        yield "rai:dataCollectionType", ["Manual Human Curator"]
    yield "rai:dataManipulationProtocol", " ".join(sentences("manipulation", facts))
    annotators = facts.culture.release.annotators
    if annotators:
        yield "rai:annotatorDemographics", list(annotators)
    if facts.agreement is not None:
        told = [f"{name}: {value}" for name, value in facts.agreement["statistics"]]
        yield "rai:dataAnnotationAnalysis", told
        yield "rai:annotationsPerItem", str(facts.agreement["annotators"])
    known = [*sentences("limits", facts), *facts.culture.release.limits]
    yield "rai:dataLimitations", known
    yield (
        "rai:dataBiases",
        [
            "The data contains stereotypes on purpose: those that people of one culture said they "
            "know. Groups and stereotypes that it does not name are not measured.",
        ],
    )
    yield "rai:dataUseCases", [*sentences("uses", facts), *facts.culture.release.uses]
    yield "rai:dataSocialImpact", " ".join(facts.forbidden)
    yield "rai:personalSensitiveInformation", sentences("privacy", facts)


def _file(item: Table, content: FileRecord) -> dict[str, object]:
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


def _records(item: Table) -> dict[str, object]:
    keys = [{"@id": f"{item.name}/{name}"} for name in item.key]
    return {
        "@type": "cr:RecordSet",
        "@id": item.name,
        "name": item.name,
        "description": f"{item.title}.",
        "key": keys if len(keys) > 1 else keys[0],
        "field": list(_fields(item)),
    }


def _fields(item: Table) -> Iterator[dict[str, object]]:
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
