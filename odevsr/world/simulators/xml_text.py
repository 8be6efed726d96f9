"""XML of others: nothing but the text itself is read, and what is no XML is told."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError, fromstring

from odevsr.errors import SystemFileError


def xml_root(text: str, where: str) -> Element:
    """The outermost element of a text; `where` names the text's origin in refusals."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise SystemFileError(
            f"{where}: the file declares a document type or entities, which are not read; remove "
            "the declaration"
        )
    try:
        return fromstring(text)
    except (ParseError, ValueError) as error:
        raise SystemFileError(f"{where}: not valid XML ({error}); mend the file") from None
