"""Someone else's model, in SBML: libroadrunner runs it, its rate laws are found (extra sbml)."""

import sys
from pathlib import Path

import odevsr

MODEL = Path(__file__).with_name("enzyme.xml")

if __name__ == "__main__":
    odevsr.discover(MODEL).print()  # Michaelis and Menten: a rate that saturates
    if "--short" not in sys.argv:
        # With Km as a variable, its place in the law is found; Vmax has another value here.
        odevsr.discover(MODEL, vary={"Km": (0.1, 2)}, params={"Vmax": 3}, components="S").print()
