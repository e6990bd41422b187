"""Certificates changed at random, and what the kernel and the standalone script say of them.

    python -m tests.proof.attack.tamperings 2000 [FIRST SEED]

tampers with 2,000 shipped certificates and prints how they come out.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from fedproof.bounds import catalog
from fedproof.proof.certificates import CERTIFICATE, Proved, accepted, shipped, stored
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.step import Applied, Step
from fedproof.validate import recheck
from fedproof.validate.certifying import with_used

PAPERS = ("fedproxvr", "composite")
#: certificates that are longer, in characters, are left to a run by hand
SHORT = 4_000
WORDS = """+ * ^ abs max min ip n2 sum of <= < = != all every map neg sq sq+ gram root size along exp log
given
combine vectors use instance total next both meaning constants split induction name"""
HEADS = frozenset(WORDS.split())
Document = dict[str, Any]
Place = tuple[Any, Any]


@cache
def steps() -> dict[str, Step]:
    """The steps of the papers, and of the lemmas that they use, by id."""
    return with_used([s for key in PAPERS for s in catalog.steps(key)])


@cache
def shippable(most: int | None) -> tuple[str, ...]:
    """Steps whose certificates are good, no longer than so much."""
    found = []
    for key in PAPERS:
        for id, row in stored(key).items():
            if (most is None or len(json.dumps(row)) <= most) and id in steps() and shipped(steps()[id]):
                found.append(id)
    return tuple(found)


def document(id: str) -> Document:
    """The certificate of a step, as JSON gives it."""
    proved = shipped(steps()[id])
    assert proved is not None
    found: Document = json.loads(json.dumps(dict(proved.document)))
    return found


def places(tree: Any) -> Iterator[Place]:
    """Every place in a tree: what it lies in, and where."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, part in list(pairs):
        yield tree, key
        yield from places(part)


def _pick(random: Random, tree: Any, wanted: Callable[[Any], bool]) -> Place | None:
    found = [(inside, key) for inside, key in places(tree) if wanted(inside[key])]
    return random.choice(found) if found else None


def _number(part: Any) -> bool:
    return isinstance(part, str) and bool(recheck.re.fullmatch(r"-?\d+(/\d+)?", part))


def _coefficient(random: Random, made: Document) -> None:
    place = _pick(random, made["lines"], _number)
    if place is not None:
        inside, key = place
        other = recheck.Fraction(inside[key])
        inside[key] = str(random.choice((-other, other + 1, other * 2, other - 1)))


def _sign(random: Random, made: Document) -> None:
    place = _pick(random, [made["lines"], made["claim"]], lambda p: p in ("<=", "<", "=", "!="))
    if place is not None:
        inside, key = place
        if random.random() < 0.5 and len(inside) == 3:
            inside[1], inside[2] = inside[2], inside[1]
        else:
            inside[key] = random.choice(("<=", "<", "=", "!="))


def _range(random: Random, made: Document) -> None:
    def ranges(part: Any) -> bool:
        return isinstance(part, list) and len(part) == 5 and part[0] in ("sum", "all")

    place = _pick(random, made, ranges)
    if place is not None:
        part = place[0][place[1]]
        end = random.choice((2, 3))
        part[end] = ["+", part[end], random.choice(("1", "-1"))]


def _line(random: Random, made: Document) -> None:
    place = _pick(random, [by for _, by in made["lines"]], lambda p: type(p) is int)
    if place is not None:
        place[0][place[1]] = max(0, place[0][place[1]] + random.choice((-2, -1, 1, 2)))


def _lines(random: Random, made: Document) -> None:
    lines = made["lines"]
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    how = random.randrange(3)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(to, json.loads(json.dumps(lines[at])))
    else:
        lines[at], lines[to] = lines[to], lines[at]


def _leaf(random: Random, made: Document, where: Any) -> None:
    """Another name, number or head in the place of one."""
    place = _pick(random, where, lambda p: isinstance(p, str))
    names = [*made["names"], "x", "1"]
    if place is not None:
        inside, key = place
        heads = inside[key] in HEADS
        inside[key] = random.choice(sorted(HEADS) if heads else names)


def _claim(random: Random, made: Document) -> None:
    _leaf(random, made, made["claim"])
    if random.random() < 0.5:
        made["lines"][-1][0] = json.loads(json.dumps(made["claim"]))


def _hypothesis(random: Random, made: Document) -> None:
    given, how = made["given"], random.randrange(4)
    if how == 0 and given:
        del given[random.randrange(len(given))]
    elif how == 1:
        given.append({"is": made["claim"], "from": {"kind": random.choice(("own", "carried", "cited"))}})
    elif given:
        chosen = random.choice(given)
        before = json.dumps(chosen["is"])
        _leaf(random, made, chosen["is"])
        if how == 2:  # everywhere
            after = json.dumps(chosen["is"])
            made["lines"] = json.loads(json.dumps(made["lines"]).replace(before, after))


def _origin(random: Random, made: Document) -> None:
    if made["given"]:
        random.choice(made["given"])["from"]["kind"] = random.choice(("own", "carried", "cited", "part"))


def _kind(random: Random, made: Document) -> None:
    if made["names"]:
        name = random.choice(sorted(made["names"]))
        kinds = ("real", "whole", "vector", "real(whole)", "vector(whole)")
        made["names"][name] = random.choice(kinds)


