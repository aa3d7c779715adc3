"""The readers on the published data: what comes out must be what was published."""

import csv
import json
from collections import Counter
from functools import cache

import pytest

from curation.bank.generate import prepare
from curation.bank.planning import plan
from curation.records.bank import Bank, Label
from curation.slots.grammar import parse_lists, parse_text
from curation.sources import bbq
from curation.sources.table import published

TABLE_1 = {
    "Age": "Age",
    "Disability Status": "Disability_status",
    "Gender Identity": "Gender_identity",
    "Physical Appearance": "Physical_appearance",
    "Socio-Economic Status": "SES",
    "Domestic Area of Origin": "Domestic_area_of_origin",
    "Educational Background": "Educational_background",
}
"""The categories of KoBBQ's table 1 that are here whole, as the templates write them."""


@pytest.fixture(scope="module")
def korean(reference):
    return published("kobbq", [reference / "kobbq" / "templates.tsv"])


@pytest.fixture(scope="module")
def generation(reference):
    return published("bbg", [reference / "bbg" / "EnBBG_templates.csv"])


@cache
def american(reference, file):
    """One of BBQ's template files, with its vocabularies."""
    folder = reference / "bbq" / "templates"
    return bbq.read([folder / f"{file}.csv", *sorted(folder.glob("vocabulary*.csv"))])


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


def sizes(variant):
    lists = parse_lists(variant.texts.names)
    return len(lists["N1"].fillers), len(lists["N2"].fillers)


def negative_slot(variant):
    """The person who is the answer to the biased question."""
    (name,) = (name for name in parse_text(variant.texts.biased_answer).names if name[0] == "N")
    return name


class TestKoBBQ:
    """KoBBQ's templates and test samples."""

    def test_samples_are_those_of_table_1(self, korean, reference):
        """Whole categories have the published numbers of samples, race its first nine ids'."""
        counts = plan(Bank(korean.variants).templates(), "ko", "", {}).count()
        published = {
            TABLE_1[row["category"]]: int(row["samples"])
            for row in table(reference / "kobbq" / "table1_templates.csv")
            if row["category"] in TABLE_1
        }
        assert counts == {**published, "Race_ethnicity_nationality": 14688}
        assert sum(counts.values()) == 36232

    def test_labels_are_those_of_table_1(self, korean, reference):
        """Whole categories have the published numbers of templates by label."""
        labels = Counter((item.category, item.label) for item in Bank(korean.variants).templates())
        for row in table(reference / "kobbq" / "table1_templates.csv"):
            if row["category"] not in TABLE_1:
                continue
            category = TABLE_1[row["category"]]
            for label, column in (
                (Label.TARGET_MODIFIED, "target_modified"),
                (Label.SIMPLY_TRANSFERRED, "simply_transferred"),
                (Label.NEWLY_CREATED, "newly_created"),
            ):
                assert labels[category, label] == int(row[column]), (category, label)


class TestBBQ:
    """BBQ's templates and samples."""

    @pytest.mark.parametrize(("file", "samples"), [("Religion", 1200), ("Nationality", 3080)])
    def test_drawn_names_give_the_published_numbers(self, reference, file, samples):
        """By the published rule, at most five of each side in both orders, the numbers agree."""
        total = 0
        for variant in american(reference, file).variants:
            one, two = sizes(variant)
            total += min(5, one) * min(5, two) * 4
        assert total == samples

    @pytest.mark.parametrize("file", ["Age", "Disability_status"])
    def test_letters_follow_the_role(self, reference, file):
        """In b the negative answer is who has the stereotyped info, whatever was published."""
        rows = table(reference / "bbq" / "templates" / f"{file}.csv")
        imported = american(reference, file)
        for variant in imported.variants:
            row = rows[variant.row - 2]
            known = json.loads(row["Known_stereotyped_groups"])
            info = row[f"NAME{negative_slot(variant)[1]}_info"]
            assert (variant.letter.value == "b") == (info in known), variant.id
            differs = row["version"] != variant.letter.value
            assert variant.note == (f"published as version {row['version']}" if differs else "")


class TestBBG:
    """BBG's templates; its evaluation set is made of them in tests/evaluation/stories."""

    def test_every_row_is_read(self, generation):
        """All 464 rows become the two variants of 232 templates, each of which can be filled."""
        assert (generation.rows_in, generation.rows_read) == (464, 464)
        assert generation.findings == ()
        templates = list(Bank(generation.variants).templates())
        assert len(templates) == 232
        for template in templates:
            assert [variant.letter.value for variant in template.variants] == ["a", "b"]
            assert len({prepare(variant, "en").count for variant in template.variants}) == 1


_ONE_ROLE = ({"a", "c"}, {"b", "d"})


@pytest.fixture(scope="module")
def folder(reference):
    return bbq.read(sorted((reference / "bbq" / "as_published" / "templates").glob("*.csv")))


class TestBBQsFolder:
    """The whole folder, with the categories of which no samples are here."""

    def test_versions_with_one_role_have_letters_of_one_role(self, folder):
        """Where both versions have the target in the role they are b and d, else a and c."""
        letters = {}
        for item in folder.variants:
            letters.setdefault((item.category, item.source_id), []).append(item.letter.value)
        of_one_role = {key: found for key, found in letters.items() if {*found} in _ONE_ROLE}
        assert of_one_role == {
            ("PhysicalAppearance", "6"): ["b", "d"],
            ("PhysicalAppearance", "10"): ["a", "c"],
            ("SES", "8"): ["b", "d"],
            ("SES", "9"): ["b", "d"],
            ("SES", "10"): ["b", "d"],
        }
        assert letters["GenderIdentity", "12"] == ["a", "c", "b", "d"]
        assert letters["GenderIdentity", "19"] == ["a", "b", "c", "d"]
        alone = {key: found for key, found in letters.items() if len(found) == 1}
        assert alone == {("GenderIdentity", "35"): ["a"], ("GenderIdentity", "36"): ["a"]}

    def test_intersectional_pairs_are_counted(self, folder):
        """Each word of the race meets itself with the other gender, and every other race with both.

        15 words of the vocabulary are drawn. `Latino` has a word for each gender, of which each
        pair has one.
        """
        counts = {
            (item.category, item.source_id): prepare(item, "en").count for item in folder.variants
        }
        words = 3 * 2  # the lists of the first template
        assert counts["Gender_x_race", "1"] == 2 * (1 + 13 * 2) * words
        assert counts["Gender_x_race", "5"] == 1 + 14 * 2
        first, last = 10, 20
        ethnicities, genders = 5, 2
        people = first * last * (ethnicities * genders - 1) * first * last
        assert counts["Gender_x_race", "6"] == people
