"""The published sets that are read: what their mappings say, and the comments at their heads."""

from itertools import takewhile
from pathlib import Path

import yaml

from curate_docs.text import escaped
from curation.sources import imported

SOURCES = Path(imported.__file__).parent
_INTRO = """\
# Published sets

Templates are read by `curate import NAME PATH...`, samples by `--samples` of the evaluation
commands and by `curate trace`. Every row of the templates is read, or reported.
"""
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
