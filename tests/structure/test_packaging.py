"""The lock file and the wheel."""

from __future__ import annotations

import re
import subprocess
import sys
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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


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
