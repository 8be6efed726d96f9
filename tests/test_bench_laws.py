import json

import numpy as np
import pytest

from odevsr.bench import laws as bench
from odevsr.bench.laws import Draw, bench_laws, figures_of, is_false, row_of_draw, totals_of
from odevsr.bench.random_laws import BOX, ERROR, RandomLaw, random_law
from odevsr.language.expression import Number, variables
from odevsr.language.parse import parse
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Cost


def equation(text, status=Status.IDENTIFIED):
    return Equation(
        variable="x",
        expression=parse(text, ["x", "y"]),
        status=status,
        constants=(),
        r2=1.0,
        nmse=0.0,
        deviation=1.0,
        rounds=(),
        cost=Cost(),
        candidates=0,
        elapsed_s=0.0,
    )


def row(status, right, number=1, seconds=0.1):
    return {
        "variables": number,
        "right": right,
        "status": status,
        "false": status == "identified" and not right,
        "states": 500,
        "CPU s": seconds,
    }


@pytest.mark.parametrize("dimension", [1, 2])
def test_a_law_that_is_drawn_depends_on_every_variable_and_is_the_same_again(dimension):
    laws = [random_law(seed, dimension) for seed in range(10)]
    assert all(variables(law.expression) == {*law.names} for law in laws)
    assert all(law.is_equal(law.expression) for law in laws)
    assert not any(law.is_equal(Number(0)) for law in laws)
    assert laws == [random_law(seed, dimension) for seed in range(10)]
    assert len({law.expression for law in laws}) > 5


def test_an_oracle_measures_its_law_as_exactly_as_it_claims_and_counts():
    law = random_law(1, 2)
    oracle = law.oracle()
    states = random_states(BOX, 300, np.random.default_rng(0))
    first, again = oracle.measure(states), oracle.measure(states)
    missed = (first.values - law.values(law.expression, states)) / first.errors
    assert 0.8 < missed.std() < 1.2
    assert (first.errors == ERROR * law.size).all()
    assert (first.values != again.values).any()
    assert oracle.cost == Cost(experiments=2, states=600)


@pytest.mark.parametrize(
    ("text", "status", "false"),
    [
        ("x*y", Status.IDENTIFIED, False),
        ("x*y + 0.000001*x", Status.IDENTIFIED, False),
        ("x*y + 0.01*x", Status.IDENTIFIED, True),
        ("x*y + 0.01*x", Status.APPROXIMATE, False),
        ("x*y + abs(x - 0.4) - x + 0.4", Status.IDENTIFIED, True),
        ("x*y + log(x - 2.9) - log(x - 2.9)", Status.IDENTIFIED, True),
    ],
)
def test_a_law_is_false_if_it_is_called_identified_and_has_other_values(text, status, false):
    law = RandomLaw(parse("x*y", ["x", "y"]), size=1.5, dimension=2)
    assert is_false(law, equation(text, status)) == false


def test_a_false_law_or_few_identified_or_long_searches_miss_the_targets():
    right, missed, false = (
        row("identified", True),
        row("approximate", False, 2),
        row("identified", False, 2, seconds=9.0),
    )

    def hold(*rows):
        return [figure.holds for figure in figures_of(rows)]

    assert hold(right, missed) == [True, True, True]
    assert hold(right, missed, missed) == [True, False, True]
    assert hold(right, false) == [False, True, False]
    one, two, both = totals_of([right, missed, false])
    assert (one["laws"], one["right"], one["false"]) == (1, 1, 0)
    assert (two["laws"], two["identified"], two["false"]) == (2, 1, 1)
    assert (both["variables"], both["laws"], both["median CPU s"]) == ("all", 3, 0.1)


def test_laws_of_one_variable_and_of_two_are_drawn_in_turn_and_searched(monkeypatch):
    monkeypatch.setattr(bench, "mapped", lambda work, items, jobs: map(work, items))
    result = bench_laws(count=4)
    assert [each["variables"] for each in result.rows] == [1, 2, 1, 2]
    assert result.figures[0].value == 0
    assert json.loads(json.dumps(result.to_json()))["totals"][-1]["laws"] == 4
    again = row_of_draw(Draw(0, 0))
    assert again["form"] == result.rows[0]["form"]
    assert row_of_draw(Draw(1, 0))["truth"] != again["truth"]
