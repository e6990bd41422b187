"""Regions over values of two further symbols: what sliders move, every place of them computed exactly."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from fedproof.bounds.letter import Letter
from fedproof.bounds.region import AdmissibleRegion, region
from fedproof.bounds.statement_handle import statement
from fedproof.vocabulary.discovery import plot_of
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.result import Result, Table

#: sliders, and regions that one page holds, at most
MOST_SLIDERS, MOST_REGIONS = 2, 400
_HEIGHT = 620
_CURE = "give one or two symbols several values, and the others one each"


@dataclass(frozen=True)
class Slider:
    """A symbol that a slider moves.

    Arguments:
        letter: of the symbol.
        values: exact, in increasing order.
        texts: the same as they were typed.
    """

    letter: Letter
    values: tuple[Fraction, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class RegionGrid(Result):
    """The admissible pairs of two symbols at every place of one or two sliders.

    Arguments:
        id: of the statement.
        sliders: one or two; a region's place is the number of each one's value.
        regions: by place, each exact as `fp.region` gives it.
    """

    id: str
    sliders: tuple[Slider, ...]
    regions: Mapping[tuple[int, ...], AdmissibleRegion] = field(repr=False)

    def at(self, **values: Any) -> AdmissibleRegion:
        """The region at one value of each slider, by letter, as it was typed.

        Raises: InputError for a value that was not computed.
        """
        place = []
        for slider in self.sliders:
            name, given = slider.letter.name, str(values.get(slider.letter.name))
            if given not in slider.texts:
                raise InputError(name, given, f"one of {', '.join(slider.texts)}", "nothing lies between")
            place.append(slider.texts.index(given))
        return self.regions[tuple(place)]

    def page(self) -> str:
        """One page of HTML with its sliders, that needs no network and no server."""
        drawn: str = plot_of("region_page")(self)
        return drawn

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, all or nothing."""
        return write_whole(Path(path), self.page().encode())

    def _repr_html_(self) -> str:
        inside = html.escape(self.page(), quote=True)
        said = html.escape(self.headline())
        page = f'<iframe title="{said}" srcdoc="{inside}" style="width:100%;height:{_HEIGHT}px;border:0">'
        return f"<p>{said}</p>{page}</iframe>"

    def to_dict(self) -> dict[str, Any]:
        """The sliders, and every region with its place."""
        return {
            "id": self.id,
            "sliders": [{"symbol": s.letter.name, "values": list(s.texts)} for s in self.sliders],
            "regions": [{"place": list(place), **r.to_dict()} for place, r in self.regions.items()],
        }

    @property
    def frame(self) -> Any:
        """The rows of each region's table, with the sliders' values before them, as a pandas table."""
        import pandas as pd

        names = [s.letter.name for s in self.sliders]
        parts = []
        for place, found in self.regions.items():
            texts = [s.texts[k] for s, k in zip(self.sliders, place, strict=True)]
            parts.append(found.frame.assign(**dict(zip(names, texts, strict=True))))
        whole = pd.concat(parts, ignore_index=True)
        return whole[[*names, *(c for c in whole.columns if c not in names)]]

    def headline(self) -> str:
        """How many regions there are, and how many are empty."""
        empty = sum(r.empty for r in self.regions.values())
        said = " and ".join(f"{len(s.texts)} values of {s.letter.name}" for s in self.sliders)
        return f"{self.id}: {len(self.regions)} regions over {said}, {empty} of them empty"

    def tables(self) -> tuple[Table, ...]:
        """A row for each region."""
        rows = tuple(
            (*(s.texts[k] for s, k in zip(self.sliders, place, strict=True)), r.empty, ", ".join(r.binding))
            for place, r in self.regions.items()
        )
        return (Table("", (*(s.letter.name for s in self.sliders), "empty", "bound by"), rows),)


def region_grid(
    id: str,
    x: str,
    y: str,
    /,
    *,
    sliders: Mapping[str, Sequence[Any]],
    window: tuple[Any, Any] | None = None,
    columns: int = 24,
    progress: Callable[[str], Any] | None = None,
    **values: Any,
) -> RegionGrid:
    """The admissible pairs of two symbols at every combination of one or two others' values.

    Arguments:
        id, x, y, window, columns, values: as `region` takes them; each region has at least so many columns.
        sliders: one or two further symbols, by letter or canonical word, each with the values that its slider
            has, as `check` takes them.
        progress: gets a short note after each region.

    Returns: the regions, which show themselves in a notebook and `save` as a page with sliders.
    Raises: as `region`; InputError for no sliders or more than two, one value, or too many regions.

    >>> grid = region_grid("fedproxvr.lemma1.sarah", "beta", "tau", sliders={"mu": [20, 40]}, L=1, lam=0,
    ...                    theta=1, columns=8)
    >>> len(grid.regions), grid.at(mu=40).binding
    (2, ('(13) lower', '(13) upper'))
    """
    chosen = _sliders(id, sliders)
    count = prod(len(s.texts) for s in chosen)
    if count > MOST_REGIONS:
        raise InputError("sliders", f"{count} regions", f"at most {MOST_REGIONS}", "give fewer values")
    found: dict[tuple[int, ...], AdmissibleRegion] = {}
    for place in product(*(range(len(s.texts)) for s in chosen)):
        own = {s.letter.name: s.values[k] for s, k in zip(chosen, place, strict=True)}
        found[place] = region(id, x, y, window=window, columns=columns, **{**values, **own})
        if progress is not None:
            progress(", ".join(f"{s.letter.name}={s.texts[k]}" for s, k in zip(chosen, place, strict=True)))
    return RegionGrid(id, chosen, found)


def _sliders(id: str, given: Mapping[str, Sequence[Any]]) -> tuple[Slider, ...]:
    handle = statement(id)
    if not 1 <= len(given) <= MOST_SLIDERS:
        raise InputError("sliders", f"{len(given)}", "one or two symbols with their values", _CURE)
    found = []
    for name, typed in given.items():
        letter = handle.letter(name)
        if isinstance(typed, str) or len(typed) < 2:
            raise InputError(name, typed, "two values or more", f"write {name}=1,2,3")
        read = sorted({handle.read({name: value})[letter.name]: str(value) for value in typed}.items())
        found.append(Slider(letter, tuple(v for v, _ in read), tuple(text for _, text in read)))
    if len({s.letter for s in found}) < len(found):
        raise InputError("sliders", " and ".join(given), "two different symbols", "leave one out")
    return tuple(found)
