"""Theory verification and parameter tuning for federated optimisation.

>>> import fedproof as fp
>>> fp.statement("fedproxvr.lemma1.sarah").check(L=1, lam=0, mu=20, beta=30, tau=40, theta=1).applicable
True
"""

from __future__ import annotations

from time import time

#: true to type checkers alone; nothing is imported here: an interrupt now is the interpreter's to tell
TYPE_CHECKING = False

__version__ = "0.1.0"

#: when this process read the package: a file that was written since may not be what runs
LOADED = time()

#: public name -> module that defines it; loaded when first used
_EXPORTS = {
    "Composite": "fedproof.problems.composite.composite",
    "Step": "fedproof.proof.step",
    "FedproofError": "fedproof.vocabulary.errors",
    "InputError": "fedproof.vocabulary.errors",
    "LogWriter": "fedproof.validate.logs.writer",
    "Participation": "fedproof.solvers.cohort",
    "audit": "fedproof.validate.audit",
    "conditions": "fedproof.validate.conditions.api",
    "conform": "fedproof.testing.api",
    "decide": "fedproof.proof.decide",
    "describe": "fedproof.problems.data.describe",
    "figure": "fedproof.figures.api",
    "find": "fedproof.finding",
    "list_options": "fedproof.option_listing",
    "list_papers": "fedproof.listing",
    "measure": "fedproof.measure.api",
    "penalty": "fedproof.problems.catalog",
    "plan": "fedproof.planning.api",
    "problem": "fedproof.problems.catalog",
    "region": "fedproof.bounds.region",
    "region_grid": "fedproof.bounds.region_grid",
    "report": "fedproof.report.api",
    "run": "fedproof.solvers.api",
    "statement": "fedproof.bounds.statement_handle",
    "sweep": "fedproof.solvers.runs.sweep",
    "tune": "fedproof.tuning.api",
    "use": "fedproof.vocabulary.own_file",
    "validate": "fedproof.validate.api",
    "write_ledger": "fedproof.report.ledger",
}

__all__ = [
    "Composite",
    "FedproofError",
    "InputError",
    "LogWriter",
    "Participation",
    "Step",
    "audit",
    "conditions",
    "conform",
    "decide",
    "describe",
    "figure",
    "find",
    "list_options",
    "list_papers",
    "measure",
    "penalty",
    "plan",
    "problem",
    "region",
    "region_grid",
    "report",
    "run",
    "statement",
    "sweep",
    "tune",
    "use",
    "validate",
    "write_ledger",
]

if TYPE_CHECKING:
    from fedproof.bounds.region import region
    from fedproof.bounds.region_grid import region_grid
    from fedproof.bounds.statement_handle import statement
    from fedproof.figures.api import figure
    from fedproof.finding import find
    from fedproof.listing import list_papers
    from fedproof.measure.api import measure
    from fedproof.option_listing import list_options
    from fedproof.planning.api import plan
    from fedproof.problems.catalog import penalty, problem
    from fedproof.problems.composite.composite import Composite
    from fedproof.problems.data.describe import describe
    from fedproof.proof.decide import decide
    from fedproof.proof.step import Step
    from fedproof.report.api import report
    from fedproof.report.ledger import write_ledger
    from fedproof.solvers.api import run
    from fedproof.solvers.cohort import Participation
    from fedproof.solvers.runs.sweep import sweep
    from fedproof.testing.api import conform
    from fedproof.tuning.api import tune
    from fedproof.validate.api import validate
    from fedproof.validate.audit import audit
    from fedproof.validate.conditions.api import conditions
    from fedproof.validate.logs.writer import LogWriter
    from fedproof.vocabulary.errors import FedproofError, InputError
    from fedproof.vocabulary.own_file import use
else:
    # unseen by type checkers, to which it would say that every name is there
    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _EXPORTS:
            raise AttributeError(f"module 'fedproof' has no attribute {name!r}")
        return getattr(import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
