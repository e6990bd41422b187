"""Certificates of steps that speak of functions, families and their sums, from hypotheses at all points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from fedproof.proof.certify import products, quadratic, vectors
from fedproof.proof.certify.abstraction import NOTHING, abstracted, adopted, as_sympy, shown, sum_tree
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.steps import _ids, last
from fedproof.proof.certify.lemmas import PROVED, by_hand
from fedproof.proof.certify.paying import for_all_values, used
from fedproof.proof.certify.preparing import write
from fedproof.proof.certify.translate import expression, relation
from fedproof.proof.certify.writer import NotFound, Writer, tree_of, vector_tree
from fedproof.proof.forall import ForAll
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.judgement import strings
from fedproof.proof.kernel.polynomials import UNIT, number
from fedproof.proof.kernel.trees import ORDER, Rejected, Tree, as_json, free, fresh, substitute
from fedproof.proof.language.everywhere import Always, At, ForEvery
from fedproof.proof.language.functions import is_vector, kinds_in
from fedproof.proof.rules.normalise_step import signs, tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Given, Step

_MISSED = (NotFound, Rejected, NotApplicable)


def everywhere(said: ForEvery) -> Tree:
    """A hypothesis at all points as a tree."""
    tree = relation(said.relation)
    for name in reversed(said.names):
        kind = "vector" if is_vector(name) else "whole" if name.is_integer else "real"
        tree = ("every", name.name, kind, tree)
    for index, lo, hi in reversed(said.ranges):
        tree = ("all", index.name, expression(lo), expression(hi), tree)
    return tree


def document(step: Step, known: Mapping[str, Known]) -> dict[str, Any]:
    """A step with its certificate, as `docs/certificates.md` says.

    Arguments:
        known: the steps it uses, proved.

    Raises: NotFound.
    """
    claims = [relation(c) for c in tidy(step.claim)]
    if len(claims) != 1:
        raise NotFound("a claim that says nothing, or more than one thing")
    writer, weights = begun(step, known)
    try:
        if PROVED.get(step.id) == step:
            by_hand(writer, step, claims[0])
        else:
            search(writer, claims[0], weights)
    except _MISSED as problem:
        raise NotFound(str(problem)) from problem
    said = set(strings((writer.here.given, claims[0], tuple(writer.lines))))
    return {
        "id": step.id,
        "names": {name: kind for name, kind in writer.here.kinds.items() if name in said},
        "given": [
            {"is": as_json(g), "from": o} for g, o in zip(writer.here.given, writer.origins, strict=True)
        ],
        "claim": as_json(claims[0]),
        "lines": as_json(tuple(writer.lines)),
        "uses": sorted(_ids(writer.lines)),
    }


def begun(step: Step, known: Mapping[str, Known]) -> tuple[Writer, dict[int, Tree]]:
    """A writer with everything that a step may use as lines, and the multipliers it gives of some."""
    used_steps = {id: (k.judgement.names, k.judgement.given, k.judgement.claim) for id, k in known.items()}
    writer = Writer.of(_kinds(step, known), (), used_steps)
    weights: dict[int, Tree] = {}
    plain = [h for h in step.hypotheses if type(h) is Given]
    for h in plain:
        for said in tidy(h.relation):
            place = writer.assume(relation(said), {"kind": "own", "why": h.why})
            _weigh(weights, place, h)
    for symbol in sorted(step_symbols(step), key=str):
        for said in signs(symbol):
            writer.assume(relation(said), {"kind": "own", "why": "meaning of a symbol"})
    for h in step.hypotheses:
        if isinstance(h, At) and h.everywhere is not None:
            whole = everywhere(h.everywhere)
            if writer.find(whole) is None:
                writer.assume(whole, {"kind": "own", "why": h.why})
    waiting: list[Any] = [h for h in step.hypotheses if type(h) is not Given or isinstance(h.relation, ForAll)]
    missed = ""
    while waiting:
        left = []
        for h in waiting:
            trial = writer.branch()
            try:
                place = _line(trial, h, known)
            except _MISSED as problem:
                left.append(h)
                missed = str(problem)
                continue
            writer.adopt(trial)
            _weigh(weights, place, h)
        if len(left) == len(waiting):
            raise NotFound(missed)
        waiting = left
    return writer, weights


def _line(writer: Writer, h: Any, known: Mapping[str, Known]) -> int | None:
    """The line that says what a hypothesis says here."""
    if isinstance(h, At):
        return instance(writer, h)
    if isinstance(h, Always):
        return for_all_values(writer, h, known[h.step.id].judgement)
    if isinstance(h, Applied):
        return summed(writer, used(writer, h, known[h.step.id].judgement))
    return summed(writer, writer.find(relation(h.relation)))


def _weigh(weights: dict[int, Tree], place: Any, h: Any) -> None:
    if h.weight is not None and place is not None:
        weights[place] = expression(h.weight)


def step_symbols(step: Step) -> set[sp.Symbol]:
    """Names for numbers in what a step says and assumes itself."""
    said = [step.claim, *(h.relation for h in step.hypotheses)]
    parts = [p for r in said for p in (vars(r).values() if isinstance(r, ForAll) else (r,))]
    return {s for p in parts for s in p.free_symbols if isinstance(s, sp.Symbol)}


def _kinds(step: Step, known: Mapping[str, Known]) -> dict[str, str]:
    """The kind of every name that a step speaks of."""
    said: list[Any] = [step.claim]
    for h in step.hypotheses:
        said += [] if h.weight is None else [h.weight]
        if isinstance(h, At) and h.everywhere is not None:
            said += [*h.points, *([sp.Sum(1, *reversed(h.everywhere.ranges))] if h.everywhere.over else [])]
            said += [h.relation] if h.points else []
            continue
        if isinstance(h, Applied):
            said += [] if h.over is None else [sp.Sum(1, h.over)]
        said.append(_bound(h.relation) if isinstance(h.relation, ForAll) else h.relation)
    kinds = kinds_in(*said)
    for h in step.hypotheses:
        if isinstance(h, At) and h.everywhere is not None:
            own = (*h.everywhere.names, *(index for index, _, _ in h.everywhere.ranges))
            more = kinds_in(h.everywhere.relation)
            kinds |= {n: k for n, k in more.items() if n not in {s.name for s in own} and n not in kinds}
    wholes = {n for k in known.values() for n, kind in k.judgement.names.items() if kind == "whole"}
    return {n: "whole" if kind == "real" and n in wholes else kind for n, kind in kinds.items()}


def _bound(said: ForAll) -> Any:
    """What a relation for every index says, its index bound by sums."""
    return sp.Tuple(*(sp.Sum(side, (said.index, said.lo, said.hi)) for side in said.relation.args))


def instance(writer: Writer, h: At) -> int:
    """The line that says what a hypothesis at all points says at some."""
    assert h.everywhere is not None
    place = writer.find(everywhere(h.everywhere))
    assert place is not None
    values = [expression(p) for p in h.points]
    if not values:
        return place
    for _ in h.everywhere.ranges:
        _, index, lo, hi, body = writer.here.lines[place]
        value = values.pop(0)
        pays = tuple(products.of_numbers(writer, r) for r in (("<=", lo, value), ("<=", value, hi)))
        place = _written(writer, substitute(body, {index: value}), "instance", place, value, pays)
    for value in values:
        _, name, kind, body = writer.here.lines[place]
        define(writer, value)
        place = _written(writer, substitute(body, {name: value}), "instance", place, value)
    return place


def _written(writer: Writer, said: Tree, *by: Any) -> int:
    place = writer.find(said)
    return writer.write(said, *by) if place is None else place


def define(writer: Writer, value: Tree) -> None:
    """Prove what an expression needs to be defined."""
    vector = writer.forms.is_vector(value)
    products.define(writer, ("=", ("n2", value), "0") if vector else ("=", value, "0"))


def summed(writer: Writer, place: int | None) -> int | None:
    """The sum over a line for every index, where that is known to have a meaning; else the line."""
    if place is None or writer.here.lines[place][0] != "all":
        return place
    _, index, lo, hi, body = writer.here.lines[place]
    if body[0] not in ("<=", "<", "="):
        return place
    try:
        length = products.of_numbers(writer, ("<=", lo, ("+", hi, "1")))
        sums = tuple(("sum", index, lo, hi, side) for side in body[1:])
        if writer.forms.is_vector(sums[0]) or writer.forms.is_vector(sums[1]):
            products.define(writer, ("=", *(("n2", s) for s in sums if s != "0")))
        else:
            products.define(writer, ("=", *sums))
        return writer.write(("=" if body[0] == "=" else "<=", *sums), "total", place, length)
    except _MISSED:
        return place


# -- the search


def search(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """Write a proof of the claim, as the last line.

    Raises: NotFound.
    """
    define_sides(writer, claim)
    missed: Exception | None = None
    for read, spread in _readings(writer, claim):
        trial = writer.branch()
        try:
            if spread:
                along(trial, claim)
            if weights and not _of_vectors(trial, claim) and _exactly(trial, claim, weights, read):
                writer.adopt(trial)
                return
            found = {} if _of_vectors(trial, claim) else sums_in(trial, claim, read)
            if found or (read and not _of_vectors(trial, claim)):
                with_names(trial, claim, weights, found, read)
            else:
                solved(trial, claim, weights)
                last(trial, claim)
            writer.adopt(trial)
            return
        except _MISSED as problem:
            missed = missed or problem
    raise missed or NotFound(f"{claim}")


def _readings(writer: Writer, claim: Tree) -> Iterator[tuple[tuple[int, ...], bool]]:
    """By which equations vectors may be read as others, and whether the rest is taken along all vectors."""
    terms = _given_by(writer, lambda right: not _has_sum(right))
    scalars = [line for line in (claim, *writer.here.lines) if _scalar(writer, line)]
    if not any(map(_has_sum, scalars)):
        yield terms, False
    means = _given_by(writer, _has_sum, terms)
    if len(means) > len(terms):
        yield means, False
    yield terms, True


def _given_by(
    writer: Writer, which: Callable[[Tree], bool], found: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Equations that give a vector or a term by what is of a sort, the shortest first, after those found."""
    lines = enumerate(writer.here.lines)
    places = [p for p, r in lines if r[0] == "=" and writer.forms.is_vector(r[1]) and which(r[2])]
    for place in sorted(places, key=lambda p: len(str(writer.here.lines[p][1]))):
        _, left, right = writer.here.lines[place]
        if _occurs(left, right) or not (isinstance(left, str) or left[0] == "of"):
            continue
        try:
            writer.here.forms((*found, place))
        except Rejected:
            continue
        found = (*found, place)
    return found


