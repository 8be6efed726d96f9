"""Explicit time: the law of an oscillator under a periodic force, from launches at chosen times."""

from pathlib import Path

from odevsr import discover

SYSTEM = Path(__file__).parent / "systems" / "forced_duffing.toml"

if __name__ == "__main__":
    discover(SYSTEM).print()  # dv/dt holds 0.4*cos(1.2*t)
