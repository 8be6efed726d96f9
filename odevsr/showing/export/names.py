"""Names and comments that are safe in another language, whatever a file called things."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

LONGEST = 50
"""Characters of a name; some languages tell no more than 63 apart."""


def safe_names(names: Sequence[str], reserved: Collection[str]) -> dict[str, str]:
    """For each name one that is an identifier, is not reserved, and is nobody else's.

    >>> safe_names(["x", "for", "for_", "größe"], {"for"})
    {'x': 'x', 'for': 'for__', 'for_': 'for_', 'größe': 'gr__e'}
    """
    fit = {name for name in names if _fits(name) and name not in reserved}
    found: dict[str, str] = {}
    for name in names:
        safe = name if name in fit else _identifier(name)
        while name not in fit and (safe in reserved or safe in fit or safe in found.values()):
            safe += "_"
        found[name] = safe
    return found


def _fits(name: str) -> bool:
    return bool(re.fullmatch(rf"[A-Za-z][A-Za-z0-9_]{{0,{LONGEST - 1}}}", name))


def _identifier(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:LONGEST]
    return plain if plain[:1].isalpha() else f"v{plain}"


def comment_text(text: str) -> str:
    r"""A text as a comment up to the end of a line may hold it: one line that ends no comment.

    A backslash at its end would make the next line part of it in C, and so would `??/`.

    >>> comment_text("two\nlines */ of C:\\x\\")
    'two lines * / of C:/x/ .'
    """
    line = "".join(each if each.isprintable() else " " for each in text.replace("\\", "/"))
    line = line.replace("*/", "* /")
    return f"{line} ." if line.endswith("/") else line
