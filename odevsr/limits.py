"""The numbers that judge: what counts as agreement, as nought, as the same, as found.

`odevsr bench limits` doubles and halves each of them and shows what is lost or falsely identified.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Every limit that decides what a search believes."""

    estimated: float = 3.0
    """Deviation up to which a law explains data whose errors are estimates, which may be too small;
    true laws stay below 1.2, false forms are mostly above 10."""
    chance: float = 4.0
    """Standard errors by which chance may raise a deviation, under noise above 1, and above that of
    another law; with half of them, laws of `bench limits` take a tenth more states."""
    significant: float = 4.0
    """Errors from nought up to which a number may as well be nought; with half of them one of these
    laws is lost."""
    sure: float = 5.0
    """The same where many are tried, of which one would reach four errors now and then: terms, and
    constants that may differ between trials. With half of them laws take a fifth more states, with
    twice as many one loses its status."""
    noticeable: float = 6.0
    """Errors by which a quantity must change for a variable to matter: few points are looked at,
    and a variable lost here is lost for good. With twice as many laws take six per cent more
    states."""
    beyond: float = 0.1
    """Share of a range that is looked at beyond either end of it; with half of it an end stop a
    twentieth beyond is not met."""
    many: int = 6
    """Functions of one variable, and odd numbers, with which a law can follow nearly anything; with
    half as many a true law loses its status, and searches take half as long again."""
    lacking: float = 2e-4
    """Share of a derivative from which on a term that a law lacks must have shown in the errors:
    what is affordable where states scatter by 1e-4 of themselves, and where by 1e-3 is not."""

    @property
    def few(self) -> int:
        """Half as many as `many`: what follows anything within noise, or begins a series."""
        return self.many // 2


DEFAULT_LIMITS = Limits()

# Numbers that are computed from measurements: what holds of them wherever that is done. They are no
# fields of `Limits`, for no run may have others: they say how well floating point and differences
# tell numbers apart, not what counts as agreement.

SAME = 1e-6
"""Share of their size by which they may differ and be the same: values, exponents, singular values,
laws where they meet. Differences of fourth order leave as much of a slope. Errors of this share of
the values hide nothing."""
FINEST = 1e-9
"""Share of what they are a part of below which they are nothing: what rounding, 1e-16, becomes
where sums of some columns cancel to a millionth of them."""
VAGUE = 1e-3
"""Share of their size by which they may be off and tell anything; so near to a simple number, an
exponent is that number: between those with denominators up to six there is thirty times as much."""
LIKELY = 3.0
"""Errors within which the true number lies, of Gaussian errors but for one in 370; and so many
times as many are allowed where few states tell."""
SURELY = 10.0
"""Errors beyond which it does not, though errors are estimates: as many as `LIKELY`, if these are
too small by as much as `Limits.estimated` allows, and one more."""
HOPELESS = 1e3
"""Errors by which nothing is off that the right numbers in it could make right: by so many, a
single state refutes a law; in a narrow pulse it is 1e9 of them. And so many times the error it had
alone a number may have beside others that can stand for it: of 210 true laws 207 stay below 600,
imitations reach 3e4 to 1e11."""

# How many tell anything. What they are worth was measured on six systems and five simulators of
# `odevsr bench limits`.

FEWEST = 8
"""Values, at least, by which it is told whether something holds: of what is as often so as not,
eight are so by chance once in 256 times. With four, one law more ends as an approximation."""
SPARE = 3
"""Settings of what is held, and measurements in excess of what is unknown: of two that differ,
nobody knows which is the odd one. Where more depends on it, twice as many. With two and with six
the same laws are found, in 7 % fewer and 20 % more states."""

# What is worth the trouble, wherever there is more of it than anybody can look into.

BEST = 4
"""Of what is ranked, so many of the best are followed: forms, beginnings, outer functions. With two
no law is lost, with eight a kinked one more is identified."""
READABLE = 12
"""Terms that anybody reads, or that are worth a search each: with six, one law more ends as an
approximation, with 24 none fewer."""
ASKED = 2
"""How often an answer that may be a stray one is asked for again: a break answers the same. Asked
once or four times, the same laws are found."""
DRAWN = 4096
"""States that are worth a look, at most: where noise blurs them they are measured, else drawn. With
a quarter and with four times as many the same laws are found."""
DEGREE = 5
"""The highest degree of products that laws are looked through for: with three, one law loses its
status, with seven none gains any."""
