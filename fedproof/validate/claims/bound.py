"""Bounds on what a run does: true where every step of their proof is, and no hypothesis is left over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation as at_point
from fedproof.algebra.expressions import NotAlgebraic, names_in
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Statement
from fedproof.proof.certificates import Proved, whole_names
from fedproof.proof.certify.live import proof
from fedproof.proof.certify.translate import expression, plain, plain_relation, relation
from fedproof.proof.decide import decide
from fedproof.proof.forall import ForAll
from fedproof.proof.grounds import Ground, resting
from fedproof.proof.kernel.trees import Tree, alike, free, substitute
from fedproof.proof.language.everywhere import applies
from fedproof.proof.language.models import contradicts, model
from fedproof.proof.obligations import used
from fedproof.proof.prove_or_refute import as_step
from fedproof.proof.rules.query import NotApplicable, Query, is_scalar_relation
from fedproof.proof.sayings import listed, signs
from fedproof.proof.standing import standing as granted_by
from fedproof.proof.step import Given, Step
from fedproof.proof.step_verdict import StepDecision
from fedproof.proof.tree_text import text
from fedproof.validate.claims.concluding import concludes, equal, is_affine_in_bound
from fedproof.validate.claims.instances import unmade
from fedproof.validate.claims.relation import UNMET, algebraic, can_be_met, radical
from fedproof.validate.proof_basis import beside, granting, proof_steps
from fedproof.validate.statement_verdict import StatementVerdict, domain_relations, standing

#: processor time of a search for a certificate that the conditions imply what a proof assumes
SECONDS = 20.0


def judge(statement: Statement) -> StatementVerdict:
    """Read the verdict off the last steps of the proof: what they rest on, and the statement's conditions.

    The certificate of a step carries what every step assumes that it uses, so that the last ones tell all.
    """
    if statement.counterexample:
        return broken(statement)
    if not statement.proof:
        return StatementVerdict(
            statement.id, "open", (), "it has no proof here; `validate` compares it with runs"
        )
    met = can_be_met(statement)
    if met is False:
        return StatementVerdict(statement.id, "vacuous", (), "its conditions cannot hold together")
    last = [s for s in proof_steps(statement) if s.id in statement.proof]
    decisions = [decide(s) for s in last]
    found = tuple(dict.fromkeys(g for d in decisions for g in d.grounds))
    weak = [_failing(d) for d in decisions if d.verdict != "proved"]
    try:
        left, proofs = ([], ()) if weak else _covered(statement, last)
    except (NotApplicable, NotAlgebraic) as problem:
        left, proofs = [str(problem)], ()
    weak += [f"{said} does not follow from its conditions" for said in left]
    weak += [f"what {s.id} assumes contradicts its conditions" for s in last if _apart(statement, s)]
    if not any(concludes(s, statement) for s in last):
        weak.append(f"the last step does not speak of {statement.claim_latex}")
    weak += ["a bound that may be negative, of what is bounded by its square"] * _may_be_negative(statement)
    weak += [] if weak else _granted_in_vain(statement)
    weak += [UNMET] if met is None else []
    made = partial(StatementVerdict, statement.id, because=statement.proof, proofs=proofs, grounds=found)
    if weak:
        return made(verdict="open", detail="; ".join(weak))
    cited = sorted({g.id for g in found if g.kind == "cited"})
    carried = sum(g.kind in ("listed", "carried") for g in found)
    said = "its proof has a certificate down to "
    many = "relation" if carried == 1 else "relations"
    said += f"{carried} {many} that its steps list" if carried else "the paper's assumptions"
    said += f", {', '.join(cited)} cited" if cited else ""
    extra = beside(statement, found)
    if extra:
        return made(verdict="holds amended", detail=f"{said}; it needs {', '.join(extra)} besides")
    return made(verdict="holds", detail=said)


def _granted_in_vain(statement: Statement) -> list[str]:
    """The bounds that grant it assumptions and do not hold themselves."""
    found = ((o.id, judge(o).verdict) for o in granting(statement))
    return [
        f"{id}, which grants assumptions, is {v}" for id, v in found if v not in ("holds", "holds amended")
    ]


def _apart(statement: Statement, last: Step) -> bool:
    """Whether what a step about functions assumes has no model where the statement's conditions hold."""
    if not applies(last):
        return False
    domains = (r for letter in statement.letters for r in domain_relations(letter))
    whole = replace(last, given=(*last.given, *domains, *(c.relation for c in statement.conditions)))
    return model(whole) is None and contradicts(whole)


