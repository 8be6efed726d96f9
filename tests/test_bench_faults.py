"""A few of the faults that `odevsr bench faults` makes by the dozen."""

import os
import sys

import numpy as np
import pytest

from odevsr.bench.faults import bench
from odevsr.bench.faults.damages import cut_short, damaged, equations, flipped
from odevsr.bench.faults.kills import Study, main_killed
from odevsr.bench.faults.outcome import Outcome
from odevsr.bench.faults.places import disk_full, read_only, taken

SYSTEM = "linear_oscillator"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are found in /proc")
def test_a_run_whose_process_is_killed_is_resumed(tmp_path):
    study = Study(SYSTEM, equations(SYSTEM), seconds=3.0)
    outcome = main_killed(study, tmp_path / "run", np.random.default_rng(0))
    assert outcome is Outcome.SAME


def test_a_run_with_a_damaged_file_says_so_or_finds_the_same(tmp_path):
    equations(SYSTEM, tmp_path / "run")
    seen = {
        damaged(SYSTEM, tmp_path / "run", tmp_path / str(seed), seed % 2 == 0, rng)
        for seed in range(12)
        for rng in [np.random.default_rng(seed)]
    }
    assert seen == {Outcome.SAME, Outcome.TOLD}


@pytest.mark.skipif(sys.platform == "win32", reason="limits and locks are those of POSIX")
@pytest.mark.parametrize("hindered", [disk_full, read_only, taken])
def test_a_run_whose_folder_cannot_be_had_is_told_and_goes_on_later(tmp_path, hindered):
    assert hindered(SYSTEM, tmp_path / "run", np.random.default_rng(1)) is Outcome.SAME


def test_one_byte_is_flipped_and_the_end_is_cut():
    content, rng = bytes(range(100)), np.random.default_rng(0)
    assert sum(a != b for a, b in zip(content, flipped(content, rng), strict=True)) == 1
    assert content.startswith(cut_short(content, rng))


def test_what_is_lost_misses_the_target(monkeypatch):
    monkeypatch.setattr(bench, "undisturbed", lambda *_: None)
    monkeypatch.setattr(bench, "equations", lambda *_: None)
    for name, outcome in (("main_killed", Outcome.SAME), ("worker_killed", Outcome.OUTLIVED),
                          ("damaged", Outcome.TOLD), ("disk_full", Outcome.SAME),
                          ("read_only", Outcome.SAME), ("taken", Outcome.SAME)):  # fmt: skip
        monkeypatch.setattr(bench, name, lambda *_, outcome=outcome, **__: outcome)
    result = bench.bench_faults(count=3)
    assert [row["runs"] for row in result.rows] == [1, 2, 1, 2, 1, 1, 1]
    assert not result.holds
    assert result.figures[0].value == 2
