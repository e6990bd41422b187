"""What `tune` answers: the best parameters, and how they are known to be best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fedproof.vocabulary.result import Result, Table


@dataclass(frozen=True)
class TuneResult(Result):
    """The best parameters and how they are known to be best.

    Arguments:
        id: what was asked.
        form: whether the paper's bounds were used as printed or sharpened.
        objective: at the minimiser, or the infimum where it is not attained.
        argmin: the minimiser by letter, or None where the infimum is not attained.
        lower_bound: proved: no parameters of the set named in `over` do better.
        certified: whether lower_bound is proved to be within 1e-9 of the objective, relatively.
        gap: the proved relative gap; infinite where nothing is proved.
        active: labels of the conditions that hold with equality at the minimiser.
        run: hyper-parameters as `fedproof.run` takes them, or None without a minimiser.
        gain: for whole local steps, the part of the least objective over real ones that is saved; else None.
        real: for whole local steps, the least objective over real ones; else None.
        note: what a careful reader should know.
        inputs: the constants and options that were given, by the names that were typed.
        minimised: what objective is.
        over: the set over which it is least, to which lower_bound belongs.
        rounded: the given constants that are no doubles: the search took the nearest ones, so that
            lower_bound is proved of these; what the minimiser satisfies is decided for them as written.
    """

    id: str
    form: str
    objective: float
    argmin: Mapping[str, float] | None
    lower_bound: float
    certified: bool
    gap: float
    active: tuple[str, ...]
    run: Mapping[str, Any] | None
    gain: float | None
    real: float | None
    note: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    minimised: str = ""
    over: str = ""
    rounded: tuple[str, ...] = ()

    def headline(self) -> str:
        """The best parameters and how they are known to be best."""
        if self.argmin is None:
            return f"{self.id}: the infimum {self.objective:.10g} is not attained"
        best = ", ".join(f"{k} = {v:.7g}" for k, v in self.argmin.items())
        proof = "proved best within a relative gap of" if self.certified else "not proved best, relative gap"
        nearest = f" at the nearest double{'s' * (len(self.rounded) > 1)} of {', '.join(self.rounded)}"
        where = nearest if self.rounded else ""
        return f"{self.id}: objective {self.objective:.10g} at {best}; {proof} {self.gap:.1e}{where}"

    def tables(self) -> tuple[Table, ...]:
        """Everything but what the headline says."""
        shown = {k: v for k, v in self.to_dict().items() if k not in ("id", "objective", "gap")}
        rows = tuple((k, v) for k, v in shown.items() if v not in (None, "", [], {}))
        return (Table("", ("", ""), rows),)
