"""Pure evaluation, without any fit: our machine beside pyoperon's, in nodes times points a second.

pyoperon computes in single precision, our machine in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from types import ModuleType
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import MissingExtraError
from odevsr.extras import optional_module
from odevsr.fitting.descent import workspace
from odevsr.fitting.machine import run
from odevsr.fitting.program import compile_program
from odevsr.language.expression import Apply, Expression, Number, Op, Variable, complexity

_NODE_TYPES = {
    Op.ADD: "Add",
    Op.MUL: "Mul",
    Op.POW: "Pow",
    Op.SIN: "Sin",
    Op.COS: "Cos",
    Op.EXP: "Exp",
    Op.LOG: "Log",
    Op.SQRT: "Sqrt",
}


def machine_speed(
    forms: Sequence[Expression], names: Sequence[str], points: FloatArray, seconds: float
) -> float:
    """Nodes times points per CPU second of our machine, called program by program."""
    programs = [compile_program(form, names) for form in forms]
    works = [workspace(len(points), program.columns, 0) for program in programs]
    columns = np.ascontiguousarray(points.T)
    theta = np.empty(0)

    def evaluate() -> None:
        for program, work in zip(programs, works, strict=True):
            run(
                program.code,
                program.literals,
                theta,
                columns,
                work.stack,
                work.bits,
                work.owns,
                work.columns,
                work.tangents,
                0,
            )

    return _speed(evaluate, forms, len(points), seconds)


def operon_speed(
    forms: Sequence[Expression], names: Sequence[str], points: FloatArray, seconds: float
) -> float | None:
    """The same of pyoperon's evaluator on one thread; None where it is not installed."""
    try:
        operon = optional_module("pyoperon", extra="bench")
    except MissingExtraError:
        return None
    dataset = operon.Dataset(np.asfortranarray(points.astype(np.float32)))
    by_column = sorted(dataset.Variables, key=lambda variable: variable.Index)
    hashes = {name: column.Hash for name, column in zip(names, by_column, strict=True)}
    trees = [operon.Tree(operon_nodes(form, operon, hashes)).UpdateNodes() for form in forms]
    rows = operon.Range(0, len(points))
    results = np.zeros(len(trees) * len(points), dtype=np.float32)
    return _speed(
        lambda: operon.EvaluateTrees(trees, dataset, rows, results, 1), forms, len(points), seconds
    )


def _speed(
    evaluate: Callable[[], object], forms: Sequence[Expression], points: int, seconds: float
) -> float:
    evaluate()
    rounds, start = 0, process_time()
    while process_time() - start < seconds:
        evaluate()
        rounds += 1
    nodes = sum(complexity(form) for form in forms)
    return rounds * nodes * points / (process_time() - start)


def operon_nodes(form: Expression, operon: ModuleType, hashes: dict[str, int]) -> list[Any]:
    """The form in postfix; the last operand comes first."""
    match form:
        case Number(value):
            return [_constant(float(value), operon)]
        case Variable(name):
            variable = operon.Node(operon.NodeType.Variable, hashes[name])
            variable.Value = 1.0
            return [variable]
        case Apply(Op.POW, (base, Number(-1))):
            quotient = operon.Node(operon.NodeType.Div)
            return [*operon_nodes(base, operon, hashes), _constant(1.0, operon), quotient]
        case Apply(Op.POW, (base, Number(2))):
            return [*operon_nodes(base, operon, hashes), operon.Node(operon.NodeType.Square)]
        case Apply(op, (first, *others)):
            kind = getattr(operon.NodeType, _NODE_TYPES[op])
            nodes = operon_nodes(first, operon, hashes)
            for other in others:
                nodes = [*operon_nodes(other, operon, hashes), *nodes, operon.Node(kind)]
            return nodes if others else [*nodes, operon.Node(kind)]
    raise AssertionError(form)


def _constant(value: float, operon: ModuleType) -> object:
    node = operon.Node(operon.NodeType.Constant)
    node.Value = value
    return node
