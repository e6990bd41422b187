"""The questions of `parity.py`: about what `list` and `show` tell, asked of the public verbs alone."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import fedproof as fp
from benchmarks.parity_draws import Symbol, constants_of, target_of, turns, values_of

__all__ = ["SECTIONS", "Answers", "note"]

Answers = Iterator[tuple[str, Any]]
"""Questions, each with the JSON of its answer."""
Question = tuple[str, Callable[[], Any]]
"""What is asked, in the words of the shell, and the verb that answers it."""

#: what can be tuned -> the statement that names its constants, and how often it is asked
TUNED = {
    "fedproxvr": ("fedproxvr.problem23", 60),
    "fedproxvr.problem20": ("fedproxvr.problem23", 8),
    "fedproxvr.problem23": ("fedproxvr.problem23", 8),
    "fedproxvr.problem23.sharpened": ("fedproxvr.problem23", 8),
    "composite": ("composite.theorem3.5", 60),
    **{f"composite.theorem{name}": (f"composite.theorem{name}", 8) for name in (
        "3.5", "3.5.sharpened", "3.6", "3.6.repaired", "3.6.sharpened", "3.8", "3.8.sharpened")},
}  # fmt: skip

_RUNS = {"data": "digits", "clients": 5, "rounds": 6, "seeds": 3}
_SPARSE = {"clients": 6, "seeds": 3}
_TRIED = {"tau": "2,3", "beta": "1,3", "mu": "0.1", "tried": 3}
_REACHED = {
    "clients": 6,
    "cohort": 3,
    "model": "softmax",
    "batch_size": "4,2",
    "target": "0.3,0.5",
    "rounds": 30,
    "seeds": 3,
}
#: figure -> a size of which it takes seconds; a figure that is not here is made at its own
SIZES: dict[str, dict[str, Any]] = {
    "composite.figure2": _SPARSE | {"samples": 20, "smoothness": "0.1,0.05", "rounds": "60,20"},
    "composite.figure3": _SPARSE | {"samples": 50, "tau": 5, "batch_size": "1,10", "rounds": 60},
    "composite.figure4": {"model": "softmax", "tau": "2,5", "rounds": 6, "seeds": 3},
    "composite.region": {"points": 41},
    "fedprox.figure1": _REACHED,
    "fedprox.figure2": _REACHED,
    "fedprox.rates": {"rounds": 64, "data_rounds": 16, "kinked_rounds": 4, "clients": 6, "seeds": 3},
    "fedprox.table1": {"points": 21},
    "fedproxvr.figure1": {"points": 12},
    "fedproxvr.figure2": _RUNS | {"settings": "5:3,7:4,5:4,0.5:4"},
    "fedproxvr.figure3": _RUNS | {"settings": "5:3,7:4"},
    "fedproxvr.figure4": {"clients": 6, "tau": 5, "rounds": 10, "seeds": 3},
    "fedproxvr.published_code": _RUNS | {"tau": 3},
    "fedproxvr.region": {"points": 41, "pairs": 2000},
    "fedproxvr.sharpened": {"points": 9},
    "fedproxvr.table1": _RUNS | _TRIED,
    "fedproxvr.table2": _RUNS | _TRIED,
}


def note(text: str) -> None:
    """Progress, on stderr."""
    print(text, file=sys.stderr, flush=True)


def plain(result: Any) -> Any:
    """A result as its JSON is read back."""
    document = result if isinstance(result, dict) else result.to_dict()
    return json.loads(json.dumps(document, default=float))


def ask(question: str, verb: Callable[[], Any]) -> tuple[str, Any]:
    """A question with its answer: the whole document, or the line of a refusal."""
    note(question)
    try:
        return question, plain(verb())
    except fp.FedproofError as refusal:
        return question, {"refused": str(refusal)}
    except Exception as error:
        return question, {"failed": f"{type(error).__name__}: {error}"}


def words(*parts: str, **values: str) -> str:
    """A question as the shell has it."""
    return " ".join([*parts, *(f"{name}={value}" for name, value in values.items())])


def listed(what: str) -> list[str]:
    """Ids of all statements or figures, in order."""
    return sorted(id for paper in plain(fp.list_papers())["papers"] for id in paper[what])


def symbols_of(id: str) -> list[Symbol]:
    """The symbols of a statement, by name."""
    return sorted(plain(fp.statement(id).show())["symbols"], key=lambda symbol: symbol["name"])


def having(part: str) -> dict[str, list[Symbol]]:
    """The statements that have symbols and such a part, with their symbols."""
    ids = [id for id in listed("statements") if plain(fp.statement(id).show())[part]]
    return {id: symbols for id in ids if (symbols := symbols_of(id))}


def shown() -> Answers:
    """What `list` and `show` say."""
    yield ask("list", fp.list_papers)
    yield from (ask(id, fp.statement(id).show) for id in listed("statements"))


def distinct(questions: Iterable[Question], number: int) -> Answers:
    """The answers to so many questions, none asked twice."""
    asked: set[str] = set()
    for question, verb in questions:
        if question not in asked:
            asked.add(question)
            yield ask(question, verb)
        if len(asked) == number:
            return


def ranges() -> Iterator[Question]:
    """Admissible values of one symbol, most of the others given."""
    known = having("conditions")
    for id, random in turns("range", list(known)):
        target = target_of(random, known[id])
        given = values_of(random, (s for s in known[id] if s["name"] != target), probability=0.93)
        yield words(id, target, **given), partial(fp.statement(id).range, target, **given)


def checks() -> Iterator[Question]:
    """Numbers held against statements, nearly always all of them."""
    known = having("symbols")
    for id, random in turns("check", list(known)):
        given = values_of(random, known[id], probability=0.99)
        yield words(id, **given), partial(fp.statement(id).check, **given)


def optima(id: str, source: str) -> Iterator[Question]:
    """Best parameters for constants and options drawn at random."""
    symbols = symbols_of(source)
    for _, random in turns("tune", [id]):
        given = constants_of(random, id, symbols)
        yield words(id, **given), partial(fp.tune, id, **given)


def all_optima() -> Answers:
    """The optima of everything that can be tuned."""
    for id, (source, number) in TUNED.items():
        yield from distinct(optima(id, source), number)


def table_of(id: str) -> dict[str, Any]:
    """A figure's caption, parameters and table."""
    with TemporaryDirectory() as folder:
        made = fp.figure(id, folder, size=SIZES.get(id, {}), workers=1).to_dict()
        with open(made["table"], encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
    return {"caption": made["caption"].splitlines(), "parameters": made["parameters"], "table": table}


def figures() -> Answers:
    """Every figure, at a small size."""
    yield from (ask(id, partial(table_of, id)) for id in listed("figures"))


def numbered(rows: Iterable[Any], name: Callable[[Any], str]) -> Answers:
    """Rows by name, those of one name counted in their order."""
    seen: Counter[str] = Counter()
    for row in rows:
        seen[name(row)] += 1
        yield f"{name(row)} #{seen[name(row)]}", row


def validated() -> Answers:
    """Every row of everything that has a check in practice."""
    found = plain(fp.validate(progress=note))
    yield from numbered(found["results"], lambda row: f"{row['id']}")


def audited() -> Answers:
    """Every row of the whole audit: steps, statements, settings."""
    found = plain(fp.audit(progress=note))
    for kind in ("steps", "statements"):
        yield from ((f"{kind} {row['id']}", row) for row in found[kind])
    yield from numbered(found["settings"], lambda r: f"settings {r['paper']} {r['where']}, {r['statement']}")


SECTIONS: dict[str, Callable[[], Answers]] = {
    "show": shown,
    "range": lambda: distinct(ranges(), 300),
    "check": lambda: distinct(checks(), 200),
    "tune": all_optima,
    "figure": figures,
    "validate": validated,
    "audit": audited,
}
"""What is asked, cheapest first."""
