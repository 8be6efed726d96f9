"""Against SINDy: the same system, the same measurements, side by side, with the truth beside."""

import sys

import odevsr

if __name__ == "__main__":
    # The Lorenz system is made for SINDy; the rational laws of glycolysis (x0) are not.
    studied = (
        {"lorenz": ["x2"]} if "--short" in sys.argv else {"lorenz": None, "glycolysis": ["x0"]}
    )
    for system, components in studied.items():
        verdict = odevsr.validate(system, components=components)
        verdict.print()
        ours = verdict.method("odevsr")
        print(f"odevsr: {ours.exact} of {len(ours.judgements)} laws of {system} are the truth\n")
