"""What users read is in plain English: no phrase of the list stands in it."""

import re

import pytest
from sources import PACKAGES, ROOT, sources

pytestmark = pytest.mark.xdist_group("sources")
BANNED = {
    # What was once said, and a reader stumbled over.
    "every ruling": "every decision",
    "rulings?": "decision",
    r"contradicts (?:him|her)self": "answers that contradict each other",
    r"exactly (?P<same>\S+ \S+) is exactly (?P=same)": "compared without rounding",
    "nothing to object to": "no problems found",
    "play of chance": "sampling error",
    "stands? twice": "occurs twice, duplicate",
    "rules? of quality": "quality check",
    "(?:retired|inactive|closed|unused|disabled|discarded) templates?": "not used, or its status",
    "templates? (?:is|are|that (?:is|are)) (?:not in use|out of use|retired|closed)": "not used",
    "people's work": "annotation, annotators, translators",
    "held against": "compared with",
    "mends?|mended|mending": "fix, correct",
    "falls? by (?:several|no|one|this) rules?": "is dropped by",
    "(?:stereotype|template|question)s? falls?|falls? (?:when|too)": "is dropped",
    "and said|, but said|and that is said|wants a look": "and a note says so, look at it",
    "goes? before those": "overrides",
    "takes? back the edit|take the edit back": "undo the edit",
    "if (?:that|the newest) is meant": "if this is intended",
    "bears? a name": "needs a name, has a name",
    "stands? in the way": "prevents",
    "lies (?:below|before)": "is lower than, is before",
    "joins no groups": "cannot merge groups",
    "without leave|for leave": "permission",
    "both are alike|failed alike": "both are the same, failed in the same way",
    "set in with spaces": "indent with spaces",
    "made? anew": "make it again",
    # Archaic or stiff.
    "whom": "who, which, or name the person",
    "thereof|therein|thereby|thereupon|whereof|wherein|whereby|wherewith": "of it, in it, by it",
    "hitherto|heretofore|henceforth|hereby|herein": "until now, from now on",
    "whence|whither|thither|hither": "from where, to where",
    "lest": "so that ... not",
    "albeit|notwithstanding": "although, despite",
    "forthwith|anon": "at once",
    "thus|hence": "so, therefore",
    "upon": "on",
    "shall": "is to, must",
    "ought": "should",
    "naught|nought|aught": "nothing",
    "heeds?|heeded": "follow, use",
    "for want of": "without, because there is no",
    "but for": "except for",
    "save for": "except for",
    "in vain": "without success",
    "as it were": "",
    "be it": "whether",
    "in so far as|insofar as": "if, as far as",
    "by dint of|by virtue of": "by",
    # Double negations.
    "not without": "with",
    "not (?:un|im)(?:common|usual|likely|known|possible)": "the word without both negations",
    "not (?:a )?few": "many",
    "no less than": "at least",
    "differs? in nothing but": "differs only in",
    "never not|nobody is not|nothing is not": "always, everybody, everything",
    # Clever.
    "goes for nothing|count for naught": "does not count",
    "needless to say|of course|obviously|simply put": "",
    "magic(?:al|ally)?": "say what it does",
}
"""Each phrase that is not used, as a pattern in lower case, and what to say for it."""
_PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(BANNED)})(?![\w-])".replace(" ", r"\s+"))


def prose():
    """Messages, help and docstrings; texts of reports, cards and columns; the pages."""
    found = [(str(it.path.relative_to(ROOT)), *text) for it in sources() for text in it.texts]
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    texts.append(ROOT / "templates_src" / "demo" / "README.md")
    texts += [path for path in (ROOT / "docs").rglob("*.md") if "reference" not in path.parts]
    texts += (ROOT / "docs" / "_ext").rglob("*.yaml")
    data = ("columns", "drafts", "known", "rules", "words")
    endings = ("*.j2", "words.js", *(f"{name}.yaml" for name in data))
    for package in PACKAGES:
        for ending in endings:
            texts += (ROOT / package).rglob(ending)
    english = ROOT / "curation" / "languages" / "en"
    texts += [english / f"{name}.yaml" for name in ("annotation", "survey", "occupations")]
    found += [
        (str(path.relative_to(ROOT)), 1, path.read_text(encoding="utf-8"))
        for path in sorted(texts)
        if "_build" not in path.parts
    ]
    return found


def banned(text):
    """The phrases in a text that are not used, each with its line from 0."""
    return [(text.count("\n", 0, hit.start()), hit[0]) for hit in _PATTERN.finditer(text.lower())]


def test_no_banned_phrase_is_used():
    """Messages, help, docstrings, columns and pages are free of them."""
    found = [
        f"{file}, line {line + at}: {phrase!r}"
        for file, line, text in prose()
        for at, phrase in banned(text)
    ]
    assert found == [], "say it plainly; the list in this file has what to say"