def _failing(last: StepDecision) -> str:
    """Why a last step is not proved: where it rests on others that are not, the first of these."""
    if not last.detail.endswith(" is not proved"):
        return f"{last.step.id} is {last.verdict}: {last.detail}"
    weak = {s.id: d for s in used(last.step) if (d := decide(s)).verdict not in ("proved", "cited")}
    first = [d for d in weak.values() if not weak.keys() & set(d.step.uses)]
    said = ", and on ".join(f"{d.step.id}, which is {d.verdict}: {d.detail}" for d in first)
    return f"{last.step.id} rests on {said}"


def broken(statement: Statement) -> StatementVerdict:
    """Refuted where the instance's steps are proved, and numbers break what the claim would make of it.

    The numbers must satisfy the statement's conditions.
    """
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    *way, last = (decide(steps[id]) for id in statement.counterexample)
    before = {s.id: s for d in way for s in (d.step, *used(d.step))}
    weak = [f"{s.id} is {v}" for s in before.values() if (v := decide(s).verdict) not in ("proved", "cited")]
    weak += [] if last.verdict == "refuted" else [f"{last.step.id} is {last.verdict}"]
    point = dict(last.witness or {})
    lower = None if weak else _lower(last.step, way, statement, point)
    if not weak and (lower is None or not _is_claimed(last.step, statement, point)):
        weak.append(f"{last.step.id} does not speak of {statement.claim_latex}")
    weak += [] if lower is None else _odd(lower, point)
    for c in statement.admissible:
        if not names_in(c.relation) <= set(point) or not at_point(c.relation, point).holds:
            weak.append(f"{c.label} is not known to hold there")
    domains = [r for letter in statement.letters if letter.name in point for r in domain_relations(letter)]
    weak += [f"{r} does not hold there" for r in domains if not at_point(r, point).holds]
    if weak:
        return StatementVerdict(statement.id, "open", statement.counterexample, "; ".join(weak))
    rests = tuple(dict.fromkeys(g for d in way for g in d.grounds))
    return StatementVerdict(
        statement.id, "refuted", statement.counterexample, last.detail, last.witness, last.instance,
        grounds=rests,
    )  # fmt: skip


def _is_claimed(step: Step, statement: Statement, point: Mapping[str, Fraction]) -> bool:
    """Whether a claim that numbers break has the statement's bound, at these numbers, where that has it."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    if not isinstance(step.claim, (sp.Le, sp.Ge)) or step.claim.rel_op != claim.relation:
        return False
    same = sp.Eq(step.claim.rhs, statement.expand(claim.expr), evaluate=False)
    return names_in(same) <= set(point) and at_point(same, point).holds


def _lower(
    step: Step, way: Sequence[StepDecision], statement: Statement, point: Mapping[str, Fraction]
) -> Step | None:
    """The step on the way that says that the other side of a broken claim bounds the metric from below."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    words = catalog.metric_relations(statement.paper).get(f"{claim.metric} >=", ())
    for said in words:
        for shown in (d.step for d in way if d.step.claim.func is said.func):
            same = sp.Eq(shown.claim.args[0], step.claim.lhs, evaluate=False)
            fits = shown.claim.args[1] == said.args[1] and names_in(same) <= set(point)
            if fits and at_point(same, point).holds:
                return shown
    return None


#: how a hypothesis begins that says which instances are meant
INSTANCE = "instance: "


def makes(given: Given) -> bool:
    """Whether a hypothesis says which instances are meant, and of functions nothing for all points."""
    return given.why.startswith(INSTANCE) and (isinstance(given.relation, ForAll) or _open(given) is not None)


def own_hypotheses(step: Step) -> list[Given]:
    """What a step lists itself."""
    return [h for h in step.hypotheses if isinstance(h, Given)]


