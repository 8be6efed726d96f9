"""Strategies: when each applies, and each alone on a quantity made up for it."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from laws import FunctionQuantity, error_of, form, make_question

from odevsr.evidence.form import Form
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Number, Op, Variable
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.search.loop import Found
from odevsr.settings import Settings
from odevsr.vertical.laws.frozen_form import FrozenForm, separating_form
from odevsr.vertical.laws.solve import steps_to_law
from odevsr.vertical.laws.strategies import SumOfProducts, strategies
from odevsr.vertical.laws.strategy import Outcome, first_law
from odevsr.vertical.laws.tangled import (
    FewerVariables,
    OuterFunctions,
    PairCoordinates,
    TransformedVariable,
)
from odevsr.vertical.simpler.pair_coordinates import SIGNS

CATALOGUE = Settings(proposers=("catalogue",))
SQUARE = np.array([[-2.0, 2.0], [-2.0, 2.0]])


def written(*texts):
    return tuple(normal_form(parse(text, ["x", "y", "z"])) for text in texts)


def found_form(text, *constants):
    """What a round has found: a form with constants (K, m), all well known."""
    values = np.array(constants, dtype=float)
    errors = np.full(values.shape, 1e-9)
    return Found((Form(normal_form(form(text)), values, errors, 1.0, "test"),))


POWER = found_form("C*x", [2], [3], [4])
RATE_X, RATE_Y = (found_form(f"C*exp(C*{n})", [1, -0.3], [1, -0.7], [1, 0.4]) for n in "xy")
PHASE_X, PHASE_Y = (
    found_form(f"1/(C + sin({n} + C))", [3, 0.3], [3, 1.7], [3, -0.4]) for n in "xy"
)


def offered(*found):
    return list(strategies(make_question(FunctionQuantity(lambda x, y: x * y)), found))


def refuse(question):
    raise AssertionError("nothing is left to solve")


def outcome(strategy, quantity, solve=refuse, settings=CATALOGUE, steps=50):
    """All steps of a strategy on a quantity, at most so many."""
    return list(islice(strategy.steps(make_question(quantity, settings), solve), steps))


# When each applies


def test_where_every_variable_separates_their_products_are_fitted_together():
    assert offered(POWER, found_form("C*y", [1], [2], [5]))[0] == SumOfProducts(
        (written("x"), written("y"))
    )


def test_where_some_variables_separate_they_are_peeled():
    assert separating_form({0: written("x")}) in offered(POWER, RATE_Y)


def test_one_variable_is_tried_alone():
    one = found_form("C*exp(C*x)", [2.0, -0.5])
    together, alone = offered(one)
    assert together == SumOfProducts((written("exp(-x/2)"),))
    assert to_text(alone.form) == "2*exp(-0.5*x)"
    assert offered(Found()) == [TransformedVariable()]


def test_tangled_variables_may_come_apart_and_forms_are_filled():
    kinds = [type(each) for each in offered(RATE_X, RATE_Y)]
    assert set(kinds[:-2]) == {FrozenForm, OuterFunctions}
    assert kinds[-2:] == [PairCoordinates, PairCoordinates]


def test_gradients_of_constants_are_looked_at_once_variables_are_tangled():
    quantity = FunctionQuantity(lambda x, y: x * y)
    for question in (make_question(quantity, depth=1), make_question(quantity, noisy=True)):
        first, *_ = strategies(question, [RATE_X, RATE_Y])
        assert first == FewerVariables((0, 1))


def test_angles_that_tangle_are_tried_in_new_coordinates_before_forms_are_filled():
    kinds = [type(each) for each in offered(PHASE_X, PHASE_Y)]
    assert kinds[:3] == [PairCoordinates, PairCoordinates, FrozenForm]


def test_waves_whose_rates_differ_are_no_angles():
    x, y = (found_form(f"C*sin(C*{name})", [1, 0.3], [1, 1.7], [1, 0.4]) for name in "xy")
    kinds = [type(each) for each in offered(x, y)]
    assert kinds[0] is FrozenForm


def test_coordinates_are_changed_only_once():
    question = make_question(FunctionQuantity(lambda x, y: x * y))
    again = replace(question, in_new_coordinates=True)
    kinds = {type(each) for each in strategies(again, [PHASE_X, PHASE_Y])}
    assert kinds == {OuterFunctions, FrozenForm}


def test_a_wave_is_filled_with_a_phase_before_it_is_as_sine_and_cosine():
    wave = found_form("C*sin(x) + C*cos(x)", [1, 2], [2, 3], [5, 1])
    forms = [to_text(each.form) for each in offered(wave, RATE_Y) if isinstance(each, FrozenForm)]
    assert [each for each in forms if "sin" in each][:1] == ["C*sin(x + C)"]


def test_the_same_findings_offer_the_same_strategies():
    assert offered(POWER, RATE_Y) == offered(POWER, RATE_Y)
    assert len(set(offered(RATE_X, RATE_Y))) == len(offered(RATE_X, RATE_Y))


# Each alone


def test_together_finds_a_sum_of_products():
    quantity = FunctionQuantity(lambda x, y: 3 * x * np.sin(y) - 2 * x**2 + 1)
    strategy = SumOfProducts((written("1", "x", "x**2"), written("1", "sin(y)")))
    (law,) = outcome(strategy, quantity)
    assert error_of(law, quantity) < 1e-8
    assert outcome(strategy, FunctionQuantity(lambda x, y: np.exp(x * y))) == [Outcome.REFUTED]


def test_together_has_no_step_if_there_are_too_many_products_or_nothing_can_be_measured():
    many = tuple(Variable("x") if k == 1 else written(f"x**{k}")[0] for k in range(1, 61))
    tangled = FunctionQuantity(lambda x, y: np.exp(x * y))
    assert outcome(SumOfProducts((many, many)), tangled) == []
    nowhere = FunctionQuantity(lambda x, y: x, missing=lambda x, y: True)
    assert outcome(SumOfProducts((written("x"), written("y"))), nowhere) == []


def test_a_form_without_open_constants_is_held_to_data():
    quantity = FunctionQuantity(lambda x: 2 * np.exp(-x / 2), np.array([[0.5, 2.5]]))
    wrong, right = (parse(text, ["x"]) for text in ("2*sin(x)", "2*exp(0 - x/2)"))
    assert outcome(FrozenForm((0,), wrong), quantity) == [Outcome.REFUTED]
    (law,) = outcome(FrozenForm((0,), right), quantity)
    assert error_of(law, quantity) < 1e-8


def test_peeled_asks_for_the_coefficients_and_fills_them_in():
    quantity = FunctionQuantity(lambda x, y: x**2 * np.exp(-0.7 * y) + np.sin(y))
    steps = outcome(separating_form({0: written("x**2", "1")}), quantity, steps_to_law)
    assert error_of(steps[-1], quantity) < 1e-7
    assert set(steps[:-1]) <= {Outcome.SPENT}


def test_peeled_leaves_forms_with_too_many_coefficients_alone():
    powers = written(*(f"x**{k}" for k in range(1, 14)))
    assert separating_form({0: powers}) is None


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x, y: np.exp(x - y), "exp(x)"),
        (lambda x, y: np.sin(x + y) + 1, "sin(x) + 1"),
        (lambda x, y: (x * y) ** 2, "x**2"),
    ],
)
def test_variables_that_act_as_one_are_asked_about_in_one_coordinate(function, text):
    quantity = FunctionQuantity(function, SQUARE)
    asked = []

    def solve(question):
        asked.append(question)
        yield Outcome.SPENT
        yield parse(text, ["x"])

    spent, law = outcome(FewerVariables((0, 1)), quantity, solve)
    assert spent is Outcome.SPENT
    assert error_of(law, quantity) < 1e-8
    (question,) = asked
    assert question.quantity.names == ("x",)


def test_there_is_no_step_where_variables_act_on_their_own():
    quantity = FunctionQuantity(lambda x, y: np.sin(x) + np.exp(x * y), SQUARE)
    assert outcome(FewerVariables((0, 1)), quantity) == []


def test_a_law_found_in_one_coordinate_is_held_to_all_states():
    bent = FunctionQuantity(lambda x, y: np.exp(x - y), SQUARE)
    straight = outcome(FewerVariables((0, 1)), bent, lambda question: iter([parse("x", ["x"])]))
    assert straight == [Outcome.REFUTED]


@pytest.mark.parametrize(("op", "sign"), SIGNS.items())
def test_new_coordinates_are_written_out_again(op, sign):
    quantity = FunctionQuantity(lambda x, y: np.exp(x + sign * y) * y, SQUARE)
    strategy = PairCoordinates((0, 1), op)
    (law,) = outcome(strategy, quantity, lambda question: iter([parse("exp(x)*y", ["x", "y"])]))
    assert error_of(law, quantity) < 1e-8


def test_new_coordinates_let_tangled_angles_come_apart():
    quantity = FunctionQuantity(lambda x, y: np.sin(y) / (3 - np.cos(x - y)), SQUARE)
    steps = PairCoordinates((0, 1), Op.SUB).steps(make_question(quantity, CATALOGUE), steps_to_law)
    assert error_of(first_law(steps), quantity) < 1e-7


def test_filled_finds_every_constant_as_a_quantity_of_its_own():
    quantity = FunctionQuantity(lambda x, y: (y**2 + 1) * np.exp(-0.4 * x * y))
    steps = outcome(FrozenForm((0,), normal_form(form("C*exp(C*x)"))), quantity, steps_to_law)
    assert error_of(steps[-1], quantity) < 1e-7


def test_filled_holds_the_whole_to_data():
    quantity = FunctionQuantity(lambda x, y: y * x)
    strategy = FrozenForm((0,), normal_form(form("C*x")))
    assert outcome(strategy, quantity, lambda q: iter([parse("y", ["y"])])) == list(written("x*y"))
    assert outcome(strategy, quantity, lambda q: iter([Number(2)])) == [Outcome.REFUTED]


def test_filled_ends_where_a_constant_has_no_law_and_spends_step_by_step_until_then():
    quantity = FunctionQuantity(lambda x, y: y * x + np.cosh(y) ** 0.3)
    strategy = FrozenForm((0,), normal_form(form("C*x + C")))

    def solve(question):
        if question.label.endswith("0"):
            yield parse("y", ["y"])
        yield from [Outcome.SPENT] * 5

    steps = outcome(strategy, quantity, solve)
    assert steps == [Outcome.SPENT] * 3


def test_constants_are_asked_again_once_others_are_known():
    quantity = FunctionQuantity(lambda x, y: 3 * np.sin(y) * x + np.sin(y))
    asked = []

    def solve(question):
        learnt = question.attempt.proposers.learnt
        asked.append((question.label, [to_text(each) for each in learnt]))
        if question.label == "x.1":
            yield parse("sin(y)", ["y"])
        elif learnt:
            yield parse("3*sin(y)", ["y"])
        else:
            yield from [Outcome.SPENT] * 5

    (law,) = outcome(FrozenForm((0,), normal_form(form("C*x + C"))), quantity, solve)
    assert asked == [("x.0", []), ("x.1", []), ("x.0", ["sin(y)"])]
    assert error_of(law, quantity) < 1e-8
