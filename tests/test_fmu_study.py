import gc
import json
import pickle
import shutil
import sys
from pathlib import Path
from tempfile import gettempdir

import numpy as np
import pytest
from fmus import DAHLQUIST, SLAVE, VAN_DER_POL, compiled, description, third_description, write_fmu

from odevsr.cli import run
from odevsr.errors import MissingExtraError, SystemFileError, UsageError
from odevsr.world.simulators.fmu.study import open_unit, plain
from odevsr.world.simulators.launch import field_launcher
from odevsr.world.studied import study


@pytest.fixture
def platform():
    fmpy = pytest.importorskip("fmpy", reason="FMUs are run by fmpy")
    if shutil.which("gcc") is None or not fmpy.platform.startswith("linux"):
        pytest.skip("there is no C compiler for an FMU of this platform")
    return fmpy.platform


@pytest.fixture
def oscillator(tmp_path, platform):
    return write_fmu(tmp_path / "oscillator.fmu", programs={platform: compiled()})


@pytest.fixture
def decay(tmp_path, platform):
    text = description(DAHLQUIST, states=1)
    return write_fmu(tmp_path / "decay.fmu", text, {platform: compiled("DAHLQUIST")})


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fmpy", None)
    with pytest.raises(MissingExtraError, match=r"odevsr\[fmi\]"):
        study(write_fmu(tmp_path / "plant.fmu"))


def test_an_fmu_for_another_platform_is_told(tmp_path, platform):
    path = write_fmu(tmp_path / "plant.fmu", programs={"amiga68k": "", "win64": ""})
    with pytest.raises(SystemFileError, match=f"for amiga68k, win64, and this is {platform}"):
        study(path)


def test_a_program_that_is_none_is_told(tmp_path, platform):
    with pytest.raises(SystemFileError, match="its program cannot be loaded"):
        study(write_fmu(tmp_path / "plant.fmu", programs={platform: "nothing"}))


def test_launches_go_where_the_equations_lead(oscillator):
    studied = study(oscillator, vary={"mu": (0.5, 2), "force": (-1, 1)})
    assert studied.names == ("body_x_0", "x1", "mu", "force")
    assert studied.components == ("body_x_0", "x1")

    def field(rows):
        x, v, mu, force = rows.T
        rate = mu * (1 - x**2) * v - x + force
        return np.column_stack([v, rate, 0 * mu, 0 * force])

    states = np.random.default_rng(0).uniform(studied.box.low, studied.box.high, (20, 4))
    launch, truth = studied.make_launch(), field_launcher(field, studied.box.width)
    for step in (0.1, -0.1):
        np.testing.assert_allclose(launch(states, step), truth(states, step), rtol=1e-12)


def test_ranges_hold_a_free_run_and_no_more_than_is_declared(oscillator, decay):
    first, second = open_unit(oscillator).variables
    assert first.low < -2 < 2 < first.high < 5
    assert second.low < -2.6 < 2.6 < second.high < 7
    (level,) = open_unit(decay).variables
    assert level.low == 0
    assert level.high > 1


def test_time_becomes_an_input_where_rates_depend_on_it(tmp_path, platform, oscillator):
    driven = write_fmu(tmp_path / "driven.fmu", programs={platform: compiled("DRIVEN")})
    assert study(driven).names == ("body_x_0", "x1", "t")
    assert study(driven, vary={"t": (0, 3)}).box.high[2] == 3
    with pytest.raises(UsageError, match="does not depend on t"):
        study(oscillator, vary={"t": (0, 3)})


def test_states_at_which_it_fails_are_nan(decay):
    launch = study(decay).make_launch()
    ends = launch(np.array([[2e6], [1.0]]), 0.1)
    assert np.isnan(ends[0, 0])
    np.testing.assert_allclose(ends[1, 0], np.exp(-0.1), rtol=1e-12)


def test_the_door_can_be_sent_to_another_process(decay):
    studied = study(decay, params={"k": "1/2"})
    again = pickle.loads(pickle.dumps(studied))
    np.testing.assert_array_equal(
        again.make_launch()(np.ones((1, 1)), 0.1), studied.make_launch()(np.ones((1, 1)), 0.1)
    )
    assert again.digest == studied.digest != study(decay).digest


