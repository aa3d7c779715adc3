"""The whole way on the bundled demo culture, from Python."""

from dataclasses import dataclass
from pathlib import Path

from curation.files.workspace import Workspace
from curation.initial import DEMO_LANGUAGE, copy_demo
from exports.data_files import bank, samples
from exports.folders import Exported
from survey import filtering
from survey.filtering import FilterRun


@dataclass(frozen=True, slots=True)
class Demo:
    """A workspace of the demo culture, and what was made of it.

    Attributes:
        workspace: The workspace.
        decided: What its survey has decided.
        samples: All its samples and the test set.
        bank: Its final bank.
    """

    workspace: Workspace
    decided: FilterRun
    samples: Exported
    bank: Exported


def demo(folder: Path | str, language: str = DEMO_LANGUAGE) -> Demo:
    """Run all steps with the bundled demo culture: offline, in seconds.

    Args:
        folder: A folder that is new or empty.
        language: The language of its texts: `en`, `es` or `ko`.

    Raises:
        CurateError: If the folder holds something, or cannot be written to, or there is no demo in
            the language.
    """
    copy_demo(Path(folder), language)
    workspace = Workspace(Path(folder))
    decided = filtering.filter(workspace, [workspace.responses_folder / "responses.csv"])
    made = samples(workspace, ["all", "test"], ["csv", "jsonl", "kobbq"])
    return Demo(workspace, decided, made, bank(workspace))
