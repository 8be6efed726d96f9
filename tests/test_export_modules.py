"""Laws as modules for pysindy and JAX."""

import sys

import numpy as np
import pytest
from exports import found, module
from test_export import DRIVEN, DRIVEN_NAMES, SPIRAL, hostile
from test_export_code import every_function

from odevsr.errors import UsageError
from odevsr.kind import Kind


@pytest.fixture
def numpy_for_jax(monkeypatch):
    """The functions of JAX that a module calls are numpy's too."""
    monkeypatch.setitem(sys.modules, "jax", type(sys)("jax"))
    monkeypatch.setattr(sys.modules["jax"], "numpy", np, raising=False)
    monkeypatch.setitem(sys.modules, "jax.numpy", np)


def test_jax_has_our_values():
    jax = pytest.importorskip("jax", reason="JAX is not installed: untested there")
    jax.config.update("jax_enable_x64", True)
    discovery, state, expected = every_function()
    rates = module(discovery.to("jax"))["rates"]
    np.testing.assert_allclose(jax.jit(rates)(0.0, state), expected, rtol=1e-14)
    jax.jacobian(rates, argnums=1)(0.0, state)


@pytest.mark.usefixtures("numpy_for_jax")
def test_the_module_for_jax_has_our_values_with_numpy_in_its_place():
    discovery, state, expected = every_function()
    np.testing.assert_allclose(module(discovery.to("jax"))["rates"](0.0, state), expected)
    rates = module(found({"x": "3", "y": "x*y"}).to("jax"))["rates"]
    assert rates(0.0, [[1.0, 2.0], [3.0, 4.0]]).tolist() == [[3.0, 3.0], [3.0, 8.0]]
    driven = module(found(DRIVEN, DRIVEN_NAMES).to("jax"))["rates"]
    expected = 2.0 * np.sin(0.5) - 0.3 / 3
    assert driven(0.5, np.array([0.3]), dose=2, unused=0)[0] == pytest.approx(expected)


def test_pysindy_prints_predicts_and_simulates_as_the_laws_do(capsys):
    discovery = found({"x": "-x/10 + y*(2 - x)", "y": "-x - y/10 + 3"})
    model = module(discovery.to("pysindy"))["model"]
    model.print()
    assert "(x)' = -1.000 x*y + -0.100 x +  2.000 y" in capsys.readouterr().out
    states, times = np.random.default_rng(0).normal(size=(7, 2)), np.linspace(0.0, 2.0, 9)
    np.testing.assert_allclose(model.predict(states), discovery.predict(states), rtol=1e-12)
    followed = model.simulate(states[0], times)
    np.testing.assert_allclose(followed, discovery.simulate(states[0], times), atol=1e-6)


def test_pysindy_has_every_function_and_inputs():
    discovery, state, expected = every_function()
    model = module(discovery.to("pysindy"))["model"]
    np.testing.assert_allclose(model.predict(state[None])[0], expected, rtol=1e-12)
    driven = found({"x": "dose*x - x/3"}, ("x", "dose"))
    model = module(driven.to("pysindy"))["model"]
    rate = model.predict(np.array([[0.3]]), u=np.array([[2.0]]))
    assert rate[0, 0] == pytest.approx(0.6 - 0.1)


def test_names_smuggle_nothing_into_pysindy():
    model = module(hostile().to("pysindy"))["model"]
    assert model.predict(np.array([[1.0, 2.0]]), u=np.ones((1, 8))).tolist() == [[11.0, 2.5]]


def test_what_pysindy_cannot_say_is_refused():
    with pytest.raises(UsageError, match="depend on time"):
        found(DRIVEN, DRIVEN_NAMES).to("pysindy")
    values = found(SPIRAL)
    object.__setattr__(values.equations[0], "kind", Kind.FUNCTION)
    with pytest.raises(UsageError, match="for laws of motion, and these are none"):
        values.to("pysindy")
