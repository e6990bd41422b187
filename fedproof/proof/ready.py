"""A step as its rule reads it: named parts written out, and what a proof may go by instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType

from fedproof.proof.rules.normalise_step import definitions_abstracted, meant, normalised
from fedproof.proof.rules.query import Query
from fedproof.proof.rules.well_formed import check_well_formed
from fedproof.proof.step import Applied, Step


@dataclass(frozen=True)
class Ready:
    """A step as its rule reads it.

    Arguments:
        step: as it was asked.
        meant: with its named parts written out, which is what is decided.
        readings: what a proof may go by instead: known of named parts is what their facts say.
    """

    step: Step
    meant: Step
    readings: tuple[Step, ...]

    @property
    def rule(self) -> ModuleType:
        """The rule by which the step says that it goes."""
        return import_module(f"fedproof.proof.rules.{self.step.rule}")

    def cases(self) -> Iterator[Query]:
        """Special cases in plain real numbers."""
        cases: Iterator[Query] = self.rule.instances(self.meant)
        return cases


def made_ready(step: Step) -> Ready:
    """A step, of which every reading is well formed.

    Raises: NotApplicable.
    """
    if step.rule == "cases":
        used = tuple(h for h in step.given if isinstance(h, Applied))
        own = normalised(replace(step, given=tuple(h for h in step.given if not isinstance(h, Applied))))
        whole = replace(own, given=(*own.given, *used))
        return Ready(step, whole, (whole,))
    own = normalised(step)
    readings = (*definitions_abstracted(own), meant(own)) if step.lets else (meant(own),)
    for reading in readings:
        check_well_formed(reading)
    return Ready(step, readings[-1], readings)
