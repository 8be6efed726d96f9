"""Sine, cosine, exponential and logarithm over a block, without branches, so that they vectorise.

The compiler has no vector library to call, and the scalar functions of the C library would take
most of the time of a fit. Errors stay below 2 ulp, for sines and cosines up to |argument| = 1e5.
The reductions and polynomial coefficients are those published with the Cephes and fdlibm libraries.
"""

import math

import numpy as np
from numba import int64, void

from odevsr.fitting.compiled import CUBE, WHOLE_CUBE, Cube, Whole, inner

# pi/2 and ln 2 in parts whose leading ones multiply small whole numbers without rounding.
_PI_HALF_1, _PI_HALF_2, _PI_HALF_3 = (
    1.57079632673412561417e00,
    6.07710050630396597660e-11,
    2.02226624879595063154e-21,
)
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@inner(void(CUBE, int64, int64, int64, int64), exact=True)
def sine_and_cosine(stack: Cube, source: int, sine: int, cosine: int, size: int) -> None:
    """Sine and cosine of slot `source` into two other slots."""
    for i in range(size):
        u = stack[source, 0, i]
        k = np.rint(u * (2.0 / math.pi))
        r = ((u - k * _PI_HALF_1) - k * _PI_HALF_2) - k * _PI_HALF_3
        z = r * r
        s = 1.58962301576546568060e-10
        s = s * z - 2.50507477628578072866e-8
        s = s * z + 2.75573136213857245213e-6
        s = s * z - 1.98412698295895385996e-4
        s = s * z + 8.33333333332211858878e-3
        s = s * z - 1.66666666666666307295e-1
        s = r + r * z * s
        c = -1.13585365213876817300e-11
        c = c * z + 2.08757008419747316778e-9
        c = c * z - 2.75573141792967388112e-7
        c = c * z + 2.48015872888517045348e-5
        c = c * z - 1.38888888888730564116e-3
        c = c * z + 4.16666666666665929218e-2
        c = 1.0 - 0.5 * z + z * z * c
        quadrant = k - 4.0 * math.floor(k * 0.25)
        odd = quadrant - 2.0 * math.floor(quadrant * 0.5)
        upper = 1.0 - 2.0 * math.floor(quadrant * 0.5)
        stack[sine, 0, i] = upper * (odd * c + (1.0 - odd) * s)
        stack[cosine, 0, i] = upper * ((1.0 - odd) * c - odd * s)


@inner(void(CUBE, WHOLE_CUBE, int64, int64, int64), exact=True)
def exponential(stack: Cube, bits: Whole, slot: int, scratch: int, size: int) -> None:
    """Slot <- exp(slot); `bits` are the stack's, as whole numbers."""
    for i in range(size):
        v = stack[slot, 0, i]
        u = min(max(v, -708.0), 710.0)
        k = np.rint(u * 1.4426950408889634)
        bits[scratch, 0, i] = (np.int64(k) + 1023) << 52
        r = (u - k * _LN2_HIGH) - k * _LN2_LOW
        z = r * r
        p = 3.02994407707441961300e-2 + z * 1.26177193074810590878e-4
        p = r * (0.99999999999999999991 + z * p)
        q = 2.52448340349684104192e-3 + z * 3.00198505138664455042e-6
        q = 2.0 + z * (2.27265548208155028766e-1 + z * q)
        e = 1.0 + 2.0 * (p / (q - p))
        stack[slot, 0, i] = e if v == v else v
    for i in range(size):
        stack[slot, 0, i] *= stack[scratch, 0, i]


@inner(void(CUBE, WHOLE_CUBE, int64, int64, int64), exact=True)
def logarithm(stack: Cube, bits: Whole, slot: int, scratch: int, size: int) -> None:
    """Slot <- log(slot), nan below 0; `bits` are the stack's, as whole numbers."""
    for i in range(size):
        stack[scratch, 0, i] = stack[slot, 0, i]
    for i in range(size):
        word = bits[scratch, 0, i]
        exponent = ((word >> 52) & 2047) - 1022
        bits[scratch, 0, i] = (word & 0x000FFFFFFFFFFFFF) | 0x3FE0000000000000
        m = stack[scratch, 0, i]
        small = 1.0 if m < 0.70710678118654752440 else 0.0
        k = exponent - small
        f = m + small * m - 1.0
        s = f / (2.0 + f)
        z = s * s
        t = 1.479819860511658591e-01
        t = t * z + 1.531383769920937332e-01
        t = t * z + 1.818357216161805012e-01
        t = t * z + 2.222219843214978396e-01
        t = t * z + 2.857142874366239149e-01
        t = t * z + 3.999999999940941908e-01
        t = t * z + 6.666666666666735130e-01
        t = t * z
        half = 0.5 * f * f
        u = stack[slot, 0, i]
        result = k * _LN2_HIGH - ((half - (s * (half + t) + k * _LN2_LOW)) - f)
        result = -np.inf if u == 0.0 else result
        result = np.inf if u == np.inf else result
        stack[slot, 0, i] = result if u >= 0.0 else np.nan
