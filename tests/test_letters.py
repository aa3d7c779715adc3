"""Texts and word lists of a language are data: code has no letter beyond ASCII."""

import unicodedata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("curation", "survey", "evaluation", "exports")
TYPOGRAPHIC = {
    "–…·→×−": "ranges, cuts, lists and formulas of reports",
    "“”‘’„‚«‹": "quotation marks that texts are read with",
    "「」『』《》〈〉】": "East Asian brackets and quotes, the same",
    "。、¡¿—": "stops, dashes and accents, the same",
    "◁▷": "tags of thoughts in replies of one model",
    "＝＋－＠": "what spreadsheets take for the beginning of a formula",
    "⟦⟧": "what the pseudo translation puts round a text, to be seen",
}
"""Characters beyond ASCII that are no letters, and why each may stand in code."""


def characters(folder):
    """The characters beyond ASCII of a package, each with its file."""
    return {
        (char, str(path.relative_to(ROOT)))
        for path in sorted((ROOT / folder).rglob("*.py"))
        for char in path.read_text("utf-8")
        if not char.isascii()
    }


def test_no_letter_beyond_ascii_stands_in_code():
    """It belongs to the folder of its language."""
    found = set().union(*map(characters, PRODUCT))
    assert len(found) > 50
    letters = {item for item in found if unicodedata.category(item[0])[0] in "LM"}
    assert letters == set()
    known = set().union(*TYPOGRAPHIC)
    assert {item for item in found if item[0] not in known} == set()
    assert known == {char for char, _ in found}


def test_a_folder_of_a_language_holds_no_code():
    """Its files are YAML, in UTF-8."""
    folders = [item.parent for item in (ROOT / "curation" / "languages").glob("*/language.yaml")]
    assert len(folders) > 2
    for folder in folders:
        assert {path.suffix for path in folder.iterdir()} == {".yaml"}
