"""Joint expansion: all holes of the start expression filled in one round."""

from fractions import Fraction

import numpy as np
from laws import FunctionTarget, error_of, form, make_bench

from odevsr.evidence.form import Form
from odevsr.language.expression import Number
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.settings import preset
from odevsr.vertical.paper import next_start, solve_jointly

SAMPLED = preset("fast", families=False, expansion="joint", policy="uniform", epochs=2)
LORENZ = np.array([[-20.0, 20.0], [-27.0, 27.0], [1.0, 48.0]])


def test_the_second_equation_of_lorenz_is_recovered_by_the_prior():
    target = FunctionTarget(lambda x, y, z: x * (28 - z) - y, LORENZ, error=1e-8)
    bench = make_bench(SAMPLED)
    found = solve_jointly(target, bench, "y")
    assert normal_form(found) == normal_form(parse("28*x - x*z - y", ["x", "y", "z"]))
    assert [each.variable for each in bench.rounds] == ["x", "y", "z"]
    assert [each.trials for each in bench.rounds] == [5, 5, 1]


def test_a_round_without_a_form_ends_the_expansion():
    settings = preset("fast", families=False, policy="uniform", prior_batches=1, epochs=0, batch=50)
    target = FunctionTarget(lambda x, y: np.sin(9 * x * y) / (x + np.cosh(y)))
    bench = make_bench(settings)
    assert solve_jointly(target, bench, "x") is None
    assert len(bench.rounds) == 1


def test_a_target_that_depends_on_nothing_is_a_constant():
    target = FunctionTarget(lambda x, y: 2.5)
    assert solve_jointly(target, make_bench(SAMPLED), "x") == Number(Fraction(5, 2))


def test_variables_that_do_not_matter_have_no_round():
    target = FunctionTarget(lambda x, y: 3 * y**2)
    bench = make_bench(SAMPLED)
    assert error_of(solve_jointly(target, bench, "x"), target) < 1e-8
    assert [each.variable for each in bench.rounds] == ["y"]


def test_the_next_start_has_holes_for_summary_constants_and_values_for_the_others():
    constants = np.array([[2.0, 5.0], [3.0, 5.0], [4.0, 5.0]])
    found = Form(form("C*x + C"), constants, np.full((3, 2), 1e-9), 1.0, "test")
    assert next_start(found) == form("A*x + 5")
