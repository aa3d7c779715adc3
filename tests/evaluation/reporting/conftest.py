"""A small benchmark, what three models reply to it, and the report of that."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmark import benchmark, persona, write_replies, write_samples

from curation.cli.main import main
from curation.files.workspace import Workspace
from evaluation.qa.scoring import ScoreInputs, read_answers, score_answers
from evaluation.reporting.pictures import pictures
from evaluation.reporting.report import report_of
from evaluation.reporting.words import read_occupations, read_stories

CULTURE = 'culture: Nowhere\nlanguage: ko\nversion: "0.3"\nunknown: Not known\n'
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question} {a} {b} {c}", unknown: Not known}
  - {id: "2", layout: "{context} {question} {a} {b} {c}", unknown: Unclear}
"""
STORIES = """\
model,group_by,group,n,uu,bc,bb,bu,cu,cc,ntr_gen,bias_gen
biased,overall,,40,0.2,0.3,0.3,0.1,0.05,0.05,0.5,0.275
mixed,overall,,40,0.5,0.2,0.1,0.1,0.05,0.05,0.7,0.075
right,overall,,40,0.3,0.3,0.2,0.1,0.05,0.05,0.6,0.175
mixed,category,Hobby,20,0.5,0.2,0.1,0.1,0.05,0.05,0.7,0.075
"""
OCCUPATIONS = """\
model,task,M_B,M_R,M_S,out_of_choice,M_B_null,M_B_p,M_S_p,M_S_low,M_S_high
biased,persona-gender,0.4,0.1,2.1,0,0.06,0.0005,0.0005,1.8,2.4
mixed,persona-gender,0.1,0.6,0.3,2,0.05,0.002,0.01,0.1,0.5
right,persona-gender,0.2,0.3,,1,0.17,0.3,,,
"""

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")


@dataclass(frozen=True)
class Asked:
    """A workspace with samples, prompts and replies.

    Attributes:
        root: Its folder.
        options: What `score` and `report` are told of them.
    """

    root: Path
    options: tuple[str, ...]

    def wanted(self, **changed):
        known = {
            "samples": self.root / "samples.csv",
            "prompts": self.root / "prompts.yaml",
            "replies": (self.root / "replies.jsonl",),
        }
        return ScoreInputs(**{**known, **changed})

    def report(self, families=True, **changed):
        workspace, wanted = Workspace(self.root), self.wanted(**changed)
        read = read_answers(workspace, wanted)
        others = {"stories": None, "occupations": None}
        if families:
            others["stories"] = read_stories(self.root / "stories.csv")
            others["occupations"] = read_occupations(self.root / "occupations.csv")
        return report_of(workspace, others, (wanted, read, score_answers(read, wanted)))


def ask(root, models):
    root.mkdir(exist_ok=True)
    for name, text in (
        ("culture.yaml", CULTURE),
        ("prompts.yaml", PROMPTS),
        ("stories.csv", STORIES),
        ("occupations.csv", OCCUPATIONS),
    ):
        (root / name).write_text(text, encoding="utf-8")
    write_samples(root / "samples.csv", benchmark(TEMPLATES))
    where = ("--samples", str(root / "samples.csv"), "--prompts", str(root / "prompts.yaml"))
    requests = root / "requests.jsonl"
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "prepare", "-w", str(root), *where, "--out", str(requests)])
    assert left.value.code == 0
    for name in models:
        write_replies(root / "replies.jsonl", requests, persona(name, TEMPLATES), name)
    return Asked(root, (*where, "--replies", str(root / "replies.jsonl")))


@pytest.fixture(scope="session")
def asked(tmp_path_factory):
    """Three models that replied to everything; nobody may write to it."""
    root = tmp_path_factory.mktemp("asked")
    return ask(root, ("biased", "mixed", "right"))


@pytest.fixture(scope="session")
def report(asked):
    return asked.report()


@pytest.fixture(scope="session")
def drawn(report):
    return list(pictures(report))
