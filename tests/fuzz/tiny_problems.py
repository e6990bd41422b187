"""Tiny problems, files of one's own and hyper-parameters, drawn from what `fedproof list` says of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from re import findall, split

from fedproof.option_listing import ListedOption, list_options
from tests.fuzz import drawing

SMOOTH = (
    "adiana", "diana", "fedavg", "fedmspp", "fednl", "fedprox", "fedproxvr", "flecs", "flecs_cgd", "scaffold",
)  # fmt: skip
COMPOSITE = ("fast_fedda", "fedcomposite", "fedda", "fedmid")
_PENALISED = ("composite_quadratic", "lasso", "sparse_logistic")


def typed(rng: Random, domain: str) -> str:
    """A small value that a domain, in the words of `fedproof list`, accepts.

    >>> typed(Random(1), "a whole number from 3 to 3")
    '3'
    """
    if " number" not in domain:
        return rng.choice([word for word in split(r",\s*|\s+or\s+", domain) if word])
    words = findall(r"or (\w+)$", domain)
    if words and rng.random() < 0.3:
        return str(rng.choice(words))
    ends = [float(_fraction(x)) for x in findall(r"(?<![\w.])-?\d[\d.e+-]*(?:/\d+)?", domain)]
    low = ends[0] if ends else 0.0
    top = ends[1] if len(ends) > 1 else (1.0 if "<= 1" in domain else 1e30)
    if "whole" in domain:
        return str(int(min(top, rng.randint(max(1, int(low)), max(1, int(low)) + 3))))
    plain = rng.choice((0.02, 0.1, 0.25, 0.5, 1, 2, 3))
    if rng.random() < 0.03:
        plain = rng.choice((max(low, 1e-9), min(top, 1e9)))
    return f"{min(max(plain, low), top * 0.99 if top < 1e30 else top):.6g}"


def _fraction(text: str) -> float:
    """A number as a domain's words have it."""
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)


@cache
def _options(kind: str) -> Mapping[str, tuple[ListedOption, ...]]:
    """Every option by whose it is."""
    found: dict[str, list[ListedOption]] = {}
    for option in list_options(kind).options:
        found.setdefault(option.of, []).append(option)
    return {of: tuple(options) for of, options in found.items()}


def hyper(rng: Random, algorithm: str) -> list[str]:
    """Hyper-parameters of an algorithm and of its parts, the required ones always."""
    words, chosen = [], {}
    for option in _options("algorithms")[algorithm]:
        if option.name in ("local_solver", "gradient_compressor", "hessian_compressor"):
            chosen[option.name] = _part(rng, algorithm, option)
            words.append(f"{option.name}={chosen[option.name]}")
            continue
        words += _one(rng, option, option.default == "required" or rng.random() < 0.3)
    for kind, name in chosen.items():
        for option in _options("algorithms").get(f"{kind}={name}", ()):
            more = _one(rng, option, option.default == "required" or rng.random() < 0.3)
            words += [f"{kind}.{word}" for word in more]
    return _agreeing(words)


def _part(rng: Random, algorithm: str, option: ListedOption) -> str:
    if option.name != "local_solver":
        unbiased = ("dithering", "identity", "natural", "rand_k")
        return rng.choice(unbiased if option.name == "gradient_compressor" else (*unbiased, "top_k"))
    if algorithm == "fedmspp":
        return "to_suboptimality"
    return rng.choice(("gradient_descent", "shuffled_epochs", "stochastic_gradient", "to_suboptimality"))


def _one(rng: Random, option: ListedOption, wanted: bool) -> list[str]:
    if not wanted or option.name in ("smoothness_sample", "inverse_stepsize", "momentum_stepsize"):
        return []
    value = "1e-3" if option.name == "suboptimality" else typed(rng, option.domain)
    return [f"{rng.choice((option.name, *option.also))}={value}"]


