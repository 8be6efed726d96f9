"""Candidates by regression: what they are made of."""

from noisy_runs import NAMES, lorenz_paths

from odevsr.language.expression import ONE
from odevsr.language.parse import parse
from odevsr.recorded.proposing.atoms import Atom
from odevsr.recorded.proposing.candidates import candidates
from odevsr.recorded.proposing.libraries import Library, polynomial
from odevsr.recorded.proposing.rows import Rows


def test_a_function_that_is_no_number_along_the_path_is_in_no_candidate():
    atom = Atom(parse("exp(C*x2)", NAMES, open_symbols=True), [(1e3,)])
    library = Library("open", NAMES, polynomial(NAMES, 1, 40), (ONE,), atom)
    rows = Rows(lorenz_paths(), 0, integral=True)
    assert list(candidates(rows, library)) == []
