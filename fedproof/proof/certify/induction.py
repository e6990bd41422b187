"""Claims about a recursion: what it makes is a sequence, and the claim goes from each index to the next."""

from __future__ import annotations

from typing import Any

from fedproof.proof.certify import products
from fedproof.proof.certify.beginning import recursion
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import expression
from fedproof.proof.certify.writer import Writer
from fedproof.proof.kernel.trees import Tree, fresh, substitute
from fedproof.proof.step import Step


def prove(writer: Writer, claim: Tree, step: Step) -> int:
    """Write a proof by induction; the recursion's names are the terms at its index of sequences.

    Raises: NotFound.
    """
    how = step.induction
    if how is None:
        raise NotFound("no recursion")
    n, start = how.index.name, expression(how.start)
    writer.become(n, "whole")
    names = {s.name: f"{s.name}_" for s, _, _ in how.state}
    for own in names.values():
        writer.declare(own, "real(whole)")
    said = [writer.assume(tree, {"kind": "own", "why": "the recursion"}) for tree in recursion(step)]
    first, then, now = said[1::3], said[2::3], said[3::3]

    def at(tree: Tree, index: Any) -> Tree:
        return substitute(tree, {n: index, **{s: ("of", own, index) for s, own in names.items()}})

    base = writer.branch()
    base.equal = tuple(first)
    products.prove(base, at(claim, start))
    writer.adopt(base)
    place = writer.find(at(claim, start))
    new = fresh("k", frozenset(writer.here.kinds))
    grants = (("<=", start, new), ("<=", new, ("+", n, "-1")), at(claim, new))

    def act(inner: Writer) -> None:
        one, other = inner.find(grants[0]), inner.find(grants[1])
        steps = []
        for line in then:
            body = substitute(inner.here.lines[line][4], {inner.here.lines[line][1]: new})
            steps.append(inner.write(body, "instance", line, new, (one, other)))
        inner.equal = tuple(steps)
        goal = at(claim, ("+", new, "1"))
        products.prove(inner, goal)

    granted = writer.here.inside({new: "whole"}, *grants)
    line = writer.block("induction", ("all", new, start, n, at(claim, new)), granted, act, place)
    last = products.prove(writer, ("<=", n, n))
    here = writer.write(at(claim, n), "instance", line, n, (writer.find(("<=", start, n)), last))
    return writer.write(claim, "combine", (("1", ("neg",)), ("1", (here,))), tuple(now))
