"""Published sets and survey platforms: what their files say, and the comments at their heads."""

from itertools import takewhile
from pathlib import Path

import yaml

from curate_docs.text import escaped
from curation.sources import imported
from survey import platforms
from survey.platforms import Platform

SOURCES = Path(imported.__file__).parent
PLATFORMS = Path(platforms.__file__).parent
_INTRO = """\
# Published sets

Templates are read by `curate import NAME PATH...`, samples by `--samples` of the evaluation
commands and by `curate trace`. Every row of the templates is read, or reported.
"""
_SURVEYS = """\
# Survey platforms

`curate filter` tells by its columns which tool wrote a file; a mapping names it as its `preset`.
Any other file is read by the same rules.
"""
_COLUMNS = (
    "| preset | columns that tell it | who answered | what counts or ended |\n|---|---|---|---|"
)
_HEAD = "| name | templates of | languages | licence |\n|---|---|---|---|"


def page() -> str:
    """The page of all sets: a table of each kind, then a section a file."""
    templates = [SOURCES / "templates" / f"{name}.yaml" for name in imported.FORMATS]
    layouts = sorted((SOURCES / "layouts").glob("*.yaml"), key=lambda path: path.stem)
    return (
        "\n\n".join(
            (
                _INTRO + "\n## Templates",
                "\n".join((_HEAD, *map(_row, templates))),
                *map(_section, templates),
                "## Samples",
                *map(_section, layouts),
            )
        )
        + "\n"
    )


def surveys() -> str:
    """The page of all platforms of surveys: a table, then a section each."""
    every = sorted(platforms.platforms().values(), key=lambda each: each.name)
    parts = [f"## {each.name}\n\n{said(each)}\n" for each in every]
    return "\n".join((_SURVEYS, _COLUMNS, *map(_told, every), "", *parts))


def said(platform: Platform) -> str:
    """What a platform's file, or else its module, says at its head."""
    path = PLATFORMS / f"{platform.name}.yaml"
    return head(path) if path.exists() else str(platform.module.__doc__).partition("\n\n")[0]


def _told(platform: Platform) -> str:
    marks = " or ".join(", ".join(f"`{name}`" for name in each) for each in platform.marks if each)
    who = " or ".join(f"`{name}`" for name in platform.respondent)
    ways = {"": {**platform.keep, **platform.finished}, "not ": platform.drop}
    counts = [
        f"`{name}` is {word}{' or '.join(values).replace('*', 'filled')}"
        for word, columns in ways.items()
        for name, values in columns.items()
    ]
    cells = (f"`{platform.name}`", marks, who, escaped("; ".join(counts)))
    return f"| {' | '.join(cells)} |"


def head(path: Path) -> str:
    """The comment that a mapping begins with, as Markdown."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line[2:] for line in takewhile(lambda line: line.startswith("#"), lines))


def _section(path: Path) -> str:
    return f"### {path.stem}\n\n{head(path)}"


def _row(path: Path) -> str:
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    languages = ", ".join(f"`{code}`" for code in told.get("languages") or told["written_in"])
    terms = told["licence"]["name"] or "none stated: a release with its texts is refused"
    if told["licence"].get("share_alike"):
        terms += ": derived data must have it too"
    return f"| `{path.stem}` | {escaped(told['title'])} | {languages} | {terms} |"
