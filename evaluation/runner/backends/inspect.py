"""Models asked through Inspect (the extra `inspect`): all its providers, batches and local models.

Inspect asks, and logs each sample when it is done. The log is read by the reader of logs, so that a
run that was killed is taken up: what its log has is not asked again.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.replies.logs import read_log
from evaluation.replies.reply import reply_line
from evaluation.requests import Request, shown_labels
from evaluation.runner.backend import BackendSettings
from evaluation.runner.body import ANSWER, answer_schema
from evaluation.runner.replied import settled
from evaluation.runner.run import ALIKE, Job, answering, unknown
from evaluation.runner.tally import Ending, Tally

FOLDER = "inspect"
"""The folder of logs below that of caches."""
BATCH = "batch"
"""The option that asks through the provider's batches; all others are Inspect's model arguments."""
_NAMED = {"max_completion_tokens": "max_tokens", "stop": "stop_seqs"}
_MARKUP = re.compile(r"\[/?[a-z ]+\]")  # of the terminal, in Inspect's messages
_PER_WRITE = 20  # samples that Inspect writes to its log together


class InspectModel:
    """A model by Inspect's name of it, such as `anthropic/claude-sonnet-4-5`.

    Args:
        settings: Its name, parameters and options.

    Attributes:
        model: What replies call the model.
        asking: How it is asked.

    Raises:
        CurateError: If the extra is not installed.
    """

    def __init__(self, settings: BackendSettings) -> None:
        self._settings = settings
        self.model = settings.called
        self.asking = settings.asking()
        self._folder = Workspace(settings.workspace).curate_folder / FOLDER
        if not settings.dry:
            _library()

    def run(self, job: Job, tally: Tally) -> None:
        """Ask every request of a job that has no reply; arguments as of `run_requests`.

        Raises:
            CurateError: If something cannot be read or written, or Inspect cannot ask the model.
        """
        later, left = job.index.repeats(), job.limits.limit
        try:
            for turn in range(2):
                free = (
                    at for at in range(len(job.index)) if later[at] == turn and not job.done[at]
                )
                known = job.index, free, job.store, job.file, tally, self.model
                wanted = {job.index.key(at): at for at in unknown(*known)}
                for log in sorted(self._folder.glob("*.eval")) if wanted else ():
                    self._take(log, wanted, job, tally)
                asked = list(wanted.values())[:left]
                if asked:
                    job.say(f"asking through Inspect, which writes its log to {self._folder}")
                    log, ending = self._ask([job.index.request(at) for at in asked], job)
                    tally.ending = ending
                    self._take(log, wanted, job, tally, failures=True)
                if left is not None:
                    left -= len(asked)
                if tally.ending is not Ending.DONE:
                    break
            if left == 0 and tally.left and tally.ending is Ending.DONE:
                tally.ending = Ending.LIMIT
        finally:
            job.file.sync()

    def _ask(self, requests: Sequence[Request], job: Job) -> tuple[Path, Ending]:
        """Have requests asked; gives the log, and how it ended."""
        inspect = _library()
        options = {name: text for name, text in self._settings.options.items() if name != BATCH}
        batch = self._settings.options.get(BATCH) == "true"
        config = inspect.model.GenerateConfig(
            **self._config(inspect),
            batch=batch or None,
            max_connections=None if batch else job.limits.concurrency,
            max_retries=job.limits.max_retries,
            attempt_timeout=None if batch else int(self._settings.timeout_s) + 1,
        )
        task = inspect.Task(
            dataset=inspect.dataset.MemoryDataset(
                [self._sample(inspect, job, r) for r in requests]
            ),
            solver=_solver(inspect),
            config=config,
            name="curate",
        )
        try:
            (log,) = inspect.eval(
                task,
                model=self._settings.model,
                model_base_url=self._settings.base_url or None,
                model_args=options,
                log_dir=str(self._folder),
                log_format="eval",
                log_buffer=_PER_WRITE,
                log_realtime=False,
                display="none",
                score=False,
                fail_on_error=ALIKE,
                max_samples=len(requests) if batch else 2 * job.limits.concurrency,
            )
        except Exception as error:
            text = _MARKUP.sub("", f"{type(error).__name__}: {error}")
            said = " ".join(text.split())[:300]
            hint = "see Inspect's page on its providers for names, keys and packages"
            raise CurateError(f"Inspect cannot ask the model: {said}", "--model", hint) from error
        endings = {"success": Ending.DONE, "cancelled": Ending.INTERRUPTED}
        return Path(log.location), endings.get(log.status, Ending.STOPPED)

    def _config(self, inspect: Any) -> dict[str, object]:
        """Our parameters by Inspect's names; what it has none for goes into the body as it is."""
        known = inspect.model.GenerateConfig.model_fields
        found: dict[str, object] = {}
        others: dict[str, object] = {}
        for name, value in self.asking.parameters.items():
            called = _NAMED.get(name, name)
            (found if called in known else others)[called] = value
        return {**found, "extra_body": others} if others else found

    def _sample(self, inspect: Any, job: Job, request: Request) -> Any:
        kinds = inspect.model
        made = {
            "system": kinds.ChatMessageSystem,
            "developer": kinds.ChatMessageSystem,
            "assistant": kinds.ChatMessageAssistant,
        }
        messages = [
            made.get(item["role"], kinds.ChatMessageUser)(content=item["content"])
            for item in request.messages
        ]
        (at,) = job.index.find([request.request_id])
        assert at is not None  # noqa: S101  # it came from there
        seed = self.asking.body(request).get("seed")
        known = {"key": job.index.key(at).hex(), "seed": seed}
        if self.asking.constrain:
            known["schema"] = answer_schema(shown_labels(request))
        return inspect.dataset.Sample(id=request.request_id, input=messages, metadata=known)

    def _take(
        self, log: Path, wanted: dict[bytes, int], job: Job, tally: Tally, *, failures: bool = False
    ) -> None:
        """Write the replies of a log to what is wanted, and take them off that."""
        try:
            logged = read_log(log)
        except CurateError as error:
            job.say(f"{log.name} was left out: {error.what}")
            return
        found = []
        for item in logged:
            at = wanted.get(item.key)
            reply = item if item.text is None else settled(item)
            if at is None or (reply.text is None and not failures):
                continue
            reply = answering(reply, job.index.request(at), item.key, self.model)
            tally.attempt(reply)
            tally.add(reply)
            job.purse.spend(reply.usage, job.index.size(at), 0.0)
            if reply.text is not None:
                del wanted[item.key]
            found.append((reply, job.index.size(at), reply_line(reply)))
        if job.store is not None:
            job.store.put(found)
        job.file.append([line for _, _, line in found])


def _library() -> Any:
    try:
        import inspect_ai
        import inspect_ai.dataset
        import inspect_ai.model
        import inspect_ai.solver
    except ImportError as error:
        raise CurateError(
            f"asking through Inspect needs {error.name or 'inspect_ai'}",
            "the extra 'inspect' is not installed",
            "pip install 'curate-bbq[inspect]'",
        ) from error
    return inspect_ai


def _solver(inspect: Any) -> Any:
    """What has a reply made to each sample, with its own seed and schema where there are some."""

    @inspect.solver.solver  # type: ignore[untyped-decorator]
    def ask() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            seed, schema = (state.metadata.get(name) for name in ("seed", "schema"))
            own = {} if seed is None else {"seed": seed}
            if schema is not None:
                own["response_schema"] = inspect.model.ResponseSchema(
                    name=ANSWER, json_schema=schema, strict=True
                )
            return await generate(state, **own)

        return solve

    return ask()