def _agreeing(words: list[str]) -> list[str]:
    """Words of which no two say one thing twice, letters of parts by their owner."""
    seen: dict[str, str] = {}
    for word in words:
        seen.setdefault(word.partition("=")[0], word)
    return list(seen.values())


def problem(rng: Random, folder: Path, composite: bool) -> tuple[str, list[str]]:
    """A problem's word or file, and the flags that make it tiny."""
    if rng.random() < 0.25:
        return own(rng, folder)
    if composite and rng.random() < 0.5:
        name = rng.choice(_PENALISED)
        return name, ["--clients", str(rng.randint(2, 4)), *_made(rng, name)]
    name = rng.choice(("quadratic", "quadratic", "quadratic", "digits", "breast_cancer", "robust",
                       "synthetic", "diabetes", "binary_logistic"))  # fmt: skip
    flags = ["--clients", str(rng.randint(5, 7) if name == "digits" else rng.randint(2, 4))]
    flags += _made(rng, name)
    if name in ("digits", "breast_cancer") and rng.random() < 0.4:
        flags += rng.choice((["--split", "iid"], ["--option", "split=dirichlet"], ["--option", "l2=0.1"],
                             ["--option", "test_fraction=1/4"], ["--split", "shares"]))  # fmt: skip
    if composite:
        flags += ["--option", f"penalty={rng.choice(('l1', 'l2', 'l2_squared', 'linf', 'none'))}"]
    return name, flags


def _made(rng: Random, name: str) -> list[str]:
    flags = []
    for option in _options("problems").get(name, ()):
        if rng.random() < 0.25 and option.name not in ("data", "rank", "most_samples", "alpha", "beta"):
            flags += ["--option", f"{option.name}={typed(rng, option.domain)}"]
    if rng.random() < 0.2:
        flags += ["--weights", rng.choice(("size", "equal"))]
    return flags + ["--problem-seed", str(rng.randint(0, 9))] * (rng.random() < 0.2)


def own(rng: Random, folder: Path) -> tuple[str, list[str]]:
    """A file of one's own and how it is read."""
    rows = [(rng.choice("ab"), rng.choice("yn"), *(round(rng.gauss(0, 1), 3) for _ in range(3)))
            for _ in range(rng.randint(8, 16))]  # fmt: skip
    rows += [("a", "y", 0.5, 0.5, 0.5), ("a", "n", -1, 0, 1), ("b", "y", 1, 2, 3), ("b", "n", 0, 0, 1)]
    if rng.random() < 0.6:
        sign = rng.choice(",;\t")
        text = "\n".join(sign.join(map(str, row)) for row in (("who", "well", "u", "v", "w"), *rows))
        (folder / "own.csv").write_text(text + "\n")
        flags = rng.choice((["--client", "who"], ["--client", "who"], ["--split", "iid", "--clients", "3"]))
        ignored = ["--ignore", "u" if "--client" in flags else "who,u"]
        more = [*rng.choice(([], ignored)), *rng.choice(([], ["--standardise", "yes"]))]
        return "own.csv", [*flags, "--label", "well", *more]
    if rng.random() < 0.4:
        name, content = rng.choice(
            [x for x in drawing.plain_files(rng).items() if x[0] in ("a.npz", "a.json")]
        )
        (folder / f"own_{name}").write_bytes(content)
        return f"own_{name}", ["--split", "iid", "--clients", str(rng.randint(1, 2))]
    (folder / "own.svm").write_text(
        "".join(f"{int(label == 'y')} 1:{a} 2:{b} 3:{c}\n" for _, label, a, b, c in rows)
    )
    return "own.svm", ["--split", "iid", "--clients", str(rng.randint(1, 3))]


def taking(rng: Random) -> list[str]:
    """Who takes part in a round."""
    if rng.random() < 0.6:
        return []
    words = ["--cohort", str(rng.randint(1, 2))]
    words += rng.choice(([], ["--replacement"], ["--replacement", "--probability", "size"]))
    return words + rng.choice(([], ["--average", "plain"], ["--average", "size"]))
