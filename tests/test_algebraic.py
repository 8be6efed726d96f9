"""Functions, maps and formulas as targets."""

import math

import numpy as np
import pytest

import odevsr
from odevsr.errors import UsageError
from odevsr.kind import Kind
from odevsr.world.studied import study


@odevsr.function(mass=(1, 10), speed=(1, 100))
def energy(mass, speed):
    return mass * speed**2 / 2


@odevsr.function(outputs=("u", "v"), angle=(0, 3))
def one_at_a_time(angle):
    return math.sin(angle), math.cos(angle)


@odevsr.map(x=(0, 1), z=(0, 1), inputs={"r": (2, 4)})
def twisted(state, r):
    return [r * state[0] * (1 - state[0]), state[0]]


def values(target, *rows):
    return study(target).world().launch(np.array(rows, dtype=float), 1.0)


def test_a_function_is_called_by_the_names_of_its_variables():
    assert values(energy, [2, 3], [4, 5]).tolist() == [[9.0], [50.0]]
    assert study(energy).components == ("y",)
    assert study(energy).names == ("mass", "speed")


def test_a_function_of_single_numbers_is_called_for_each():
    found = values(one_at_a_time, [0.0], [1.0])
    assert found == pytest.approx(np.array([[0, 1], [math.sin(1), math.cos(1)]]))
    assert study(one_at_a_time).components == ("u", "v")


def test_a_map_gives_next_states_without_its_inputs():
    assert values(twisted, [0.5, 0.1, 4], [0.25, 0.1, 2]).tolist() == [[1.0, 0.5], [0.375, 0.25]]
    assert study(twisted).components == ("x", "z")


def test_the_law_of_a_function_is_found_and_printed_as_one():
    found = odevsr.discover(energy)
    assert str(found) == "y = 0.5*mass*speed**2"
    assert found.equations[0].latex().startswith("y = ")
    assert found.predict([[2.0, 3.0]]).tolist() == [[9.0]]
    with pytest.raises(UsageError, match="does not move"):
        found.simulate([1.0], [0, 1])


def test_a_formula_is_a_system_that_its_own_text_gives_back():
    system = odevsr.formula("2*cos(x)/z", {"x": (0.1, 10), "z": (0.1, 10)}, scale="log")
    assert odevsr.parse_system(system.text, "text") == system
    assert system.kind is Kind.FUNCTION
    assert system.box.is_log.all()
    assert system.components == ("y",)


@pytest.mark.parametrize(
    ("text", "ranges", "said"),
    [
        ("x + z", {"x": (0, 1)}, "each variable needs a range"),
        ("x", {"x": (0, 1), "y": (0, 1), "f": (0, 1)}, "f is declared twice"),
        ("x +", {"x": (0, 1)}, "formula"),
    ],
)
def test_formulas_that_cannot_be_are_refused(text, ranges, said):
    with pytest.raises(odevsr.errors.OdevsrError, match=said):
        odevsr.formula(text, ranges)


def test_the_exports_of_functions_and_maps_run():
    laws = odevsr.discover(one_at_a_time)
    made: dict = {}
    exec(laws.to("numpy"), made)
    assert made["values"](1.0) == pytest.approx((math.sin(1), math.cos(1)))
    exec(laws.to("sympy"), made)
    assert made["equations"]["u"].lhs.name == "u"
    mapped = odevsr.discover("henon")
    exec(mapped.to("numpy"), made)
    assert made["next_state"]([1.0, 0.5]) == pytest.approx([0.1, 0.3])
    exec(mapped.to("sympy"), made)
    assert str(made["equations"]["y"].lhs) == "y(k + 1)"
    with pytest.raises(UsageError, match="choose latex"):
        mapped.to("c")


def test_what_has_no_motion_is_neither_simulated_nor_judged_beside_sindy():
    with pytest.raises(UsageError, match="no motion"):
        odevsr.simulate("henon")
    with pytest.raises(UsageError, match="is none"):
        odevsr.validate("henon")
