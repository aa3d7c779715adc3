"""Every link between pages, and every command that a page names, leads somewhere."""

import re
import shlex
from collections import Counter
from functools import cache

import click
import pytest
from doc_pages import ROOT

from curation.cli.group import cli

PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    + [path for path in (ROOT / "docs").rglob("*.md") if "reference" not in path.parts]
)
MADE = ROOT / "docs" / "reference"
"""Pages that are made when the site is built; they are not in the repository."""
_LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`+[^`\n]+`+")
NAME = re.compile("[a-z][a-z-]*")


def lines(page):
    """Give a page's lines with their numbers, and whether they stand in a block of code."""
    fence = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        opened = re.match(r"\s*(`{3,})", line)
        if opened and (not fence or line.strip() == fence):
            fence = "" if fence else opened[1]
            continue
        yield number, line, bool(fence)


@cache
def anchors(page):
    """Give the places of a page that can be linked to, as GitHub and MyST name headings."""
    seen = Counter()
    found = set()
    for _, line, is_code in lines(page):
        heading = re.match(r"#{1,6} (.*)", line)
        if heading and not is_code:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
    return frozenset(found)


def links(page):
    """Give a page's links that lead to other pages, with their lines."""
    for number, line, is_code in lines(page):
        if not is_code:
            for target in _LINK.findall(_CODE.sub("", line)):
                if not re.match(r"[a-z]+:", target):
                    yield number, target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """A file that is linked to exists, and has the heading that the link names."""
    broken = []
    for number, target in links(page):
        name, _, place = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if MADE in path.parents:
            broken.append(f"line {number}: {target} is made, and not there on GitHub")
        elif not path.exists():
            broken.append(f"line {number}: {target}: there is no such file")
        elif place and place not in anchors(path):
            broken.append(f"line {number}: {target}: there is no such heading")
    assert broken == []


def named(page):
    """Give every command that begins with `curate`, in blocks and in `code`."""
    text = ""
    for number, line, is_code in lines(page):
        if not is_code:
            text = ""
            for span in re.findall(r"`(curate [^`]+)`", line):
                yield number, span
            continue
        text += line.strip()
        if text.endswith("\\"):
            text = text[:-1]
            continue
        bare = re.sub(r"(^|\s)#.*", "", text).removeprefix("$ ")
        for part in re.split(r"&&|\|\||[|;]|\$\(", bare):
            if re.match(r"\s*curate(\s|$)", part):
                yield number, part.strip()
        text = ""


def faults(text):
    """Give what is wrong with a command as it is written: a word or an option that is not there."""
    try:
        words = shlex.split(text)[1:]
    except ValueError:
        return "it cannot be read"
    command, context = cli, click.Context(cli, info_name="curate")
    while True:
        try:
            _, words, _ = command.make_parser(context).parse_args(words)
        except click.NoSuchOption as error:
            return error.message
        except click.UsageError:
            return ""  # an option is named, and not what it is given
        if not (isinstance(command, click.Group) and words and NAME.fullmatch(words[0])):
            return ""
        name, *words = words
        command = command.get_command(context, name)
        if command is None:
            return f"no command {name}"
        context = click.Context(command, info_name=name, parent=context)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_named_exist(page):
    """A page names no command, and no option of one, that there is not."""
    wrong = {f"line {number}: {text}": faults(text) for number, text in named(page)}
    assert {where: what for where, what in wrong.items() if what} == {}
