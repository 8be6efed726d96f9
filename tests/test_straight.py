"""Functions that are straight lines as far as data tell."""

import numpy as np
import pytest
from laws import FunctionOracle, law

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.evidence.straight import linearised, with_constant_parts
from odevsr.language.expression import Apply, Number, walk
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.judging.finish import finish
from odevsr.world.sample import Sample

NARROW = ((0.5, 1.1), (0.0, 2e-4))


def functions(expression):
    return [node.op.value for node in walk(expression) if isinstance(node, Apply)
            and node.op.is_function]  # fmt: skip


def finished(text, function, error):
    oracle = FunctionOracle(function, NARROW, error)
    return finish(law(text, ("x", "y")), Measuring(oracle, Agreement()), np.random.default_rng(0))[
        0
    ]


def test_a_part_that_does_not_vary_is_a_number():
    expression = law("x + sin(2*y)**2/(cos(y)**2*sin(y)**2) + sin(y)", ("x", "y"))
    states = np.random.default_rng(0).uniform(0.2, 1.2, (40, 2))
    found = with_constant_parts(
        expression, Data(("x", "y"), Sample(states, states[:, 0], np.ones(40)))
    )
    assert functions(found) == ["sin"]
    (number,) = [float(each.value) for each in walk(found) if isinstance(each, Number)]
    assert number == pytest.approx(4)


@pytest.mark.parametrize("name", ["sin", "tan", "tanh", "exp", "atan"])
def test_a_function_of_what_is_always_small_is_no_function(name):
    found = finished(f"0.015 - 200.1*{name}(x*y)", lambda x, y: 0.015 - 200 * x * y, 1e-9)
    assert functions(found.expression) == []
    assert found.deviation < 3


def test_a_function_that_data_show_stays():
    found = finished("-200.1*sin(x*y)", lambda x, y: -200 * np.sin(x * y), 1e-13)
    assert functions(found.expression) == ["sin"]


def test_each_function_is_straightened_in_turn():
    states = np.random.default_rng(0).uniform(0.5, 1.0, (50, 2))
    sample = Sample(states, np.ones(50), np.ones(50))
    both = law("sin(x)*exp(y) + 1.5*sin(x)", ("x", "y"))
    assert [functions(each) for each in linearised(both, Data(("x", "y"), sample))] == [
        ["exp", "exp"],
        ["sin", "sin"],
    ]
