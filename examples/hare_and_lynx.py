"""Pelts of hares and lynxes, 1900 to 1920: what 21 points say of the law, and what they do not."""

from pathlib import Path

from odevsr import discover, read_recordings

PELTS = Path(__file__).with_name("hare_and_lynx.csv")

if __name__ == "__main__":
    found = discover(read_recordings(PELTS))
    found.print()  # both undecided: so few points at so much noise fit laws of many kinds
    for equation in found.equations:
        rivals = len(equation.alternatives)
        print(f"{equation.variable}: {rivals} rivals fit as well; {equation.note}")
