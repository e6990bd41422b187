"""What the kit found out about an implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedproof.vocabulary.result import Result, Table


@dataclass(frozen=True)
class Check:
    """One case, answered.

    Arguments:
        name, tests: of the case.
        passed: whether the answer is right.
        got, expected: the models, shape (2,); what is not finite is NaN.
        error: the largest difference of a coordinate, over the larger of 1 and the largest expected one.
    """

    name: str
    tests: str
    passed: bool
    got: tuple[float, ...]
    expected: tuple[float, ...]
    error: float

    def to_dict(self) -> dict[str, Any]:
        """One row of the JSON document."""
        return {
            "name": self.name, "tests": self.tests, "passed": self.passed, "got": list(self.got),
            "expected": list(self.expected), "error": self.error,
        }  # fmt: skip


@dataclass(frozen=True)
class Conformance(Result):
    """Whether an implementation gives the exact answers.

    Arguments:
        function: its name.
        algorithm: what it was judged as.
        conforms: whether every check passed.
        form: which of the algorithm's right forms it has; None where it does not conform.
        precision: "exact", "double" or "single": how near its answers come; None where it does not conform.
        checks: all of them, the simplest first.
        diagnosis: usual mistakes that each explain all its answers alone, or pairs of them that do.
        notes: what else was seen.
    """

    function: str
    algorithm: str
    conforms: bool
    form: str | None
    precision: str | None
    checks: tuple[Check, ...]
    diagnosis: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """The largest error of a check."""
        return max(check.error for check in self.checks)

    @property
    def first_failure(self) -> Check | None:
        """The simplest check that fails."""
        return next((check for check in self.checks if not check.passed), None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "function": self.function, "algorithm": self.algorithm, "conforms": self.conforms,
            "form": self.form, "precision": self.precision, "error": self.error,
            "checks": [check.to_dict() for check in self.checks], "diagnosis": list(self.diagnosis),
            "notes": list(self.notes),
        }  # fmt: skip

    @property
    def frame(self) -> Any:
        """The checks as a pandas table."""
        import pandas as pd

        return pd.DataFrame(self.tables()[0].records)

    def headline(self) -> str:
        name, failure = f"{self.function} as {self.algorithm}", self.first_failure
        if failure is None:
            return (f"{name}: conforms in all {len(self.checks)} checks; {self.form}; {self.precision} "
                    f"precision, error {self.error:.1g}")  # fmt: skip
        if self.diagnosis:
            return f"{name} does not conform: {'; or: '.join(self.diagnosis)}"
        got, expected = _numbers(failure.got), _numbers(failure.expected)
        return (f"{name} does not conform, and no usual mistake explains it: {failure.name}: got {got}, "
                f"expected {expected}")  # fmt: skip

    def tables(self) -> tuple[Table, ...]:
        columns = ("check", "passed", "got", "expected", "error")
        rows = tuple(
            (c.name, c.passed, _numbers(c.got), _numbers(c.expected), f"{c.error:.1g}") for c in self.checks
        )
        failure = self.first_failure
        first = () if failure is None else (f"{failure.name}, the first that fails, tries: {failure.tests}",)
        notes = tuple((note,) for note in (*first, *self.notes))
        checks = (Table("", columns, rows),)
        return (*checks, Table("", ("note",), notes)) if notes else checks


def _numbers(model: tuple[float, ...]) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in model) + ")"
