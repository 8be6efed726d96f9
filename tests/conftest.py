"""Settings of all tests: no clock decides, and the caller's environment does not either."""

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    for name in ("ODEVSR_SYSTEMS", "COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def few_families(monkeypatch):
    """The catalogue's first tier alone, so that a search in vain is short."""
    from odevsr.search import tiers

    monkeypatch.setitem(tiers.SOURCES, "catalogue", {0: tiers.SOURCES["catalogue"][0]})
