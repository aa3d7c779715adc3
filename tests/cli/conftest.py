"""Running commands, and workspaces to run them in."""

import json
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from curation.cli.main import main
from tests.annotation.labelstudio.fake import FakeServer

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
EPOCH = "1767225600"

CULTURE = """\
culture: Nowhere
language: en
unknown: Unknown
categories:
  - {id: Craft, question: choice}
"""
BANK = """\
template_id,variant,category,label,stereotype,target_groups,ambiguous_context,\
disambiguating_context,biased_question,counter_biased_question,biased_answer,\
counter_biased_answer,names,n1_groups,n2_groups
craft-001,a,Craft,ST,They hum,Bakers,[N1] and [N2] came in.,[N1] hummed and [N2] did not.,\
Who hums?,Who does not?,[N1],[N2],N1: [Ann]; N2: [Bob],Potters,Bakers
craft-001,b,Craft,ST,They hum,Bakers,[N1] and [N2] came in.,[N1] hummed and [N2] did not.,\
Who hums?,Who does not?,[N1],[N2],N1: [Bob]; N2: [Ann],Bakers,Potters
craft-002,a,Craft,ST,They sing,Bakers,[N1] and [N2] sat down.,[N1] sang and [N2] did not.,\
Who sings?,Who does not?,[N1],[N2],N1: [Ann]; N2: [Bob],Potters,Bakers
"""
GROUPS = "category,group,counts,fillers\nCraft,Bakers,true,[Bob]\nCraft,Potters,true,[Ann]\n"
QUESTIONNAIRE = """\
question_id,kind,category,stereotype,template_id,option,group,counts,role,text
q-hum,choice,Craft,They hum,,1,Bakers,true,target,
q-hum,choice,Craft,They hum,,2,Potters,true,non_target,
q-hum,choice,Craft,They hum,,none,,,none,
q-sing,choice,Craft,They sing,,1,Bakers,true,target,
q-sing,choice,Craft,They sing,,2,Potters,true,non_target,
q-sing,choice,Craft,They sing,,none,,,none,
"""
HEADER = "respondent_id,question_id,kind,option,state,position,duration_s"


@dataclass(frozen=True)
class Ran:
    """What a command left behind: exit status, standard output, standard error."""

    code: object
    out: str
    err: str

    @property
    def json(self):
        """Standard output, which must be one JSON object and nothing else."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


@pytest.fixture
def curate(capsys):
    """Run a command in this process as `curate` does; no traceback may be printed."""

    def run(*args):
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return Ran(left.value.code, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def listing():
    """Every file of a folder with the hash of its content, and every folder.

    Whatever writes takes the lock first, even if it is refused then; its empty file does not count.
    """

    def take(folder):
        return {
            path.relative_to(folder).as_posix(): (
                sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
            )
            for path in sorted(folder.rglob("*"))
            if path.name != ".curate" and path.parts[-2:] != (".curate", "lock")
        }

    return take


@pytest.fixture
def demo(tmp_path):
    """A copy of the demo workspace as its people wrote it."""
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    return folder


@pytest.fixture(scope="session")
def _filtered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filtered") / "demo"
    shutil.copytree(DEMO, folder)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as left:
        patch.setenv("SOURCE_DATE_EPOCH", EPOCH)
        survey = folder / "responses" / "responses.csv"
        main(["filter", "-w", str(folder), "--survey", str(survey), "--json"])
    assert left.value.code == 0
    return folder


@pytest.fixture
def filtered(_filtered, tmp_path):
    folder = tmp_path / "filtered"
    shutil.copytree(_filtered, folder)
    return folder


def answers(**votes):
    """Write answers to questions: how many chose the first, the second and no stereotype."""
    rows = [
        f"r{who},{name.replace('_', '-')},choice,{option},selected,,"
        for name, counts in votes.items()
        for who, option in enumerate(
            code
            for code, count in zip(("1", "2", "none"), counts, strict=True)
            for _ in range(count)
        )
    ]
    return "\n".join([HEADER, *rows, ""])


@pytest.fixture
def workspace(tmp_path):
    """A small workspace with two templates, a questionnaire and answers that keep both."""
    folder = tmp_path / "workspace"
    files = {
        "culture.yaml": CULTURE,
        "templates_src/bank.csv": BANK,
        "templates_src/groups.csv": GROUPS,
        "responses/questionnaire.csv": QUESTIONNAIRE,
        "responses/responses.csv": answers(q_hum=(30, 5, 5), q_sing=(65, 32, 3)),
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def write_answers():
    """Make the text of a file of answers to `q_hum` and `q_sing`."""
    return answers


@pytest.fixture
def server(monkeypatch):
    """A Label Studio server in the place of the one that the environment names."""
    server = FakeServer()
    for command in ("push", "pull"):
        place = f"curation.annotation.labelstudio.{command}"
        monkeypatch.setattr(f"{place}.connect", lambda: server)
    monkeypatch.setattr("curation.annotation.labelstudio.push.time.sleep", lambda _seconds: None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    return server
