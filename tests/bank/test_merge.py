"""Bringing imported templates into the bank."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from curation.bank.merge import _new_ids, merge
from curation.files.annotations import AnnotationsFolder
from curation.files.bank import GroupBook
from curation.files.workspace import Workspace
from curation.records.bank import ORIGIN, Bank, Group, Label, Texts, Variant, VariantId
from curation.records.culture import Category, Culture
from curation.records.messages import CurateError, Results

ENGLISH, KOREAN = Texts(stereotype="They hum"), Texts(stereotype="흥얼거린다")
LANGUAGES = ("ko", "en")


def culture(*categories, **settings):
    stated = {"culture": "Nowhere", "language": "ko", "source_language": "en", "unknown": "모름"}
    return Culture.model_validate({**stated, **settings, "categories": categories})


def variant(name="age-001a", **changes):
    parsed = VariantId.parse(name)
    category = parsed.template.category.capitalize()
    made = Variant(
        parsed, category, Label.SIMPLY_TRANSFERRED, KOREAN, ENGLISH, source="set", source_id="7"
    )
    return replace(made, row=5, **changes)  # a test names fields


def into(settings, variants, before=None, groups=(), languages=LANGUAGES, there=None):
    """Import variants after an earlier import, if there was one."""
    bank, known = (before.bank, before.new_groups) if before else (Bank(), ())
    book = GroupBook(known if there is None else there)
    return merge(bank, book, settings, variants, groups, languages)


def ids(merged):
    return [str(row.id) for row in merged.bank.variants]


def test_texts_go_to_the_columns_of_their_language():
    """Whichever side a published set has a language on, the bank has it on the culture's."""
    for language, source_language, own, source in [
        ("ko", "en", KOREAN, ENGLISH),
        ("en", "ko", ENGLISH, KOREAN),
        ("de", "en", Texts(), ENGLISH),
        ("de", "ko", Texts(), KOREAN),
        ("ko", "fr", KOREAN, Texts()),
    ]:
        settings = culture(language=language, source_language=source_language)
        row = into(settings, [variant()]).bank.variants[0]
        assert (row.texts, row.source_texts) == (own, source)


def test_a_language_that_does_not_fit_is_refused():
    """Both languages are named, and the setting to change."""
    with pytest.raises(CurateError) as refused:
        into(culture(language="de", source_language="fr"), [variant()], languages=("ko", "en"))
    assert refused.value.what == "the templates are in ko and en, the workspace is for de and fr"
    assert refused.value.where == "culture.yaml, language and source_language"


@pytest.mark.parametrize(
    "edit", [{"texts": Texts(stereotype="다르다")}, {"source_texts": Texts(stereotype="They sing")}]
)
def test_an_edited_row_is_left_as_it_is_and_said(edit):
    """The finding names the row of the bank, where it can be taken out."""
    first = into(culture(), [variant()])
    edited = Bank((replace(first.bank.variants[0], **edit, row=9),))
    second = into(culture(), [variant()], Results({**first, "bank": edited}))
    assert second.bank == edited
    assert [(item.rule, item.row) for item in second.findings] == [("import-differs", 9)]
    assert "age-001a is in the bank with different content" in second.findings[0].message
    assert (second.added, second.known) == (0, 0)


# Categories.

MERGED = Category(id="Life_stage", sources=("Age", "Job"))


def test_a_category_that_the_culture_lacks_is_added_once():
    """Only those of added templates, in order of first mention."""
    found = into(culture(Category(id="Job")), [variant(f"{name}-001a") for name in "bab"])
    assert found.new_categories == (Category(id="B"), Category(id="A"))
    assert into(culture(), [variant()], into(culture(), [variant()])).new_categories == ()


def test_a_merged_category_takes_its_templates_with_new_ids():
    """Numbers stay where they are free; a taken one gives way to the next after the last."""
    found = into(
        culture(MERGED),
        [variant(name) for name in ("age-001a", "age-001b", "age-004a", "job-001a", "job-002a")],
    )
    assert ids(found) == [
        *("life_stage-001a", "life_stage-001b", "life_stage-004a"),
        *("life_stage-005a", "life_stage-002a"),
    ]
    assert found.ids == {
        "age-001": "life_stage-001",
        "age-004": "life_stage-004",
        "job-001": "life_stage-005",
        "job-002": "life_stage-002",
    }
    assert {row.category for row in found.bank.variants} == {"Life_stage"}
    assert found.new_categories == ()


@pytest.mark.parametrize("source_id", ["7", ""])
def test_a_merged_template_is_found_again(source_id):
    """Its row keeps the id that it had in its source, even where it names no source there."""
    both = [variant(name, source_id=source_id) for name in ("age-001a", "job-001a", "job-001b")]
    first = into(culture(MERGED), both)
    assert [dict(row.extra) for row in first.bank.variants] == [
        {ORIGIN: "age-001"},
        {ORIGIN: "job-001"},
        {ORIGIN: "job-001"},
    ]
    for again in (both, both[::-1], both[1:]):
        second = into(culture(MERGED), again, first)
        assert second.bank == first.bank
        assert second.known == len(again)
    assert second.ids == {"job-001": "life_stage-002"}


