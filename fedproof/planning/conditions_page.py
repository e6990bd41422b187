"""The page docs/conditions.md: python -m fedproof.planning.conditions_page > docs/conditions.md"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from fedproof.planning.compared import CONSTANTS, Compared, compared
from fedproof.validate.conditions.api import conditions
from fedproof.vocabulary.values import text_of

_BEGIN = """# How unlike the clients are

Papers assume different things of how much the clients' gradients differ. This page compares these
conditions: which implies which, with which constants, and what a problem with given conditions may hope
for. Its tables are made by `python -m fedproof.planning.conditions_page`.

An implication is `proved` by a [certificate](certificates.md) that the kernel accepts. That one condition
does not imply another is `refuted` by losses of two clients: that they keep the one at every w, and break
the other whatever its constants, is proved too. `fedproof conditions --json` holds all of it, and
`recheck.py` confirms that document as it confirms an audit.

```pycon
>>> import fedproof as fp
>>> found = fp.conditions()
>>> found.pair("bounded gradients", "bounded dissimilarity").verdict
'proved'
>>> found.pair("bounded dissimilarity", "relative divergence").by
('shifted', 'slopes')

```

## The conditions

At every model; $\\nabla\\bar F$ is the mean of the clients' gradients $\\nabla F_i$ with weights $D_i/D$,
and a condition on a mean is written times $D$. All constants are squares.
"""
_SHARP = """
For weights that differ, step `fedproxvr.section3.b_to_5.sigma` proves local dissimilarity to give
relative divergence with $\\sigma_i^2 = (B^2 - 1) D/D_i$. For equal weights the constant here is smaller:
$n - 1$ for $n$. That losses which are G-Lipschitz and smooth have bounded gradients is step
`fedprox.gradient`.
"""


def page() -> str:
    """The whole page, from the table of conditions and the problem that is compared."""
    found = conditions().to_dict()
    parts = (
        (_BEGIN,),
        map(_condition, found["conditions"]),
        ("\n## What follows from what\n",),
        _table(("", "implies", "with equal weights", "does not imply"), _follows(found)),
        ("\n## With which constants\n",),
        _table(("given", "gives", "with", "weights", "verdict"), map(_implication, found["implications"])),
        (_SHARP, "## What does not follow\n"),
        _counterexamples(found["counterexamples"]),
        _guarantees(compared()),
        ("\n## Letters that mean several things\n",),
        _table(("letter", "paper", "quantity", "meaning"), _letters(found["letters"])),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    for row in (columns, ("---",) * len(columns), *rows):
        yield f"| {' | '.join(map(str, row))} |"


def _condition(row: dict[str, Any]) -> str:
    said = ", ".join(f"`{a['id']}` ({a['source']})" for a in row["assumed"])
    return f"- **{row['name']}**: {row['title']}.\n  $`{row['latex']}`$" + (
        f"\n  Assumed as {said}." if said else ""
    )


def _follows(found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for name in (c["name"] for c in found["conditions"]):
        rows = [p for p in found["pairs"] if p["given"] == name]
        kinds = (("proved", "any"), ("proved", "equal"), ("refuted", "any"))
        yield name, *(", ".join(p["gives"] for p in rows if (p["verdict"], p["weights"]) == k) for k in kinds)


def _implication(row: dict[str, Any]) -> tuple[str, ...]:
    constants = ", ".join(f"${name} = {value}$" for name, value in row["constants_latex"].items())
    return " and ".join(row["given"]), row["gives"], constants, row["weights"], row["verdict"]


def _counterexamples(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        penalty = "" if row["penalty"] == "0" else f", penalty `{row['penalty']}`"
        losses = ", ".join(f"`{loss}`" for loss in row["losses"])
        kept = "; ".join(
            " ".join((k["condition"], *(f"({name} = {value})" for name, value in k["constants"].items())))
            for k in row["keeps"]
        )
        yield f"**{row['name']}**: losses {losses}{penalty}: {row['why']}. Keeps {kept}.\n"
        broken = (
            (b["condition"], b["at"], "{left} > {right} at w = {w}".format(**b["numbers"]), "refuted")
            for b in row["breaks"]
        )
        yield from _table(("breaks", "at", "with all constants 1", "verdict"), broken)
        yield ""


def _guarantees(found: Compared) -> Iterator[str]:
    losses = ", ".join(f"`{loss}`" for loss in found.problem.losses)
    kept = "; ".join(
        f"{c.name} ({', '.join(f'{name} = {value}' for name, value in constants.items())})"
        for c, constants in found.problem.keeps
    )
    others = ", ".join(f"{word} = {text_of(v)}" for word, v in CONSTANTS.items())
    yield f"""## All guarantees on one problem

Two clients with the losses {losses}, started at w = 3/4: {found.problem.why}. Proved there: {kept}.
The constants are {others} (`dissimilarity_factor` is rounded up).

The table has the rounds after which each theorem's own metric, a mean squared gradient over the rounds, is
at most {found.accuracy:g}; at the start the squared gradient is 9/25. The parameters are the best of `plan`,
where messages cost more than steps, or what the note says. Rounds of different algorithms cost differently,
and a bound does not say how fast a run is. Whether a theorem is proved, `fedproof audit ID` says.
"""
    yield from _table(
        ("theorem", "conditions that it assumes", "rounds", "bound", "note"),
        (
            (f"`{r.statement}`", ", ".join(r.conditions) or "none", r.rounds or "none",
             "none" if r.bound is None else f"{r.bound:.6f}", r.note)
            for r in found.rows
        ),
    )  # fmt: skip
    yield "\nOn these losses and those above, the conditions of each theorem that are broken:\n"
    elsewhere = found.elsewhere
    said = (
        (r.statement, [", ".join(of[r.statement]) or "none" for of in elsewhere.values()]) for r in found.rows
    )
    yield from _table(("theorem", *elsewhere), ((f"`{id}`", *broken) for id, broken in said))


def _letters(rows: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    yield from ((f"`{r['letter']}`", r["paper"], r["quantity"], r["meaning"]) for r in rows)


if __name__ == "__main__":
    sys.stdout.write(page())
