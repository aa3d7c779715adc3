"""Importing published templates, as a function."""

import csv
import json
from collections import Counter
from functools import cache

import pandas as pd
import pytest

import curation
from curation.files.workspace import open_workspace
from curation.importing import import_templates
from curation.initial import init_workspace as init
from curation.records.bank import ORIGIN
from curation.records.messages import CurateError, Severity
from curation.sources.imported import TemplateFormat, template_format

INDIAN = {
    "Q_id": "1",
    "Category": "Hobby",
    "Ambiguous_Context": "A {{NAME1}} and a {{NAME2}} share a shed.",
    "Disambiguating_Context": "The {{NAME1}} never sweeps it.",
    "Names": "{{NAME1}}: [knitter]; {{NAME2}}: [climber]",
    "Pairing": "biased",
    "Question_negative": "Who is untidy?",
    "Question_non_negative": "Who is tidy?",
    "Answer_negative": "The {{NAME1}}",
    "Answer_non_negative": "The {{NAME2}}",
    "Known_stereotyped_groups": "crafty",
}
CHINESE = {
    "question_index": "1",
    "category": "Hobby",
    "subcategory": "untidiness",
    "bias_targeted_groups": "knitter",
    "source": "A study of sheds",
    "NAME1": "[knitter]",
    "NAME2": "[climber]",
    "question": "Who is untidy?",
    "ans0": "The {{NAME1}}",
    "ans1": "The {{NAME2}}",
    "ans2": "unsure",
}


def write(path, row):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, row)
        writer.writeheader()
        writer.writerow(row)
    return path


def write_chinese(folder, word="shed"):
    opening = f"A {{{{NAME1}}}} and a {{{{NAME2}}}} share a {word}."
    for condition, rest, labels in (("ambiguous", "", "22"), ("disambiguous", " It rained.", "10")):
        for polarity, label in zip(("neg", "non_neg"), labels, strict=True):
            name = f"templates_generate_{polarity.replace('_', '')}.csv"
            row = {**CHINESE, "question_polarity": polarity, "context_condition": condition}
            write(folder / condition / name, {**row, "context": opening + rest, "label": label})


def test_a_set_without_a_licence_says_so_at_once(tmp_path):
    """Its texts may not be passed on; the terms are kept with the files."""
    workspace = init(tmp_path / "w", "en")
    result = import_templates(workspace, "bharatbbq", [write(tmp_path / "Hobby.csv", INDIAN)])
    (finding,) = result.findings
    assert (finding.rule, finding.severity.value) == ("source-terms", "warning")
    assert finding.message == (
        "bharatbbq states no licence: nothing that is derived from it may be published"
    )
    (entry,) = json.loads((workspace.sources_folder / "sources.json").read_text(encoding="utf-8"))
    assert entry["file"] == "bharatbbq/Hobby.csv"
    assert (entry["licence"]["name"], entry["licence"]["address"]) == (
        "",
        "https://github.com/sahoonihar/BharatBBQ",
    )


@pytest.fixture
def chinese(tmp_path):
    return init(tmp_path / "w", "zh")


def test_share_alike_is_said_and_kept(chinese, tmp_path):
    """What is derived from CBBQ carries its licence too."""
    write_chinese(tmp_path / "Hobby")
    result = import_templates(chinese, "cbbq", [tmp_path / "Hobby"])
    (finding,) = result.findings
    assert (finding.rule, finding.hint) == (
        "source-terms",
        "write release.licence: CC-BY-SA-4.0 in culture.yaml",
    )
    index = json.loads((chinese.sources_folder / "sources.json").read_text(encoding="utf-8"))
    assert all(entry["licence"]["share_alike"] is True for entry in index)


def test_files_of_one_name_are_kept_by_their_folders(chinese, tmp_path):
    """Files of two categories, and of two contexts, do not stand in each other's way."""
    write_chinese(tmp_path / "set" / "Hobby")
    write_chinese(tmp_path / "set" / "Music", "hall")
    import_templates(chinese, "cbbq", [tmp_path / "set" / "Hobby"])
    result = import_templates(chinese, "cbbq", [tmp_path / "set" / "Music" / "ambiguous" / ".."])
    assert result.rows_read == 4
    kept = {
        path.relative_to(chinese.sources_folder).as_posix()
        for path in chinese.sources_folder.rglob("*.csv")
    }
    assert len(kept) == 8
    assert "cbbq/Music/disambiguous/templates_generate_nonneg.csv" in kept


def test_a_folder_with_half_of_the_files_is_one_error(chinese, tmp_path):
    """What is missing is named, and the bank stays empty."""
    write_chinese(tmp_path / "Hobby")
    with pytest.raises(CurateError, match="no template could be read") as error:
        import_templates(chinese, "cbbq", [tmp_path / "Hobby" / "ambiguous"])
    assert "lacks the rows neg of disambiguous contexts" in error.value.hint
    assert chinese.bank.variants == ()


FOLDERS = (
    ("bharatbbq", "Templates/Hobby.csv", "name its folder {set}/Templates"),
    ("bbq", "data/Hobby.csv", "Hobby.csv holds templates of another format: curate import "),
    ("kobbq", "Hobby.csv", "Hobby.csv holds templates of another format: curate import "),
    ("kobbq", "Hobby.pdf", "name files"),
    ("cbbq", "deep/Hobby.csv", "Hobby.csv holds templates of another format: curate import "),
    ("bharatbbq", "deep/Hobby.csv", "name its folder {set}/deep"),
)
SAMPLE = {
    **{"example_id": "0", "question_index": "1", "question_polarity": "neg", "label": "2"},
    **{"context_condition": "ambig", "category": "Hobby", "answer_info": "{}", "question": "Who?"},
    **{"additional_metadata": "{}", "context": "Two met.", "ans0": "A", "ans1": "B", "ans2": "C"},
}


