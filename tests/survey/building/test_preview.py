"""The page that shows the forms."""

import csv
from html import unescape

import pytest
from pages_in_browser import headless, opened, violations

from curation.files.workspace import Workspace
from curation.initial import copy_demo
from survey.building.build import build


@pytest.fixture(
    scope="module",
    params=["ar", *(pytest.param(it, marks=pytest.mark.nightly) for it in ("es", "ko"))],
)
def built(request, tmp_path_factory):
    """The forms of the demo; in Arabic its questions are asked with the words of that language."""
    folder = tmp_path_factory.mktemp(request.param) / "demo"
    copy_demo(folder, "es" if request.param == "ar" else request.param)
    if request.param == "ar":
        settings = folder / "culture.yaml"
        settings.write_text(settings.read_text("utf-8").replace("language: es", "language: ar", 1))
        bank = folder / "templates_src" / "bank.csv"
        plain = bank.read_text("utf-8")
        for agreement in ("|El/La]", "|el/la]", "|un/una]"):
            plain = plain.replace(agreement, "]")
        bank.write_text(plain, encoding="utf-8")
    build(Workspace(folder), formats=["csv"], replace=True)
    return folder / "responses" / "forms"


def test_every_question_is_shown_with_its_options(built):
    """In each form that asks it, by the texts of the survey; several options can be ticked."""
    page = unescape((built / "preview.html").read_text(encoding="utf-8"))
    with (built / "texts.csv").open(encoding="utf-8", newline="") as stream:
        texts = {row["question_id"]: row["text"] for row in csv.DictReader(stream)}
    with (built / "forms.csv").open(encoding="utf-8", newline="") as stream:
        asked = [(row["form"], row["question_id"]) for row in csv.DictReader(stream)]
    forms = {form: page.split(f"<summary>{form}</summary>")[1] for form, _ in asked}
    for form, question in asked:
        assert f"<legend>{texts[question]}</legend>" in forms[form].split("</details>")[0]
    assert page.count("<details") == len(forms)
    band = page.split('name="f01age_band"')[1]
    assert "19-29" in band.split("</span>")[0]
    assert ("<details open>" in page, "<script" in page) == (True, False)
    selecting = {name for _, name in asked if name.startswith("q-home_region")}
    assert page.count('type="checkbox"') == 11 * sum(name in selecting for _, name in asked)


@pytest.mark.server
def test_a_phone_shows_it_without_scrolling_sideways(built):
    """In each script, without a script of the page, and for those who hear it."""
    with headless() as browser:
        page = opened(
            browser,
            (built / "preview.html").as_uri(),
            viewport={"width": 390, "height": 844},
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        toward = page.evaluate("document.documentElement.dir")
        language = page.evaluate("document.documentElement.lang")
        assert (wide, toward) == (390, "rtl" if language == "ar" else "ltr")
        assert (page.said, len(page.asked)) == ([], 1)
        assert violations(page, contrast=True) == []
