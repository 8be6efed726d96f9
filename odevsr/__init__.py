"""odevsr: discovers the ordinary differential equations of a system it can experiment on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from odevsr.discovery.discover import discover as discover
    from odevsr.discovery.folder import load as load
    from odevsr.discovery.passes import Interrupted as Interrupted
    from odevsr.discovery.passes import StoppedError as StoppedError
    from odevsr.discovery.replay import replay as replay
    from odevsr.discovery.result import Discovery as Discovery
    from odevsr.discovery.task import Event as Event
    from odevsr.evidence.law import FittedNumber as FittedNumber
    from odevsr.limits import Limits as Limits
    from odevsr.settings import Settings as Settings
    from odevsr.settings import preset as preset
    from odevsr.showing.comparison import Comparison as Comparison
    from odevsr.showing.comparison import compare as compare
    from odevsr.showing.export.formats import exported as exported
    from odevsr.showing.plots.draw import plot as plot
    from odevsr.showing.progress import progress as progress
    from odevsr.showing.report.page import report as report
    from odevsr.showing.schema import schema as schema
    from odevsr.showing.story import explain as explain
    from odevsr.studies.grid import Study as Study
    from odevsr.studies.run import StudyResult as StudyResult
    from odevsr.studies.run import study as study
    from odevsr.verdict.judgement import Verdict as Verdict
    from odevsr.verdict.recordings.verdict import RecordedVerdict as RecordedVerdict
    from odevsr.verdict.recordings.verdict import validate_recordings as validate_recordings
    from odevsr.verdict.validate import validate as validate
    from odevsr.vertical.equation import Equation as Equation
    from odevsr.vertical.equation import Status as Status
    from odevsr.world.experiments.oracle import Cost as Cost
    from odevsr.world.experiments.oracle import Oracle as Oracle
    from odevsr.world.ranges import Range as Range
    from odevsr.world.recordings.files import read_recordings as read_recordings
    from odevsr.world.recordings.given import recording as recording
    from odevsr.world.recordings.runs import Recordings as Recordings
    from odevsr.world.recordings.runs import Run as Run
    from odevsr.world.sample import Sample as Sample
    from odevsr.world.simulators.adapters import rhs as rhs
    from odevsr.world.simulators.adapters import stepper as stepper
    from odevsr.world.simulators.algebraic import formula as formula
    from odevsr.world.simulators.algebraic import function as function
    from odevsr.world.simulators.algebraic import map as map
    from odevsr.world.simulators.command import command as command
    from odevsr.world.simulators.launch import Launch as Launch
    from odevsr.world.simulators.launch import make_launcher as make_launcher
    from odevsr.world.simulators.lifted import lift as lift
    from odevsr.world.simulators.simulator import simulator as simulator
    from odevsr.world.systems.file import parse_system as parse_system
    from odevsr.world.systems.file import read_system as read_system
    from odevsr.world.systems.registry import get_system as get_system
    from odevsr.world.systems.registry import register as register
    from odevsr.world.systems.registry import systems as systems
    from odevsr.world.systems.system import Simulation as Simulation
    from odevsr.world.systems.system import StateVariable as StateVariable
    from odevsr.world.systems.system import System as System
    from odevsr.world.trajectories.recording import Recording as Recording
    from odevsr.world.trajectories.recording import record as record
    from odevsr.world.trajectories.simulate import simulate as simulate
    from odevsr.world.trajectories.simulate import simulate_many as simulate_many
    from odevsr.world.trajectories.store import list_trajectories as list_trajectories
    from odevsr.world.trajectories.store import load_trajectories as load_trajectories
    from odevsr.world.trajectories.store import save_trajectories as save_trajectories
    from odevsr.world.trajectories.trajectory import Ending as Ending
    from odevsr.world.trajectories.trajectory import Tolerances as Tolerances
    from odevsr.world.trajectories.trajectory import Trajectory as Trajectory

__version__ = "0.1.0"

# The public names and the modules they live in, imported when first used: `import odevsr` is free.
_HOMES = {
    "Comparison": "odevsr.showing.comparison",
    "Cost": "odevsr.world.experiments.oracle",
    "Discovery": "odevsr.discovery.result",
    "Equation": "odevsr.vertical.equation",
    "Event": "odevsr.discovery.task",
    "FittedNumber": "odevsr.evidence.law",
    "Interrupted": "odevsr.discovery.passes",
    "Launch": "odevsr.world.simulators.launch",
    "Limits": "odevsr.limits",
    "Oracle": "odevsr.world.experiments.oracle",
    "Range": "odevsr.world.ranges",
    "Recording": "odevsr.world.trajectories.recording",
    "RecordedVerdict": "odevsr.verdict.recordings.verdict",
    "Recordings": "odevsr.world.recordings.runs",
    "Run": "odevsr.world.recordings.runs",
    "Sample": "odevsr.world.sample",
    "Settings": "odevsr.settings",
    "StoppedError": "odevsr.discovery.passes",
    "Simulation": "odevsr.world.systems.system",
    "StateVariable": "odevsr.world.systems.system",
    "Ending": "odevsr.world.trajectories.trajectory",
    "Status": "odevsr.vertical.equation",
    "Study": "odevsr.studies.grid",
    "StudyResult": "odevsr.studies.run",
    "System": "odevsr.world.systems.system",
    "Tolerances": "odevsr.world.trajectories.trajectory",
    "Trajectory": "odevsr.world.trajectories.trajectory",
    "Verdict": "odevsr.verdict.judgement",
    "command": "odevsr.world.simulators.command",
    "compare": "odevsr.showing.comparison",
    "discover": "odevsr.discovery.discover",
    "explain": "odevsr.showing.story",
    "exported": "odevsr.showing.export.formats",
    "formula": "odevsr.world.simulators.algebraic",
    "function": "odevsr.world.simulators.algebraic",
    "get_system": "odevsr.world.systems.registry",
    "lift": "odevsr.world.simulators.lifted",
    "list_trajectories": "odevsr.world.trajectories.store",
    "load": "odevsr.discovery.folder",
    "load_trajectories": "odevsr.world.trajectories.store",
    "make_launcher": "odevsr.world.simulators.launch",
    "map": "odevsr.world.simulators.algebraic",
    "parse_system": "odevsr.world.systems.file",
    "plot": "odevsr.showing.plots.draw",
    "preset": "odevsr.settings",
    "progress": "odevsr.showing.progress",
    "read_recordings": "odevsr.world.recordings.files",
    "read_system": "odevsr.world.systems.file",
    "record": "odevsr.world.trajectories.recording",
    "recording": "odevsr.world.recordings.given",
    "register": "odevsr.world.systems.registry",
    "replay": "odevsr.discovery.replay",
    "report": "odevsr.showing.report.page",
    "rhs": "odevsr.world.simulators.adapters",
    "save_trajectories": "odevsr.world.trajectories.store",
    "schema": "odevsr.showing.schema",
    "simulate": "odevsr.world.trajectories.simulate",
    "simulate_many": "odevsr.world.trajectories.simulate",
    "simulator": "odevsr.world.simulators.simulator",
    "stepper": "odevsr.world.simulators.adapters",
    "study": "odevsr.studies.run",
    "systems": "odevsr.world.systems.registry",
    "validate": "odevsr.verdict.validate",
    "validate_recordings": "odevsr.verdict.recordings.verdict",
}

__all__ = [*sorted(_HOMES), "__version__"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'odevsr' has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
