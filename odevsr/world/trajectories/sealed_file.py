"""Files whose bytes are checked as they are read, and that change all at once or not at all.

Behind the content of a file stands its seal: the SHA-256 of each block of the content. Nobody is
given a byte of a block whose digest is another, and a block that nobody asks for is not read.

A change is written behind the file first, as a journal; once that is on the disk, the change is
made and the journal cut off. A file that ends with a whole journal is changed as it says when it is
opened next. What is left of a journal that was cut short is left out: its change was never begun.

    content | seal                      seal     SHA-256 of each block | end
    content | seal | room | journal     journal  new length | place, length, bytes | ... | end

An end says which of the two it is, where that begins, and the SHA-256 of all of it before the end.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

BLOCK = 1 << 16
_SEAL, _JOURNAL = b"\nodevsr seal 2\n\n", b"\nodevsr journal\n"
_END, _PLACE, _LENGTH = struct.Struct("<16sQ32s"), struct.Struct("<QQ"), struct.Struct("<Q")
_DIGEST = hashlib.sha256().digest_size

Patch = tuple[int, bytes]
"""A place, and the bytes that belong there."""


class SealedFile(io.RawIOBase):
    """The content of a sealed file, to be read and, in memory, changed."""

    def __init__(self, file: BinaryIO, length: int, digests: bytes, *, is_torn: bool) -> None:
        self.is_torn = is_torn
        """True if a change behind the seal was cut short while it was written."""
        self.length = length
        self._file, self._digests, self._sealed = file, digests, length
        self._place = 0
        self._changed: dict[int, bytearray] = {}
        self._written: list[tuple[int, int]] = []
        self._checked: set[int] = set()

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place."""
        self._place = offset + {0: 0, 1: self._place, 2: self.length}[whence]
        return self._place

    def tell(self) -> int:
        """The place."""
        return self._place

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401
        """Read from the place on; an OSError if the bytes there are not those that were written."""
        target = memoryview(buffer).cast("B")
        count = max(0, min(len(target), self.length - self._place))
        for number, part, place in _pieces(self._place, count):
            block = self._changed.get(number) or self._block(number)
            target[place - self._place :][: part.stop - part.start] = block[part]
        self._place += count
        return count

    def write(self, content: Any, /) -> int:  # noqa: ANN401
        """Change what stands from the place on, in memory."""
        given = memoryview(content).cast("B")
        self.length = max(self.length, self._place + len(given))
        for number, part, place in _pieces(self._place, len(given)):
            if number not in self._changed:
                self._changed[number] = bytearray(self._block(number))
            self._changed[number][part] = given[place - self._place :][: part.stop - part.start]
        self._written.append((self._place, self._place + len(given)))
        self._place += len(given)
        return len(given)

    def truncate(self, size: int | None = None, /) -> int:
        """Change the length, in memory."""
        self.length = self._place if size is None else size
        return self.length

    def patches(self) -> list[Patch]:
        """What has changed, and the seal of all."""
        numbers = range(-(-self.length // BLOCK))
        digests = b"".join(self._digest(number) for number in numbers)
        seal = _ended(_SEAL, self.length, digests)
        written = _merged([*self._written, (self._sealed, self.length)])
        changed = [(first, self._between(first, last)) for first, last in written]
        return [*changed, (self.length, seal)]

    def _between(self, first: int, last: int) -> bytes:
        self.seek(first)
        content = bytearray(max(0, min(last, self.length) - first))
        self.readinto(content)
        return bytes(content)

    def _digest(self, number: int) -> bytes:
        """The digest of a block as it is now."""
        whole = min(self._sealed, self.length) // BLOCK
        if number not in self._changed and number < whole:
            return self._digests[number * _DIGEST :][:_DIGEST]
        block = self._changed.get(number) or self._block(number)
        return hashlib.sha256(block[: self.length - number * BLOCK]).digest()

    def _block(self, number: int) -> bytes:
        """A block as it was sealed, with noughts behind the end of the content."""
        first = number * BLOCK
        self._file.seek(first)
        block = self._file.read(max(0, min(BLOCK, self._sealed - first)))
        if block and number not in self._checked:
            if hashlib.sha256(block).digest() != self._digests[number * _DIGEST :][:_DIGEST]:
                raise OSError("its bytes are not those that were written")
            self._checked.add(number)
        return block.ljust(BLOCK, b"\0")


@contextmanager
def opened_sealed(
    path: Path, length_of: Callable[[bytes], int], *, to_change: bool = False
) -> Iterator[SealedFile | None]:
    """The content of a file; None if it has no seal, an OSError if it is not as it was sealed.

    If it is opened to be changed, it is changed at the end, unless an error ends it. `length_of`
    tells from the first bytes how long the content is. Nobody changes what is read meanwhile.
    """
    alone = to_change or _is_pending(path)
    with path.open("r+b" if alone else "rb") as file, _held(file, alone=alone):
        _finish(file)
        content = _sealed(file, length_of)
        yield content
        if content is not None and to_change:
            _change(file, content)


def _is_pending(path: Path) -> bool:
    """Whether a change is to be finished, as it looks before the file is held."""
    with path.open("rb") as found:
        return _body(found, _size(found), _JOURNAL) is not None


def seal_of(content: bytes) -> bytes:
    """What stands behind the content of a file that is as it was written."""
    blocks = (content[first : first + BLOCK] for first in range(0, len(content), BLOCK))
    return _ended(_SEAL, len(content), b"".join(hashlib.sha256(each).digest() for each in blocks))


def _sealed(file: BinaryIO, length_of: Callable[[bytes], int]) -> SealedFile | None:
    size = _size(file)
    if found := _body(file, size, _SEAL):
        return SealedFile(file, *found, is_torn=False)
    file.seek(0)
    length = length_of(file.read(BLOCK))
    end = length + -(-length // BLOCK) * _DIGEST + _END.size
    if end < size and (found := _body(file, end, _SEAL)):
        return SealedFile(file, *found, is_torn=True)
    file.seek(max(0, size - _END.size))
    if file.read().startswith(_SEAL):
        raise OSError("its bytes are not those that were written")
    return None


def _change(file: BinaryIO, content: SealedFile) -> None:
    """Write a journal behind the file, then make the change; before that, an OSError changes nil.

    Room for all of the change is taken before it is begun.
    """
    patches = content.patches()
    place, seal = patches[-1]
    length, before = place + len(seal), _size(file)
    body = _LENGTH.pack(length) + b"".join(
        _PLACE.pack(place, len(changed)) + changed for place, changed in patches
    )
    start = max(length, before)
    try:
        file.seek(before)
        file.write(bytes(start - before))
        file.write(_ended(_JOURNAL, start, body))
        _to_disk(file)
    except OSError:
        with suppress(OSError):
            file.truncate(before)
        raise
    _make(file, body)


def _finish(file: BinaryIO) -> None:
    """Make the change of a whole journal, if the file ends with one."""
    if found := _body(file, _size(file), _JOURNAL):
        _make(file, found[1])


def _make(file: BinaryIO, body: bytes) -> None:
    """Make the change a journal tells, and cut off the journal; twice does no harm."""
    (length,) = _LENGTH.unpack_from(body)
    read = _LENGTH.size
    while read < len(body):
        place, count = _PLACE.unpack_from(body, read)
        read += _PLACE.size + count
        file.seek(place)
        file.write(body[read - count : read])
    _to_disk(file)
    file.truncate(length)


def _ended(kind: bytes, start: int, body: bytes) -> bytes:
    return body + _END.pack(kind, start, hashlib.sha256(body).digest())


def _body(file: BinaryIO, end: int, kind: bytes) -> tuple[int, bytes] | None:
    """Where a seal or journal begins that ends here, and what it says; None if there is none."""
    if end < _END.size:
        return None
    file.seek(end - _END.size)
    last = file.read(_END.size)
    if len(last) < _END.size:  # somebody who holds the file has cut it just now
        return None
    found, start, digest = _END.unpack(last)
    if found != kind or start > end - _END.size:
        return None
    file.seek(start)
    body = file.read(end - _END.size - start)
    return (start, body) if hashlib.sha256(body).digest() == digest else None


def _pieces(first: int, count: int) -> Iterator[tuple[int, slice, int]]:
    """The blocks in which so many bytes stand: number, which part, and where that begins."""
    place, end = first, first + count
    while place < end:
        number, inside = divmod(place, BLOCK)
        last = min(BLOCK, inside + end - place)
        yield number, slice(inside, last), place
        place += last - inside


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that meet made one, in order."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def _size(file: BinaryIO) -> int:
    return file.seek(0, os.SEEK_END)


def _to_disk(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _held(file: BinaryIO, *, alone: bool) -> Iterator[None]:
    """Nobody changes the file meanwhile, or reads it if we are alone; where files can be locked."""
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
    yield