def _odd(lower: Step, point: Mapping[str, Fraction]) -> list[str]:
    """What the step that bounds the metric lists and is no fact of the instance, or makes none."""

    def known(given: Given) -> bool:
        said = given.relation
        return _open(given) is not None and is_scalar_relation(said) and names_in(said) <= set(point)

    own = own_hypotheses(lower)
    odd = [str(h.relation) for h in own if known(h) and not at_point(h.relation, point).holds]
    rest = [h for h in own if not known(h)]
    odd += [str(h.relation) for h in rest if not makes(h)]
    symbols = {s for h in own if isinstance(h.relation, sp.Basic) for s in h.relation.free_symbols}
    values = {s: sp.Rational(*point[s.name].as_integer_ratio()) for s in symbols if s.name in point}

    def holds(said: sp.Basic, given: Sequence[sp.Basic]) -> bool:
        with sp.evaluate(False):
            here = said.xreplace(values)
        return decide(Step(here, tuple(given)), briefly=True).verdict == "proved"

    odd += unmade((h.relation for h in rest if makes(h)), values.keys(), holds)
    return [f"{lower.id} lists {said}, which is no fact of the instance" for said in odd]


def _may_be_negative(statement: Statement) -> bool:
    """Whether a bound that need not be positive stands in a power, a function or twice: x^2 <= (-1)^2."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    signs = (sp.Gt(claim.expr, 0, evaluate=False), sp.Ge(claim.expr, 0, evaluate=False))
    known = standing(statement)
    return not is_affine_in_bound(statement) and all(
        _implied(statement, known, sign, {}) is None for sign in signs
    )


def _covered(statement: Statement, last: list[Step]) -> tuple[list[str], tuple[Proved, ...]]:
    """What the last steps assume and the conditions do not imply; and proofs that they imply the rest.

    A hypothesis with a reason, or of a sign, counts where nothing pays it, but in steps that are not brought
    down to formulas yet.
    """
    known, listing = standing(statement), granted_by(statement.paper).lists
    left: list[str] = []
    proofs: list[Proved] = []
    for step in last:
        brought = proof(step, SECONDS)
        found: tuple[Ground, ...]
        put: Mapping[str, Tree]
        found, put = ((), {}) if isinstance(brought, str) else resting(brought)
        stay = [g.tree for g in found if g.kind == "listed"]
        meaning = {part.symbol: part.expr for part in step.lets}
        asked = [(tree, said, meaning) for tree, said in _plainly(step)]
        for tree, said in () if step.id in listing else _reasoned(step):
            if isinstance(brought, str) or any(alike(substitute(tree, put), s) for s in stay):
                asked.append((tree, said, meaning))
        asked += [(tree, said, {}) for tree, said in _named(step, statement, found)]
        asked += [(tree, said, {}) for tree, said in _carried(statement, found)]
        for tree, said, parts in asked:
            implied = None if said is None else _implied(statement, known, said, parts)
            left += [text(tree) if said is None else str(said)] if implied is None else []
            proofs += implied or ()
        left += [*_recursion(step, statement), *_wholes(step, statement, brought)]
    return left, tuple(proofs)


def _plainly(step: Step) -> Iterator[tuple[Tree, Any]]:
    """What a step lists without a reason, and where its induction starts."""
    yield from ((tree, _open(h)) for h, tree in listed(step) if not h.why)
    if step.induction is not None:
        start = sp.Ge(step.induction.index, step.induction.start, evaluate=False)
        yield relation(start), start


def _reasoned(step: Step) -> Iterator[tuple[Tree, Any]]:
    """What a step lists with a reason, and what its names assume of their signs."""
    yield from ((tree, _open(h)) for h, tree in listed(step) if h.why)
    yield from signs(step)


def _open(given: Given) -> Any:
    """What a hypothesis says of the statement's letters; nothing where it is for all points or indices."""
    everywhere = getattr(given, "everywhere", None)
    bound = everywhere is not None and (everywhere.names or everywhere.ranges)
    return None if bound else given.relation


def _wholes(step: Step, statement: Statement, brought: Proved | str) -> list[str]:
    """Letters and names of its claim that a proof takes to be whole, and that need not be.

    That its paper counts with a name says nothing of a letter: what the statement holds for are the values
    in the letter's domain.
    """
    if isinstance(brought, str):
        return []
    own = {letter.name: letter.quantity.whole for letter in statement.letters}
    own |= {d.symbol.name: False for d in statement.where}
    count = granted_by(statement.paper).kinds
    spoken = (n for n in sorted(whole_names(brought)) if n in own or n in free(brought.judgement.claim))
    return [f"{n} is whole" for n in spoken if not own.get(n, count.get(n) == "whole")]