def _name(random: Random, made: Document) -> None:
    if made["names"]:
        old, new = random.choice(sorted(made["names"])), random.choice(("q", "zz", *made["names"]))
        again = json.dumps({k: made[k] for k in CERTIFICATE}).replace(json.dumps(old), json.dumps(new))
        made.update(json.loads(again))


def _uses(random: Random, made: Document) -> None:
    other = random.choice(shippable(SHORT))
    if made["uses"] and random.random() < 0.7:
        made["uses"] = made["uses"][1:] + ([other] if random.random() < 0.5 else [])
    else:
        made["uses"] = [*made["uses"], other]


def _use(random: Random, made: Document) -> None:
    place = _pick(random, made["lines"], lambda p: isinstance(p, list) and len(p) == 4 and p[0] == "use")
    if place is None:
        return
    use, how = place[0][place[1]], random.randrange(4)
    if how == 0:
        use[1] = random.choice((*made["uses"], random.choice(shippable(SHORT))))
    elif how == 1 and use[2]:
        _leaf(random, made, use[2])
    elif how == 2 and use[2]:
        del use[2][random.randrange(len(use[2]))]
    elif use[3]:
        at = random.randrange(len(use[3]))
        use[3][at] = random.randrange(len(made["lines"])) if random.random() < 0.5 else use[3][at] + 1


def _rule(random: Random, made: Document) -> None:
    _leaf(random, made, random.choice(made["lines"])[1])


def _said(random: Random, made: Document) -> None:
    _leaf(random, made, random.choice(made["lines"])[0])


def _seal(random: Random, made: Document) -> None:
    made["step"] = "0" * 64


KINDS: tuple[Callable[[Random, Document], None], ...] = (
    *(_coefficient, _coefficient, _sign, _range, _line, _lines, _claim, _hypothesis, _hypothesis, _origin),
    *(_kind, _name, _uses, _use, _use, _rule, _said, _seal),
)


def tampered(seed: int, most: int | None) -> tuple[str, str, Document]:
    """A step's id, what was changed, and its certificate changed; the same for the same seed."""
    random = Random(seed)
    while True:
        id, how = random.choice(shippable(most)), random.choice(KINDS)
        before, made = document(id), document(id)
        how(random, made)
        if made != before:
            return id, how.__name__, made


@cache
def confirmed(id: str) -> Any:
    """What the script makes of a shipped certificate, after those that it uses."""
    made = document(id)
    return recheck._verified({k: made[k] for k in CERTIFICATE}, {u: confirmed(u) for u in made["uses"]})


def by_script(made: Document) -> bool:
    """Whether the script verifies a certificate, as the row of a step in an audit."""
    try:
        known = {u: confirmed(u) for u in made["uses"]}
        recheck._verified({k: made[k] for k in CERTIFICATE}, known)
    except Exception:
        return False
    return True


def by_kernel(made: Document, known: dict[str, Proved]) -> bool:
    """Whether the kernel accepts it as a certificate of whatever it says."""
    try:
        checked(made, {u: known[u].judgement for u in made["uses"]})
    except (Rejected, KeyError):
        return False
    return True


def outcome(id: str, made: Document) -> str:
    """How a tampered certificate comes out; words that begin with WRONG must not be."""
    step, before = steps()[id], document(id)
    used = [h.step for h in step.hypotheses if isinstance(h, Applied)]
    known = {s.id: p for s in used if (p := shipped(s)) is not None}
    others = {u: p for u in made["uses"] if u in steps() and (p := shipped(steps()[u])) is not None}
    found, script, kernel = accepted(step, made, known), by_script(made), by_kernel(made, others)
    same = made["claim"] == before["claim"] and made["names"].items() <= before["names"].items()
    own = [[g["is"] for g in d["given"]] for d in (made, before)]
    fewer = all(g in own[1] for g in own[0])
    if script and not kernel and same and fewer and found is None:
        return "valid for the same claim, and the kernel asks for more"
    if script != kernel:
        return f"WRONG: the script says {script}, the kernel {kernel}"
    if found is None:
        if not script:
            return "rejected by both"
        if same and fewer:
            return "valid for the same claim, and not taken for the step"
        return "valid for what it says, which is not what the step says"
    if same and fewer:
        original = shipped(step)
        assert original is not None
        owed, after = (set(unpaid(grounds(p))) for p in (original, found))
        return "WRONG: a hypothesis is paid" if after < owed and own[0] == own[1] else "another valid proof"
    if made["claim"] == before["claim"] and unpaid(grounds(found)):
        return "valid, and what it carries besides leaves the step open"
    if made["claim"] == before["claim"]:
        return "valid, and what it assumes besides is shown" if fewer or _listed(found) else "WRONG: accepted"
    return "WRONG: accepted for another claim"


def _listed(found: Proved) -> bool:
    """Whether all that a certificate assumes is what its step lists."""
    return len(found.own) == len(found.judgement.given)


def run(seeds: range, most: int | None) -> tuple[Counter[str], list[tuple[int, str, str, str]]]:
    """How many come out in which way, and which are wrong."""
    count: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        id, how, made = tampered(seed, most)
        said = outcome(id, made)
        count[said] += 1
        if said.startswith("WRONG"):
            wrong.append((seed, id, how, said))
    return count, wrong


if __name__ == "__main__":
    size, first = (*map(int, sys.argv[1:]), 0)[:2]
    totals, bad = run(range(first, first + size), None if "--all" in sys.argv else 20_000)
    sys.stdout.write("\n".join([*(f"{n} {said}" for said, n in totals.most_common()), *map(str, bad)]) + "\n")
    sys.exit(bool(bad))
