"""How something ended, as a word for files and JSON and as a sentence for people."""

from __future__ import annotations

from enum import Enum
from typing import Self


class SpokenStatus(Enum):
    """Base of statuses, whose members are written as (word, sentence); the word is the value."""

    sentence: str

    def __new__(cls, word: str, sentence: str) -> Self:
        """A member whose value is the word."""
        member = object.__new__(cls)
        member._value_ = word
        member.sentence = sentence
        return member
