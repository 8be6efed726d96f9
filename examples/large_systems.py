"""Many variables: writes the files of Lorenz-96 with 20 variables and of 30 coupled oscillators.

python examples/large_systems.py
odevsr discover examples/systems/ring-20.toml
odevsr discover examples/systems/chain-60.toml
"""

from pathlib import Path

from odevsr.bench.dimension import chain, ring

FOLDER = Path(__file__).parent / "systems"

if __name__ == "__main__":
    for system in (ring(20), chain(60)):
        (FOLDER / f"{system.name}.toml").write_text(system.text)
