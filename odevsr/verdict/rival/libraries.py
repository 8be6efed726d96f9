"""The libraries SINDy is given: pysindy's own features, as expressions of our language."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from odevsr.language.algebra.monomials import monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import (
    ONE,
    TRIGONOMETRIC,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    walk,
)
from odevsr.language.parse import parse

DEGREES = (2, 3, 4, 5)
MOST_FEATURES = 350
"""Larger libraries take minutes and, at a thousand states, fit anything."""
DENOMINATOR_POWERS = 4


@dataclass(frozen=True)
class Library:
    """Features of the law; with `denominator` features f*Q = P, of its quotient (SINDy-PI).

    One of `denominator` is 1; in an explicit library nothing else is.
    """

    label: str
    features: tuple[Expression, ...]
    denominator: tuple[Expression, ...] = (ONE,)

    @property
    def is_implicit(self) -> bool:
        """True for SINDy-PI."""
        return len(self.denominator) > 1

    @property
    def size(self) -> int:
        """Number of unknown coefficients."""
        return len(self.features) + len(self.denominator) - 1


@contextmanager
def quiet_pysindy() -> Iterator[ModuleType]:
    """The pysindy module, with what it and scikit-learn warn of silenced, on one thread.

    scikit-learn does not look at its own options again at each of thousands of regressions.
    """
    with warnings.catch_warnings():
        for module in ("pysindy", "sklearn", "scipy", "pkg_resources"):
            warnings.filterwarnings("ignore", module=module)
        import pysindy
        from sklearn import config_context
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        with threadpool_limits(1), config_context(skip_parameter_validation=True):
            yield pysindy


def polynomial_libraries(names: Sequence[str]) -> list[Library]:
    """Polynomials of degree 2 to 5, as far as they are not too many."""
    made = (Library(f"degree {d}", tuple(monomials(names, d))) for d in DEGREES)
    return [each for each in made if each.size <= MOST_FEATURES]


def trigonometric_libraries(names: Sequence[str]) -> list[Library]:
    """Monomials times sines and cosines, and products of two of these."""
    with quiet_pysindy() as pysindy:
        waves = _features(pysindy.FourierLibrary(n_frequencies=1), names)
    first = (*monomials(names, 2), *_products(monomials(names, 2), waves))
    second = (*monomials(names, 1), *_products((ONE, *waves), (ONE, *waves)))
    made = [
        Library("degree 2 with sin, cos", _distinct(first)),
        Library("products of sin, cos", _distinct(second)),
    ]
    return [each for each in made if each.size <= MOST_FEATURES]


def implicit_libraries(names: Sequence[str]) -> list[Library]:
    """SINDy-PI: denominators of degree 2 in all variables, and of degree 4 in each one of them.

    Numerators hold what the denominator times a law of degree 2 (in all variables: 1) does.
    """
    whole = Library("implicit, degree 2", tuple(monomials(names, 3)), tuple(monomials(names, 2)))
    made = [whole]
    for name in names:
        powers = tuple(
            normal_form(Apply(Op.POW, (Variable(name), Number(power))))
            for power in range(DENOMINATOR_POWERS + 1)
        )
        numerators = _distinct(_products(monomials(names, 2), powers))
        made.append(Library(f"implicit, powers of {name}", numerators, powers))
    return [each for each in made if each.size <= MOST_FEATURES]


def libraries_for(names: Sequence[str], laws: Iterable[Expression]) -> list[Library]:
    """Explicit libraries for a target, with sines and cosines if the laws known of it have them."""
    operators = {node.op for law in laws for node in walk(law) if isinstance(node, Apply)}
    made = polynomial_libraries(names)
    return [*made, *trigonometric_libraries(names)] if operators & TRIGONOMETRIC else made


def foreign_functions(laws: Iterable[Expression]) -> tuple[str, ...]:
    """Functions in the laws that none of the libraries has, by name."""
    operators = {node.op for law in laws for node in walk(law) if isinstance(node, Apply)}
    return tuple(
        sorted(op.value for op in operators if op.is_function and op not in (Op.SIN, Op.COS))
    )


def _features(library: Any, names: Sequence[str]) -> tuple[Expression, ...]:  # noqa: ANN401
    """The features of a library of pysindy, which writes x0^2 x1 and sin(1 x0)."""
    library.fit(np.zeros((2, len(names))))
    texts = [text.replace(" ", "*") for text in library.get_feature_names(list(names))]
    return tuple(normal_form(parse(text, names)) for text in texts)


def _products(first: Sequence[Expression], second: Sequence[Expression]) -> list[Expression]:
    return [normal_form(Apply(Op.MUL, (one, other))) for one in first for other in second]


def _distinct(features: Iterable[Expression]) -> tuple[Expression, ...]:
    return tuple(dict.fromkeys(features))