def _occurs(part: Tree, tree: Tree) -> bool:
    return part == tree or (isinstance(tree, tuple) and any(_occurs(part, t) for t in tree[1:]))


def _exactly(writer: Writer, claim: Tree, weights: Mapping[int, Tree], read: tuple[int, ...]) -> bool:
    """Write the claim as the sum of lines with their multipliers, if it is that and nothing more."""
    forms = writer.here.forms(read)
    rest = forms.number(claim[2]) - forms.number(claim[1])
    for place, weight in weights.items():
        _, left, right = writer.here.lines[place]
        gap = forms.number(right) - forms.number(left)
        rest = rest - forms.times(forms.number(weight), gap)
    if rest.above:
        return False
    terms: list[Any] = [("1", ("neg",))]
    for place, weight in weights.items():
        if writer.here.lines[place][0] == "=":
            terms.append(("1", (("*", weight), place)))
            products.define(writer, ("=", weight, "0"))
        else:
            terms.append(("1", (products.of_numbers(_hurried(writer, True), ("<=", "0", weight)), place)))
    writer.write(claim, "combine", tuple(terms), read)
    return True


def _scalar(writer: Writer, line: Tree) -> bool:
    """Whether a line is a relation between numbers, for no index but one."""
    return line[0] in ORDER and not _of_vectors(writer, line)


