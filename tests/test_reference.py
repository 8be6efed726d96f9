"""The comparison of our systems with pysindy's own definitions, and the command `odevsr check`."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from odevsr.errors import DataFileError, UsageError
from odevsr.language.parse import parse
from odevsr.showing.check_table import check_json, check_table
from odevsr.verdict.references import reference
from odevsr.verdict.references.motion import STEPS, departure, stretches
from odevsr.verdict.references.reference import (
    CheckReport,
    Comparison,
    ReferenceAgreement,
    check_systems,
    comparable_names,
    compare_with_pysindy,
    data_folder,
)
from odevsr.world.systems.registry import get_system
from odevsr.world.systems.system import Simulation
from odevsr.world.trajectories.recording import Recording
from odevsr.world.trajectories.simulate import simulate
from odevsr.world.trajectories.store import save_trajectories
from odevsr.world.trajectories.trajectory import Ending, Trajectory


def compared(system, recorded=()):
    return compare_with_pysindy(system, recorded, np.random.default_rng(1))


def right_hand_sides(check):
    return {each.variable: each.field for each in check.variables}


def with_equation(system, variable, text):
    """The system with another equation for one variable."""
    place = system.names.index(variable)
    equations = list(system.equations)
    equations[place] = parse(text, [*system.names, *system.parameters])
    return replace(system, equations=tuple(equations), text="")


def trajectory_of(system, **options):
    return simulate(system, step=system.simulation.step, **options)


def shifted(trajectory, by):
    """The same samples with the last one moved, as a damaged or foreign recording would have it."""
    states = np.array(trajectory.states)
    states[-1] += by
    return replace(trajectory, states=states)


@pytest.mark.parametrize("name", comparable_names())
def test_every_counterpart_agrees_or_differs_only_as_known(name):
    check = compared(get_system(name))
    known = name in ("lorenz", "glycolysis")
    assert check.agreement is (ReferenceAgreement.KNOWN if known else ReferenceAgreement.AGREES)


def test_lorenz_agrees_up_to_the_rounding_of_beta_in_pysindy():
    sides = right_hand_sides(compared(get_system("lorenz")))
    assert sides["x0"].difference == sides["x1"].difference == 0
    assert sides["x2"].difference == pytest.approx(2.7e-7, rel=0.1)
    assert sides["x2"].left < 1e-15


@pytest.mark.parametrize("value", [0, "1/7", 3])
def test_mhd_agrees_to_machine_precision_whatever_its_parameters(value):
    system = get_system("mhd").with_parameters(dict.fromkeys(("nu", "mu", "sigma"), value))
    check = compared(system)
    assert all(side.difference < 1e-15 for side in right_hand_sides(check).values())
    assert check.agreement is ReferenceAgreement.AGREES


def test_glycolysis_differs_from_yeast_in_three_equations_and_by_rounding_in_a_fourth():
    sides = right_hand_sides(compared(get_system("glycolysis")))
    agreeing = {name for name, side in sides.items() if side.agreement is ReferenceAgreement.AGREES}
    large = {name for name, side in sides.items() if side.difference > 1e-2}
    assert agreeing == {"x3", "x4", "x6"}
    assert large == {"x1", "x2", "x5"}
    assert sides["x0"].difference == pytest.approx(1e-6, rel=0.5)
    assert max(side.left for side in sides.values()) < 1e-14


@pytest.mark.parametrize("name", [name for name in comparable_names() if name != "mhd"])
def test_a_slightly_wrong_parameter_is_found(name):
    system = replace(get_system(name), simulation=Simulation(step=1e-5), text="")
    for parameter, value in system.parameters.items():
        wrong = float(value) * (1 + 1e-6) if value else 1e-6
        check = compared(system.with_parameters({parameter: wrong}))
        assert check.agreement is ReferenceAgreement.DIFFERS, parameter


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("x1", "2*k1*x0*x5/(1 + (x5/K1)**q) - k2*x1*(N - x4)"),
        ("x2", "k2*x1*(N - x4) - k3*x2*(A - x5) + 0.000001*x6"),
        ("x5", "-2*k1*x0*x5/(1 + (x5/K1)**q) + 2*k3*x2*(A - x5) - k5*x4"),
    ],
)
def test_a_known_difference_hides_no_other(variable, text):
    check = compared(with_equation(get_system("glycolysis"), variable, text))
    sides = right_hand_sides(check)
    assert sides[variable].agreement is ReferenceAgreement.DIFFERS
    assert check.agreement is ReferenceAgreement.DIFFERS


def test_a_system_that_does_as_pysindy_does_agrees_without_the_known_difference():
    check = compared(get_system("lorenz").with_parameters({"beta": "2.66667"}))
    assert check.agreement is ReferenceAgreement.AGREES


def test_exchanged_equations_are_found():
    mhd = get_system("mhd")
    check = compared(with_equation(mhd, "x3", "-2*mu*x3 + 2*(x5*x1 - x2*x4)"))
    differing = [each.variable for each in check.variables if each.field.difference > 1e-12]
    assert differing == ["x3"]
    assert check.agreement is ReferenceAgreement.DIFFERS


def test_a_difference_that_is_no_number_is_no_agreement():
    assert Comparison(math.nan, math.nan, 1e-9).agreement is ReferenceAgreement.DIFFERS
    assert Comparison(math.inf, math.nan, 1e-9).agreement is ReferenceAgreement.DIFFERS


def test_a_recording_is_compared_over_its_whole_length():
    system = get_system("lorenz")
    recorded = trajectory_of(system, duration=4.0)
    assert {each.data.agreement for each in compared(system, [recorded]).variables} == {
        ReferenceAgreement.KNOWN
    }
    damaged = compared(system, [shifted(recorded, [0, 1e-6, 0])])
    found = {each.variable: each.data.agreement for each in damaged.variables}
    assert found == {
        "x0": ReferenceAgreement.KNOWN,
        "x1": ReferenceAgreement.DIFFERS,
        "x2": ReferenceAgreement.KNOWN,
    }


def test_a_recording_made_with_other_parameters_differs():
    system = get_system("mhd")
    ideal = system.with_parameters({"nu": 0, "mu": 0, "sigma": 0})
    check = compared(system, [trajectory_of(ideal, duration=0.2)])
    assert check.agreement is ReferenceAgreement.DIFFERS
    assert all(each.trajectory.agreement is ReferenceAgreement.AGREES for each in check.variables)


def test_files_in_the_data_folder_are_read_by_name(tmp_path):
    system = get_system("mhd")
    recorded = trajectory_of(system, duration=0.2)
    recording = Recording(system=system, trajectories=(recorded,), seeds=(0,), commands=("test",))
    save_trajectories(tmp_path / "mhd.h5", recording)
    mhd, hopf = check_systems([system, get_system("hopf")], tmp_path).checks
    assert all(each.data.agreement is ReferenceAgreement.AGREES for each in mhd.variables)
    assert all(each.data is None for each in hopf.variables)


def test_a_data_file_of_another_system_is_refused(tmp_path):
    other = get_system("hopf")
    recording = Recording(
        system=other,
        trajectories=(trajectory_of(other, duration=1.0),),
        seeds=(0,),
        commands=("test",),
    )
    save_trajectories(tmp_path / "mhd.h5", recording)
    with pytest.raises(DataFileError, match=r"mhd\.h5: holds x, y where mhd has x0"):
        check_systems([get_system("mhd")], tmp_path)


def test_a_system_that_pysindy_lacks_is_refused():
    with pytest.raises(UsageError, match="thomas has no counterpart in pysindy"):
        compared(get_system("thomas"))


def test_other_variables_under_a_known_name_are_refused():
    disguised = replace(get_system("hopf"), name="lorenz", text="")
    with pytest.raises(UsageError, match="which has the variables x0, x1, x2; name them so"):
        compared(disguised)


def test_missing_parameters_that_pysindy_is_given_are_refused():
    ideal = get_system("mhd")
    bare = replace(ideal, equations=ideal.closed_equations(), parameters={}, text="")
    with pytest.raises(UsageError, match="takes nu, mu, sigma from our parameters"):
        compared(bare)


def test_a_motion_is_compared_with_the_exact_one():
    def rotation(states):
        return np.stack([states[..., 1], -states[..., 0]], axis=-1)

    time = np.linspace(0.0, 3.0, 31)
    states = np.stack([np.cos(time), -np.sin(time)], axis=-1)
    width = np.array([2.0, 4.0])
    assert departure(rotation, [(time, states)], width).max() < 1e-12
    late = states + np.outer(time == time[-1], [0.0, 1.0])
    apart = departure(rotation, [(time, states), (time, late)], width)
    assert apart == pytest.approx([0, 0.25], abs=1e-12)


def test_without_a_stretch_nothing_agrees():
    assert np.isnan(departure(lambda states: states, [], np.ones(2))).all()
    point = Trajectory(
        time=np.zeros(1),
        states=np.zeros((1, 2)),
        derivatives=np.full((1, 2), np.nan),
        status=Ending.LEFT_DOMAIN,
        end_time=0.0,
    )
    assert stretches(point) == []


@pytest.mark.parametrize("samples", [2, STEPS, STEPS + 1, STEPS + 2, 10 * STEPS])
def test_stretches_reach_from_the_first_sample_to_the_last(samples):
    system = get_system("hopf")
    trajectory = trajectory_of(system, duration=(samples - 1) * system.simulation.step)
    parts = stretches(trajectory)
    assert parts[0][0][0] == trajectory.time[0]
    assert parts[-1][0][-1] == trajectory.time[-1]
    assert all(2 <= len(time) == len(states) <= STEPS + 1 for time, states in parts)


def printed(report, width):
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(check_table(report))
    return captured.get()


@pytest.fixture(scope="module")
def lorenz_and_glycolysis():
    return check_systems([get_system("lorenz"), get_system("glycolysis")], None)


@pytest.mark.parametrize("width", [60, 120])
def test_the_table_fits_the_terminal_and_explains_what_is_known(lorenz_and_glycolysis, width):
    text = printed(lorenz_and_glycolysis, width)
    assert max(map(len, text.splitlines())) <= width
    words = " ".join(text.split())
    assert "glycolysis against pysindy's yeast" in words
    assert "pysindy rounds 8/3 to 2.66667" in words
    assert "in pysindy: x0 x1 x2 x3 x6 x5 x4" in words
    assert "odevsr - pysindy = -12*x1*x4" in words
    assert "there is no data folder here" in words
    assert "Systems compared: 2 (agrees 0, known 2, differs 0)" in words


def test_the_table_shows_a_failure_where_it_is():
    wrong = compared(with_equation(get_system("hopf"), "y", "omega*x"))
    lines = printed(CheckReport((wrong,), has_data=True), 80).splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("  y ")] == ["differs"]
    assert lines[-1] == "Systems compared: 1 (agrees 0, known 0, differs 1)"
    assert "data folder" not in " ".join(lines)


def test_a_difference_that_is_no_number_is_null_in_json(lorenz_and_glycolysis):
    lorenz = lorenz_and_glycolysis.checks[0]
    broken = replace(lorenz.variables[0], field=Comparison(math.nan, math.inf, 1e-12))
    report = CheckReport((replace(lorenz, variables=(broken,)),), has_data=False)
    content = json.loads(json.dumps(check_json(report), allow_nan=False))
    side = content["systems"][0]["variables"][0]["right_hand_side"]
    assert side == {"difference": None, "left": None, "agreement": "differs"}
    assert content["agreement"] == "differs"


def test_an_installed_package_has_no_data_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(reference, "builtin_folder", lambda: tmp_path / "odevsr" / "_systems")
    assert data_folder() is None


def test_the_reference_data_of_a_checkout_agree():
    folder = Path(__file__).resolve().parents[1] / "data"
    names = sorted(path.stem for path in folder.glob("*.h5"))
    assert names == ["glycolysis", "lorenz", "mhd"]
    report = check_systems([get_system(name) for name in names], folder)
    assert [check.agreement.value for check in report.checks] == ["known", "known", "agrees"]
    assert all(each.data is not None for check in report.checks for each in check.variables)
