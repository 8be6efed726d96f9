"""The program of an FMU, unpacked and loaded by fmpy; it goes with whoever uses it."""

from __future__ import annotations

import weakref
import zipfile
from contextlib import ExitStack, chdir, suppress
from tempfile import TemporaryDirectory
from typing import Any

from odevsr.errors import SystemFileError
from odevsr.extras import optional_module
from odevsr.world.simulators.fmu.file import THIRD, Unit


class UnsettledError(Exception):
    """An event moves the state, ends the simulation, or never comes to an end."""


def loaded(unit: Unit, owner: object) -> Any:  # noqa: ANN401
    """An instance of the FMU, for model exchange if it has that; it ends with its owner."""
    folder = TemporaryDirectory(prefix="odevsr-fmu-")
    with ExitStack() as in_vain:
        in_vain.callback(folder.cleanup)
        fmu = _instance(unit, folder.name)
        in_vain.pop_all()
    weakref.finalize(owner, _close, fmu, folder)
    return fmu


def call_error() -> type[Exception]:
    """What a call of an FMU raises that fails."""
    found: type[Exception] = optional_module("fmpy.fmi1", extra="fmi").FMICallException
    return found


def _instance(unit: Unit, folder: str) -> Any:  # noqa: ANN401
    """The FMU's program, unpacked into a folder and loaded."""
    fmpy = optional_module("fmpy", extra="fmi")
    is_third = unit.version == THIRD
    platform = fmpy.platform_tuple if is_third else fmpy.platform
    if platform not in unit.platforms:
        raise SystemFileError(
            f"{unit.path}: it holds programs for {', '.join(unit.platforms) or 'no platform'}, and "
            f"this is {platform}; export it for this one"
        )
    try:
        with zipfile.ZipFile(unit.path) as archive, chdir("."):  # fmpy would leave us elsewhere
            archive.extractall(folder)
            fmu = (_third if is_third else _second)("Model" if unit.exchange else "Slave")(
                guid=unit.token,
                modelIdentifier=unit.exchange or unit.stepping,
                unzipDirectory=folder,
                instanceName=unit.path.stem,
            )
        fmu.instantiate()
    except Exception as error:  # fmpy raises plain ones, and the program is not ours
        raise SystemFileError(
            f"{unit.path}: its program cannot be loaded ({error}); export it again"
        ) from None
    return fmu


def _second(kind: str) -> Any:  # noqa: ANN401
    return getattr(optional_module("fmpy.fmi2", extra="fmi"), f"FMU2{kind}")


def _third(kind: str) -> Any:  # noqa: ANN401
    """Those of FMI 3.0, which are called here as those of FMI 2.0 are."""
    model = getattr(optional_module("fmpy.fmi3", extra="fmi"), f"FMU3{kind}")

    def begin_at(self: Any, startTime: float) -> None:  # noqa: ANN401, N803
        self.start_time = startTime

    said = {
        "setReal": model.setFloat64,
        "getReal": model.getFloat64,
        "getFMUstate": model.getFMUState,
        "setFMUstate": model.setFMUState,
        "getDerivatives": getattr(model, "getContinuousStateDerivatives", None),
        "newDiscreteStates": model.updateDiscreteStates,
        "setupExperiment": begin_at,
        "enterInitializationMode": lambda self: model.enterInitializationMode(
            self, startTime=self.start_time
        ),
    }
    return type(model.__name__, (model,), said)


def _close(fmu: Any, folder: TemporaryDirectory[str]) -> None:  # noqa: ANN401
    with suppress(Exception):  # the program is not ours
        fmu.freeInstance()
    folder.cleanup()
