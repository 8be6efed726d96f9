"""Pictures of runs, systems and trajectories."""

import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest
from exports import found

import odevsr
from odevsr.cli import run as command
from odevsr.errors import MissingExtraError, UsageError
from odevsr.showing.plots.draw import KINDS, panels_of
from odevsr.showing.plots.motion import recorded_motions
from odevsr.showing.plots.subject import subject_of
from odevsr.world.recordings.save import save_recordings

pytest.importorskip("matplotlib", reason="pictures need matplotlib")

SPIRAL = r"""
format = 1
name = "spiral"
title = "<script>alert(1)</script> $\\frac{"
[state]
x = { range = [-1, 1], start = 0.8, meaning = "price in $ [k$]" }
y = { range = [-1, 1], start = 0.1 }
[equations]
x = "-0.2*x + y"
y = "-x - 0.2*y - 0.3*x*y"
[simulation]
step = 0.1
duration = 4
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run and its folder."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "spiral.toml").write_text(SPIRAL)
    found = odevsr.discover(str(folder / "spiral.toml"), out=folder / "run")
    return found, folder / "run"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(run, kind):
    figure = run[0].plot(kind)
    assert all(ax.has_data() for ax in figure.axes)
    assert all(ax.get_xlabel() or ax.get_ylabel() for ax in figure.axes)


def test_axes_are_labelled_with_meanings_and_units(run):
    (ax,) = run[0].plot("phase").axes
    assert ax.get_xlabel() == r"x: price in \$ [k\$]"
    assert ax.get_ylabel() == "y"


def test_a_panel_is_drawn_on_axes_of_ones_own(run):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    figure = run[0].plot("residuals", ax=ax, panel=1)
    assert figure is ax.figure
    assert ax.get_title(loc="left") == "dx/dt over y"
    with pytest.raises(UsageError, match="no panel 9"):
        run[0].plot("phase", ax=ax, panel=9)


def test_laws_follow_what_was_simulated(run):
    true, found = subject_of(run[0]).motions
    assert found.by_laws
    assert np.allclose(true.states, found.states, atol=1e-6)


def test_laws_begin_where_they_follow_a_recorded_run_longest(tmp_path):
    times = np.linspace(0, 4, 60)
    samples = 2 * np.exp(-times) + 0.05 * np.random.default_rng(1).standard_normal(60)
    folder = tmp_path / "run"
    laws = found({"x": "-x"}, recorded=True)
    laws.save(folder)
    save_recordings(
        folder / "measurements" / "recordings.csv",
        odevsr.recording(times, samples[:, None], names=["x"]),
    )
    measured, followed = recorded_motions(laws, folder)
    assert np.array_equal(measured.states[:, 0], samples)
    assert np.allclose(followed.time[:: followed.every], times)
    assert len(followed.time) > 400
    assert followed.states[0, 0] == pytest.approx(2, abs=0.03)
    left = samples - followed.states[:: followed.every, 0]
    assert abs(np.sum(left * np.exp(-times))) < 1e-3  # as small as any other start leaves it


def test_laws_begin_as_well_along_a_run_of_which_parts_that_lie_far_apart_are_smoothed(tmp_path):
    times = np.linspace(0, 200, 8000)
    truth = np.column_stack([2 * np.cos(1.7 * times), -3.4 * np.sin(1.7 * times)])
    samples = truth + 0.2 * np.random.default_rng(0).standard_normal(truth.shape)
    folder = tmp_path / "run"
    laws = found({"x": "v", "v": "-2.89*x"}, recorded=True)
    laws.save(folder)
    save_recordings(
        folder / "measurements" / "recordings.csv",
        odevsr.recording(times, samples, names=["x", "v"]),
    )
    _, followed = recorded_motions(laws, folder)
    assert followed.states[0] == pytest.approx([2, 0], abs=8e-3)


def test_a_system_and_trajectories_have_phase_and_time(tmp_path):
    recording = odevsr.record("lorenz", 2, 0, command="x", duration=0.5)
    path = tmp_path / "lorenz.h5"
    odevsr.save_trajectories(path, recording)
    assert len(subject_of(path).motions) == 2
    assert [each.deep for each in panels_of(subject_of(path), "phase")] == [True]
    assert len(panels_of(subject_of("lorenz"), "time")) == 3
    with pytest.raises(UsageError, match="only runs have that picture"):
        odevsr.plot(path, "front")


@pytest.mark.parametrize("old", ["candidates", "proposed", "best_loss"])
def test_what_a_damaged_line_of_the_history_told_is_not_drawn(run, tmp_path, old):
    shutil.copytree(run[1], tmp_path / "run")
    path = tmp_path / "run" / "history.jsonl"
    path.write_text(path.read_text().replace(old, "other", 1))
    kept, whole = (subject_of(each).epochs for each in (tmp_path / "run", run[1]))
    assert kept == whole[1:]
    assert odevsr.load(tmp_path / "run").plot("learning").axes


def test_a_discovery_without_a_folder_says_what_it_lacks(run):
    loose = replace(run[0], folder=None)
    with pytest.raises(UsageError, match="out=FOLDER"):
        loose.plot("residuals")


def test_the_command_writes_pictures_and_overwrites_none(run, tmp_path, capsys):
    for suffix, beginning in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        out = tmp_path / f"picture{suffix}"
        assert command(["plot", str(run[1]), "--kind", "phase", "-o", str(out)]) == 0
        assert out.read_bytes().startswith(beginning)
        assert command(["plot", str(run[1]), "-o", str(out)]) == 2
    assert "not overwritten" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "phases", "-o", "x.png"], "did you mean phase?"),
        (["-o", "x.gif"], ".png, .svg, .pdf"),
        (["-o", "no/such/folder/x.png"], "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(run, tmp_path, monkeypatch, capsys,
                                                        words, said):  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert command(["plot", str(run[1]), *words]) in (2, 3)
    assert said in capsys.readouterr().err


def test_a_missing_library_is_named_with_its_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"odevsr\[plot\]"):
        run[0].plot("phase")