def test_a_template_in_another_category_gets_an_id_that_nothing_has_or_had(tmp_path):
    """Its own former one, its own number, or the next after the last that there is or was."""
    folder = AnnotationsFolder(tmp_path)
    (path := folder.renamed).parent.mkdir(parents=True)
    path.write_text(
        "old_id,new_id\ncraft-009,age-001\ncraft-004,age-007\ncraft-003,age-005\n", encoding="utf-8"
    )
    there = [variant(name) for name in ("age-001a", "age-002a", "age-003a", "craft-003a")]
    gone = [variant("craft-011a"), variant("hobby-020a")]
    workspace = SimpleNamespace(
        annotations=folder, bank=Bank(tuple(there)), deleted=Bank(tuple(gone)), decisions=()
    )
    goals = dict.fromkeys(("age-001", "age-002", "age-003", "age-004", "age-005"), "Craft")
    given = map(str, _new_ids(cast(Workspace, workspace), goals).values())
    assert [*given] == ["craft-009", "craft-002", "craft-012", "craft-013", "craft-005"]


def test_two_sets_keep_their_templates_apart():
    """A template of another set is not taken for one of the same id, whichever comes first."""
    for settings, moved in [(culture(MERGED), "life_stage"), (culture(), "age")]:
        one = [variant("age-001a"), variant("age-002a")]
        other = [variant(name, source="other set") for name in ("age-001a", "age-001c", "age-003a")]
        first = into(settings, one)
        second = into(settings, other, first)
        assert ids(second) == [f"{moved}-00{name}" for name in ("1a", "2a", "3a", "3c", "4a")]
        assert [row.source for row in second.bank.variants] == ["set"] * 2 + ["other set"] * 3
        assert (second.added, second.known, second.findings) == (3, 0, ())
        assert second.ids == {"age-001": f"{moved}-003", "age-003": f"{moved}-004"}
        origins = [dict(row.extra)[ORIGIN] for row in second.bank.variants[2:]]
        assert origins == ["age-001", "age-001", "age-003"]
        for again in (one, other, one[::-1], other[::-1]):
            known = into(settings, again, second)
            assert (known.bank, known.known, known.findings) == (second.bank, len(again), ())
        turned = into(settings, one, into(settings, other))
        assert ids(turned) == [f"{moved}-00{name}" for name in ("1a", "1c", "3a", "4a", "2a")]
        assert turned.findings == ()


def test_a_set_whose_rows_were_edited_is_no_other_set():
    """Beside another one its edited row is found by the id that it had, and is said."""
    other = [variant("age-001a", source="other set")]
    both = into(culture(), other, into(culture(), [variant("age-001a")]))
    edited = replace(both.bank.variants[1], texts=Texts(stereotype="다르다"), row=9)
    worked = Results({**both, "bank": Bank((both.bank.variants[0], edited))})
    again = into(culture(), other, worked)
    assert again.bank == worked.bank
    assert [(item.rule, item.row) for item in again.findings] == [("import-differs", 9)]
    assert "age-002a is in the bank with different content" in again.findings[0].message


def test_a_deleted_template_of_another_set_keeps_its_id():
    """It can be restored, for no other template has its id in the meantime."""
    found = merge(
        *(Bank(), GroupBook(), culture()),
        *([variant("age-001a", source="other set")], (), LANGUAGES),
        [variant("age-001a")],
    )
    assert (ids(found), found.added, found.deleted) == (["age-002a"], 1, 0)


# Groups.


def test_groups_that_were_renamed_or_taken_out_do_not_come_back():
    """A second import brings the groups of what is new, and no others."""
    old, young, tall = (Group("Age", name) for name in ("old", "young", "tall"))
    known = replace(ENGLISH, n1_groups=("old",), n2_groups=("young",))
    first = into(culture(), [variant(source_texts=known)], groups=(old, young))
    assert [group.group for group in first.new_groups] == ["old", "young"]
    there = (Group("Age", "노인", key="old"), young)
    again = into(culture(), [variant(source_texts=known)], first, (old, young), there=there)
    assert again.new_groups == ()
    new = variant("age-002a", source_texts=replace(ENGLISH, n1_groups=("tall",)), source_id="8")
    rows = [variant(source_texts=known), new]
    more = into(culture(), rows, first, (old, young, tall), there=there)
    assert [group.group for group in more.new_groups] == ["tall"]


def test_groups_that_the_workspace_lacks_are_added_under_its_category():
    """Those that are there stay as people wrote them, and none is added twice."""
    known = Group("Life_stage", "old", parent="people", counts=False, fillers="[x]", row=2)
    imported = (
        Group("Age", "old"),
        Group("Age", "young", fillers="[a]", row=4),
        Group("Job", "young"),
        Group("Sport", "young"),
    )
    found = into(culture(MERGED), [variant()], groups=imported, there=(known,))
    new = (Group("Life_stage", "young", fillers="[a]"), Group("Sport", "young"))
    assert found.new_groups == new


def test_a_row_that_got_versions_is_known():
    """Importing again does not bring back the one wording; another source is another row."""
    worded = [variant("age-001a.m"), variant("age-001a.f", texts=Texts())]
    first = into(culture(), worded)
    again = into(culture(), [variant("age-001a")], first)
    assert (ids(again), again.known, again.findings) == (["age-001a.m", "age-001a.f"], 1, ())
    other = into(culture(), [variant("age-001a", source_texts=Texts(stereotype="Other"))], first)
    assert other.added == 1
