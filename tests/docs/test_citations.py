"""Every work that the code and the pages cite is in one list, on the page of the method."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
METHOD = ROOT / "docs" / "method.md"
FOLDERS = ("curation", "survey", "evaluation", "exports", "docs", "benchmarks")
_NAME = r"[A-Z][\w-]+(?: (?:and [A-Z][\w-]+|et al\.))?"
_CITED = re.compile(rf"({_NAME}),? \(?((?:19|20)\d\d)\b(?!-\d\d)")
_BESIDE = re.compile(r"(?:Copyright|January|June|Wikidata|ACL|TACL|NAACL|Transactions)")


def _texts():
    files = [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".md", ".yaml", ".j2") and "_build" not in path.parts
    ]
    return [" ".join(path.read_text("utf-8").split()) for path in files]


def listed():
    """Each author that the list names, with the year of the work."""
    works = METHOD.read_text("utf-8").split("## References")[1]
    heads = re.findall(r"^- ([^.\d]*(?:et al\. )?)(\d{4})\. ", works, flags=re.MULTILINE)
    return {(name, year) for names, year in heads for name in re.findall(r"[A-Z][\w-]+", names)}


def test_every_cited_work_is_listed():
    """By the first author and the year; a year beside another word is no work."""
    cited = {
        (re.split(" and | et al", name)[0], year)
        for text in _texts()
        for name, year in _CITED.findall(text)
        if not _BESIDE.match(name)
    }
    assert len(cited) > 40
    assert cited - listed() == set()
