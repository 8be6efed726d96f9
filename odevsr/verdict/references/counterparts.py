"""Which function of pysindy describes which of our systems, and where the two are known to differ.

pysindy's own default values are used, so that the values in our files are checked as well as the
forms; only what is named in `passed` is taken from our system instead.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """Our rate of change of one variable minus pysindy's, exactly, and where it comes from."""

    variable: str
    difference: str
    why: str


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A function of pysindy.utils.odes; `variables` are ours, in the order of its arguments."""

    system: str
    function: str
    variables: tuple[str, ...]
    passed: tuple[str, ...] = ()
    known: tuple[KnownDifference, ...] = ()


_X = ("x0", "x1", "x2", "x3", "x4", "x5")

_LORENZ_KNOWN = (KnownDifference("x2", "(2.66667 - 8/3)*x2", "pysindy rounds 8/3 to 2.66667"),)

_ROUNDED = "pysindy rounds 1/0.52**4 to 13.6769"
_UPTAKE_ROUNDED = "x0*x5/(1 + (x5/0.52)**4) - x0*x5/(1 + 13.6769*x5**4)"
_YEAST_KNOWN = (
    KnownDifference("x0", f"-100*({_UPTAKE_ROUNDED})", _ROUNDED),
    KnownDifference("x1", f"200*({_UPTAKE_ROUNDED})", _ROUNDED),
    KnownDifference("x1", "-12*x1*x4", "pysindy has +6*x1*x4 where the publication has -6*x1*x4"),
    KnownDifference("x2", "-12*x1*x4", "pysindy has +6*x1*x4 where the publication has -6*x1*x4"),
    KnownDifference("x5", f"-200*({_UPTAKE_ROUNDED})", _ROUNDED),
    KnownDifference(
        "x5",
        "-32*x2*x5 - 1.28*x5 + 32*x5 + 1.28*x2*x4",
        "pysindy has -32*x5 - 1.28*x2*x4 where the publication has -32*x2*x5 - 1.28*x5",
    ),
)

COUNTERPARTS = (
    Counterpart("lorenz", "lorenz", _X[:3], known=_LORENZ_KNOWN),
    Counterpart("mhd", "mhd", _X, passed=("nu", "mu", "sigma")),
    Counterpart("glycolysis", "yeast", (*_X[:4], "x6", "x5", "x4"), known=_YEAST_KNOWN),
    Counterpart("bacterial_competence", "bacterial", ("ComK", "ComS")),
    Counterpart("cubic_oscillator", "cubic_damped_SHO", ("x", "y")),
    Counterpart("double_pendulum", "double_pendulum", ("theta1", "theta2", "omega1", "omega2")),
    Counterpart("duffing", "duffing", ("x", "v")),
    Counterpart("hopf", "hopf", ("x", "y")),
    Counterpart("linear_oscillator", "linear_damped_SHO", ("x", "y")),
    Counterpart("lotka_volterra", "lotka", ("x", "y")),
    Counterpart("mean_field", "meanfield", ("x", "y", "z")),
    Counterpart("pendulum_on_cart", "pendulum_on_cart", ("theta", "x", "omega", "v")),
    Counterpart("roessler", "rossler", _X[:3]),
    Counterpart("van_der_pol", "van_der_pol", ("x", "y")),
)
"""The paper's three systems first, the others by name."""
