"""A function of C99, which C++ takes as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odevsr.language.expression import FUNCTIONS, Op
from odevsr.showing.export.code import Language
from odevsr.showing.export.laws import laws_in

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while alignas alignof bool constexpr false nullptr static_assert
    thread_local true typeof typeof_unqual and and_eq asm bitand bitor catch char16_t char32_t
    char8_t class compl concept const_cast consteval constinit co_await co_return co_yield decltype
    delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq operator or
    or_eq private protected public reinterpret_cast requires static_cast template this throw try
    typeid typename using virtual wchar_t xor xor_eq
"""
_MACROS = """
    HUGE HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO
    FP_ILOGB0 FP_ILOGBNAN FP_FAST_FMA FP_FAST_FMAF FP_FAST_FMAL MATH_ERRNO MATH_ERREXCEPT
    math_errhandling MAXFLOAT DOMAIN SING OVERFLOW UNDERFLOW TLOSS PLOSS X_TLOSS M_E M_LOG2E
    M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
    SNAN SNANF SNANL linux unix i386 NULL EOF
"""
C = Language(
    comment="//",
    reserved=frozenset(
        [
            *_KEYWORDS.split(),
            *_MACROS.split(),
            *FUNCTIONS,
            "fabs",
            "pow",
            "t",
            "x",
            "u",
            "dx",
            "rates",
        ]
    ),
    power="pow({0}, {1})",
    functions={Op.ABS: "fabs"},
)


def c_text(found: Discovery) -> str:
    """The text of `void rates(double t, const double *x, const double *u, double *dx)`."""
    laws = laws_in(found, C)
    lines = [
        "void rates(double t, const double *x, const double *u, double *dx)",
        "{",
        *(f"    const double {name} = x[{place}];" for place, name in laws.used_states()),
        *(f"    const double {name} = u[{place}];" for place, name in laws.used_inputs()),
        "    (void)t, (void)x, (void)u;",
        *(f"    dx[{place}] = {law.rate};{law.remark}" for place, law in enumerate(laws.laws)),
        "}",
    ]
    return laws.under_header(["#include <math.h>", "", *lines])
