"""`fedproof list --algorithms` and `--problems`: every option that is taken is listed, as it is taken."""

from __future__ import annotations

import json

import pytest

import fedproof as fp
from fedproof.cli import main
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.solvers.parameters import flat_parameters
from fedproof.vocabulary.errors import UnknownName

LISTED = fp.list_options("algorithms")


@pytest.mark.parametrize("name", algorithm_names())
def test_the_defaults_are_what_an_algorithm_is_made_with(name: str) -> None:
    """An algorithm made from what is required has every listed default, and no parameter beside."""
    own = {o.name: o for o in LISTED.options if o.of == name}
    parts = {n: o.default for n, o in own.items() if o.meaning == "a part with options of its own"}
    inner = {o.name: o for n, part in parts.items() for o in LISTED.options if o.of == f"{n}={part}"}
    given = {n: 1 for n, o in {**inner, **own}.items() if o.default in ("required", "1/(10 L)")}
    made = make_algorithm(algorithm_class(name), fp.problem("quadratic", clients=2), given)
    flat = {n.rpartition(".")[2]: v for n, v in flat_parameters(made).items()}

    assert set(flat) <= {*own, *inner}
    for option in (o for o in own.values() if o.default not in ("required", "", "1/(10 L)")):
        assert str(flat[option.name]) in (option.default, str(option.default == "yes")), option.name


def test_problems_list_what_a_problem_takes() -> None:
    """A problem is made with each of its listed defaults; the tables of the page have the same rows."""
    listed = fp.list_options("problems")
    own = {o.name: o.default for o in listed.options if o.of == "quadratic" and o.default}

    assert {"digits", "quadratic"} <= set(listed.names)
    assert fp.problem("quadratic", clients=2, **own).dimension == int(own["dimension"])
    assert {o.of for o in listed.options} >= {
        "your data",
        "all data",
        "split=power",
        "penalty=l1",
        "synthetic",
    }


def test_the_shell_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    """One document each; a key beside, or both at once, is one line."""
    assert main(["list", "--algorithms", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first = next(o for o in document["options"] if (o["of"], o["name"]) == ("fedavg", "local_steps"))
    assert (first["default"], first["also"]) == ("20", ["tau"])
    for wrong in (["--algorithms", "--problems"], ["fedprox", "--problems"]):
        assert main(["list", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(UnknownName, match="did you mean algorithms"):
        fp.list_options("algorithm")
