"""Sine, cosine, exponential and logarithm over a block, without branches, so that they vectorise.

The compiler has no vector library to call, and the scalar functions of the C library would take most
of the time of a fit. Errors stay below 2 ulp, for sines and cosines up to |argument| = 1e5. The reductions and
polynomial coefficients are those published with the Cephes and fdlibm libraries.
"""

import math

import numba
import numpy as np

_jit = numba.njit(nogil=True, fastmath={"contract"}, error_model="numpy")

# pi/2 and ln 2 in parts whose leading ones multiply small whole numbers without rounding.
_PI_HALF_1, _PI_HALF_2, _PI_HALF_3 = (
    1.57079632673412561417e00,
    6.07710050630396597660e-11,
    2.02226624879595063154e-21,
)
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@_jit
def sine_and_cosine(argument, sine, cosine, size):
    """Fill `sine` and `cosine` for the first `size` entries of `argument`; aliasing is allowed."""
    for i in range(size):
        u = argument[i]
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
        sine[i] = upper * (odd * c + (1.0 - odd) * s)
        cosine[i] = upper * ((1.0 - odd) * c - odd * s)


@_jit
def exponential(value, bits, scale, size):
    """value <- exp(value); `bits` is the int64 view of the scratch block `scale`."""
    for i in range(size):
        u = min(max(value[i], -708.0), 710.0)
        k = np.rint(u * 1.4426950408889634)
        bits[i] = (np.int64(k) + 1023) << 52
        r = (u - k * _LN2_HIGH) - k * _LN2_LOW
        z = r * r
        p = r * (0.99999999999999999991 + z * (3.02994407707441961300e-2 + z * 1.26177193074810590878e-4))
        q = 2.0 + z * (
            2.27265548208155028766e-1 + z * (2.52448340349684104192e-3 + z * 3.00198505138664455042e-6)
        )
        e = 1.0 + 2.0 * (p / (q - p))
        value[i] = e if value[i] == value[i] else value[i]
    for i in range(size):
        value[i] *= scale[i]


@_jit
def logarithm(value, bits, scratch, size):
    """value <- log(value), nan below 0; `bits` is the int64 view of the scratch block `scratch`."""
    for i in range(size):
        scratch[i] = value[i]
    for i in range(size):
        exponent = ((bits[i] >> 52) & 2047) - 1022
        bits[i] = (bits[i] & 0x000FFFFFFFFFFFFF) | 0x3FE0000000000000
        m = scratch[i]
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
        u = value[i]
        result = k * _LN2_HIGH - ((half - (s * (half + t) + k * _LN2_LOW)) - f)
        result = -np.inf if u == 0.0 else result
        result = np.inf if u == np.inf else result
        value[i] = result if u >= 0.0 else np.nan
