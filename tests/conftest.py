"""Settings of all tests: no clock decides, and the caller's environment does not either."""

import signal

import pytest
from hypothesis import settings

# The same examples each time; `pytest --hypothesis-profile new` draws new ones.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("new", deadline=None)
settings.load_profile("same")


@pytest.fixture(autouse=True, scope="session")
def _interruptible():
    """Who starts the tests may ignore Ctrl-C, as nohup does, and processes of tests inherit it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    for name in ("ODEVSR_SYSTEMS", "COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def few_families(monkeypatch):
    """The catalogue's first tier alone, so that a search in vain is short."""
    from odevsr.search import tiers

    monkeypatch.setattr(tiers, "FAMILIES", tiers.FAMILIES[:1])


@pytest.fixture
def fresh_process_registry():
    """The process-wide registry is made anew for a test, and again after it."""
    from odevsr.world.systems.registry import process_registry

    process_registry.cache_clear()
    yield
    process_registry.cache_clear()
