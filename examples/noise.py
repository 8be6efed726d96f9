"""Noise: what is left of a law when measurements scatter, and what more experiments decide."""

import odevsr
from odevsr.language.text import to_text

if __name__ == "__main__":
    for noise in (0.0, 0.01, 0.05):
        found = odevsr.discover("lorenz", components="x1", noise=noise)
        (law,) = found.equations
        print(f"noise {noise:.0%}: {law}")
        for constant in law.constants:
            print(f"    {constant.value:.6g} +- {constant.error:.1g}")
        for rival in law.alternatives:
            if rival.experiment is not None:  # one that would tell the two laws apart
                print(f"    so far no worse: {to_text(rival.expression)}")

    # Where simpler laws explain the data as well, `decide` makes the experiments that tell.
    odevsr.discover("lorenz", components="x1", noise=0.05, decide=True).print()