def test_a_folder_without_templates_says_what_to_name(tmp_path):
    """Its folder that has them, or the format whose files it has; samples are told as such."""
    for at, (source, files, hint) in enumerate(FOLDERS):
        folder = tmp_path / str(at)
        for file in files.split():
            write(folder / file, INDIAN)
        with pytest.raises(CurateError) as error:
            import_templates(init(tmp_path / f"w{at}", "en"), source, [folder])
        assert error.value.hint.startswith(hint.format(set=folder))
    (folder := tmp_path / "esbbq").mkdir()
    columns = [dict.fromkeys(template_format("esbbq").columns, "x")]
    pd.DataFrame(columns).to_excel(folder / "Hobby.xlsx", index=False)
    with pytest.raises(CurateError) as error:
        import_templates(init(tmp_path / "es", "es"), "bbq", [folder])
    assert "of another format: curate import esbbq " in error.value.hint
    file = tmp_path / "set" / "Hobby.jsonl"
    file.parent.mkdir()
    file.write_text(json.dumps(SAMPLE) + "\n", encoding="utf-8")
    for source, named in (("bbq", "set"), ("kobbq", "set/Hobby.jsonl"), ("bharatbbq", "set")):
        with pytest.raises(CurateError) as error:
            import_templates(init(tmp_path / f"w-{source}", "en"), source, [tmp_path / named])
        assert error.value.hint.startswith("Hobby.jsonl holds samples (layout 'bbq'): ")


def test_a_mapping_says_its_name_and_its_language(tmp_path):
    """One that lacks either, or has the name of a published set, is refused as that."""
    terms = {"title": "Hobbies", "licence": {"name": "", "holder": "", "address": ""}}
    for said, what in [
        ({"name": "own"}, "'written_in' is not written"),
        ({"written_in": ["en"]}, "'name' is not written"),
        ({"name": "bbq", "written_in": ["en"]}, "'bbq' is a published format"),
    ]:
        form = TemplateFormat.model_validate({**terms, **said})
        with pytest.raises(CurateError) as refused:
            import_templates(init(tmp_path / what, "en"), "table", [tmp_path], form)
        assert refused.value.what == what


SETS_OF_AGE = {
    "bbq": ("en", "bbq/templates/Age.csv"),
    "kobbq": ("ko", "kobbq/templates.tsv"),
    "bbg": ("en", "bbg/EnBBG_templates.csv"),
    "esbbq": ("es", "esbbq/templates/Age.xlsx"),
    "bharatbbq": ("en", "bharatbbq/templates/Age.csv"),
}
"""Language and file of the published sets that have a category of one name."""


@cache
def holding(folder, languages, files):
    """What a workspace with these sets has: errors by rule, hashes of samples, templates."""
    workspace = init(folder / "-".join((*languages, *(name for name, _ in files))), languages[0])
    text = workspace.culture_file.read_text(encoding="utf-8")
    workspace.culture_file.write_text(
        text.replace("source_language: en", f"source_language: {languages[1]}"), encoding="utf-8"
    )
    results = [
        import_templates(open_workspace(workspace.root), name, [path])
        for name, path in (*files, *files)
    ]
    findings = [item for result in results for item in result.findings]
    assert not [item for item in findings if item.rule == "import-differs"]
    assert [result.variants_added for result in results[len(files) :]] == [0] * len(files)
    whole = open_workspace(workspace.root)
    published = {
        str(row.template_id): (row.source, dict(row.extra).get(ORIGIN) or str(row.template_id))
        for row in whole.bank.variants
    }
    samples = frozenset(
        hash(
            (
                *(published[item.template_id], item.sample_id.partition("-")[2][3:]),
                *(item.context, item.question, item.choices, item.biased_answer, item.answer),
            )
        )
        for item in curation.samples(whole)
    )
    found = curation.check(whole).findings
    assert "bank-unknown-column" not in {item.rule for item in found}
    errors = Counter(item.rule for item in found if item.severity is Severity.ERROR)
    return errors, samples, len(published)


PAIRS = [("kobbq", "esbbq"), ("bbq", "kobbq"), ("esbbq", "bharatbbq"), ("bharatbbq", "bbg")]


@pytest.mark.parametrize(
    "pair",
    [PAIRS[0], *(pytest.param(pair, marks=pytest.mark.nightly) for pair in PAIRS[1:])],
    ids="-".join,
)
def test_published_sets_stay_whole_beside_another_one(reference, tmp_path_factory, pair):
    """Whichever comes first, both give the samples and the errors that they give alone."""
    folder = tmp_path_factory.getbasetemp()
    both = tuple((name, reference / SETS_OF_AGE[name][1]) for name in pair)
    languages = (SETS_OF_AGE[pair[0]][0], SETS_OF_AGE[pair[1]][0])
    errors, samples, templates = holding(folder, languages, both)
    (one_errors, one, count), (other_errors, other, more) = (
        holding(folder, languages, (each,)) for each in both
    )
    assert (errors, templates) == (one_errors + other_errors, count + more)
    assert samples == one | other
    assert len(samples) == len(one) + len(other)
