"""Valid lines of the verbs that run, compute or write, drawn from what there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from re import fullmatch

from fedproof.figures.catalog import figure_ids
from fedproof.figures.catalog import load as load_figure
from tests.fuzz.tiny_problems import COMPOSITE, SMOOTH, hyper, own, problem, taking
from tests.fuzz.tiny_records import RECORDS, begun, drawn, log

#: where a line writes, from the folder in which it runs
OUT = "out"
_CLAIMS = (
    ("sqrt(x*y) <= (x + y)/2", "x >= 0", "y >= 0"), ("x**2 + y**2 >= 2*x*y",), ("x >= 0",), ("1 <= 2",),
    ("n2(u + v) <= 2*n2(u) + 2*n2(v)",), ("n2(u + v) <= n2(u) + n2(v)",), ("x**3 >= 0", "x >= -1"),
    ("abs(x) <= 1", "x**2 <= 1"), ("(1 + x)**2 >= 1 + 2*x",), ("a/b <= a", "a >= 0", "b >= 1"),
)  # fmt: skip
_STEPS = ("fedproxvr.eq39", "fedproxvr.remark1.4.monotone")
#: statements whose check is a formula's, not one of many runs
_SHORT = (
    "fedproxvr.problem23", "fedprox.table1.theorem1", "composite.theorem3.6.sharpened.factor",
    "fedprox.section1.rounds.few", "flecs.lemma9.floor", "fedproxvr.remark1.1.svrg.repaired",
    "fedprox.remark3", "fedproxvr.eq15", "fedprox.appendixE.stepsize", "fedproxvr.remark1.5.tau",
)  # fmt: skip


def valid(rng: Random, folder: Path) -> list[str]:
    """A line whose words are meant; the files that it reads are made in the folder."""
    verbs, weights = zip(*_VERBS.items(), strict=True)
    make: Callable[[Random, Path], list[str]] = rng.choices(verbs, weights)[0]
    return make(rng, folder)


def _run(rng: Random, folder: Path) -> list[str]:
    composite = rng.random() < 0.3
    algorithm = rng.choice(COMPOSITE if composite else SMOOTH)
    data, flags = problem(rng, folder, composite)
    who = taking(rng) if algorithm in _DRAWS else []
    more = rng.choice(([], ["--json"], ["--quiet"], ["--kernel", "numpy"]))
    return ["run", algorithm, *hyper(rng, algorithm), "--problem", data, *flags, "--rounds",
            str(rng.randint(0, 5)), "--seed", str(rng.randint(0, 99)), *who, *more]  # fmt: skip


#: algorithms of which every server takes a cohort
_DRAWS = ("fedavg", "fedmspp", "fedprox", "fedproxvr", "scaffold")


def _sweep(rng: Random, folder: Path) -> list[str]:
    if rng.random() < 0.2:
        begun(folder / OUT)
        return ["sweep", "fedavg", "tau=2,3", "--problem", "quadratic", "--clients", "3", "--seeds",
                str(rng.randint(1, 2)), "--rounds", str(rng.randint(1, 4)), "-o", OUT,
                *rng.choice(([], ["--json"]))]  # fmt: skip
    line = _run(rng, folder)
    line[0] = "sweep"
    at = line.index("--seed")
    line[at : at + 2] = ["--seeds", str(rng.randint(1, 3))]
    if "--kernel" in line:
        line[line.index("--kernel") :] = []
    for place, word in enumerate(line):
        name, _, number = word.partition("=")
        if "=" in word and fullmatch(r"0\.\d+", number) and line[place - 1] != "--option":
            line[place] = f"{name}={number},{number}5"
            break
    line += rng.choice(([], ["-o", OUT], ["-o", OUT, "--json"])) if "--json" not in line else []
    line += rng.choice(([], ["--metric", "loss"], ["--metric", "loss", "--metric", "squared_gradient"]))
    return line + ["--workers", "2"] * (rng.random() < 0.2)


def _figure(rng: Random, folder: Path) -> list[str]:
    if rng.random() < 0.25:
        drawn(folder / OUT)
        formats = rng.choice(([], ["--fmt", "svg"], ["--fmt", "pdf"]))
        return ["figure", "fedprox.table1", "--reuse", "-o", OUT, *formats, *rng.choice(([], ["--json"]))]
    id = rng.choice(_FAST_FIGURES if rng.random() < 0.8 else figure_ids())
    toy = load_figure(id).SPEC.toy
    words = [f"{name}={_text(value)}" for name, value in toy.items()]
    if "points" in toy:
        words = [w for w in words if not w.startswith("points=")] + [f"points={rng.randint(2, 9)}"]
    formats = ["--fmt", rng.choice(("svg", "png", "pdf", "svg,pdf"))] if rng.random() < 0.7 else []
    more = rng.choice(([], ["--json"], ["--quiet"]))
    return ["figure", id, *words, "-o", OUT, "--workers", "1", *formats, *more]


_FAST_FIGURES = ("composite.region", "fedprox.table1", "fedproxvr.figure1", "fedproxvr.region",
                 "fedproxvr.sharpened")  # fmt: skip


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _validate(rng: Random, folder: Path) -> list[str]:
    quiet = rng.choice(([], ["--json"], ["--quiet"]))
    if rng.random() < 0.2:
        return ["validate", rng.choice(_SHORT), "--seeds", str(rng.randint(1, 3)), *quiet]
    if rng.random() < 0.3:
        return ["validate", "--history", *log(rng, folder), *quiet]
    make, ids = rng.choice(RECORDS)
    for seed in range(rng.randint(1, 3)):
        make(folder, seed)
    asked = rng.choice(([], [rng.choice(ids)], [rng.choice(ids)]))
    beside = rng.choice(([], ["--problem", "quadratic", "--clients", "3", "--weights", "equal"]))
    return ["validate", *asked, "--history", "records", *(beside if asked else []), *quiet]


def _data(rng: Random, folder: Path) -> tuple[str, list[str]]:
    data, flags = problem(rng, folder, composite=False)
    return ("quadratic", ["--clients", "3"]) if data in ("synthetic", "digits") else (data, flags)


def _plan(rng: Random, folder: Path) -> list[str]:
    data, flags = _data(rng, folder) if rng.random() < 0.4 else ("quadratic", ["--clients", "3"])
    more = ["--downlink", "1e7"] * (rng.random() < 0.3) + ["--bits-per-value", "32"] * (rng.random() < 0.3)
    more += rng.choice(([], ["--json"], ["--toml"], ["--quiet"]))
    return ["plan", data, *flags, "--epsilon", rng.choice(("0.1", "1", "1e-3", "1/2")), "--uplink",
            rng.choice(("1e6", "1e3")), "--rounds", str(rng.randint(1, 3)), "--step-seconds", "1e-6",
            *more]  # fmt: skip


def _measure(rng: Random, folder: Path) -> list[str]:
    data, flags = _data(rng, folder)
    words = rng.choice(([], ["tau=2"], ["tau=3", "beta=10"], ["mu=1"]))
    return ["measure", data, *words, *flags, "--rounds", str(rng.randint(0, 2)), "--seeds", "2", "--effort",
            rng.choice(("1", "0.5", "1/10")), *rng.choice(([], ["--json"], ["--quiet"]))]  # fmt: skip


def _describe(rng: Random, folder: Path) -> list[str]:
    data, flags = problem(rng, folder, composite=False)
    if data in ("quadratic",):
        data, flags = own(rng, folder)
    return ["describe", data, *flags, *rng.choice(([], ["--json"]))]


def _decide(rng: Random, folder: Path) -> list[str]:
    del folder
    return ["decide", *rng.choice(_CLAIMS), *rng.choice(([], ["--json"]))]


def _conform(rng: Random, folder: Path) -> list[str]:
    body = rng.choice(("return w", "raise ValueError('a\\nb')", "return w * 0", "return 'x'", "return w[:1]"))
    (folder / "mine_too.py").write_text(f"def my_round(w, clients, *, lr, epochs, mu):\n    {body}\n")
    what = rng.choice(("fedproof.testing.example:my_round", "mine_too.py:my_round"))
    return ["conform", what, "--algorithm", "fedprox", *rng.choice(([], ["--json"]))]


def _new(rng: Random, folder: Path) -> list[str]:
    del folder
    return ["new", "paper", rng.choice(("mine", "a_1", "zzz")), *rng.choice(([], ["-o", OUT])),
            *rng.choice(([], ["--json"]))]  # fmt: skip


def _audit(rng: Random, folder: Path) -> list[str]:
    del folder
    return ["audit", rng.choice(_STEPS), *rng.choice(([], ["-o", OUT])), *rng.choice(([], ["--json"]))]


_VERBS = {
    _run: 30, _sweep: 18, _figure: 9, _validate: 14, _plan: 3, _measure: 6, _describe: 10, _decide: 3,
    _conform: 3, _new: 3, _audit: 1,
}  # fmt: skip
