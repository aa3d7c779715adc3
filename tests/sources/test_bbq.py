"""The reader of BBQ's template files, on invented templates."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from layouts import write_table

from curation.bank.generate import expand, prepare
from curation.records.messages import Severity, own_yaml
from curation.sources import bbq

CASES = own_yaml(Path(__file__).with_name("bbq.yaml").read_text("utf-8"))
TEMPLATE = {
    "Q_id": "1",
    "version": "a",
    "Category": "Hobby",
    "Ambiguous_Context": "The {{NAME1}} and the {{NAME2}} share a {{WORD1}}.",
    "Disambiguating_Context": "The {{NAME1}} never sweeps it.",
    "Names": "NAME1: [knitter, quilter]; NAME2: [climber, rower, skater]",
    "Lexical_diversity": "WORD1: [shed, barn]",
    "Question_negative_stereotype": "Who is untidy?",
    "Question_non_negative": "Who is tidy?",
    "Answer_negative": "The {{NAME1}}",
    "Answer_non_negative": "The {{NAME2}}",
    "Relevant_social_values": "untidiness",
    "Known_stereotyped_groups": '["crafty"]',
    "NAME1_info": "nonCrafty",
    "NAME2_info": "crafty",
    "Notes": "https://example.org/hobbies",
}
DRAWN = {**TEMPLATE, "version": "", "Names": "", "NAME1_info": "", "NAME2_info": ""}
VOCABULARY = (
    ("Hobby", "", "Craft", "weaver", "crafty"),
    ("Hobby", "", "Craft", "potter", "crafty"),
    ("hobby", "", "Sport", "diver", "sporty"),
    ("Hobby", "No", "Sport", "archer", "sporty"),
    ("Race_ethnicity", "", "", "Elvish", ""),
    ("Race_ethnicity", "", "", "Dwarvish", ""),
    ("Gender_identity", "", "adult", "man", ""),
    ("Gender_identity", "", "adult", "woman", ""),
    ("Gender_identity", "", "child", "boy", ""),
    ("Gender_identity", "", "child", "girl", ""),
    ("SES", "", "Occupation", "porter", "lowSES"),
    ("SES", "", "Occupation", "banker", "highSES"),
)
NAMES = (
    ("Arwa", "first", "F", "Elvish"),
    ("Eldo", "first", "M", "Elvish"),
    ("Leafe", "last", "", "Elvish"),
    ("Brook", "last", "", "Elvish"),
    ("Gerta", "first", "F", "Dwarvish"),
    ("Thrun", "first", "M", "Dwarvish"),
    ("Stone", "last", "", "Dwarvish"),
    ("Una", "first_only", "F", ""),
    ("Otis", "first_only", "M", ""),
)
BOTH = {key: value for key, value in DRAWN.items() if key != "Known_stereotyped_groups"} | {
    "Category": "Race_x_gender",
    "Known_stereotyped_race": '["Elvish"]',
    "Known_stereotyped_var2": '["F"]',
}
WITH_GENDER = {
    **BOTH,
    **{"Known_stereotyped_race": '["Elvish", "Elven"]', "Known_stereotyped_var2": "F"},
    **{"Names": '["guy", "lady"]', "Var2_info": '["M", "F"]'},
    **{
        "Answer_negative": "The {{NAME1}} {{GEN1}}",
        "Answer_non_negative": "The {{NAME2}} {{GEN2}}",
    },
    "Ambiguous_Context": "A {{NAME1}} {{GEN1}} and a {{NAME2}} {{GEN2}} share a {{WORD1}}.",
    "Disambiguating_Context": "The {{NAME1}} {{GEN1}} never sweeps it.",
}
WITH_STATUS = {key: cell.replace("GEN", "OCC") for key, cell in WITH_GENDER.items()} | {
    "Known_stereotyped_race": '["Dwarvish"]',
    "Known_stereotyped_var2": "lowSES",
    "Var2_info": '["highSES", "lowSES"]',
}
BASES = {
    **{"TEMPLATE": TEMPLATE, "DRAWN": DRAWN, "BOTH": BOTH},
    **{"WITH_GENDER": WITH_GENDER, "WITH_STATUS": WITH_STATUS},
}
WORD_COLUMNS = ("Category", "Pilot_include", "SubCat", "Name", "Info")
NAME_COLUMNS = ("Name", "First_last", "gender", "ethnicity")
RACES = (
    *(("Race_ethnicity", "", "", name, "") for name in ("Elvish", "Elven", "Dwarvish", "Latino")),
    *(("SES", "", "", name, "lowSES") for name in ("porter", "waiter")),
    ("SES", "", "", "banker", "highSES"),
)
VOCABULARIES = {
    "words": ("vocabulary.csv", WORD_COLUMNS, VOCABULARY),
    "races": ("vocabulary.csv", WORD_COLUMNS, RACES),
    "names": ("vocabulary_proper_names.csv", NAME_COLUMNS, NAMES),
}
RESULTS = {"letters", "texts", "all_texts", "source", "people", "findings", "paired"}


def read(folder, *rows):
    path = write_table(folder / "templates.csv", rows)
    return bbq.read([path, *sorted(folder.glob("vocabulary*.csv"))])


def pairs(variant):
    """By the first answer those that stand beside it in the fillings of a variant."""
    filled = expand(prepare(variant, "en"), "?", {})
    found = {}
    for one, two in sorted({sample.choices[:2] for sample in filled}):
        found.setdefault(one, []).append(two)
    return found


def told(imported):
    found = {}
    for item in imported.findings:
        key = f"{item.severity.value} {item.rule} {item.column}"
        found.setdefault(key, []).append(str(item.row))
    return [f"{key} {' '.join(rows)}" for key, rows in found.items()]


def are_paired(variants):
    """Whether index n has the same two people in all variants."""
    made = [
        [frozenset(sample.choices) for sample in expand(prepare(variant, "en"), "?", {})]
        for variant in variants
    ]
    return all(people == made[0] for people in made)


def result(imported, key, wanted):
    variants = imported.variants
    match key:
        case "letters":
            return [variant.letter.value for variant in variants]
        case "findings":
            return told(imported)
        case "people":
            return {v.letter.value: pairs(v) for v in variants if v.letter.value in wanted}
        case "paired":
            return are_paired(variants)
        case "source":
            return {name: getattr(variants[0].source_texts, name) for name in wanted}
        case "all_texts":
            (found,) = {tuple(getattr(v.texts, name) for name in wanted) for v in variants}
            return dict(zip(wanted, found, strict=True))
    return {name: getattr(variants[0].texts, name) for name in wanted}


def outcome(case, folder):
    """What a case says of its rows, as they are read."""
    for name in case.get("with", ()):
        file, columns, rows = VOCABULARIES[name]
        write_table(folder / file, (dict(zip(columns, row, strict=True)) for row in rows))
    base = BASES[case.get("base", "TEMPLATE")]
    imported = read(folder, *({**base, **changes} for changes in case["rows"]))
    assert imported.rows_in == len(case["rows"])
    refused = {i.row for i in imported.findings if i.severity is Severity.ERROR}
    assert {variant.row for variant in imported.variants} | refused == {
        at + 2 for at in range(imported.rows_in)
    }
    return {key: result(imported, key, case[key]) for key in RESULTS & case.keys()}


def test_rows_are_read_as_they_are_published(tmp_path):
    """Texts, letters, people and findings; no row is lost."""
    for at, case in enumerate(CASES):
        (folder := tmp_path / str(at)).mkdir()
        wanted = {key: case[key] for key in RESULTS & case.keys()}
        assert outcome(case, folder) == wanted, case["why"]


def test_the_letter_follows_the_role(tmp_path):
    """Variant b has the target as answer to the negative question, however groups are written."""
    for known, one, two, letter in [
        ('["crafty"]', "nonCrafty", "crafty", "a"),
        ('["crafty"]', "crafty", "nonCrafty", "b"),
        ('["low SES"]', "lowSES", "highSES", "b"),
        ('["low-ses"]', "highSES", "LOWSES", "a"),
        ('["disabled", "D/deaf"]', "disabled", "nonDisabled", "b"),
        ("[“crafty”, “artsy”]", "sporty", "Artsy", "a"),
        ('["crafty",\n"art\nsy"]', "artsy", "sporty", "b"),
        ("['crafty']", "crafty", "", "b"),
        ("crafty, artsy", "artsy", "sporty", "b"),
        ('["F"]', "woman", "man", "b"),
        ('["transgender women", "trans"]', "nonTrans", "trans", "a"),
        ('["nonOld"]', "nonOld", "old", "b"),
        ('["nonOld"]', "old", "young", "a"),
        ('["old"]', "nonOld", "elderly", "a"),
        ('["crafty"]', '["sporty", "crafty"]', "sporty", "b"),
    ]:
        row = {
            **TEMPLATE,
            "Known_stereotyped_groups": known,
            "NAME1_info": one,
            "NAME2_info": two,
            "version": letter,
        }
        imported = read(tmp_path, row)
        assert [variant.letter.value for variant in imported.variants] == [letter]
        assert imported.findings == ()
        turned = {**row, "Answer_negative": "The {{NAME2}}", "Answer_non_negative": "The {{NAME1}}"}
        assert read(tmp_path, turned).variants[0].letter.value != letter


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from([*TEMPLATE]),
            st.one_of(
                st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
                st.sampled_from(["{{NAME1}}", "NAME1: [a]", "['a', 'b']", "2", "b", "crafty"]),
            ),
            max_size=4,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_row_is_lost(tmp_path_factory, damages):
    """Whatever stands in the cells, a row is read or refused; with an open role it is read."""
    folder = tmp_path_factory.mktemp("damaged")
    rows = [{**TEMPLATE, "Q_id": str(at), **damage} for at, damage in enumerate(damages)]
    imported = read(folder, *rows)
    errors = [item for item in imported.findings if item.severity is Severity.ERROR]
    refused = {item.row for item in errors if item.rule != "source-role-open"}
    kept = {variant.row for variant in imported.variants}
    assert imported.rows_in == len(rows)
    assert imported.rows_read == len(kept)
    assert refused | kept == set(range(2, len(rows) + 2))
    assert not refused & kept


def test_a_workspace_of_another_language_translates_what_is_right(tmp_path):
    """Its source is the corrected wording; what the samples say stands beside it."""
    row = {**TEMPLATE, "Ambiguous_Context": "A {{NAME1}} man meets {{NAME2}}."}
    imported = read(tmp_path, {**row, "Names": "NAME1: [usher, lesbian]; NAME2: [x]"})
    (own,), (other,) = imported.variants_for("en"), imported.variants_for("ko")
    right = "[N1: An usher man, A lesbian woman] meets [N2]."
    said = "A [N1: usher man, lesbian woman] meets [N2]."
    assert (own.texts.ambiguous_context, own.source_texts.ambiguous_context) == (right, said)
    assert other.source_texts == own.texts
    assert dict(other.extra)["ambiguous_context_published"] == said
    assert other.published_texts.ambiguous_context == said
    assert "biased_question_published" not in dict(other.extra)
    (words,) = read(tmp_path, {**row, "Names": "NAME1: [tall, lesbian]; NAME2: [x]"}).variants_for(
        "ko"
    )
    assert "ambiguous_context_published" not in dict(words.extra)  # samples are corrected, too
    told = {item.rule: item.message for item in imported.findings}
    assert told == {
        "source-article": "corrected: 'An usher man' for 'A usher man'; what BBQ's samples say "
        "is kept in ambiguous_context_source or ambiguous_context_published",
        "source-word": "corrected: 'A lesbian woman' for 'A lesbian man', as in BBQ's samples",
    }
