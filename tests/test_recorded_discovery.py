"""Laws from recordings as a discovery: what is asked, what is kept, what is written."""

import numpy as np
import pytest

import odevsr
from odevsr.discovery.recorded import chosen_hold_out
from odevsr.errors import RunError, UsageError
from odevsr.recorded.discover import HoldOut
from odevsr.world.recordings.files import read_recordings
from tests.recorded import laws_given

TIMES = np.linspace(0, 4, 60)
RUNS = odevsr.recording(
    TIMES,
    [np.exp(-0.5 * TIMES)[:, None], 3 * np.exp(-0.5 * TIMES)[:, None]],
    names=["x"],
    inputs={"u": [np.sin(TIMES), np.cos(TIMES)]},
)


def test_a_part_is_held_out_by_the_name_of_a_run_or_as_a_share():
    assert chosen_hold_out("1", RUNS) == HoldOut(run="1")
    assert chosen_hold_out(1, RUNS) == HoldOut(run="1")
    assert chosen_hold_out("0.25", RUNS) == HoldOut(share=0.25)
    for wrong, sentence in {
        "third": "no run 'third' to hold out; known: 0, 1",
        "1.5": "a share of 1.5 cannot be held out",
        "nan": "a share of nan cannot be held out",
    }.items():
        with pytest.raises(UsageError, match=sentence):
            chosen_hold_out(wrong, RUNS)
    with pytest.raises(UsageError, match="0 is the only run, and nothing is left to search"):
        chosen_hold_out("0", odevsr.recording(TIMES, np.exp(TIMES)))


def test_a_run_folder_holds_the_laws_and_the_samples(tmp_path, monkeypatch):
    monkeypatch.setattr("odevsr.recorded.discover.discover_recordings", laws_given(["u - x/2"]))
    folder = tmp_path / "run"
    found = odevsr.discover(RUNS, out=folder)
    assert found.recorded
    assert found.names == ("x", "u")
    assert found.cost.states == 120
    again = odevsr.load(folder)
    assert str(again) == str(found)
    assert (again.recorded, again.notes) == (True, found.notes)
    assert again.to("json").startswith("{")
    samples = read_recordings(folder / "measurements" / "recordings.csv", inputs="u")
    for read, given in zip(samples.runs, RUNS.runs, strict=True):
        np.testing.assert_array_equal(read.states, given.states)
        np.testing.assert_array_equal(read.inputs, given.inputs)
    with pytest.raises(RunError, match="exists and is not overwritten"):
        odevsr.discover(RUNS, out=folder)


def test_units_of_headings_stand_wherever_variables_are_told(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    monkeypatch.setattr("odevsr.recorded.discover.discover_recordings", laws_given(["-x"]))
    path, folder = tmp_path / "runs.csv", tmp_path / "run"
    path.write_text("t [s],x [m]\n" + "".join(f"{t},{np.exp(-t)}\n" for t in TIMES))
    odevsr.discover(path, out=folder)
    found = odevsr.load(folder)
    assert found.units == {"t": "s", "x": "m"}
    assert found.heading("x") == "x [m]"
    assert "visited x [m] 0.0183 to 1; time is in s." in found.explain()
    assert "# units: t [s], x [m]" in found.to("numpy")
    (ax,) = found.plot("time").axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time [s]", "x [m]")


def test_what_concerns_experiments_is_refused():
    for asked in ({"params": {"a": 1}}, {"components": "x"}, {"resume": True}, {"noise": 0.1}):
        (name,) = asked
        with pytest.raises(UsageError, match=f"{name} is for what can be experimented on"):
            odevsr.discover(RUNS, **asked)
    with pytest.raises(UsageError, match="only recordings have inputs to name"):
        odevsr.discover("lorenz", inputs="u")


def test_the_story_of_recordings_tells_of_no_experiments(monkeypatch):
    monkeypatch.setattr("odevsr.recorded.discover.discover_recordings", laws_given(["u - x/2"]))
    story = odevsr.explain(odevsr.discover(RUNS))
    assert "only watched" in story
    assert "It leaves chi" in story
    assert "simulator" not in story
