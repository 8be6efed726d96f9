"""Text files that describe something to study: read whole, up to a size."""

from __future__ import annotations

from pathlib import Path

from odevsr.errors import SystemFileError, UnknownSystemError


def bounded_text(path: Path, largest: int, otherwise: str) -> str:
    """The text of a file of at most `largest` bytes; `otherwise` is what to say of a larger one."""
    if not path.is_file():
        raise UnknownSystemError(f"{path}: there is no such file; check the path")
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise SystemFileError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > largest:
        raise SystemFileError(f"{path}:1: the file is larger than {largest:,} bytes; {otherwise}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SystemFileError(f"{path}:{line}: the text is not UTF-8; save it as UTF-8") from None
