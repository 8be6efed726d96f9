"""Optional libraries: imported here, so that a missing one says which command installs it."""

from __future__ import annotations

import importlib
from types import ModuleType

from odevsr.errors import MissingExtraError


def optional_module(name: str, *, extra: str) -> ModuleType:
    """The module, or a MissingExtraError that names the extra it comes with."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:
            raise
        raise MissingExtraError(
            f"this needs {error.name}, which is not installed; run: pip install 'odevsr[{extra}]'"
        ) from None
