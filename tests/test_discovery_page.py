"""The page of a discovery, as people read it."""

from dataclasses import replace

import pytest
from rich.console import Console

from odevsr.discovery.result import Unfinished
from odevsr.evidence.law import FittedNumber
from odevsr.settings import Settings
from odevsr.showing.discovery import LONGEST_APPROXIMATION, discovery_page
from odevsr.vertical.equation import Status
from odevsr.vertical.judging.rivals import Alternative
from odevsr.world.experiments.oracle import Cost
from tests.laws import law
from tests.test_result import discovery, equation


def page(found):
    console = Console(width=1000, color_system=None)
    with console.capture() as captured:
        console.print(discovery_page(found))
    return [line.strip() for line in captured.get().splitlines()]


def noisy(**changes):
    constants = (FittedNumber(-9.997994897182133, 0.016), FittedNumber(10.00908, 0.012))
    found = equation(expression=law("-9.997994897182133*x + 10.00908*y"), constants=constants)
    return replace(found, **changes)


def test_a_law_has_as_many_digits_as_its_errors_justify_and_json_has_all():
    found = discovery(noisy())
    assert page(found)[0] == "dx/dt = -9.998*x + 10.009*y"
    assert str(found) == "dx/dt = -9.998*x + 10.009*y"
    assert found.to_json()["equations"][0]["expression"] == "-9.997994897182133*x + 10.00908*y"


def test_every_number_of_a_law_has_a_line_of_one_table_below_it():
    constants = (FittedNumber(2.0000001, 1e-6, 2), FittedNumber(0.30012345, 4e-5))
    found = equation(expression=law("2*sin(0.30012345*x)"), constants=constants)
    lines = [line.split() for line in page(discovery(found))]
    table = lines[lines.index(["number", "measured", "error"]) + 1 :][:2]
    assert table == [["2", "2.0000001", "1e-06", "exact"], ["0.300123", "0.300123", "4e-05"]]


def test_latex_says_a_number_with_its_error():
    assert noisy().latex().endswith(r"= - 9.998(16) x + 10.009(12) y")


def test_simpler_laws_have_few_digits_too():
    simpler = Alternative(law("9.2550312345*y"), 51.2)
    shown = page(discovery(noisy(alternatives=(simpler,))))
    assert "simpler, but 56.9 times as far off: 9.25503*y" in shown


def test_of_many_other_laws_the_first_are_shown_and_the_others_counted():
    others = tuple(Alternative(law(f"{k}*y"), 51.2) for k in range(2, 9))
    shown = page(discovery(noisy(alternatives=others)))
    assert sum("as far off" in line for line in shown) == 4
    assert "3 more such laws: --json has them" in shown


def test_a_long_approximation_is_shortened_but_never_a_law():
    long = law(" + ".join(f"1.5*x**{power}*y" for power in range(2, 50)))
    approximate = equation(expression=long, status=Status.APPROXIMATE)
    shown = page(discovery(approximate))[0]
    assert len(shown) < LONGEST_APPROXIMATION + 60
    assert shown.endswith("more terms); --json has all")
    assert page(discovery(equation(expression=long)))[0].endswith("1.5*x**49*y")


@pytest.mark.parametrize(("text", "shown"), [("1", "R2 -,"), ("x", "R2 -0.00016,")])
def test_the_r2_of_a_constant_is_not_told(text, shown):
    lines = page(discovery(equation("x", text, r2=-0.00016, nmse=1.00016)))
    assert any(line.startswith(shown) for line in lines)


def test_an_interruption_tells_what_was_spent_and_the_best_form():
    cut = Unfinished("y", Cost(2, 340, 1360), 3.4, 3090, "x", "C*x + C")
    found = discovery(equation(), interrupted=True, unfinished=(cut,), cost=Cost(5, 440, 1760))
    *_, line, totals = page(found)
    assert line == "y: interrupted after 3,090 candidates; over x, the best form so far is C*x + C"
    assert totals.endswith("interrupted; 1 identified; 440 states, 1,760 launches; "
                           "3.9 CPU s of search, 1.0 s")  # fmt: skip


def test_a_budget_that_was_spent_is_told():
    stopped = equation(status=Status.NOT_IDENTIFIED, note="stopped after 60 CPU seconds")
    assert "stopped after 60 CPU seconds" in page(discovery(stopped))


def test_laws_from_watched_trajectories_promise_nothing_beyond_them():
    watched = discovery(equation(), settings=Settings(sampling="crossings"))
    assert any("fresh crossings" in line for line in page(watched))
    assert not any("outside the ranges" in line for line in page(watched))


def test_an_equation_that_lived_on_the_launches_of_others_says_so():
    lines = page(discovery(equation(cost=Cost(experiments=4)), equation()))
    assert sum("no launches of its own" in line for line in lines) == 1
