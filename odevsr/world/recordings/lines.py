"""The lines of a text, plain or packed by gzip, in whatever letters it is written."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from odevsr.errors import DataFileError
from odevsr.world.recordings.kinds import PACKED

LONGEST_LINE = 1_000_000
REMARKS = ("#", "%")
"""What lines begin with that are no samples."""
_LOOKED = 4096
"""Bytes that tell texts from other files."""
_NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x1f]")
_WESTERN = "odevsr-western"
"""How bytes are read that are not UTF-8: as letters of Western Europe, which ° and µ are often."""

Line = tuple[int, str]


def _western(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_WESTERN, _western)


_SEPARATOR = re.compile(r'"?sep=."?', re.IGNORECASE)
"""The line that tells Excel what separates cells."""


def lines_of(path: Path) -> Iterator[Line]:
    """Lines that say something, and their numbers; remarks only above the first other line."""
    with said(path), _opened(path) as file:
        begun, number = False, 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise DataFileError(
                    f"{path}:{number}: the line is longer than {LONGEST_LINE:,} characters; save "
                    "the recording as CSV, a line a sample"
                )
            if line.isspace() or (begun and line.startswith(REMARKS)):
                continue
            if not begun and _SEPARATOR.fullmatch(line.strip()):
                continue
            begun = begun or not line.startswith(REMARKS)
            yield number, line


@contextmanager
def _opened(path: Path) -> Iterator[io.TextIOWrapper]:
    is_packed = path.suffix.lower() == PACKED
    with gzip.open(path) if is_packed else path.open("rb") as file:
        encoding = _encoding(file.peek(_LOOKED)[:_LOOKED], path)
        yield io.TextIOWrapper(file, encoding=encoding, errors=_WESTERN)


def _encoding(begin: bytes, path: Path) -> str:
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if _NO_TEXT.search(begin):
        raise DataFileError(_NO_CSV.format(path))
    return "utf-8-sig"


_NO_CSV = "{} is not a text; give CSV in UTF-8, npz or parquet"


@contextmanager
def said(path: Path) -> Iterator[None]:
    """What Python says of a file that cannot be read, as a sentence for people."""
    try:
        yield
    except (UnicodeError, csv.Error):
        raise DataFileError(_NO_CSV.format(path)) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataFileError(f"{path} is not a whole gzip file; pack it again") from None
    except OSError as error:
        raise DataFileError(f"{path} cannot be read ({error.strerror}); check the path") from None
