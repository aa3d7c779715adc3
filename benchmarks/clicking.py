"""Clicks, keys and seconds of a scripted person for ten items of each kind of labelling page.

The shortest path that a person takes is gone in a browser, on a server that is started for it as
the tests start theirs. `CURATE_BEFORE` names a checkout of an older state, whose pages are then
done in the same run. Nobody reads here: the seconds are those of machine and page alone.
"""

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT

ITEMS = 10
_KINDS = ("classify", "consensus", "translate", "comprehension", "passages", "survey")
_OLD = ("classify", "translate", "comprehension", "survey")  # which commands of a checkout make


@dataclass
class Person:
    """Somebody before a page, who counts clicks and keys.

    Attributes:
        page: The page of the browser.
        clicks: How often something was clicked.
        keys: How many keys were pressed; those that are pressed together are one.
    """

    page: Any
    clicks: int = 0
    keys: int = 0

    def press(self, key: str) -> None:
        """Press a key, or keys together."""
        self.page.keyboard.press(key)
        self.keys += 1

    def click(self, what: Any) -> None:
        """Click something."""
        what.click()
        self.clicks += 1


def run() -> list[str]:
    """Do ten items of each kind; print what that took, without a limit."""
    sys.path.append(str(ROOT / "tests" / "support"))
    import pytest
    from made_once import CannotInstallError

    before = os.environ.get("CURATE_BEFORE")
    try:
        with tempfile.TemporaryDirectory() as folder:
            _all(Path(folder), Path(before) if before else None)
    except (CannotInstallError, pytest.skip.Exception) as error:
        print(f"clicks: no server or no browser: {error}")
    return []


def _all(folder: Path, before: Path | None) -> None:
    """Do every kind, as it is now and as it was."""
    from pages_in_browser import headless

    from tests.annotation.labelstudio.conftest import Label
    from tests.annotation.labelstudio.test_browser import SCREEN
    from tests.annotation.labelstudio.venv import EMAIL, PASSWORD, prepare, running

    place = prepare()
    with running(place, folder / "data") as url, headless() as browser:
        label = Label(url, place)
        page = browser.new_page(viewport=SCREEN)
        page.set_default_timeout(90_000)
        page.goto(f"{url}/user/login/")
        page.fill("input[name=email]", EMAIL)
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(re.compile("/(projects|$)"))
        for kind in _KINDS:
            _once(label, page, folder / kind, kind, "now", {})
            if before and kind in _OLD:
                _once(label, page, folder / f"{kind}-before", kind, "before", _at(before))


