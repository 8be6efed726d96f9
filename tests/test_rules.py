"""Rules with constants of their own: they keep to the operators, and compose."""

import numpy as np
import pytest
from derivations import as_sequences
from laws import form

from odevsr.language.algebra.normal import normal_form
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.expression import Apply, Op, walk
from odevsr.language.text import to_text
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.rules import composing_grammar
from odevsr.settings import DEFAULT_OPERATORS

ALLOWED = {
    Op.SQRT: {"^"}, Op.POW: {"^", "/"}, Op.SIN: {"sin", "cos"}, Op.EXP: {"exp"}, Op.TANH: {"exp"},
    Op.LOG: {"log"}, Op.COS: set(), Op.TAN: {"tan"},
}  # fmt: skip


def grammar_of(*operators):
    return composing_grammar("x", operators or DEFAULT_OPERATORS, (), 20)


def derived(grammar, *templates):
    numbers = [[to_text(rule.template) for rule in grammar.rules].index(each) for each in templates]
    return Forest(grammar).plant(as_sequences([numbers]))[0]


@pytest.mark.parametrize("missing", DEFAULT_OPERATORS)
def test_a_rule_uses_only_what_the_operators_allow(missing):
    operators = [name for name in DEFAULT_OPERATORS if name != missing]
    sequences = PriorPolicy(grammar_of(*operators), np.random.default_rng(0)).sample(300)
    used = {
        node.op
        for tree in Forest(grammar_of(*operators)).plant(sequences)
        for node in walk(tree)
        if isinstance(node, Apply)
    }
    assert used
    assert all(ALLOWED[op] & set(operators) for op in used if op in ALLOWED)


def test_a_function_inside_a_function_takes_three_rules():
    found = derived(grammar_of(), "exp(C*A)", "sin(C*A + C)", "x")
    assert found == normal_form(form("C*exp(C*sin(C*x + C)) + C*x + C"))


def test_functions_come_with_constants_only_and_each_rule_comes_once():
    rules = [to_text(rule.template) for rule in grammar_of().rules]
    assert not {"exp(A)", "sin(A)", "cos(A)", "log(A)"} & set(rules)
    assert len(rules) == len(set(rules))


def test_a_function_without_richer_rules_keeps_its_own():
    assert "tan(A)" in [to_text(rule.template) for rule in grammar_of("+", "*", "tan").rules]


def test_functions_alone_are_enough():
    assert [to_text(rule.template) for rule in grammar_of("log").rules] == ["log(A + C)", "C", "x"]


def test_without_sums_or_products_the_start_is_a_bare_hole():
    assert to_text(grammar_of("+", "sin").start) == "A"
    assert to_text(grammar_of("+", "*").start) == "C*A + C*x + C"


def test_templates_stand_between_operators_and_leaves():
    grammar = make_grammar(["x"], operators=["+"], templates=[form("A + C", ["x"])])
    assert [to_text(rule.template) for rule in grammar.rules] == ["A + A", "A + C", "C", "x"]
