"""Expressions drawn by the paper's rules."""

import pytest

from odevsr.bench.paper.expressions import OPERATORS, Group, drawn
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.language.expression import variables


@pytest.mark.parametrize("operators", OPERATORS)
@pytest.mark.parametrize("shape", [(2, 1, 1), (4, 4, 6), (10, 10, 20)])
def test_an_expression_has_the_terms_of_its_group(shape, operators):
    system = drawn(Group(*shape, operators), 3)
    law = normal_form(system.closed_equations()[0])
    counts = [len(variables(term)) for term in terms(law)]
    assert [counts.count(number) for number in (1, 2)] == list(shape[1:])
    assert counts.count(0) == 1
    assert len(system.names) == shape[0]
    assert system.box.is_log.all()


def test_of_many_variables_few_matter_and_a_number_always_gives_the_same():
    group = Group(5, 5, 5, total=50)
    system = drawn(group, 1)
    assert len(system.names) == 50
    assert len(variables(system.closed_equations()[0])) == 5
    assert system == drawn(group, 1)
    assert system != drawn(group, 2)
