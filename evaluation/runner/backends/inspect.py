"""Models asked through Inspect (the extra `inspect`): all its providers, batches and local models.

Inspect asks, and logs each sample when it is done. The log is read by the reader of logs, so that a
run that was killed is taken up: what its log has is not asked again.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from curation.files.workspace import Workspace
from curation.records.messages import CurateError, refusal
from evaluation.replies.merging import read_log
from evaluation.replies.reply import Failure, FailureKind, Reply
from evaluation.requests import Request, shown_labels
from evaluation.runner.backend import ALIKE, RETRIES, BackendSettings, as_json, no_extra
from evaluation.runner.backends.completions import settled
from evaluation.runner.index import ANSWER, answer_schema

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
        batch_size: All at once: Inspect has a schedule of its own.

    Raises:
        CurateError: If the extra is not installed.
    """

    batch_size = 1 << 30

    def __init__(self, settings: BackendSettings) -> None:
        self._settings = settings
        self.model = settings.called
        self.asking = settings.asking()
        given = {name: as_json(it) for name, it in settings.options.items() if name != BATCH}
        self._arguments = given
        if given:  # a reply may depend on them, as on 'enable_thinking'
            parameters = {**settings.parameters, "model_args": given}
            self.asking = replace(self.asking, parameters=parameters)
        self._folder = Workspace(settings.workspace).curate_folder / FOLDER
        if not settings.dry:
            _library()

    def ask_many(self, requests: Sequence[Request], say: Callable[[str], None]) -> Sequence[Reply]:
        """Have requests asked whose reply no log has.

        Raises:
            CurateError: If Inspect cannot ask the model.
        """
        keys = [self.asking.key(request) for request in requests]
        wanted = dict(zip(keys, requests, strict=True))
        found: dict[bytes, Reply] = {}
        for log in sorted(self._folder.glob("*.eval")):
            try:
                logged = read_log(log)
            except CurateError as error:
                say(f"{log.name} was left out: {error.what}")
                continue
            replies = {item.key: settled(item) for item in logged if item.text is not None}
            found |= {key: reply for key, reply in replies.items() if reply.text is not None}
        asked = {key: request for key, request in wanted.items() if key not in found}
        why = Failure(FailureKind.BACKEND, "Inspect has not asked it", sent=False)
        if asked:
            say(f"asking through Inspect, which writes its log to {self._folder}")
            log, status = self._ask(asked)
            logged = read_log(log) if log.exists() else []
            found |= {item.key: item if item.text is None else settled(item) for item in logged}
            if status == "cancelled":
                why = replace(why, kind=FailureKind.CANCELED)
        return [found.get(key, Reply(None, error=why)) for key in keys]

    def close(self) -> None:
        """There is nothing to release."""

    def _ask(self, asked: Mapping[bytes, Request]) -> tuple[Path, str]:
        """Have requests asked, by their keys; gives the log, and how it ended."""
        inspect = _library()
        batch = self._settings.options.get(BATCH) == "true"
        config = inspect.model.GenerateConfig(
            **self._config(inspect),
            batch=batch or None,
            max_connections=None if batch else self._settings.concurrency,
            max_retries=RETRIES,
            attempt_timeout=None if batch else int(self._settings.timeout_s) + 1,
        )
        task = inspect.Task(
            dataset=inspect.dataset.MemoryDataset(
                [self._sample(inspect, key, request) for key, request in asked.items()]
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
                model_args=self._arguments,
                log_dir=str(self._folder),
                log_format="eval",
                log_buffer=_PER_WRITE,
                log_realtime=False,
                display="none",
                score=False,
                fail_on_error=ALIKE,
                max_samples=len(asked) if batch else 2 * self._settings.concurrency,
            )
        except Exception as error:
            text = _MARKUP.sub("", f"{type(error).__name__}: {error}")
            said = " ".join(text.split())[:300]
            raise refusal("evaluation", "inspect-failed", "--model", said=said) from error
        return Path(log.location), str(log.status)

    def _config(self, inspect: Any) -> dict[str, object]:
        """Our parameters by Inspect's names; what it has none for goes into the body as it is."""
        known = inspect.model.GenerateConfig.model_fields
        found: dict[str, object] = {}
        others: dict[str, object] = {}
        for name, value in self._settings.parameters.items():
            called = _NAMED.get(name, name)
            (found if called in known else others)[called] = value
        return {**found, "extra_body": others} if others else found

    def _sample(self, inspect: Any, key: bytes, request: Request) -> Any:
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
        seed = self.asking.body(request).get("seed")
        known: dict[str, object] = {"key": key.hex(), "seed": seed}
        if self.asking.constrain:
            known["schema"] = answer_schema(shown_labels(request))
        return inspect.dataset.Sample(id=request.request_id, input=messages, metadata=known)


def _library() -> Any:
    try:
        import inspect_ai
        import inspect_ai.dataset
        import inspect_ai.model
        import inspect_ai.solver
    except ImportError as error:
        raise no_extra("inspect", "asking through Inspect needs", error) from error
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