def _recursion(step: Step, statement: Statement) -> list[str]:
    """What an induction takes for granted of the statement's letters: a whole index, a state that is made."""
    how = step.induction
    if how is None:
        return []
    own = {letter.symbol for letter in statement.letters} | {d.symbol for d in statement.where}
    wholes = {letter.symbol for letter in statement.letters if letter.quantity.whole}
    left = [] if how.index in wholes else [f"{how.index} is whole"]
    return left + [f"{s} is what the recursion makes it" for s, _, _ in how.state if s in own]


def _named(step: Step, statement: Statement, rests: Sequence[Ground]) -> Iterator[tuple[Tree, Any]]:
    """What the statement's letters stand for in a last step, by its parts or by its paper's meanings.

    A letter without a definition may mean what its paper's functions say, such as a loss, which is shown.
    """
    defined = {d.symbol.name for d in statement.where}
    own = {letter.name for letter in statement.letters} | defined
    found = [(part.symbol.name, expression(part.expr)) for part in step.lets]
    parts = own & {part.symbol.name for part in step.lets}
    found += [(g.id, g.tree) for g in rests if g.kind == "meaning" and g.tree[0] != "whole"]
    for name, tree in found:
        said = plain(tree) if name in own else None
        if said is not None or name in defined | parts:
            with sp.evaluate(False):
                yield ("=", name, tree), said if said is None else sp.Eq(sp.Symbol(name, real=True), said)


def _carried(statement: Statement, rests: Sequence[Ground]) -> Iterator[tuple[Tree, Any]]:
    """What a last step takes from those below of the statement's letters alone, in whatever range."""
    own = {letter.name for letter in statement.letters} | {d.symbol.name for d in statement.where}
    for tree in (g.tree for g in rests if g.kind == "carried"):
        indices = set[str]()
        while tree[0] in ("all", "every"):
            new = f"index{len(indices)}'"
            tree = substitute(tree[-1], {tree[1]: new})
            indices.add(new)
        said = plain_relation(tree)
        names = free(tree) if said is None else names_in(sp.cancel(said.lhs - said.rhs))
        if names - indices <= own:
            yield tree, said


def _implied(
    statement: Statement,
    known: list[sp.Basic],
    said: sp.Basic | ForAll,
    meaning: dict[sp.Symbol, sp.Expr],
) -> tuple[Proved, ...] | None:
    """Proofs that the conditions, which speak of real numbers, imply a relation; None where they do not."""
    if not isinstance(said, sp.Basic) or not is_scalar_relation(said):
        return None
    asked = _here(said, meaning)
    here = statement.expand(asked)
    if here in known or (isinstance(here, sp.Eq) and equal(*here.args)):
        return ()
    by_facts = _by_facts(statement, known, asked)
    if by_facts is not None or not algebraic(here):
        return by_facts
    known = [k for k in known if algebraic(k)]
    simple = [k for k in known if not radical(k)]
    return _proofs(statement, (Query(tuple(simple), here),)) or _proofs(
        statement, (Query(tuple(known), here),)
    )


def _proofs(statement: Statement, questions: Iterable[Query]) -> tuple[Proved, ...] | None:
    """Certificates of questions, if there are."""
    found = [proof(as_step(q, statement.source), SECONDS) for q in questions]
    return (
        None if any(isinstance(f, str) for f in found) else tuple(f for f in found if isinstance(f, Proved))
    )


def _by_facts(statement: Statement, known: list[sp.Basic], said: sp.Basic) -> tuple[Proved, ...] | None:
    """Proofs with derived quantities kept as symbols, known by their facts, which are proved."""
    facts = _facts(statement, said.free_symbols)
    if not facts:
        return None
    speaks_of = said.free_symbols.union(*(f.free_symbols for f in facts))
    facts = _facts(statement, speaks_of)
    admitted = {c.label for c in statement.admissible}
    conditions = [c.relation for c in statement.conditions if c.label in admitted]
    near = [r for r in (*known, *conditions) if r.free_symbols <= speaks_of]
    about = [
        Query(tuple(r for r in known if r.free_symbols <= f.free_symbols), f)
        for f in map(statement.expand, facts)
    ]
    return _proofs(statement, (Query((*near, *facts), said), *about))


def _facts(statement: Statement, symbols: set[sp.Symbol]) -> list[sp.Basic]:
    """The facts of derived quantities, in the statement's order: what is asked is told by what it says."""
    return [f for d in statement.where if d.symbol in symbols for f in d.facts]


def _here(relation: sp.Basic, meaning: dict[sp.Symbol, sp.Expr]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.xreplace(meaning)
