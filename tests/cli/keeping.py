"""Whether a document keeps a schema, decided by the few words of JSON Schema that ours use and no library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": int,
    "null": type(None),
}
SPOKEN = {
    "$schema", "title", "description", "type", "properties", "required", "items", "additionalProperties",
    "enum", "const", "minItems", "maxItems",
}  # fmt: skip


def faults(document: Any, schema: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Where a document is not as its schema says, a line each.

    Raises: ValueError for a word that this reader does not know.
    """
    if unknown := schema.keys() - SPOKEN:
        raise ValueError(f"{place}: {sorted(unknown)}")
    kinds = schema.get("type", list(KINDS))
    if not any(_is(document, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{place}: {document!r:.60} is no {kinds}"
        return
    if document not in schema.get("enum", [document]) or document != schema.get("const", document):
        yield f"{place}: {document!r:.60} is none of the words"
    if isinstance(document, dict):
        yield from (f"{place}: no {key}" for key in schema.get("required", ()) if key not in document)
        inner, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        for key, value in document.items():
            yield from faults(value, inner.get(key, rest), f"{place}/{key}")
    if isinstance(document, list):
        if not schema.get("minItems", 0) <= len(document) <= schema.get("maxItems", len(document)):
            yield f"{place}: {len(document)} items"
        for at, value in enumerate(document):
            yield from faults(value, schema.get("items", {}), f"{place}/{at}")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    whole = kind == "integer" and isinstance(value, float) and value.is_integer()
    return whole or isinstance(value, KINDS[kind])