def test_its_law_is_discovered_and_nothing_is_left_of_it(decay, capsys):
    before = set(Path(gettempdir()).glob("odevsr-fmu-*"))
    assert run(["discover", str(decay), "--vary", "k=1,3", "--json"]) == 0
    (equation,) = json.loads(capsys.readouterr().out)["equations"]
    assert equation["expression"] == "-k*x"
    assert equation["exact"] is None
    gc.collect()  # scipy's solvers hold themselves, and the simulator with them
    assert set(Path(gettempdir()).glob("odevsr-fmu-*")) <= before


def test_the_law_of_an_fmu_of_fmi_3_is_discovered(tmp_path, platform, capsys):
    third = pytest.importorskip("fmpy").platform_tuple
    programs = {third: compiled("DAHLQUIST", "THIRD")}
    path = write_fmu(tmp_path / "third.fmu", third_description(), programs)
    assert run(["discover", str(path), "--vary", "k=1,3", "--json"]) == 0
    (equation,) = json.loads(capsys.readouterr().out)["equations"]
    assert equation["expression"] == "-k*x"


@pytest.fixture
def stepped(tmp_path, platform):
    def made(*defined, kinds=SLAVE):
        whole = VAN_DER_POL.replace('unit="m/s"', 'unit="m/s" start="0"')
        text = description(whole, kinds=kinds)
        return write_fmu(tmp_path / "stepped.fmu", text, {platform: compiled(*defined)})

    return made


@pytest.mark.parametrize("kinds", [SLAVE, SLAVE.replace("canGetAndSet", "neither")])
def test_a_co_simulation_is_launched_from_any_state(stepped, oscillator, kinds):
    varied = {"mu": (0.5, 2), "force": (-1, 1)}
    studied, exchange = study(stepped(kinds=kinds), vary=varied), study(oscillator, vary=varied)
    assert not studied.tells
    assert studied.names == exchange.names
    states = np.random.default_rng(0).uniform(studied.box.low, studied.box.high, (20, 4))
    found = studied.make_launch()(states, 0.05)
    np.testing.assert_allclose(found, exchange.make_launch()(states, 0.05), rtol=1e-7, atol=1e-7)
    assert np.isnan(studied.make_launch()(states, -0.05)).all()


def test_the_laws_of_a_co_simulation_are_discovered(stepped, capsys):
    assert run(["discover", str(stepped()), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["equations"]
    assert [each["expression"] for each in found] == ["x1", "x1 - body_x_0**2*x1 - body_x_0"]


def test_a_co_simulation_that_takes_steps_of_its_own_is_moved_by_these(stepped):
    own = '<DefaultExperiment stopTime="20" stepSize="0.01"/>'
    launch = study(stepped(kinds=SLAVE.replace("Variable", "") + own)).make_launch()
    ends = launch(np.ones((3, 2)), np.array([0.004, 0.016, 0.02]))
    np.testing.assert_array_equal(ends[0], 1.0)
    np.testing.assert_array_equal(ends[1], ends[2])


def test_a_co_simulation_that_depends_on_time_is_started_at_any(stepped):
    studied = study(stepped("DRIVEN"))
    assert studied.names == ("body_x_0", "x1", "t")
    assert study(stepped()).names == ("body_x_0", "x1")


def test_a_co_simulation_that_does_not_start_elsewhere_is_refused(stepped):
    with pytest.raises(SystemFileError, match="co-simulation only, and does not start in states"):
        study(stepped("STUCK"))
    with pytest.raises(SystemFileError, match="nor has it get/setFMUstate"):
        study(stepped("STUCK", kinds=SLAVE.replace("canGetAndSet", "neither")))


def test_a_co_simulation_of_fmi_3_is_discovered(tmp_path, platform, capsys):
    third = pytest.importorskip("fmpy").platform_tuple
    programs = {third: compiled("DAHLQUIST", "THIRD")}
    path = write_fmu(tmp_path / "third.fmu", third_description(kinds=SLAVE), programs)
    assert run(["discover", str(path), "--json"]) == 0
    (equation,) = json.loads(capsys.readouterr().out)["equations"]
    assert equation["expression"] == "-x"


def test_names_that_become_one_are_refused(tmp_path):
    text = description().replace('"x1"', '"body_x[0]"')
    with pytest.raises(SystemFileError, match=r"body\.x\[0\] and body_x\[0\] are both body_x_0"):
        study(write_fmu(tmp_path / "plant.fmu", text))
    assert plain("der(v)") == "der_v"


def test_an_unknown_name_is_refused_with_the_nearest(oscillator):
    with pytest.raises(UsageError, match="no input or parameter 'forc'; did you mean force"):
        study(oscillator, vary={"forc": (0, 1)})
