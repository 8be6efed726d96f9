import numpy as np

from odevsr.bench.dimension import chain, ring
from odevsr.discovery.discover import discover
from odevsr.language.expression import variables
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.experiments.oracle import World
from odevsr.world.pilot.pilot import explore, pilot_from_json, with_suspects
from odevsr.world.simulators.launch import make_launcher
from odevsr.world.systems.registry import get_system


def explored(system):
    world = World(system.names, system.box, make_launcher(system))
    rng = np.random.default_rng(0)
    return with_suspects(explore(world, "central", rng), world, rng)


def test_a_look_at_a_large_system_names_what_each_component_depends_on():
    for system in (ring(9), chain(10)):
        pilot = explored(system)
        for equation, suspects in zip(system.equations, pilot.suspects, strict=True):
            names = {system.names[index] for index in suspects}
            assert names >= variables(equation)
            assert len(names) <= len(variables(equation)) + 1


def test_a_small_system_is_not_looked_at_before_each_search():
    assert explored(get_system("lorenz")).suspects == ()


def test_suspects_are_kept_with_a_run():
    pilot = explored(ring(8))
    assert pilot_from_json(pilot.to_json()).suspects == pilot.suspects


def test_a_law_whose_variables_the_first_look_missed_is_found_by_the_next_attempt(monkeypatch):
    system = ring(8)
    blind = lambda *_: ((0,),) * 8  # noqa: E731
    monkeypatch.setattr("odevsr.world.pilot.pilot.influences", blind)
    (found,) = discover(system, components=["x3"]).equations
    assert found.status is Status.IDENTIFIED
    assert is_equivalent(found.expression, system.equations[3], system.names, system.box)
