"""What `odevsr bench load` looks at, on a small scale."""

from pathlib import Path

import pytest

from odevsr.bench import load

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it needs /proc")


def test_discoveries_and_files_have_their_figures(monkeypatch):
    monkeypatch.setattr(load, "TRAJECTORIES", (10, 20))
    monkeypatch.setattr(load, "LISTED", 40)
    result = load.bench_load(count=3)
    assert len(result.figures) == len(result.rows) == 5


def test_what_is_left_behind_is_seen(monkeypatch, tmp_path):
    left = []
    monkeypatch.setattr(load, "discover", lambda *_, **__: left.append((tmp_path / "x").open("w")))
    figures, _ = load._discoveries(5, tmp_path)
    for file in left:
        file.close()
    assert figures[2].value >= 4
    assert not figures[2].holds
