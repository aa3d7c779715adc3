"""What the page holds, and how it is written."""

from dataclasses import fields, replace

from curation.bank.removal import delete_templates, set_aside_templates
from curation.files.bank import write_bank, write_groups
from curation.files.outcomes import describe
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Bank, Group, Label, Texts, Variant, VariantId
from curation.records.survey import Decision
from exports.browse.chunks import read_chunk
from exports.browse.writing import labels_alone, write_browse
from survey.bank import final_bank

CULTURE = """\
culture: Nowhere
language: en
unknown: Not known
categories:
  - {id: Craft, name: Crafts}
"""
TEXTS = Texts(
    stereotype="They hum",
    target_groups=("Bakers",),
    ambiguous_context="[N1] met [N2] at the [W1].",
    disambiguating_context="[N1] hummed, and [N2] read.",
    biased_question="Who hums?",
    counter_biased_question="Who reads?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [baker, miller]; N2: [potter]",
    words="W1: [well]",
    n1_groups=("Bakers",),
    n2_groups=("Potters",),
)


def variant(name, texts=TEXTS, source=None):
    return Variant(VariantId.parse(name), "Craft", Label.SIMPLY_TRANSFERRED, texts, source or texts)


def made(folder, variants, culture=CULTURE):
    """Make a workspace of variants, in which nothing is decided."""
    workspace = Workspace(folder)
    folder.mkdir()
    workspace.culture_file.write_text(culture, encoding="utf-8")
    write_bank(workspace.bank_file, Bank(tuple(variants)))
    write_groups(workspace.groups_file, [Group("Craft", "Bakers"), Group("Craft", "Potters")])
    return Workspace(folder)


def chunk(page, name):
    return read_chunk(page.folder / "data" / f"{name}.js")


def rows(table):
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def template(page, name):
    row = next(item for item in rows(chunk(page, "index")["templates"]) if item["id"] == name)
    return chunk(page, f"template-{row['chunk']}")["templates"][name]


def test_the_chain_of_decisions_is_that_of_explain(workspace):
    """Every template has the status, the reason and the decisions that 'curate explain' gives."""
    page = write_browse(workspace)
    index = rows(chunk(page, "index")["templates"])
    assert len(index) == 40
    final = final_bank(workspace)
    numbers = [item.name for item in fields(Decision) if item.name != "near"]
    for row, item in zip(index, final.outcomes, strict=True):
        shown = template(page, row["id"])
        assert row["id"] == str(item.template.id)
        assert (shown["status"], shown["why"]) == (item.status.value, item.reason)
        assert [one["sentence"] for one in shown["decisions"]] == list(
            map(describe, item.decisions)
        )
        assert [[one[name] for name in numbers] for one in shown["decisions"]] == [
            [getattr(one, name) for name in numbers] for one in item.decisions
        ]
        marked = [bool(one["near"]) for one in shown["decisions"]]
        assert marked == [one.borderline for one in item.decisions]


def test_a_new_template_stands_with_those_of_its_category(tmp_path):
    """A bank has it at its end, whatever its category."""
    names = [
        f"{name}{version}" for name in ("craft-001", "art-001", "craft-002") for version in "ab"
    ]
    home = {"a": "Art", "c": "Craft"}
    variants = [replace(variant(name), category=home[name[0]]) for name in names]
    culture = CULTURE + "  - {id: Art, name: Arts}\n"
    page = write_browse(made(tmp_path / "w", variants, culture))
    shown = [row["id"] for row in rows(chunk(page, "index")["templates"])]
    assert shown == ["craft-001", "craft-002", "art-001"]


def test_a_group_has_the_name_of_the_source_where_all_templates_agree(tmp_path):
    there = [
        replace(TEXTS, n1_groups=(one,), n2_groups=("Turners",)) for one in ("Cooks", "Millers")
    ]
    there = [replace(one, target_groups=one.n1_groups) for one in there]
    names = [variant(f"craft-00{at}a", TEXTS, one) for at, one in enumerate(there, start=1)]
    page = write_browse(made(tmp_path / "w", names))
    assert chunk(page, "index")["glosses"] == {"Craft": {"Potters": "Turners"}}


