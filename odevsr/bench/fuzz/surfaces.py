"""All that reads what others wrote: for each a good example, how it is changed, who reads it."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from odevsr.bench.fuzz.hdf5_files import mislead
from odevsr.bench.fuzz.mutations import (
    NASTY,
    SCRIPT,
    Rng,
    chosen,
    mutated_bytes,
    mutated_file,
    mutated_json,
)
from odevsr.bench.fuzz.npz_files import mislead_npz
from odevsr.discovery.discover import discover
from odevsr.discovery.files import DIGEST, read_json, write_json
from odevsr.discovery.folder import load
from odevsr.discovery.replay import replay
from odevsr.language.evaluate import compile_field
from odevsr.language.latex import to_latex
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.studies.file import read_study
from odevsr.world.experiments.measurements import read_measurements
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.save import save_recordings
from odevsr.world.simulators.fmu.file import DESCRIPTION, read_unit
from odevsr.world.simulators.sbml.file import read_model
from odevsr.world.simulators.sbml.kinetics import kinetics
from odevsr.world.systems.file import read_system
from odevsr.world.systems.registry import get_system, systems
from odevsr.world.trajectories.recording import record
from odevsr.world.trajectories.sealed_file import seal_of
from odevsr.world.trajectories.store import load_trajectories, save_trajectories

SYSTEM = "linear_oscillator"
RARELY = 0.02
"""Share of the run folders that are searched again, and of the files in HDF5 without a seal."""
_FORMS = ("c", "julia", "latex", "matlab", "modelica", "numpy", "pysindy", "sbml", "sympy")
_LINKED = ("run.json", "result.json", "history.jsonl", "verdict.json", "launches.h5")
_LEAVES = ("x", "y", "1", "2", "0.5", "3/7", "pi", "1e3", "1e-30", "7e300")
_FUNCTIONS = ("sin", "cos", "exp", "log", "sqrt", "abs", "tan", "cot", "asin", "tanh", "-", "+", "")
_OPERATORS = ("+", "-", "*", "/", "**", "^")
_STUDY = """format = 1
targets = ["pendulum", { target = "lorenz", name = "weak", params = { rho = 20 } }]
seeds = [0, 1]
noise = [0, 0.01]
[settings.fast]
[settings.joint]
preset = "fast"
expansion = "joint"
"""


@dataclass(frozen=True)
class Examples:
    """Good files of every kind, in a folder, made when they are first asked for."""

    folder: Path

    @cached_property
    def systems(self) -> list[str]:
        """The texts of all system files."""
        return [get_system(name).text for name in systems()]

    @cached_property
    def trajectories(self) -> Path:
        """A file of trajectories."""
        path = self.folder / "good.h5"
        save_trajectories(path, record(SYSTEM, 2, 0, command="odevsr", duration=0.1))
        return path

    @cached_property
    def samples(self) -> str:
        """Recordings as CSV."""
        path = self.folder / "good.csv"
        save_recordings(path, read_recordings(self.trajectories))
        return path.read_text(encoding="utf-8")

    @cached_property
    def run(self) -> Path:
        """The folder of a run."""
        path = self.folder / "good_run"
        discover(SYSTEM, out=path)
        return path


Surface = Callable[[Examples, Path, Rng], object]
"""Writes one changed file into a folder and reads it."""


def formula(rng: Rng, depth: int = 0) -> str:
    """A formula, most of the time one of our language."""
    if rng.random() < depth / 6:
        return chosen(_LEAVES, rng) if rng.random() < 0.97 else chosen(NASTY, rng)
    if rng.random() < 0.3:
        return f"{chosen(_FUNCTIONS, rng)}({formula(rng, depth + 1)})"
    return f"{formula(rng, depth + 1)}{chosen(_OPERATORS, rng)}{formula(rng, depth + 1)}"


def read_formula(_examples: Examples, _folder: Path, rng: Rng) -> object:
    """A formula, written and evaluated if it is one; what is written is read as it was."""
    law = parse(formula(rng), ["x", "y"])
    again = parse(to_text(law), ["x", "y"])
    with np.errstate(all="ignore"):
        values, others = compile_field([law, again], ["x", "y"])(np.array([[1.0, 1], [2, 0.5]])).T
    assert np.allclose(values, others, equal_nan=True), "a formula is read otherwise than written"
    return to_latex(law)


def read_system_file(examples: Examples, folder: Path, rng: Rng) -> object:
    """A system file; the name of the file is that of its system or not."""
    text = chosen(examples.systems, rng)
    path = folder / f"{text.partition('name = ')[2].splitlines()[0].strip(chr(34))}.toml"
    path.write_bytes(mutated_file(text, rng))
    return read_system(path).closed_equations()


def read_study_file(_examples: Examples, folder: Path, rng: Rng) -> object:
    """A study's file."""
    path = folder / "study.toml"
    path.write_bytes(mutated_file(_STUDY, rng))
    cases = read_study(path).cases()
    print(*cases, sep="\n")
    return cases


