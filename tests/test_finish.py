"""The end of an equation: idle terms dropped, exact values, a tidy writing, fresh data."""

from fractions import Fraction

import numpy as np
import pytest
from laws import FunctionOracle, law

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.imitation import may_imitate
from odevsr.evidence.law import Law
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.judging.finish import finish
from odevsr.world.box import plain_box


def finished(text, function, **options):
    oracle = FunctionOracle(function, **options)
    return finish(normal_form(law(text)), Measuring(oracle, Agreement()), np.random.default_rng(0))[
        0
    ]


def test_all_numbers_are_fitted_and_made_exact():
    found = finished("2.66*x*y - 0.99*y", lambda x, y: 8 / 3 * x * y - y)
    assert to_text(found.expression) == "8/3*x*y - y"
    assert found.deviation < 2.0


def test_terms_that_the_data_do_not_need_are_dropped():
    found = finished("3.01*x + 0.0000001*x*y - 0.00000002*y**2", lambda x, y: 3 * x)
    assert to_text(found.expression) == "3*x"


def test_idle_terms_whose_numbers_are_exact_are_dropped_too():
    oracle = FunctionOracle(lambda x, y: 3 * x)
    start = normal_form(parse("3*x + 1/10000000000000*y + x*y/20000000000000", ["x", "y"]))
    assert (
        to_text(
            finish(start, Measuring(oracle, Agreement()), np.random.default_rng(0))[0].expression
        )
        == "3*x"
    )


def test_small_terms_that_the_data_need_are_kept():
    found = finished("3.01*x + 0.0000011*y", lambda x, y: 3 * x + 1e-6 * y)
    assert normal_form(found.expression) == normal_form(parse("3*x + 0.000001*y", ["x", "y"]))


def test_the_last_term_is_never_dropped():
    found = finished("0.0000000001*x", lambda x, y: 0 * x, error=1e-3)
    assert found.deviation < 2.0


def test_laws_are_written_as_a_person_would():
    found = finished("2.01*sin(x + 1.5708)", lambda x, y: 2 * np.cos(x))
    assert to_text(found.expression) == "2*cos(x)"


def test_a_wrong_law_deviates_on_fresh_data():
    assert finished("2.0*x", lambda x, y: 2 * x + 1e-3 * x**2).deviation > 1e3


def test_the_deviation_is_that_of_data_the_fit_has_not_seen():
    oracle = FunctionOracle(lambda x, y: 2 * x)
    first, second = (
        finish(law("2.0*x"), Measuring(oracle, Agreement()), np.random.default_rng(seed))[
            0
        ].deviation
        for seed in (0, 1)
    )
    assert oracle.cost.experiments == 4
    assert first != second


def test_measurements_are_spread_over_the_box():
    oracle = FunctionOracle(lambda x, y: x + y, error=0.0)
    data = (
        Measuring(oracle, Agreement())
        .fresh(50, np.random.default_rng(0), plain_box([[0.0, 1.0], [5.0, 9.0]]))
        .sample
    )
    assert data.states.shape == (50, 2)
    assert np.all(np.ptp(data.states, axis=0) > [0.9, 3.6])
    np.testing.assert_allclose(data.values, data.states.sum(axis=1))


def fitted(text):
    return Law(parse(text, ["x", "y"]), (), 1.0)


@pytest.mark.parametrize("error", [1e-12, 1e-6, 1e-2])
def test_the_truth_is_kept_at_any_error(error):
    found = finished("3.3*x*y + 1.3*x", lambda x, y: 3.3 * x * y + 1.3 * x, error=error)
    assert found.deviation < 2.0
    assert len(found.constants) == 2


def test_a_product_found_as_many_terms_is_factored_and_so_keeps_its_label():
    def truth(x, y):
        return 3.7 * x**2 / (x**2 + 0.31) * y / (y + 2.17)

    found = finished(
        "3.7 - 1.147/(x**2 + 0.31) - 8.029/(y + 2.17) + 2.48899/(x**2 + 0.31)/(y + 2.17)", truth
    )
    assert to_text(found.expression) == "3.7*x**2*y/(x**2 + 0.31)/(y + 2.17)"
    assert [float(each.exact) for each in found.constants] == [3.7, 0.31, 2.17]
    assert not may_imitate(found, DEFAULT_LIMITS)


def test_the_numbers_of_a_law_are_those_that_stand_in_it():
    found = finished("2.01*sin(x + 1.5708) + 0.3*y", lambda x, y: 2 * np.cos(x) + y / 3)
    assert {each.exact for each in found.constants} == {2, Fraction(1, 3)}
    assert all(abs(each.value - each.exact) < 1e-6 for each in found.constants)
    assert all(0 < each.error < 1e-6 for each in found.constants)


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("log(0.0000000003*x)", lambda x, y: np.log(3e-10 * x)),
        ("1.5/sqrt(0.0000000001*x + 0.0000000002)", lambda x, y: 1.5 / np.sqrt(1e-10 * x + 2e-10)),
    ],
)
def test_small_numbers_without_which_a_law_has_no_value_are_kept(text, function):
    assert finished(text, function).deviation < 3.0


def test_where_data_are_noisy_there_are_more_and_hidden_terms_come():
    def function(x, y):
        return 3 * x * y + 0.05 * x

    calm, noisy = (FunctionOracle(function, error=0.1) for _ in range(2))
    finish(law("3.0*x*y"), Measuring(calm, Agreement()), np.random.default_rng(0))
    found, _ = finish(
        law("3.0*x*y"), Measuring(noisy, Agreement(is_noisy=True)), np.random.default_rng(0)
    )
    assert noisy.cost.states >= 5 * calm.cost.states
    found_terms = terms(normal_form(found.expression))
    assert {to_text(split_coefficient(each)[1]) for each in found_terms} == {"x*y", "x"}


def seen_by(oracle, text, count=30):
    measuring = Measuring(oracle, Agreement(), is_frugal=True)
    seen = measuring.fresh(count, np.random.default_rng(1)).sample
    return finish(normal_form(law(text)), measuring, np.random.default_rng(0), seen)


def test_numbers_are_fitted_to_what_was_seen_where_states_are_dear():
    oracle = FunctionOracle(lambda x, y: 8 / 3 * x * y - y)
    before = oracle.cost.states
    found, fresh = seen_by(oracle, "2.66*x*y - 0.99*y")
    assert to_text(found.expression) == "8/3*x*y - y"
    assert oracle.cost.states - before - 30 == len(fresh.values) < 80


@pytest.mark.parametrize("where", [0.7, 1.3, 2.2])
def test_a_single_state_refutes_a_law_where_states_are_dear(where):
    pulse = FunctionOracle(lambda x, y: 3 * x + 0.2 * (np.abs(x - where) < 0.05))
    assert seen_by(pulse, "3*x")[0].deviation > 1e3
    assert (
        finish(law("3*x"), Measuring(pulse, Agreement()), np.random.default_rng(0))[0].deviation < 3
    )


def test_under_noise_numbers_are_those_of_all_that_was_seen():
    rng = np.random.default_rng(1)
    oracle = FunctionOracle(
        lambda x, y: 3.1234 * x * y + 0.1 * rng.standard_normal(x.shape), error=0.1
    )
    seen = oracle.measure(rng.uniform([0.5, -1.0], [2.5, 2.0], (8000, 2)))
    noisy = Measuring(oracle, Agreement(is_noisy=True))
    errors = [
        finish(law("3.0*x*y"), noisy, np.random.default_rng(0), each)[0].constants[0].error
        for each in (None, seen)
    ]
    assert errors[1] < errors[0] / 3