def _at(checkout: Path) -> dict[str, str]:
    """The environment in which commands are those of a checkout."""
    return {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"}


def _once(
    label: Any, page: Any, folder: Path, kind: str, when: str, environment: dict[str, str]
) -> None:
    """Do ten items of a kind, and print what they took."""
    from tests.annotation.labelstudio.browsing import submitted
    from tests.annotation.labelstudio.test_browser import next_task, number_of

    label.clear()
    project = _project(label, folder, kind, environment)
    tasks = label.ask("GET", f"/api/projects/{project}")["task_number"]
    page.goto(f"{label.url}/projects/{project}/data?labeling=1")
    page.get_by_role("button", name="Submit current annotation").wait_for()
    if when == "now" and kind != "survey":  # the rules are shown once, before the first item
        close = page.get_by_role("button", name="Close modal")
        close.click()
        close.wait_for(state="hidden")
    person, act = Person(page), _ACTS[kind]
    start = time.perf_counter()
    for at in range(ITEMS):
        number = number_of(page)
        act(person)
        if page.get_by_role("button", name="Submit current annotation").is_disabled():
            person.click(page.locator(".ant-rate-star").last)  # a star wakes it
        submitted(page, lambda: person.press("Control+Enter"))
        if at + 1 < ITEMS:
            next_task(page, number)
    seconds = time.perf_counter() - start
    print(
        f"{kind:14} {when:7} {ITEMS} of {tasks:4} items {person.clicks:4} clicks "
        f"{person.keys:4} keys {seconds:7.1f} s",
        flush=True,
    )


def _label(person: Person) -> None:
    """Choose the first label by its key, or by a click where no key is bound to it."""
    person.page.locator("input[type=radio]").first.wait_for(state="attached")
    person.press("1")
    person.page.wait_for_timeout(100)
    if not person.page.locator("input[type=radio]:checked").count():
        person.keys -= 1  # a person knows
        person.click(person.page.locator(".lsf-choices input").first)


def _nothing(person: Person) -> None:
    """Take the text as it stands."""
    person.page.locator("textarea").first.wait_for(state="attached")


def _form(person: Person) -> None:
    """Choose an answer to every question of a form."""
    questions = person.page.locator(".lsf-choices")
    questions.first.wait_for()
    for at in range(questions.count()):
        person.click(questions.nth(at).locator("input").first)


_ACTS: dict[str, Callable[[Person], None]] = {
    "classify": _label,
    "consensus": _label,
    "translate": _nothing,
    "comprehension": _label,
    "passages": _label,
    "survey": _form,
}


def _project(label: Any, folder: Path, kind: str, environment: dict[str, str]) -> int:
    """Push ten items of the demo or more; gives the project's number."""
    import shutil

    from tests.annotation.labelstudio.conftest import DEMO
    from tests.annotation.labelstudio.test_browser import with_machine

    def curate(*args: object) -> Any:
        done = label.curate(*args, "-w", folder, "--json", **environment)
        if done.returncode:
            raise RuntimeError(done.stderr + done.stdout)
        return json.loads(done.stdout)

    def pushed(kind: str, *args: str) -> int:
        return int(curate("push", kind, *args)["projects"][0]["project"])

    if kind == "passages":
        return _stories(label)
    shutil.copytree(DEMO, folder)
    if kind == "survey":
        return _forms(label, folder, curate)
    if kind == "translate":
        with_machine(folder)
        return pushed(kind)
    if kind == "consensus":
        _disagreeing(label, pushed("classify"))
        curate("pull", "classify")
    return pushed(kind)


def _stories(label: Any) -> int:
    """Make a project of passages."""
    from curation.annotation.labelstudio.tasks import instructions, page_of, with_keys
    from curation.annotation.sheets import pages

    texts = pages("en")
    options = [{"value": f"{name}. Nobody", "alias": name} for name in "ABC"]
    data = [
        with_keys({"story": f"Story {at}. " * 60, "question": "Who?", "options": options})
        for at in range(ITEMS)
    ]
    told = instructions("passages", texts)
    page = page_of("passages", "en", "en")
    shown = {"expert_instruction": told, "show_instruction": True}
    made = label.ask("POST", "/api/projects", {"title": "passages", "label_config": page, **shown})
    number = int(made["id"])
    label.ask("POST", f"/api/projects/{number}/import", [{"data": item} for item in data])
    return number


def _forms(label: Any, folder: Path, curate: Callable[..., Any]) -> int:
    """Make a project of a form of the survey, which ten respondents answer."""
    curate("survey", "build", "--format", "label_studio", "--replace")
    config = next((folder / "responses").rglob("f01.xml"))
    [task] = json.loads(config.with_name("f01.tasks.json").read_text(encoding="utf-8"))[:1]
    body = {"title": "Form", "label_config": config.read_text(encoding="utf-8")}
    number = int(label.ask("POST", "/api/projects", body)["id"])
    label.ask("POST", f"/api/projects/{number}/import", [task] * ITEMS)
    return number


def _disagreeing(label: Any, project: int) -> None:
    """Have two people say different labels of ten templates."""
    from tests.annotation.labelstudio.fake import choices, text

    why = text("removal_reason", "Nobody says so.")
    kim, lee = (label.user(f"{name}@example.com") for name in ("kim", "lee"))
    for task in list(label.tasks(project).values())[:ITEMS]:
        label.annotate(task, kim, [choices("decision", "ST")])
        label.annotate(task, lee, [choices("decision", "SR"), why])
