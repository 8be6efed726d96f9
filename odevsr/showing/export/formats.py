"""The formats that laws are exported in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from odevsr.discovery.files import json_text
from odevsr.errors import RunError, UsageError, nearest
from odevsr.showing.export.c_function import c_text
from odevsr.showing.export.jax_module import jax_text
from odevsr.showing.export.julia_function import julia_text
from odevsr.showing.export.laws import header
from odevsr.showing.export.matlab_function import matlab_text
from odevsr.showing.export.modelica_model import modelica_text
from odevsr.showing.export.numpy_module import numpy_text
from odevsr.showing.export.pysindy_module import pysindy_text
from odevsr.showing.export.sbml_model import sbml_text
from odevsr.showing.export.sympy_module import sympy_text

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery


def _latex_text(found: Discovery) -> str:
    return f"{header(found, '%')}{found.latex()}\n"


def _json_text(found: Discovery) -> str:
    return json_text(found.to_json())


FORMATS: Mapping[str, Callable[[Discovery], str]] = {
    "latex": _latex_text,
    "sympy": sympy_text,
    "numpy": numpy_text,
    "c": c_text,
    "julia": julia_text,
    "modelica": modelica_text,
    "matlab": matlab_text,
    "sbml": sbml_text,
    "jax": jax_text,
    "pysindy": pysindy_text,
    "json": _json_text,
}

OF_MOTION = ("c", "julia", "modelica", "matlab", "sbml", "jax", "pysindy")
"""Formats whose tools solve differential equations."""


def exported(found: Discovery, form: str) -> str:
    """The laws as the text of a format."""
    if form not in FORMATS:
        raise UsageError(f"laws are not exported to {form!r}; {nearest(form, FORMATS)}")
    if not found.equations:
        raise RunError(f"no law of {found.target} has been found yet; let the search go on first")
    if not found.kind.moves and form in OF_MOTION:
        others = ", ".join(each for each in FORMATS if each not in OF_MOTION)
        raise UsageError(f"{form} is for laws of motion, and these are none; choose {others}")
    return FORMATS[form](found)