def test_a_template_that_cannot_be_filled_says_why(tmp_path):
    """It has no samples, the others have theirs, and its texts are shown as they are written."""
    broken = replace(TEXTS, ambiguous_context="[N1 met [N2] at the well.")
    page = write_browse(
        made(tmp_path / "w", [variant("craft-001a", broken), variant("craft-002a")])
    )
    first, second = rows(chunk(page, "index")["templates"])
    assert (first["samples"], second["samples"]) == (0, 8)
    assert [item.rule for item in page.findings] == ["template-unfillable"]
    shown = template(page, "craft-001")
    assert "']' was expected after slot N1" in shown["fault"]
    assert shown["example"]["target"] is None
    assert shown["variants"][0]["texts"]["ambiguous_context"]["target"] == [
        ["[N1 met [N2] at the well.", ""]
    ]


def test_templates_that_nobody_has_translated(tmp_path):
    """A bank of published templates alone shows the source, and an example in it."""
    page = write_browse(made(tmp_path / "w", [variant("craft-001a", Texts(), TEXTS)]))
    (row,) = rows(chunk(page, "index")["templates"])
    assert (row["samples"], row["stereotype"]) == (0, "They hum")
    assert row["groups"] == ["Bakers", "Potters"]
    shown = template(page, "craft-001")
    assert shown["waits"] is True
    assert shown["example"]["target"] is None
    assert shown["example"]["source"]["ambiguous_context"] == "baker met potter at the well."
    assert "who hums?" in chunk(page, "search")["texts"][0]


def test_templates_that_were_taken_out_of_use(tmp_path):
    """One that is set aside is shown as excluded, with who said why; a deleted one is gone."""
    names = ("craft-001a", "craft-002a", "craft-003a")
    workspace = made(tmp_path / "w", [variant(name) for name in names])
    set_aside_templates(workspace, ["craft-001"], reason="not said here", by="Mina")
    delete_templates(workspace, ["craft-002"], reason="nobody knows it", by="Mina")
    page = write_browse(workspace)
    first, last = rows(chunk(page, "index")["templates"])
    assert (first["id"], last["id"]) == ("craft-001", "craft-003")
    assert (first["status"], first["reason"], first["samples"]) == ("excluded", "removal", 0)
    shown = template(page, "craft-001")
    assert shown["why"] == "set aside: not said here"
    assert [(one["rule"], one["by"]) for one in shown["decisions"]] == [("removal", "Mina")]


def test_samples_of_a_template_lie_in_several_chunks(tmp_path):
    """At most 500 in each, so that a page never loads more to show some."""
    names = f"N1: [{', '.join(f'baker {at}' for at in range(20))}]; N2: [potter, tiler]"
    wide = replace(TEXTS, names=names, words="W1: [well, inn, mill, yard]")
    page = write_browse(made(tmp_path / "w", [variant("craft-001a", wide)]))
    assert template(page, "craft-001")["sample_chunks"] == [
        ["craft-001a-001-amb-bsd", "craft-001a-125-dis-cnt", 500],
        ["craft-001a-126-amb-bsd", "craft-001a-160-dis-cnt", 140],
    ]
    drawn = write_browse(Workspace(tmp_path / "w"), tmp_path / "drawn", per_template=40)
    assert rows(chunk(drawn, "index")["templates"])[0]["samples"] == 40


def test_published_labels_name_nobody():
    """Nothing joins the labels of one annotator; reasons and remarks stay out."""
    said = [
        Annotation(f"craft-00{at}", name, label, f"{name} says so", remark="see Mina")
        for name, labels in (("Mina", "ST TM ST"), ("Jun", "TM TM SR"), ("Ann", "ST ST ST"))
        for at, label in enumerate(map(Label, labels.split()), start=1)
    ]
    shown = labels_alone([*said, Annotation("craft-001", "Zoe", None, remark="I know Mina")])
    assert [(one.template_id, str(one.label)) for one in shown] == [
        *(("craft-001", label) for label in ("ST", "ST", "TM")),
        *(("craft-002", label) for label in ("ST", "TM", "TM")),
        *(("craft-003", label) for label in ("SR", "ST", "ST")),
    ]
    assert {replace(one, template_id="", label=None) for one in shown} == {Annotation("", "")}
    assert labels_alone(said[::-1]) == shown
