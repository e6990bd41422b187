"""Sums in an identity: each becomes sums up to an end of products, which stand for themselves."""

from __future__ import annotations

import re
from typing import Any

from fedproof.proof.coq.needs import distinct, written
from fedproof.proof.coq.powers import powers_as_functions, total_at
from fedproof.proof.coq.scope import Scope
from fedproof.proof.coq.shapes import joined, tree_of
from fedproof.proof.coq.terms import LeftOut, name, real, whole
from fedproof.proof.kernel.polynomials import (
    ONE,
    UNIT,
    Quotient,
    constant,
    divided,
    number,
)
from fedproof.proof.kernel.trees import Tree, substitute

#: coefficient and what speaks of the index
Piece = tuple[Quotient, Quotient]


class Sums:
    """Writes the tactics for the sums of one equation."""

    def __init__(self, scope: Scope, prove: Any) -> None:
        self.scope, self.forms, self.kinds, self.prove_zero = scope, scope.forms, scope.kinds, prove

    def summed(self, tree: Tree, hypothesis: str) -> tuple[Tree, list[str]]:
        """What a sum is in sums up to its ends, and the tactics that show it under a name."""
        _, index, lo, hi, body = tree
        length = (self.forms.whole(hi) - self.forms.whole(lo)).constant
        if length == -1:
            none = f"assert ({hypothesis} : {real(tree, self.kinds)} = 0) by (apply sumZ_empty; clear; lia)."
            return "0", [none]
        ix = self.index()
        body = substitute(body, {index: ix})
        pieces = self.pieces(self.forms.number(body), ix)
        low, high = whole(lo, self.kinds), whole(hi, self.kinds)
        inner = self.inside(ix)
        inner.anywhere = self.scope.anywhere
        listed = self.listed(pieces, ix, inner.kinds)
        inner.write(f"rewrite (sumZ_combination {low} {high} _ {listed}).", "2: {")
        r = inner.fresh("R")
        inner.write(f"intros {name(ix)} {r}; cbn [at_index].")
        self.granted(inner, body, ix, lo, hi, r)
        self.pointwise(inner, body, pieces)
        inner.write("}", "cbn [sums].")
        total = []
        fixed = "ltac:(clear; lia)" if length is not None and length >= 0 else None
        need = self.scope.known.get(written(("range", lo, hi), self.kinds), fixed)
        if need is None:
            raise LeftOut("a sum whose range is not known")
        for c, m in pieces:
            f = f"(fun {name(ix)} : Z => {real(tree_of(self.forms, m), inner.kinds)})"
            inner.write(f"try rewrite (sumZ_upto {low} {high} {f} {need}).")
            ends = []
            for e, text in ((hi, high), (("+", lo, "-1"), f"({low} - 1)%Z")):
                value, proof = self.upto(m, ix, self.forms.whole(e), text)
                own = inner.fresh("U")
                inner.write(
                    f"assert ({own} : upto {f} {text} = {real(value, self.told())}).", "{", *proof, "}"
                )
                inner.write(f"try rewrite {own}.")
                ends.append(value)
            gap = joined("+", [ends[0], ("*", "-1", ends[1])]) if ends[1] != "0" else ends[0]
            total.append(gap if c.key == UNIT.key else ("*", tree_of(self.forms, c), gap))
        result = joined("+", total) if total else "0"
        left = real(tree, self.kinds)
        lines = [
            f"assert ({hypothesis} : {left} = {real(result, self.told())}).",
            "{",
            *inner.out,
            "ring.",
            "}",
        ]
        return result, lines

    def told(self) -> dict[str, str]:
        """Kinds of all names, those of indices too."""
        return {**self.forms.kinds, **self.kinds}

    def index(self) -> str:
        """A name for an index."""
        new = f"i{sum(n.startswith('i') for n in self.forms.kinds)}'"
        while new in self.forms.kinds:
            new += "'"
        self.forms.kinds[new] = "whole"
        return new

    def inside(self, ix: str) -> Scope:
        """A place with an index, whose tactics are kept apart."""
        inner = self.scope.inside(**{ix: "whole"})
        inner.out = []
        inner.forms = self.forms
        inner.kinds = self.told()
        inner.anywhere = self.scope.anywhere | {ix}
        return inner

    def pieces(self, q: Quotient, ix: str) -> list[Piece]:
        """A number as a sum of products of what does not speak of an index and of what does."""
        inner = {f: e for f, e in q.below.items() if ix in self.forms.names_in(Quotient(dict(f)))}
        outer = {f: e for f, e in q.below.items() if f not in inner}
        for f, e in inner.items():
            places = sorted({a for m, _ in f for a, _ in m if ix in self.forms.atoms[a].names})
            whole_, over = next((d for a in places if (d := divided(q.above, dict(f), a))[0]), ({}, {}))
            if whole_:
                below = {g: k for g, k in q.below.items() if g != f} | ({f: e - 1} if e > 1 else {})
                return [*self.pieces(Quotient(whole_, below), ix), *self.pieces(Quotient(over, q.below), ix)]
        found = []
        for m, c in q.above.items():
            own = tuple((a, e) for a, e in m if ix in self.forms.atoms[a].names)
            rest = tuple(p for p in m if p not in own)
            found.append((Quotient({rest: c}, outer), Quotient({own: number(1)}, inner)))
        return found

    def listed(self, pieces: list[Piece], ix: str, kinds: Any) -> str:
        """Pieces in Coq."""
        texts = [
            f"({real(tree_of(self.forms, c), kinds)}, "
            f"fun {name(ix)} : Z => {real(tree_of(self.forms, m), kinds)})"
            for c, m in pieces
        ]
        return f"({' :: '.join([*texts, 'nil'])})"

    def pointwise(self, inner: Scope, body: Tree, pieces: list[Piece]) -> None:
        """Prove that a term is the sum of its pieces."""
        trees = [tree_of(self.forms, q) for p in pieces for q in p]
        inner.kinds = self.told()
        self.prove_zero(inner, "", [body, *trees])

    def granted(self, inner: Scope, body: Tree, ix: str, lo: Tree, hi: Tree, r: str) -> None:
        """Take what the terms need to be defined from what the sum needs."""
        for need, text in distinct(body, inner.kinds):
            around = written(("all", ix, lo, hi, need), inner.kinds)
            for told, proof in self.scope.known.items():
                if _renamed(told) == _renamed(around):
                    own = inner.fresh("N")
                    inner.write(f"pose proof ({proof} {name(ix)} {r}) as {own}.")
                    inner.met(need, text, own)
                    break

    def upto(self, q: Quotient, ix: str, end: Quotient, text: str) -> tuple[Tree, list[str]]:
        """A sum of one product up to an end, and the tactics that show it."""
        forms, i = self.forms, self.forms.name(ix)
        (m,) = q.above
        degree = dict(m).get(i, 0)
        f = f"(fun {name(ix)} : Z => {real(tree_of(forms, q), self.told())})"
        e = tree_of(forms, end)
        if not q.below and degree >= 0 and all(a == i for a, _ in m):
            return self.powers(degree, e, text)
        others = [(a, e) for a, e in m if a != i]
        if not q.below and degree >= 0 and len(others) == 1 and self.ends_here(others[0], i):
            return self.parts(degree, others[0][0], ix, end, text)
        if not end.above:
            return "0", [
                "exact (upto_zero _)."
                if text == "0%Z"
                else f"replace {text} with 0%Z by (clear; lia); exact (upto_zero _)."
            ]
        if shift := self.shift(q, ix):
            return self.shifted(q, ix, end, text, shift)
        base, extra = (end, 0)
        if forms.everywhere(q):
            k = end.above.get(ONE, number(0))
            base, extra = end - Quotient({ONE: k} if k else {}), int(k.p)
        if abs(extra) > 9:
            raise LeftOut("a sum whose end is moved far")
        if len(m) == 1 and not q.below and self.exchanges(m[0], ix, base):
            return self.exchanged(m[0][0], ix, end, text)
        atom = forms.upto(q, ix, base)
        steps = [base + constant(k) for k in range(0, extra, 1 if extra > 0 else -1)]
        places = [*steps, end]
        proof, texts = [], [whole(tree_of(forms, p), self.told()) for p in places]
        if texts[-1] != text:
            proof.append(f"replace {text} with {texts[-1]} by (clear; lia).")
        by = "step" if extra > 0 else "back"
        for k in range(len(places) - 1, 0, -1):
            a, b = (texts[k - 1], texts[k]) if extra > 0 else (texts[k], texts[k - 1])
            proof.append(f"rewrite (upto_{by} {f} {a} {b} ltac:(clear; lia)).")
        moved = places[1:] if extra > 0 else places[:-1]
        ends = [forms.replaced(q, {ix: p}) for p in moved]
        value = tree_of(forms, atom)
        parts = [value] if atom.above else []
        sign = 1 if extra > 0 else -1
        for v in ends:
            parts.append(tree_of(forms, v if sign > 0 else -v))
        result = joined("+", parts) if parts else "0"
        inner = self.inside(ix)
        head = f"upto {f} {texts[0]}"
        if not base.above:
            inner.write("rewrite upto_zero.")
        elif not (isinstance(value, tuple) and value[0] == "upto"):
            raise LeftOut("sums by parts or exchanged")
        else:
            own = inner.fresh("U")
            inner.write(
                f"assert ({own} : {head} = {real(value, self.told())}).",
                "{",
                *self.same_terms(tree_of(forms, q), ix, value),
                "}",
                f"try rewrite {own}; clear {own}.",
            )
        if not extra:
            inner.write("reflexivity.")
        else:
            here = [substitute(tree_of(forms, q), {ix: tree_of(forms, p)}) for p in moved]
            inner.write("pushed.")
            inner.kinds = self.told()
            self.prove_zero(inner, "", [*here, *(tree_of(forms, v) for v in ends)])
        return result, [*proof, *inner.out]

    def same_terms(self, term: Tree, ix: str, value: Tree) -> list[str]:
        """The tactics that show a sum up to an end to be another one, term by term."""
        _, other, _, body = value
        told = substitute(body, {other: ix})
        if told == term:
            return ["reflexivity."]
        inner = self.inside(ix)
        inner.write(f"apply upto_ext; intro {name(ix)}.")
        self.prove_zero(inner, "", [term, told])
        return inner.out

    def powers(self, degree: int, e: Tree, text: str) -> tuple[Tree, list[str]]:
        """The sum of powers of the index."""
        power, total = powers_as_functions(degree)
        return total_at(degree, e), [
            f"transitivity (({total}) (IZR {text})).",
            "{",
            f"rewrite <- (upto_of {power} {total} {text}); [| cbv beta; field | intro; cbv beta; field].",
            "apply upto_ext; intro; cbv beta; ring.",
            "}",
            "pushed; field.",
        ]

    def shift(self, q: Quotient, ix: str) -> int:
        """The least number that is added to the index in an argument."""
        found: list[int] = []
        for a in {a for m in q.above for a, _ in m} | {a for f in q.below for m, _ in f for a, _ in m}:
            self.forms.offsets(a, ix, found)
        return min(found, default=0)

    def shifted(self, q: Quotient, ix: str, end: Quotient, text: str, c: int) -> tuple[Tree, list[str]]:
        """The same with the index moved."""
        forms = self.forms
        moved = forms.replaced(q, {ix: forms.of(forms.name(ix)) - constant(c)})
        f, g = self.function(q, ix), self.function(moved, ix)
        inner = self.inside(ix)
        own = inner.fresh("U")
        inner.write(f"rewrite (upto_shift {f} ({c})%Z).")
        inner.write(f"assert ({own} : forall e, upto (fun i => {f} (i - ({c}))%Z) e = upto {g} e).", "{")
        there = substitute(tree_of(forms, q), {ix: ("+", ix, str(-c))})
        inner.kinds = self.told()
        inner.write(f"intro e; apply upto_ext; intro {name(ix)}; cbv beta.")
        there_ = whole(("+", ix, str(-c)), inner.kinds)
        inner.write(f"replace ({name(ix)} - ({c}))%Z with {there_} by (clear; lia).")
        inner.write("pushed.")
        self.prove_zero(inner, "", [there, tree_of(forms, moved)])
        inner.write("}", f"cbv beta in {own} |- *; rewrite !{own}; clear {own}.")
        values = []
        for e, told in ((end + constant(c), f"({text} + ({c}))%Z"), (constant(c), f"({c})%Z")):
            values.append(self.stated(inner, moved, ix, e, told))
        return joined("+", [values[0], ("*", "-1", values[1])]), [*inner.out, "ring."]

    def function(self, q: Quotient, ix: str) -> str:
        """A number as a function of an index."""
        return f"(fun {name(ix)} : Z => {real(tree_of(self.forms, q), self.told())})"

    def stated(self, inner: Scope, q: Quotient, ix: str, end: Quotient, text: str) -> Tree:
        """Rewrite a sum up to an end by what it is."""
        value, proof = self.settled(q, ix, end, text)
        own = inner.fresh("U")
        told = real(value, self.told())
        inner.write(f"assert ({own} : upto {self.function(q, ix)} {text} = {told}).", "{", *proof, "}")
        inner.write(f"try rewrite {own}; clear {own}.")
        return value

    def settled(self, q: Quotient, ix: str, end: Quotient, text: str) -> tuple[Tree, list[str]]:
        """A sum of any number up to an end, and the tactics that show it."""
        pieces = self.pieces(q, ix)
        if len(pieces) == 1 and pieces[0][0].key == UNIT.key:
            return self.upto(q, ix, end, text)
        inner = self.inside(ix)
        listed = self.listed(pieces, ix, self.told())
        inner.write(f"rewrite (upto_combination {self.function(q, ix)} {listed} {text}).", "2: {")
        inner.write(f"intro {name(ix)}; cbn [at_index].")
        self.pointwise(inner, tree_of(self.forms, q), pieces)
        inner.write("}", "cbn [uptos].")
        total: list[Tree] = []
        for c, m in pieces:
            value = self.stated(inner, m, ix, end, text)
            total.append(value if c.key == UNIT.key else ("*", tree_of(self.forms, c), value))
        return (joined("+", total) if total else "0"), [*inner.out, "ring."]

    def ends_here(self, power: tuple[int, int], i: int) -> bool:
        """Whether a factor is a sum that ends at the index and whose terms do not speak of it."""
        a, e = power
        atom = self.forms.atoms[a]
        if atom.kind != "upto" or atom.parts[0] == "vector" or e != 1:
            return False
        _, term, end = self.forms.made[a]
        alone = self.forms.atoms[i].names.isdisjoint(self.forms.names_in(term))
        return bool(alone and end.key == self.forms.of(i).key and self.forms.everywhere(term))

    def parts(self, degree: int, a: int, ix: str, end: Quotient, text: str) -> tuple[Tree, list[str]]:
        """The sum of sums that end at the index, by parts."""
        forms = self.forms
        inside, term, _ = forms.made[a]
        i = forms.of(forms.name(ix))
        here = forms.replaced(term, {inside: i})
        before = forms.number(total_at(degree, ("+", ix, "-1")))
        rest = forms.times(before, here)
        b, r = self.function(here, ix), self.function(rest, ix)
        power, total = powers_as_functions(degree)
        inner = self.inside(ix)
        inner.write(
            f"transitivity (upto (fun i => {power} (IZR i) * upto {b} i) {text}).",
            "{",
            "apply upto_ext; intro; cbv beta; first [identity | match goal with |- context [upto ?f ?j] =>",
            f"rewrite (upto_ext f {b} j) by (intro; identity) end; identity].",
            "}",
            f"rewrite (upto_parts {power} {total} {b} {text}); [| cbv beta; field | intro; cbv beta; field].",
        )
        own = inner.fresh("U")
        inner.write(
            f"assert ({own} : upto (fun i => {total} (IZR i - 1) * {b} i) {text} = upto {r} {text}).",
            "{",
            "apply upto_ext; intro; cbv beta; identity.",
            "}",
            f"cbv beta in {own} |- *; rewrite {own}; clear {own}.",
        )
        one, two = self.stated(inner, here, ix, end, text), self.stated(inner, rest, ix, end, text)
        return ("+", ("*", total_at(degree, tree_of(forms, end)), one), ("*", "-1", two)), [
            *inner.out,
            "pushed; field.",
        ]

    def exchanges(self, power: tuple[int, int], ix: str, end: Quotient) -> bool:
        """Whether a sum of sums is taken in the other order."""
        a, e = power
        forms = self.forms
        if forms.atoms[a].kind != "upto" or forms.atoms[a].parts[0] == "vector" or e != 1:
            return False
        last = forms.made[a][2]
        whole_term = forms.everywhere(Quotient({((a, 1),): number(1)}))
        return ix not in forms.names_in(last) and bool(last.key > end.key) and whole_term

    def exchanged(self, a: int, ix: str, end: Quotient, text: str) -> tuple[Tree, list[str]]:
        """A sum of sums in the other order."""
        forms = self.forms
        inside, body, last = forms.made[a]
        jx = self.index()
        body = forms.replaced(body, {inside: forms.of(forms.name(jx))})
        until = whole(tree_of(forms, last), self.told())
        inner = self.inside(ix)
        inner.kinds = self.told()
        told = real(tree_of(forms, body), self.told())
        two = f"(fun {name(ix)} {name(jx)} : Z => {told})"
        inner.write(
            f"transitivity (upto (fun i => upto (fun j => {two} i j) {until}) {text}).",
            "{",
            "apply upto_ext; intro; apply upto_ext; intro; cbv beta; identity.",
            "}",
            f"rewrite (upto_swap {two} {until} {text}).",
        )
        within = forms.upto(body, ix, end)
        own = inner.fresh("U")
        inner.write(
            f"assert ({own} : forall {name(jx)}, upto {self.function(body, ix)} {text} = "
            f"{real(tree_of(forms, within), self.told())}).",
            "{",
            f"intro {name(jx)}.",
        )
        self.stated(inner, body, ix, end, text)
        inner.write("ring.", "}", f"cbv beta; rewrite (upto_ext _ _ {until} {own}); clear {own}.")
        value = self.stated(inner, within, jx, last, until)
        return value, [*inner.out, "reflexivity."]


def _renamed(text: str) -> str:
    """A proposition for every index, whatever the name of the index is."""
    found = re.match(r"\(forall (\S+) : Z", text)
    return re.sub(rf"(?<![\w']){found[1]}(?![\w'])", "_i", text) if found else text
