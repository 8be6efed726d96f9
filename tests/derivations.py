"""Sequences drawn from a grammar, and the slow way from a sequence to its tree."""

import numpy as np

from odevsr.language.drawing.derivation import Derivation
from odevsr.language.drawing.forest import PADDING
from odevsr.language.expression import HOLE, Hole, count, rebuild


def sampled(grammar, number, rng, leaf=0.5):
    """Sequences (number, longest); a leaf is drawn with probability `leaf` where both are legal."""
    derivation = Derivation(grammar, number)
    sequences = np.full((number, grammar.longest), PADDING)
    is_leaf = grammar.arities == 0
    weights = np.where(is_leaf, leaf / is_leaf.sum(), (1 - leaf) / max((~is_leaf).sum(), 1))
    while derivation.active.any():
        chances = np.cumsum(derivation.legal() * weights, axis=1)
        assert np.all(chances[:, -1] > 0), "every hole has a legal rule"
        rules = np.sum(rng.random((number, 1)) * chances[:, -1:] >= chances, axis=1)
        active = derivation.active
        sequences[active, derivation.applied] = rules[active]
        derivation.apply(rules)
    return sequences


def derived_trees(grammar, sequences):
    """Trees by applying one rule at a time to the leftmost hole."""
    return [derived_tree(grammar, [rule for rule in row if rule != PADDING]) for row in sequences]


def derived_tree(grammar, rules):
    tree = grammar.start
    for rule in rules:
        others = count(tree, Hole) - 1
        fillings = [grammar.rules[rule].template, *[HOLE] * others]
        tree = rebuild(tree, iter(fillings), Hole)
    return tree


def as_sequences(rows):
    """Lists of rule numbers as one padded batch."""
    batch = np.full((len(rows), max(map(len, rows), default=0)), PADDING)
    for index, row in enumerate(rows):
        batch[index, : len(row)] = row
    return batch
