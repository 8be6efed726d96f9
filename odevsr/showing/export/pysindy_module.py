"""A Python module for pysindy: a SINDy model with the terms of the laws, to print and simulate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from odevsr.errors import UsageError
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import split_coefficient, terms
from odevsr.language.expression import Expression, Number, variables
from odevsr.language.text import to_text
from odevsr.showing.export.code import code
from odevsr.showing.export.laws import ExportedLaw, Laws, laws_in
from odevsr.showing.export.names import comment_text
from odevsr.showing.export.numpy_module import NUMPY
from odevsr.vertical.equation import Equation
from odevsr.world.systems.checks import TIME

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

PYSINDY = replace(
    NUMPY, reserved=NUMPY.reserved | {"ps", "model", "library", "some", "text", "names"}
)
Sum = Mapping[Expression, Expression]
"""The terms of a law, and the numbers that they are multiplied by."""


def pysindy_text(found: Discovery) -> str:
    """The text of a module with `model`, which predicts and simulates as the laws do."""
    if TIME in found.names:
        raise UsageError("the laws depend on time, and terms of pysindy do not; choose numpy")
    laws = laws_in(found, PYSINDY)
    names = {each.variable: each.name for each in laws.laws} | dict(laws.inputs)
    sums = [_sum(each) for each in found.equations]
    features = list(dict.fromkeys(feature for each in sums for feature in each))
    pairs = zip(sums, map(_remark, found.equations, laws.laws), strict=True)
    lines = [
        "import numpy as np",
        "import pysindy as ps",
        "",
        "TERMS = [",
        *(f"    {_function(each, names)}," for each in features),
        "]",
        f"TEXTS = {[to_text(each) for each in features]!r}",
        "COEFFICIENTS = [  # a row an equation, a column a term",
        *(f"    [{_row(each, features)}],  # {remark}" for each, remark in pairs),
        "]",
        "",
        *_model_lines(found, names, laws),
    ]
    return laws.under_header(lines)


def _sum(equation: Equation) -> Sum:
    """A law as the sum of terms that SINDy would look for."""
    parts = (split_coefficient(term) for term in terms(normal_form(equation.expression)))
    return {feature: Number(value) for value, feature in parts}  # type: ignore[arg-type]


def _remark(equation: Equation, law: ExportedLaw) -> str:
    """The law as it was found, and whether it is one."""
    return comment_text(to_text(equation.expression)) + law.remark.replace("  #", ",")


def _function(feature: Expression, names: Mapping[str, str]) -> str:
    """A term as a function of all variables; a constant one has their shape."""
    text = code(feature, PYSINDY, names)
    first = next(iter(names.values()))
    shape = "" if variables(feature) else f" + 0.0*{first}"
    return f"lambda {', '.join(names.values())}: {text}{shape}"


def _row(law: Sum, features: Sequence[Expression]) -> str:
    return ", ".join(code(law.get(each, Number(0)), PYSINDY, {}) for each in features)


def _model_lines(found: Discovery, names: Mapping[str, str], laws: Laws) -> list[str]:
    """The model, which must be fitted to something before it can be given coefficients."""
    ranges = dict(zip(found.names, found.ranges, strict=True))
    low, high = zip(*(ranges[name] for name in names), strict=True)
    count = len(laws.laws)
    inputs = f", u=some[:, {count}:]" if laws.inputs else ""
    return [
        "library = ps.CustomLibrary(",
        "    library_functions=TERMS,",
        "    function_names=[lambda *names, text=text: text for text in TEXTS],",
        "    interaction_only=True,",
        ")",
        "model = ps.SINDy(feature_library=library, optimizer=ps.STLSQ(threshold=0.0))",
        f"some = np.random.default_rng(0).uniform({list(low)!r}, {list(high)!r}, "
        f"(50, {len(names)}))",
        f"model.fit(some[:, :{count}], t=1.0, x_dot=some[:, :{count}]{inputs}, "
        f"feature_names={list(names)!r})",
        "model.optimizer.coef_ = np.array(COEFFICIENTS)",
    ]
