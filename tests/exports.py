"""Discoveries to export, and what other tools make of their texts."""

import ctypes
import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from odevsr.discovery.result import Discovery
from odevsr.language.parse import parse
from odevsr.settings import Settings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.oracle import Cost

needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler here")
needs_octave = pytest.mark.skipif(
    not shutil.which("octave-cli"), reason="Octave is not installed: untested there"
)

needs_julia = pytest.mark.skipif(
    not shutil.which("julia"), reason="Julia is not installed: untested there"
)
needs_modelica = pytest.mark.skipif(
    not shutil.which("omc"), reason="OpenModelica is not installed: untested there"
)


def found(laws, names=None, poor=(), **changes):
    """A discovery of these laws, texts or expressions; those of `poor` are approximate."""
    names = tuple(names or laws)
    equations = tuple(
        _equation(name, parse(law, names) if isinstance(law, str) else law, name in poor)
        for name, law in laws.items()
    )
    plain = Discovery(
        target="spiral",
        names=names,
        ranges=((0.0, 1.0),) * len(names),
        equations=equations,
        seed=4,
        settings=Settings(),
        cost=Cost(6, 200, 800),
        elapsed_s=1.0,
        versions={"odevsr": "0.0.7"},
    )
    return replace(plain, **changes)


def _equation(name, law, poor):
    return Equation(
        variable=name,
        expression=law,
        status=Status.APPROXIMATE if poor else Status.IDENTIFIED,
        constants=(),
        r2=1.0,
        nmse=0.0,
        deviation=0.9,
        rounds=(),
        cost=Cost(3, 100, 400),
        candidates=21,
        elapsed_s=0.5,
    )


def module(text):
    """The names that a Python module defines."""
    defined = {}
    exec(compile(text.encode(), "exported", "exec"), defined)
    return defined


def c_rates(text):
    """The function of a C file, compiled without a warning: rates(t, x, u) -> derivatives."""
    count = len(re.findall(r"^    dx\[\d+\] =", text, re.MULTILINE))
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "law.c"), Path(folder, "law.so")
        source.write_text(text, encoding="utf-8")
        strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
        command = ["cc", *strict, "-shared", "-fPIC", source, "-o", library, "-lm"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr + text
        function = ctypes.CDLL(str(library)).rates
    numbers = np.ctypeslib.ndpointer(dtype=np.float64)
    function.argtypes, function.restype = [ctypes.c_double, numbers, numbers, numbers], None

    def rates(t, x, u=(0.0,)):
        result = np.full(count, np.nan)
        function(t, np.array(x, dtype=float), np.array(u, dtype=float), result)
        return result

    return rates


def octave_rates(text):
    """The function of a MATLAB file as Octave has it: rates(t, x, u) -> derivatives."""

    def rates(time, states, inputs=()):
        called = f"rates({time!r}, [{_row(states)}]', [{_row(inputs)}]')"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rates.m").write_text(text, encoding="utf-8")
            printed = subprocess.run(
                ["octave-cli", "--norc", "--quiet", "--eval", f"printf('%.17g\\n', {called})"],
                cwd=folder, capture_output=True, text=True, timeout=120, check=True,
            )  # fmt: skip
        return np.array(printed.stdout.split(), float)

    return rates


def julia_rates(text):
    """The function of a Julia file: rates(t, x, u) -> derivatives."""

    def rates(time, states, inputs=()):
        made = f"dx = zeros({len(states)}); u = Float64[{_row(inputs)}]"
        called = f"rates!(dx, Float64[{_row(states)}], u, {time!r}); foreach(println, dx)"
        script = "\n".join([text, made, called])
        printed = subprocess.run(
            ["julia", "--startup-file=no", "-e", script],
            capture_output=True, text=True, timeout=300, check=True,
        )  # fmt: skip
        return np.array(printed.stdout.split(), float)

    return rates


def _row(values):
    return " ".join(repr(float(value)) for value in values)
