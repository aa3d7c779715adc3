"""How far a run is, on a terminal: a bar with the time left, tokens and cost."""

from typing import IO, Any

from evaluation.runner.costs import Purse
from evaluation.runner.tally import Tally


def progress_text(tally: Tally, purse: Purse) -> str:
    """Say what a run has taken so far, in one line."""
    tried = tally.answered + tally.failed.total()
    parts: list[str] = []
    if tally.input_tokens or tally.output_tokens:
        parts.append(f"{tally.input_tokens:,} + {tally.output_tokens:,} tokens")
    if purse.price is not None:
        parts.append(purse.price.text(purse.spent))
    if tally.failed:
        parts.append(f"{tally.failed.total():,} failed")
    if tally.retries:
        parts.append(f"{tally.retries:,} sent again")
    return ", ".join(parts) if tried else "starting"


class Progress:
    """A bar on a terminal; nothing where there is none.

    Args:
        stream: Standard error.
        purse: Counts the cost.
    """

    def __init__(self, stream: IO[str], purse: Purse) -> None:
        self._purse = purse
        self._bar: Any = None
        if not stream.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[said]}", markup=False),
            console=Console(file=stream),
            transient=True,
        )
        self._task = self._bar.add_task("", said="starting")

    def __enter__(self) -> "Progress":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def tick(self, tally: Tally) -> None:
        """Show how far a run is."""
        if self._bar is None:
            return
        said = progress_text(tally, self._purse)
        self._bar.update(
            self._task,
            total=tally.requests,
            completed=tally.replied + tally.failed.total(),
            said=said,
        )
