"""What the shell completes, and the examples under each command's help; nothing heavy is loaded."""

from __future__ import annotations

from collections.abc import Iterator

from fedproof.vocabulary.papers import papers

#: two for each command, the first to try and one that shows more
EXAMPLES = {
    "audit": ("audit fedproxvr.eq39 fedproxvr.eq39.repaired", "audit fedproxvr -o ledger"),
    "check": (
        "check fedproxvr.lemma1.sarah L=1 lam=0.5 mu=20 beta=30 tau=40 theta=1",
        "check fedproxvr.theorem1 L=1 lam=0 sigma2=0 mu=9 theta=1/10 --json",
    ),
    "conditions": ("conditions", "conditions --json"),
    "conform": (
        "conform fedproof.testing.example:my_round --algorithm fedprox",
        "conform mine.py:my_round --algorithm fedavg --json",
    ),
    "decide": (
        "decide 'sqrt(x*y) <= (x + y)/2' 'x >= 0' 'y >= 0'",
        "decide 'n2(x + y) <= (1 + a)*n2(x) + (1 + 1/a)*n2(y)' 'a > 0'",
    ),
    "describe": ("describe digits --clients 30", "describe patients.csv --client hospital --label outcome"),
    "figure": (
        "figure fedproxvr.figure1 -o figures",
        "figure fedproxvr.figure4 clients=5 rounds=3 seeds=2 -o figures --fmt png",
    ),
    "find": ("find local steps", "find dissimilarity --json"),
    "list": ("list", "list fedproxvr"),
    "measure": ("measure breast_cancer --clients 8", "measure digits tau=20 beta=10 --rounds 5 --json"),
    "new": ("new paper mine -o fedproof/papers", "new paper mine"),
    "plan": (
        "plan breast_cancer --clients 8 --epsilon 0.01",
        "plan breast_cancer --clients 8 --uplink 1e6 --epsilon 0.01 --flower",
    ),
    "range": (
        "range fedproxvr.lemma1.svrg tau beta=400 theta=1/2 mu=200 L=1 lam=1/2",
        "range fedproxvr.lemma1.sarah mu L=1 lam=0 theta=1 --toml",
    ),
    "region": (
        "region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20",
        "region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20,40 --window 3,60 -o region.html",
    ),
    "report": ("report", "report -o site --workers 2"),
    "run": (
        "run fedavg stepsize=0.1 local_steps=5 --rounds 3",
        "run fedprox local_solver=to_inexactness theta=0.5 stepsize=0.1 mu=0.1 --cohort 5 --rounds 3",
    ),
    "show": ("show fedproxvr.lemma1.sarah", "show composite.theorem3.5 --json"),
    "sweep": (
        "sweep fedavg stepsize=0.1 tau=5,10 --rounds 3 --seeds 2",
        "sweep fedproxvr tau=5,10 mu=0,0.1 --problem digits --rounds 3 --seeds 2 -o runs",
    ),
    "tune": (
        "tune fedproxvr L=1 lam=0.5 sigma2=1 gamma=0.01",
        "tune fedproxvr L=1 lam=0.5 sigma2=1 gamma=0.01 form=sharpened tau=integer --json",
    ),
    "validate": ("validate fedproxvr.theorem1", "validate fedproxvr.theorem1 --history runs --json"),
}


def epilog(command: str) -> str:
    r"""What stands under a command's help, its lines kept as they are.

    >>> epilog("list")
    '\x08\nExamples:\n  fedproof list\n  fedproof list fedproxvr'
    """
    return "\n".join(["\b", "Examples:", *(f"  fedproof {line}" for line in EXAMPLES[command])])


def statements(incomplete: str) -> Iterator[str]:
    """Ids of statements that begin as typed.

    >>> list(statements("fedproxvr.lemma1.sarah"))
    ['fedproxvr.lemma1.sarah', 'fedproxvr.lemma1.sarah.sharpened']
    """
    return (id for paper in papers().values() for id in paper.statements if id.startswith(incomplete))


def keys(incomplete: str) -> Iterator[str]:
    """Keys of papers that begin as typed.

    >>> list(keys("fedprox"))
    ['fedprox', 'fedproxvr']
    """
    return (key for key in papers() if key.startswith(incomplete))


def keys_and_statements(incomplete: str) -> Iterator[str]:
    """Keys of papers and ids of statements that begin as typed."""
    yield from keys(incomplete)
    yield from statements(incomplete)


def algorithms(incomplete: str) -> Iterator[str]:
    """Names of algorithms that begin as typed.

    >>> list(algorithms("fedproxvr"))
    ['fedproxvr']
    """
    named = dict.fromkeys(name for paper in papers().values() for name in paper.algorithms)
    return (name for name in named if name.startswith(incomplete))
