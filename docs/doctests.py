"""Examples in docstrings, shown as programs rather than as quotations."""

import re
from typing import Any

import griffe


class Doctests(griffe.Extension):
    """Fences each paragraph that begins with a prompt."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Mark the examples of one docstring."""
        if obj.docstring is not None:
            paragraphs = obj.docstring.value.split("\n\n")
            obj.docstring.value = "\n\n".join(map(_fenced, paragraphs))


def _fenced(paragraph: str) -> str:
    return re.sub(r"\A(>>> .*)\Z", r"```python\n\1\n```", paragraph, flags=re.DOTALL)
