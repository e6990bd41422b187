"""The lock file, the wheel and the source distribution."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import fedproof
from tests.structure.code import PACKAGE, ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
_PIN = re.compile(
    r"^([a-z0-9.-]+)==([^ ]+)(?: ; .*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)


def project() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins() -> dict[str, str]:
    """Locked name to version."""
    return {name: version for name, version, _ in _PIN.findall(LOCK)}


def test_lock_holds_nothing_but_pins_with_hashes() -> None:
    """Every line of the lock is a pin, a hash or a comment; no address of an index or a file."""
    rest = [line for line in _PIN.sub("", LOCK).splitlines() if not re.match(r"\s*#", line)]

    assert rest == []
    assert not re.search(r"://|file:| @ |^-", LOCK, re.M)
    assert len(pins()) > 30


def test_lock_serves_other_machines_too() -> None:
    """Packages with compiled parts are locked with the hashes of many wheels, not of this machine's alone."""
    hashes = {name: block.count("sha256") for name, _, block in _PIN.findall(LOCK)}

    assert min(hashes[name] for name in ["numpy", "scipy", "cvc5", "z3-solver", "python-flint"]) >= 8


def test_lock_satisfies_the_declared_dependencies() -> None:
    """Each dependency, each tool of `dev` and the build backend is locked in a version that is allowed."""
    data = project()
    texts = [
        *data["project"]["dependencies"],
        *data["project"]["optional-dependencies"]["dev"],
        *data["build-system"]["requires"],
    ]
    wanted = [Requirement(text) for text in texts]
    unmet = [str(r) for r in wanted if pins().get(canonicalize_name(r.name), "") not in r.specifier]

    assert unmet == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution, built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    """The wheel."""
    return zipfile.ZipFile(next(built.glob("*.whl")))


@pytest.fixture(scope="module")
def source(built: Path) -> set[str]:
    """The files of the source distribution, by their place in a checkout."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_wheel_installs_one_import_name(wheel: zipfile.ZipFile) -> None:
    """Apart from its metadata the wheel contains the package fedproof and nothing else."""
    tops = {name.partition("/")[0] for name in wheel.namelist()}

    assert tops == {"fedproof", f"fedproof-{fedproof.__version__}.dist-info"}


def test_wheel_is_complete(wheel: zipfile.ZipFile) -> None:
    """Every file of the package is in the wheel: all rooms, page templates, py.typed."""
    files = [p for p in PACKAGE.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    missing = {str(p.relative_to(ROOT)) for p in files} - set(wheel.namelist())

    assert missing == set()
    assert "fedproof/py.typed" in wheel.namelist()


def test_wheel_knows_its_command_and_licence(wheel: zipfile.ZipFile) -> None:
    """The metadata holds the console script and the licence's text."""
    names = {Path(name).name: name for name in wheel.namelist() if ".dist-info/" in name}

    assert b"fedproof = fedproof.start:main" in wheel.read(names["entry_points.txt"])
    assert wheel.read(names["LICENSE"]) == (ROOT / "LICENSE").read_bytes()


def test_source_distribution_holds_what_its_tests_need(source: set[str]) -> None:
    """The package, the tests, the pages and notebooks that they follow, and what makes and cites it."""
    folders = ["fedproof", "tests", "docs", "benchmarks"]
    files = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file()]
    wanted = {str(p.relative_to(ROOT)) for p in files if "__pycache__" not in p.parts}
    wanted |= {"Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"}
    wanted |= {"pyproject.toml", "requirements.lock", "hatch_build.py"}

    assert wanted - source == set()
    assert len(wanted) > 1000


def test_long_description_has_no_link_that_leads_nowhere(wheel: zipfile.ZipFile) -> None:
    """Away from the checkout every link has an address of its own; the words and file names stay."""
    (name,) = [n for n in wheel.namelist() if n.endswith(".dist-info/METADATA")]
    said = wheel.read(name).decode()
    targets = re.findall(r"\]\(([^)]+)\)", said)

    assert [t for t in targets if "://" not in t] == []
    assert "(docs/images" not in said
    assert "are in docs/proofs.md." in " ".join(said.split())


def test_citation_is_of_this_version() -> None:
    """CITATION.cff names the version, the licence and the authors of pyproject.toml."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    said = dict(re.findall(r"^([\w-]+): (.+)$", text, re.M))

    assert said["version"] == fedproof.__version__
    assert said["license"] == project()["project"]["license"]
    assert re.findall(r"^  - name: (.+)$", text, re.M) == [a["name"] for a in project()["project"]["authors"]]


PROGRAM = """
import fedproof as fp

lemma = fp.statement("fedproxvr.lemma1.sarah")
applies: bool = lemma.check(L=1, lam=0, mu=20, beta=30, tau=40, theta=1).applicable
best = fp.tune("fedproxvr", L=1, lam="1/2", sigma2=1, gamma="0.01")
certified: bool = best.certified
assert best.run is not None
history = fp.run(**best.run, problem="digits", rounds=3, seed=1)
diverged: bool = history.diverged
verdict: str = fp.decide("x*y <= (x**2 + y**2)/2").verdict
shown: str = fp.validate("fedproxvr.theorem1").headline() + fp.audit("fedproxvr").headline()
"""


def typed(program: str, folder: Path, wheel: zipfile.ZipFile) -> str:
    """What mypy says of a program where the wheel is installed beside this environment's packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True, timeout=60)
    (site,) = (folder / "env").glob("lib/*/site-packages")
    wheel.extractall(site)
    (site / "beside.pth").write_text(sysconfig.get_path("purelib"))
    (folder / "program.py").write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", folder / "env/bin/python"]
    done = subprocess.run([*command, "program.py"], cwd=folder, capture_output=True, text=True, timeout=180)
    assert done.stderr == ""
    return done.stdout


def test_program_of_a_user_is_typed(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """From outside, strict mypy accepts right uses of the installed package and sees each wrong one."""
    wrong = "wrong: str = lemma.check(L=1).applicable\nfp.tuned()\nbest.argmax\n"
    found = typed(PROGRAM + wrong, tmp_path, wheel).splitlines()

    assert [line.rpartition("[")[2] for line in found[:-1]] == [
        "assignment]",
        "attr-defined]",
        "attr-defined]",
    ]
    assert {int(line.split(":")[1]) > PROGRAM.count("\n") for line in found[:-1]} == {True}
