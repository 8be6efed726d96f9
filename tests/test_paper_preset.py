"""The paper's preset on the paper's systems: measured once, kept, and shown in a row of its own."""

from odevsr.bench.paper import preset as paper_preset
from odevsr.bench.paper.preset import Recovered, recovered
from odevsr.bench.paper.systems import SYSTEMS, _preset_figures, _preset_row


def one(system, seed, r2=1.0, cpu_s=2.0):
    return Recovered(system, seed, "x0", r2, r2 == 1.0, "identified", 100, cpu_s)


def test_what_was_measured_is_kept_and_not_measured_again(tmp_path, monkeypatch):
    asked = []

    def discovered(name, seed):
        asked.append((name, seed))
        return [one(name, seed)]

    monkeypatch.setattr(paper_preset, "_discovered", discovered)
    path = tmp_path / "bench" / "kept.json"
    assert recovered(path, ["lorenz"], 2, measure=False) == []
    first = recovered(path, ["lorenz"], 2, measure=True)
    again = recovered(path, ["lorenz", "mhd"], 2, measure=True)
    assert first == [one("lorenz", 0), one("lorenz", 1)]
    assert again == [*first, one("mhd", 0), one("mhd", 1)]
    assert recovered(path, ["lorenz"], 2, measure=False) == again
    assert asked == [("lorenz", 0), ("lorenz", 1), ("mhd", 0), ("mhd", 1)]


def test_the_preset_has_a_row_and_is_held_to_what_was_published():
    found = [one(name, seed) for name in SYSTEMS for seed in range(2)]
    poor = [*found[:-1], one(SYSTEMS[-1], 1, r2=0.99, cpu_s=400.0)]
    row = _preset_row(poor)
    assert [row[name] for name in SYSTEMS] == [100, 100, 50]
    assert [row[f"{name}, exact"] for name in SYSTEMS] == [100, 100, 50]
    assert all(figure.holds for figure in _preset_figures(found))
    assert [figure.holds for figure in _preset_figures(poor)] == [True, True, False, False]
    assert list(_preset_figures([])) == []
