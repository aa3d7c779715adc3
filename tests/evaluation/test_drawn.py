"""The pictures of stories and of occupations in a real browser: every text of them can be read."""

from types import SimpleNamespace

import numpy as np
import pytest
from pages_in_browser import bad_pictures, headless

from evaluation.occupations import scoring
from evaluation.stories import comparing

pytestmark = pytest.mark.server
COMPARED = [*zip(comparing.QA_COLUMNS, comparing.STORY_COLUMNS, strict=True)]


def stories(folder, draw):
    """Six models in ten categories, whose stories follow their replies."""
    points = []
    for at in range(66):
        point = {"model": f"organisation/model-{at % 6}b-instruct"}
        point |= {"group_by": "category" if at > 5 else "overall", "group": f"{at // 6}"}
        for x, y in COMPARED:
            point[x] = 0.3 + 0.1 * (at % 6) + draw(0, 0.05)
            point[y] = point[x] + draw(0, 0.05)
        points.append(point)
    made = (
        [make(points, *pair) for pair in COMPARED]
        for make in (comparing.correlate, comparing.fit_mixed)
    )
    return comparing.draw(points, *made, folder)


def occupations(folder, draw):
    """Four models with forty occupations each, of which some are told from chance."""
    ratio = np.linspace(0.02, 0.98, 40)
    names = [f"occupation {at} of many" for at in range(40)]
    design = SimpleNamespace(groups=("women", "men"), occupations=names, ratio=ratio)
    results = []
    for at in range(4):
        row = {"M_B": 0.2, "M_R": 0.4, "M_S": at - 1.0, "M_S_low": at - 1.6, "M_S_high": at - 0.4}
        scores = np.clip((at - 1) * (ratio - 0.5) + draw(0, 0.3, 40), -1, 1)
        more = {"overall": {**row, "intercept": (1 - at) / 2}, "scores": scores}
        results.append(SimpleNamespace(model=f"organisation/model-{at}b", design=design, **more))
    return scoring.draw(results, folder / "scatter-persona")


def test_every_text_can_be_read(tmp_path):
    """By day and in the dark; none is cut, or lies over another or over the mark of a model."""
    draw = np.random.default_rng(7).normal
    files = [*stories(tmp_path, draw), *occupations(tmp_path, draw)]
    drawn = [(path.stem, path.read_text("utf-8")) for path in files if path.suffix == ".svg"]
    assert len(drawn) == 2
    with headless() as browser:
        for scheme in ("light", "dark"):
            assert bad_pictures(browser, drawn, scheme) == []
