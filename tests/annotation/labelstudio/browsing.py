"""What a person does on a labelling page, in a browser."""

import csv


def opened(page, label, project, first):
    """Open the next task, and close what is told before it; gives the button that submits."""
    page.goto(f"{label.url}/projects/{project}/data?labeling=1")
    submit = page.get_by_role("button", name="Submit current annotation")
    submit.wait_for(timeout=60_000)
    told = page.locator(".lsf-modal-ls p").filter(has_text=first)
    told.wait_for()
    page.get_by_role("button", name="Close modal").click()
    told.wait_for(state="hidden")
    return submit


def submitted(page, act):
    """Submit; gives the annotation that was sent."""
    with page.expect_response(
        lambda answer: answer.request.method == "POST" and "/annotations" in answer.url
    ) as found:
        act()
    assert found.value.status == 201
    return found.value.json()


def refused(page, submit, message):
    """Submit what lacks something; what it is, is said in the annotator's language."""
    submit.click()
    page.get_by_text(message).wait_for()
    page.get_by_role("button", name="OK").click()
    # A click while the message still opens is lost on a busy machine; a person clicks again.
    for _ in range(60):
        page.wait_for_timeout(500)
        if not page.get_by_text(message).is_visible():
            return
        page.evaluate("document.querySelector('.ant-modal-confirm-btns button')?.click()")
    raise AssertionError(message)


def removed(page, submit, texts, reason):
    """Label a task SR by its key; a reason is asked for, and nothing of other labels is shown."""
    page.keyboard.press("3")
    box = page.locator("textarea[name=removal_reason]")
    box.wait_for()
    assert not page.locator("textarea[name^=proposed_non_targets]").is_visible()
    refused(page, submit, texts.say_why_removed)
    box.fill(reason)
    submitted(page, submit.click)


def rows(folder, kind="classify"):
    """The rows of a normal form of a workspace."""
    with (folder / "annotations" / f"{kind}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
