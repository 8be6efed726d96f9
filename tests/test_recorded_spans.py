"""Laws of clean runs around one function, of which many terms come near the truth."""

from itertools import chain

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.language.expression import Constant, count
from odevsr.language.parse import parse
from odevsr.recorded.motions.systems import FittedLaw, closed
from odevsr.recorded.proposing.libraries import libraries, wide_libraries
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.proposing.spans import spanned
from odevsr.recorded.smoothing import smooth_paths
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.box import plain_box
from odevsr.world.recordings.given import recording


def paths_of(rate, start, duration):
    times = np.linspace(0, duration, 400)
    solved = solve_ivp(rate, (0, duration), start, t_eval=times, rtol=1e-11, atol=1e-13)
    return smooth_paths(recording(times, solved.y.T))


def has_law(found, truth, names, box):
    laws = (closed(FittedLaw(each.law, each.theta)) for each in found)
    return any(is_equivalent(law, parse(truth, names), names, plain_box(box), 1e-4) for law in laws)


def test_a_law_is_found_though_terms_to_spare_make_up_for_wrong_constants():
    paths = paths_of(lambda _t, x: [3.1 - 1.4 * x - 0.02 * (np.exp(3.9 * x) - 1)], [0.05], 2.5)
    open_ones = [each for each in libraries(paths) if each.atom is not None]
    found = [
        each for each in spanned(Rows(paths, 0, integral=False), open_ones) if each.constants == 4
    ]
    assert has_law(found, "3.12 - 1.4*x0 - 0.02*exp(3.9*x0)", ["x0"], [[0, 1.1]])


@pytest.mark.parametrize(
    ("truth", "rate"),
    [
        ("-0.1*x0*sqrt(x0^2 + x1^2)", lambda x, y: -0.1 * x * np.hypot(x, y)),
        ("0.4*x0 - 0.3*x0^2/x1", lambda x, y: 0.4 * x - 0.3 * x**2 / y),
        ("2 - x0*abs(x0 - x1)", lambda x, y: 2 - x * np.abs(x - y)),
        ("x1^2*sin(x0)*cos(x0) - 2*sin(x0)", lambda x, y: (y**2 * np.cos(x) - 2) * np.sin(x)),
    ],
)
def test_functions_of_two_variables_are_found_in_wide_libraries(truth, rate):
    paths = paths_of(lambda t, x: [rate(*x), np.sin(t + 1) * x[1]], [3.0, 1.5], 9.0)
    found = spanned(Rows(paths, 0, integral=False), list(wide_libraries(paths)))
    assert has_law(found, truth, ["x0", "x1"], [[1, 3], [1, 4]])


def test_every_candidate_has_as_many_values_as_its_law_has_constants():
    paths = paths_of(lambda _t, x: [1 - 0.3 * x * np.exp(-0.5 * x)], [0.2], 3.0)
    own = [each for each in libraries(paths) if each.atom is not None]
    rows = Rows(paths, 0, integral=False)
    for each in chain(spanned(rows, own), spanned(rows, list(wide_libraries(paths)))):
        assert len(each.theta) == count(each.law, Constant)
