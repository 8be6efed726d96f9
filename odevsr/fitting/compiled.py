"""How our kernels are compiled: ahead of use for one signature each, cached on disk or inlined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import float64, int64

from odevsr.arrays import FloatArray, IntArray

Vector = FloatArray
Matrix = FloatArray
Cube = FloatArray
Whole = IntArray

VECTOR, MATRIX, CUBE = float64[::1], float64[:, ::1], float64[:, :, ::1]
WHOLES, WHOLE_MATRIX, WHOLE_CUBE = int64[::1], int64[:, ::1], int64[:, :, ::1]
WHOLE_CUBES = int64[:, :, :, ::1]

# Sums may be reordered; nan and inf keep their meaning, for failures are told by them.
_RELAXED = {"reassoc", "contract", "nsz"}
_EXACT = {"contract"}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(signature: object, *, called: bool = True) -> Callable[[_Function], _Function]:
    """Compile a function that Python calls, or else only passes on as a value; cached on disk.

    The copy on disk is renewed when the kernel's own file changes, not when only a part's does.
    """
    return _decorator(
        signature, {"cache": True, "fastmath": _RELAXED, "no_cpython_wrapper": not called}
    )


def inner(signature: object, *, exact: bool = False) -> Callable[[_Function], _Function]:
    """Compile a part of kernels. It has no wrapper for Python, which saves a third of the time.

    The signature tells readers what it is called with. With `exact`, sums are computed in the order
    written.
    """
    fastmath = _EXACT if exact else _RELAXED
    # Given its signature, numba would compile it whenever it is imported: only kernels are cached.
    del signature
    return _decorator(
        None, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "fastmath": fastmath}
    )


def whole(value: int) -> int:
    """A constant that numba takes for any whole number: what is called with it compiles once."""
    constant: Any = np.int64(value)
    result: int = constant
    return result


def _decorator(signature: object, options: dict[str, Any]) -> Callable[[_Function], _Function]:
    signatures = () if signature is None else (signature,)
    decorator: Any = numba.njit(*signatures, nogil=True, error_model="numpy", **options)

    def decorated(function: _Function) -> _Function:
        compiled: _Function = decorator(function)
        return compiled

    return decorated
