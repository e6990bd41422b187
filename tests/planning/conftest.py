"""What the planner's tests share: plans without audits of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest

from fedproof.planning import api as planning
from fedproof.validate.statement_verdict import StatementVerdict, declared


@pytest.fixture(scope="module")
def audits_as_declared() -> Iterator[None]:
    """Plans go by the verdicts that papers declare, to which `make audit` holds audits; unsaid, it holds."""

    def ask(id: str) -> Callable[[], StatementVerdict]:
        return lambda: StatementVerdict(id, declared(id.partition(".")[0]).get(id, "holds"), (), "")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "beside", lambda: nullcontext(ask))
        yield
