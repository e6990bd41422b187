"""Whether what holds of every vector holds of random ones too, with means in place of values."""

from __future__ import annotations

from collections.abc import Mapping

from fedproof.proof.kernel.trees import NUMBER, Tree, free, substitute

#: what a term is: a number, linear in means, a root of a mean square, a size of a mean, or none of these
_NUMBER, _LINEAR, _ROOT, _SIZE, _OTHER = "number", "linear", "root", "size", "other"


def holds_in_the_mean(formula: Tree, kinds: Mapping[str, str]) -> bool:
    """Whether a formula said of every vector also holds of random vectors, n2(x) being the mean E|x|^2.

    In the mean a vector is a random one: from |g(x)| <= |x|^2 at every x it does not follow that
    E|g(x)|^2 <= (E|x|^2)^2. It does follow where both sides are linear in functions and inner products; and,
    by Jensen's inequality, where the smaller side is one norm or one size |f(x)|, and the larger one a number
    or a number times one norm; so it does for a difference f(x) - f(y) <= G |x - y|, where the same with x
    and y exchanged makes G >= 0.

    Arguments:
        formula: a relation, behind what it is said for.
        kinds: of its functions and points, such as "vector(vector)".

    >>> square, root = ("n2", "x"), ("^", ("n2", ("of", "g", "x")), "1/2")
    >>> holds_in_the_mean(("every", "x", "vector", ("<=", root, square)), {"g": "vector(vector)"})
    False
    >>> holds_in_the_mean(("every", "x", "vector", ("<=", ("n2", ("of", "g", "x")), square)), {})
    True
    """
    random: list[str] = []
    while formula[0] in ("every", "all"):
        random += [formula[1]] if formula[0] == "every" and formula[2] == "vector" else []
        formula = formula[-1]
    if not random:
        return True
    # a value of a function at a point is random as the point is
    vectors = {*random, *(name for name, kind in kinds.items() if "vector" in kind)}
    order, small, large = formula[0], *(_terms(side, vectors) for side in formula[1:3])
    if {*small, *large} <= {_NUMBER, _LINEAR}:
        return order != "!=" or {*small, *large} <= {_NUMBER}
    if {*small} == {_LINEAR} and large == [_ROOT] and order == "<=":
        return _lipschitz(formula[1], formula[2], random)
    if order not in ("<=", "<", "=") or len(small) > 1 or len(large) > 1:
        return False
    if order == "=":
        return (small, large) == ([_ROOT], [_ROOT])
    return small[0] in (_ROOT, _SIZE) and large[0] in (_ROOT, _NUMBER)


def _lipschitz(small: Tree, large: Tree, random: list[str]) -> bool:
    """Whether it says f(x) - f(y) <= G |x - y| of the last two vectors, so of y and x too."""
    if len(random) < 2 or large[0] != "*" or small[0] != "+" or len(small) != 3:
        return False
    x, y = random[-2:]
    below = [part[2] for part in small[1:] if part[:2] == ("*", "-1") and len(part) == 3]
    above = [part for part in small[1:] if part[:2] != ("*", "-1")]
    apart = [{x, ("*", "-1", y)}, {y, ("*", "-1", x)}]
    norms = [part for part in large[1:] if not free(part).isdisjoint(random)]
    fits = len(norms) == 1 and _kind(norms[0], {*random}) == _ROOT and {*norms[0][1][1][1:]} in apart
    return fits and len(above) == len(below) == 1 and substitute(above[0], {x: y, y: x}) == below[0]


def _terms(tree: Tree, vectors: set[str]) -> list[str]:
    """What the terms of a sum are; numbers beside others count for nothing."""
    if isinstance(tree, tuple) and tree[0] == "+":
        return [kind for part in tree[1:] for kind in _terms(part, vectors)]
    return [_kind(tree, vectors)]


def _kind(tree: Tree, vectors: set[str]) -> str:
    if isinstance(tree, str):
        return _LINEAR if not NUMBER.match(tree) and tree in vectors else _NUMBER
    if tree[0] in ("ip", "n2"):
        return _LINEAR
    if tree[0] == "of":
        return _LINEAR if tree[1] in vectors or free(tree) & vectors else _NUMBER
    parts = tree[4:] if tree[0] == "sum" else tree[1:]
    kinds = {kind for part in parts for kind in _terms(part, vectors)}
    if kinds <= {_NUMBER}:
        return _NUMBER
    if tree[0] == "sum" and kinds <= {_NUMBER, _LINEAR}:
        return _LINEAR
    if tree[0] == "*":
        told = [k for part in tree[1:] if (k := _product(part, vectors)) != _NUMBER]
        return told[0] if len(told) == 1 and told[0] in (_LINEAR, _ROOT) else _OTHER
    if tree[0] == "^" and tree[2] == "1/2" and isinstance(tree[1], tuple) and tree[1][0] == "n2":
        return _ROOT
    if tree[0] == "abs" and kinds <= {_NUMBER, _LINEAR}:
        return _SIZE
    return _OTHER


def _product(factor: Tree, vectors: set[str]) -> str:
    """What a factor is: a sum of numbers and linear terms is linear."""
    kinds = set(_terms(factor, vectors))
    if len(kinds) == 1:
        return kinds.pop()
    return _LINEAR if kinds <= {_NUMBER, _LINEAR} else _OTHER
