"""`curate translate` on 300 templates, against a server here that speaks DeepL's protocol.

Each reply takes 200 ms. What counts is that the bill is the estimate, that a second run sends
nothing, and that the workers are kept busy: the time is set against that of the replies alone.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT, curate, report
from curation.files.bank import write_bank
from curation.records.bank import Bank, Label, TemplateId, Texts, Variant, VariantId, VariantLetter
from tests.annotation.engines import loopback

TEMPLATES = 300
LATENCY = 0.2
WORKERS = 4
_CULTURE = "culture: bench\nlanguage: ko\nunknown: 모름\ncategories: [{id: Craft}]\n"
_SETTINGS = f"translation: {{engine: deepl, workers: {WORKERS}}}\n"


def run() -> list[str]:
    """Estimate, translate, and translate again."""
    with tempfile.TemporaryDirectory() as name, loopback.serve(latency=LATENCY) as server:
        folder = Path(name)
        _workspace(folder)
        environment = {"DEEPL_SERVER_URL": server.url, "DEEPL_AUTH_KEY": loopback.KEY}
        estimate = _once(folder, environment, "--estimate")
        start = time.perf_counter()
        first = _once(folder, environment)
        seconds = time.perf_counter() - start
        requests = len(server.bodies)
        _once(folder, environment)
        ideal = requests * LATENCY / WORKERS
        foreseen = estimate["characters"]
        texts = f"{first['answered']} texts in {requests} requests"
        bill = f"{server.billed:,} billed, {foreseen:,} estimated"
        return [
            report("translate run / its replies alone", seconds / ideal, 1.25, "x", texts),
            report("characters billed - estimated", abs(server.billed - foreseen), 0, "", bill),
            report("requests of a second run", len(server.bodies) - requests, 0, ""),
        ]


def _once(folder: Path, environment: dict[str, str], *more: str) -> dict[str, Any]:
    ran = subprocess.run(
        curate("translate", "run", "-w", str(folder), "--json", *more),
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1", **environment},
        check=True,
        capture_output=True,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def _workspace(folder: Path) -> None:
    """Write a bank of templates of which no two are alike, two variants each."""
    (folder / "culture.yaml").write_text(_CULTURE + _SETTINGS, encoding="utf-8")
    variants = []
    for number in range(1, TEMPLATES + 1):
        for letter, lists in (
            ("a", "N1: [potter]; N2: [baker]"),
            ("b", "N1: [baker]; N2: [potter]"),
        ):
            texts = Texts(
                stereotype=f"They hum tune {number}",
                ambiguous_context=f"At stall {number} a [N1] and a [N2] unpacked their wares.",
                disambiguating_context=f"The [N1] hummed tune {number} while the [N2] kept quiet.",
                biased_question=f"Who hummed tune {number}?",
                counter_biased_question=f"Who kept quiet at stall {number}?",
                biased_answer="The [N1]",
                counter_biased_answer="The [N2]",
                names=lists,
            )
            key = VariantId(TemplateId("craft", number), VariantLetter(letter))
            label = Label.SIMPLY_TRANSFERRED
            variants.append(Variant(key, "Craft", label, source_texts=texts))
    write_bank(folder / "templates_src" / "bank.csv", Bank(tuple(variants)))
