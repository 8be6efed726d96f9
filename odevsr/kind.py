"""What a law is of, and thus what is measured: a derivative, a value, or the next state."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """The kinds of laws; each value is what is measured, in words."""

    ODE = "derivative"
    FUNCTION = "value"
    MAP = "next state"

    @property
    def moves(self) -> bool:
        """True if time runs between what is set and what is seen, so that differences are taken."""
        return self is Kind.ODE

    def left(self, name: str) -> str:
        """The left-hand side of a law.

        >>> [kind.left("x") for kind in Kind]
        ['dx/dt', 'x', 'x[k+1]']
        """
        return {Kind.ODE: f"d{name}/dt", Kind.FUNCTION: name, Kind.MAP: f"{name}[k+1]"}[self]

    def left_latex(self, name: str) -> str:
        """The same in LaTeX, of a name that is LaTeX already."""
        if self is Kind.ODE:
            return rf"\frac{{d {name}}}{{d t}}"
        return name if self is Kind.FUNCTION else rf"\left({name}\right)_{{k+1}}"