def _of_vectors(writer: Writer, claim: Tree) -> bool:
    return any(writer.forms.is_vector(s) for s in claim[1:])


def define_sides(writer: Writer, claim: Tree) -> None:
    """Prove what a claim needs to be defined."""
    if not _of_vectors(writer, claim):
        products.define(writer, claim)
        return
    for side in claim[1:]:
        if side != "0":
            define(writer, side)


def solved(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """Write a proof of a claim without sums, from lines without sums."""
    found, said, made = abstracted(writer, claim)
    plain_weights = {place: made.plain(w) for place, w in weights.items()}
    prove(found, said, plain_weights)
    adopted(writer, found, made)


def prove(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """A proof in plain names, by the multipliers that are given or by those that are found."""
    missed: Exception | None = None
    for way in _ways(writer, claim, weights):
        trial = writer.branch()
        trial.claim = claim
        try:
            way(trial)
            writer.adopt(trial)
            return
        except _MISSED as problem:
            missed = missed or problem
    raise missed or NotFound(f"{claim}")


def _ways(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> Iterator[Callable[[Writer], Any]]:
    if weights:
        for brief in (True,):
            for way in (_weighed, _settled, _added_up):
                yield lambda writer, way=way, brief=brief: way(_hurried(writer, brief), claim, weights)  # type: ignore[misc]
        return
    if any(kind == "vector" for kind in writer.here.kinds.values()):
        kinds = writer.here.kinds
        places = [i for i, line in enumerate(writer.here.lines) if line != NOTHING and line[0] != "!="]
        given = tuple(Given(as_sympy(writer.here.lines[i], kinds)) for i in places)
        step = Step(as_sympy(claim, kinds), given, rule="quad")
        yield lambda writer: vectors.prove(writer, claim, step, places)
    yield lambda writer: products.prove(writer, claim)


def _hurried(writer: Writer, brief: bool) -> Writer:
    writer.brief = brief
    return writer


def _weighed(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """By the lines with their multipliers, and squares."""
    quadratic.prove(writer, claim, list(weights.items()))


def _settled(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """The same where names that equations give by others are read so."""
    writer.settle()
    vectors.solve(writer)
    _weighed(writer, claim, weights)


def _added_up(writer: Writer, claim: Tree, weights: Mapping[int, Tree]) -> None:
    """The claim as the sum of lines with their multipliers, and what is left not negative."""
    forms = writer.forms
    products.define(writer, claim)
    terms: list[tuple[Any, tuple[Any, ...]]] = [(number(1), ("neg",))]
    rest = writer.gap(claim)
    for place, weight in weights.items():
        rest = rest - forms.times(forms.number(weight), writer.gap(writer.here.lines[place]))
        if writer.here.lines[place][0] == "=":
            products.define(writer, ("=", weight, "0"))
            terms.append((number(1), (("*", weight), place)))
        else:
            terms.append((number(1), (products.prove(writer, ("<=", "0", weight)), place)))
    if rest.above:
        terms.append((number(1), (products.prove(writer, ("<=", "0", tree_of(forms, rest))),)))
    write(writer, claim, terms)


# -- names for sums


def sums_in(writer: Writer, claim: Tree, read: tuple[int, ...]) -> dict[int, Tree]:
    """The sums that the normal forms of a claim and of lines have, by their atoms, each as an expression."""
    forms = writer.here.forms(read)
    atoms: dict[int, Tree] = {}
    for line in (claim, *writer.here.lines):
        if line[0] in ORDER and not _of_vectors(writer, line):
            gap = forms.number(line[2]) - forms.number(line[1])
            for a in (a for m in gap.above for a, _ in m if forms.atoms[a].kind == "upto"):
                if a not in atoms:
                    atoms[a] = sum_tree(forms, a)
    return atoms


def along(writer: Writer, claim: Tree) -> None:
    """Equations between vectors that have sums, as equations between inner products with the vectors here."""
    forms = writer.here.forms()
    equations = [
        (place, line)
        for place, line in enumerate(writer.here.lines)
        if line[0] == "=" and _of_vectors(writer, line) and _has_sum(line)
    ]
    if not equations:
        return
    known = [line for line in (claim, *writer.here.lines) if line[0] in ORDER]
    trees = [side for line in known for side in line[1:]]
    others = {a for a in _basis(forms, trees)}
    for place, (_, left, right) in equations:
        for b in sorted(others):
            u = vector_tree(forms, {b: UNIT})
            said = ("=", ("ip", left, u), ("ip", right, u) if right != "0" else "0")
            products.define(writer, said)
            terms = (("1", ("neg",)), ("-1", (("along", place, u),)))
            writer.write(said, "combine", terms, ())


def _has_sum(tree: Tree) -> bool:
    return isinstance(tree, tuple) and (tree[0] == "sum" or any(map(_has_sum, tree[1:])))


def _basis(forms: Forms, trees: Sequence[Tree], bound: frozenset[str] = frozenset()) -> set[int]:
    """Vectors in inner products that speak of no index of a sum around them."""
    found: set[int] = set()
    for tree in trees:
        if isinstance(tree, str):
            if forms.kinds.get(tree) == "vector" and tree not in bound:
                found |= set(forms.vector(tree))
        elif tree[0] == "of":
            if forms.is_vector(tree) and not free(tree) & bound:
                found |= set(forms.vector(tree))
        else:
            inner = bound | {tree[1]} if tree[0] == "sum" else bound
            found |= _basis(forms, tree[4:] if tree[0] == "sum" else tree[1:], inner)
    return {b for b in found if forms.atoms[b].kind != "upto"}


def with_names(
    writer: Writer, claim: Tree, weights: Mapping[int, Tree], found: dict[int, Tree], read: tuple[int, ...]
) -> None:
    """A proof with names for sums, in which lines about them are read by these names.

    Arguments:
        read: equations by which vectors are read as sums.
    """
    forms = writer.here.forms(read)
    named: dict[int, str] = {}
    for a in found:
        named[a] = fresh("S", frozenset(writer.here.kinds) | set(named.values()))
    for tree in found.values():
        products.define(writer, ("=", tree, tree))
    lines: list[tuple[int, Tree]] = []
    for place, line in enumerate(writer.here.lines):
        if line[0] in ORDER and not _of_vectors(writer, line):
            gap = forms.number(line[2]) - forms.number(line[1])
            spoken = any(_occurs(writer.here.lines[p][1], line) for p in read)
            if spoken or set(named) & {a for m in gap.above for a, _ in m}:
                lines.append((place, (line[0], "0", shown(forms, gap, named))))
    gap = forms.number(claim[2]) - forms.number(claim[1])
    goal = (claim[0], "0", shown(forms, gap, named))
    moved = {place: shown(forms, forms.number(w), named) for place, w in weights.items()}

    def inside(writer: Writer, left: list[int], equal: tuple[int, ...]) -> None:
        if left:
            a = left[0]
            inner = writer.here.inside({named[a]: "real"}, ("=", named[a], found[a]))
            sub = Writer(inner, [], ())
            inside(sub, left[1:], (*equal, len(writer.here.lines)))
            by = ("name", tuple(sub.lines), named[a], found[a])
            if len(left) == len(found):
                writer.write(claim, *by)
            else:  # checked with the outermost
                writer.here.lines.append(claim)
                writer.lines.append((claim, by))
            return
        places = {}
        for place, said in lines:
            by = (("1", ("neg",)), ("1", (place,)))
            places[place] = writer.write(said, "combine", by, equal)
        solved(writer, goal, {places.get(place, place): w for place, w in moved.items()})
        writer.write(claim, "combine", (("1", ("neg",)), ("1", (writer.find(goal),))), equal)

    inside(writer, list(found), read)
