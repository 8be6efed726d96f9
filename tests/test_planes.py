import pytest

from odevsr import discover, formula, get_system
from odevsr.errors import UsageError
from odevsr.verdict.equivalence import is_equivalent


@pytest.mark.parametrize(
    ("name", "components"),
    [("lorenz", None), ("mhd", "x4"), ("glycolysis", "x0"), ("van_der_pol", None)],
)
def test_laws_are_found_where_trajectories_cross_planes(name, components):
    system = get_system(name)
    truth = dict(zip(system.names, system.closed_equations(), strict=True))
    found = discover(name, components=components, sampling="crossings")
    assert found.identified
    for each in found.equations:
        assert is_equivalent(each.expression, truth[each.variable], system.names, system.box)
        assert "checked only where trajectories go" in each.note
        assert all(len(some.setting.held) <= 1 for some in each.rounds)


def test_what_does_not_move_is_refused():
    with pytest.raises(UsageError, match="only what moves"):
        discover(formula("2*x", {"x": (0, 1)}), sampling="crossings")


def test_a_system_of_one_variable_crosses_points(tmp_path):
    path = tmp_path / "growth.toml"
    path.write_text(
        'format = 1\nname = "growth"\ntitle = "t"\nsource = "s"\n'
        '[state]\nx = { range = [0.1, 3], start = 1 }\n[equations]\nx = "x*(2 - x)"\n'
    )
    assert discover(path, sampling="crossings").identified