def read_csv(examples: Examples, folder: Path, rng: Rng) -> object:
    """Recordings as text."""
    path = folder / "samples.csv"
    path.write_bytes(mutated_file(examples.samples, rng))
    return read_recordings(path)


def read_hdf5(examples: Examples, folder: Path, rng: Rng) -> object:
    """Trajectories, or measurements of a run: with arrays that mislead and a seal, or damaged."""
    measured = rng.random() < 0.3
    good = next(examples.run.glob("measurements/*.h5")) if measured else examples.trajectories
    path = folder / "file.h5"
    if rng.random() < RARELY:
        path.write_bytes(mutated_bytes(good.read_bytes()[:-80], rng))
    else:
        shutil.copy(good, path)
        mislead(path, rng)
        content = path.read_bytes()
        path.write_bytes(content + seal_of(content))
    if measured:
        return read_measurements(path)
    return load_trajectories(path), read_recordings(path)


def read_run(examples: Examples, folder: Path, rng: Rng) -> object:
    """The folder of a run, a file of which is changed: read, shown, sometimes searched again."""
    run = folder / "run"
    shutil.copytree(examples.run, run, dirs_exist_ok=True)
    if rng.random() < 5 * RARELY:
        _lead_elsewhere(run / chosen(_LINKED, rng), examples.folder / "elsewhere", rng)
    else:
        _change_file(run, rng)
    if rng.random() < RARELY:
        return discover(SYSTEM, out=run, resume=True)
    if rng.random() < RARELY:
        return replay(run)
    found = load(run)
    found.print()
    page = found.report() if rng.random() < RARELY / 5 else found._repr_html_()
    assert SCRIPT not in page, "a page runs what a file holds"
    return found.latex(), found.to_json(), found.explain(), found.to(chosen(_FORMS, rng))


def _change_file(run: Path, rng: Rng) -> None:
    """Change values of a file and make its digest anew, or bytes of it."""
    name = str(rng.choice(["run.json", "result.json", "history.jsonl"]))
    if name.endswith(".json") and rng.random() < 0.8:
        values = mutated_json(read_json(run / name), rng)
        if isinstance(values, dict):
            write_json(run / name, {key: each for key, each in values.items() if key != DIGEST})
        else:
            (run / name).write_text(json.dumps(values))
    else:
        (run / name).write_bytes(mutated_bytes((run / name).read_bytes(), rng))


def _lead_elsewhere(path: Path, elsewhere: Path, rng: Rng) -> None:
    """Put a pipe in the place of a file, or a link to what never ends, or is not there."""
    path.unlink(missing_ok=True)
    match int(rng.integers(3)):
        case 0:
            os.mkfifo(path)
        case 1:
            path.symlink_to("/dev/zero")
        case _:
            path.symlink_to(elsewhere)


def read_npz(_examples: Examples, folder: Path, rng: Rng) -> object:
    """Recordings as numpy packs them."""
    path = folder / "samples.npz"
    mislead_npz(path, rng)
    return read_recordings(path)


def read_fmu(_examples: Examples, folder: Path, rng: Rng) -> object:
    """What an FMU says of itself; nothing in it is run."""
    path = folder / "unit.fmu"
    good = Path(__file__).with_name("unit.xml").read_text(encoding="utf-8")
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(DESCRIPTION, mutated_file(good, rng))
        packed.writestr("binaries/linux64/tank.so", b"nothing to run")
    if rng.random() < 0.2:
        path.write_bytes(mutated_bytes(path.read_bytes(), rng))
    return read_unit(path)


def read_sbml(_examples: Examples, folder: Path, rng: Rng) -> object:
    """A model in SBML and its kinetics; nothing is simulated."""
    path = folder / "model.xml"
    good = Path(__file__).with_name("model.xml").read_text(encoding="utf-8")
    path.write_bytes(mutated_file(good, rng))
    model = read_model(path)
    return kinetics(model, dict.fromkeys((*model.compartments, *model.settable), 1.0))


SURFACES: Mapping[str, Surface] = {
    "formulas": read_formula,
    "system files": read_system_file,
    "studies": read_study_file,
    "CSV": read_csv,
    "HDF5": read_hdf5,
    "run folders": read_run,
    "SBML": read_sbml,
    "npz": read_npz,
    "FMU": read_fmu,
}
