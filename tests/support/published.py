"""A small invented benchmark, as the modules of `exports` are told of it."""

from dataclasses import replace

from curation.bank.sample_set import COUNTED
from curation.records.culture import Culture
from curation.records.licences import Licence
from curation.records.sample import Sample
from exports.card.facts import Facts, PublishedTable, columns_of

SAMPLE = Sample(
    *("craft-001b-001-dis-bsd", "craft-001", "b", "Craft", "ST", "They hum"),
    *("Bob and Ann came in. Bob hummed.", "Who hums?", "dis", "bsd"),
    *(("Bob", "Ann", "Unknown"), "Bob", "Bob", "Bakers", "Potters", "Craft-1", "Crafts"),
)
RELEASE = {
    "title": "Nowhere BBQ",
    "description": "An invented benchmark.",
    "licence": "CC-BY-4.0",
    "authors": [{"family": "Doe", "given": "Jo", "orcid": "0000-0002-1825-0097"}, {"name": "Lab"}],
    "contact": "jo@example.org",
    "url": "https://example.org/nowhere",
    "doi": "10.1234/nowhere",
    "date": "2026-02-03",
    "canary": "canary-0123456789-nowhere",
    "paper": {"title": "On Nowhere", "venue": "Proceedings of Nowhere", "year": 2026},
    "survey": {
        "began": "2025-01-02",
        "ended": "2025-01-09",
        "company": "a panel",
        "population": "adults of Nowhere",
        "payment": "two coins",
        "ethics": "board of Nowhere, 12",
    },
    "annotators": ["Three linguists, paid by the hour."],
    "limits": ["Bakers are few."],
    "uses": ["To teach."],
}


def culture(release=None, **settings):
    """Give settings, with a release that says everything unless another one is given."""
    made = {"culture": "Nowhere", "language": "en", "unknown": "Unknown", **settings}
    return Culture.model_validate({**made, "release": RELEASE if release is None else release})


def published():
    """Give the four tables without their rows, with few columns of the bank."""
    bank = ("template_id", "variant", "target_groups", "target_groups_source", "mood")
    templates = (*columns_of("templates", bank), *columns_of("status"))
    made = (
        ("test", columns_of("samples"), 8, ("sample_id",)),
        ("samples", columns_of("samples"), 16, ("sample_id",)),
        ("templates", templates, 4, ("template_id", "variant")),
        ("survey", columns_of("survey"), 6, ("question_id", "option")),
    )
    return tuple(
        PublishedTable(name, columns, size, (), f"Rows of {name}", key)
        for name, columns, size, key in made
    )


SURVEY = {
    "kinds": [
        {
            **{"name": "Validation", "asked": 3, "kept": 1, "unanswered": 1},
            "dropped": {"Validation": 1, "No stereotype": 0},
        }
    ],
    **{"fewest": 28, "most": 40, "near": 1, "questions": 3, "few": 1},
    "people": {
        **{"total": 41, "counted": 40, "median_minutes": 7.5, "stated": False},
        "attributes": {"gender": {"female": 20, "male": 17, "": 2, "other": 1}},
        **{"dimensions": ("gender",), "unknown": ("age_band",), "cells": ()},
    },
    "exclusions": (
        {
            **{"rule": "attention", "what": "Failed an attention check", "respondents": 1},
            **{"records": 3, "excluded": True, "turns": None},
        },
    ),
    "method": (("Validation", "Strictly more than 2/3 named the target."),),
}


def facts(**changes):
    """Give everything that is known of the benchmark, with some of it changed."""
    counts = dict(zip(COUNTED, (1, 0, 1, 1, 0, 3, 2, 16), strict=True))
    made = Facts(
        culture=culture(),
        tool_version="9.9",
        tables=published(),
        example=SAMPLE,
        categories=({"category": "Craft", **counts}, {"category": "Total", **counts}),
        names={"Craft": "Crafts"},
        test={"Craft": 8},
        funnel={
            **{"taken": 3, "written": 1, "removed": 1, "aside": 0, "dropped": {"Validation": 1}},
            **{"by_person": 0, "left": 2, "undecided": 1},
        },
        survey=SURVEY,
        agreement={
            **{"annotators": 2, "templates": 3, "complete": 3, "unanimous": 2},
            "statistics": (("Fleiss' kappa", "0.500 (3 templates)"),),
        },
        sources=(
            {
                **{"id": "bbq", "title": "BBQ", "translated_from": "en", "templates": 3},
                **{"taken": 1, "modified": 0, "created": 0, "removed": 1, "dropped": 1},
                "licence": Licence("CC-BY-4.0", "Alicia Parrish et al.", "https://example.org/bbq"),
            },
        ),
        written=1,
        modified=0,
        gaps={
            **{"undecided": ("craft-002",), "waiting": (), "kept_by_person": ()},
            **{"tested": 1, "changed": 1, "documented": 0, "taken_over": {}},
        },
        forbidden=("It must not be used to rank people.",),
    )
    return replace(made, **changes)
