"""Contents changed at random: bytes, texts by their words, and values of JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

Rng = np.random.Generator
T = TypeVar("T")

SCRIPT = "<script>alert(1)</script>"
"""What no page may hold as it stands."""
NASTY = (
    "", " ", "\n", "\0", "\t", "\r", "\x1b[31m", "\u202e", "\ufeff", "é", "\U0001d7d9", "'", '"',
    '"""', "\\", "#", ",", ";", "=", "[", "]", "[[", "{", "}", "(", ")", "<", ">", "]]>", "&lol;",
    "<!DOCTYPE", "[red]x[/red]", "$(id)", "../../etc", "tcp://x", "__import__('os')", "x.y",
    "nan", "inf", "-inf", "0", "0.0", "-1", "1/0", "1e999", "1e-400", "9" * 400, "0x10",
    "1_0", "true", "None", "x0", "**", "^", "//", "%", "@", ":=", "x**x**x**9", "2**99999", "sin(",
    "exp(exp(9))", "(" * 300, "-" * 300, "a" * 5000, "1e300", "1e-300", "inf.0", SCRIPT,
)  # fmt: skip
"""Words that readers have stumbled over, or that would harm if they were believed."""
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**70, 1e308, 0.5, "", "x", "\x1b[31m", "9" * 400, [], [1], [[]], {},
    {"x": 1}, ["x"], [None], "identified", "nan", SCRIPT, "../../x", "a\nimport os", "[red]x[/red]",
)  # fmt: skip


def mutated_bytes(content: bytes, rng: Rng) -> bytes:
    """The content with a few bytes flipped, cut out, doubled or put in."""
    for _ in range(rng.geometric(0.5)):
        first = int(rng.integers(len(content) + 1))
        last = first + int(2 ** rng.uniform(0, 12))
        changed = _changed_piece(content[first:last], rng)
        content = content[:first] + changed + content[last:]
    return content[: int(rng.integers(len(content) + 1))] if rng.random() < 0.1 else content


def _changed_piece(piece: bytes, rng: Rng) -> bytes:
    match int(rng.integers(6)):
        case 0:
            return b""
        case 1:
            return piece + piece
        case 2:
            return bytes(len(piece))
        case 3:
            return rng.bytes(len(piece))
        case 4:
            return bytes([piece[0] ^ (1 << int(rng.integers(8)))]) + piece[1:] if piece else piece
        case _:
            return piece + chosen(NASTY, rng).encode()


def mutated_text(text: str, rng: Rng) -> str:
    """The text with a few of its words replaced, left out, doubled or changed round."""
    words = re.findall(r"\w+|\s+|.", text)
    for _ in range(rng.geometric(0.5)):
        place, other = (int(each) for each in rng.integers(0, len(words), 2))
        match int(rng.integers(4)):
            case 0:
                words[place] = chosen(NASTY, rng)
            case 1:
                words[place] = ""
            case 2:
                words[place] += words[other]
            case _:
                words[place], words[other] = words[other], words[place]
    return "".join(words)


def chosen(items: Sequence[T], rng: Rng) -> T:
    """One of the items."""
    return items[int(rng.integers(len(items)))]


def mutated_file(text: str, rng: Rng) -> bytes:
    """A file of the text, changed by words or by bytes."""
    if rng.random() < 0.2:
        return mutated_bytes(text.encode(), rng)
    return mutated_text(text, rng).encode()


def mutated_json(value: Any, rng: Rng) -> Any:  # noqa: ANN401
    """The value with something in it replaced, left out or added, however deep inside."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = chosen(list(value), rng)
        if rng.random() < 0.1:
            return {each: value[each] for each in value if each != key}
        return {**value, key: mutated_json(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = int(rng.integers(len(value)))
        if rng.random() < 0.1:
            return value[:place] + value[place + 1 :]
        return [*value[:place], mutated_json(value[place], rng), *value[place + 1 :]]
    return chosen(VALUES, rng)
