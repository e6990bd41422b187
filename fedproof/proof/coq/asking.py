"""Coq is asked whether it accepts files, and on which axioms their lemmas rest."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib.resources import files
from pathlib import Path
from threading import Lock

from fedproof.proof.coq.files import Collection
from fedproof.proof.coq.terms import lemma

#: the axioms of Coq's real numbers
ALLOWED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)


#: held while lemmas are left out
LOCK = Lock()


def prelude() -> str:
    """The file of definitions and lemmas that all others require."""
    return files("fedproof.proof.coq").joinpath("prelude.v").read_text(encoding="utf-8")


def compiled(folder: Path, name: str) -> tuple[bool, str]:
    """Whether Coq accepts a file, and what it prints."""
    command = ["coqc", "-q", "-noglob", "-R", ".", "", f"{name}.v"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def axioms(printed: str) -> set[str]:
    """The axioms that `Print Assumptions` names."""
    found: set[str] = set()
    inside = False
    for line in printed.splitlines():
        if line.startswith(("Axioms:", "Section Variables:", "Opaque constants:", "Transparent constants:")):
            inside = True
        elif line.startswith("Closed under the global context"):
            inside = False
        elif inside and (m := re.match(r"([\w.']+)( :|$)", line)):
            found.add(m[1])
    return found


def accepted(folder: Path, collection: Collection, name: str) -> float:
    """Compile a file, without the lemmas that Coq does not accept; the seconds that it took."""
    path, began = folder / f"{name}.v", time.monotonic()
    while True:
        text = collection.text(name)
        path.write_text(text, encoding="utf-8")
        good, printed = compiled(folder, name)
        if good:
            return time.monotonic() - began
        rejected = blamed(collection, text, printed)
        if not rejected:
            raise RuntimeError(f"{name}.v: {printed.strip()[-300:]}")
        with LOCK:
            for id in rejected:
                collection.drop(id, "not accepted by Coq")


def blamed(collection: Collection, text: str, printed: str) -> list[str]:
    """The lemma in which Coq found an error, by the line that it names."""
    line = re.search(r"line (\d+), characters", printed)
    before = "".join(text.splitlines(keepends=True)[: int(line[1])]) if line else ""
    opened = re.findall(r"^Lemma (\S+) :", before, re.M)[-1:]
    return [i for i in collection.lemmas if lemma(i) in opened]


def alone(folder: Path, name: str, text: str) -> str:
    """What Coq prints of a file that it must accept as it is."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8")
    good, printed = compiled(folder, name)
    if not good:
        raise RuntimeError(f"{name}.v: {printed.strip()[-300:]}")
    return printed


def asked(folder: Path, collection: Collection, workers: int = 2) -> tuple[set[str], dict[str, float]]:
    """Compile all files beside each other; the axioms that Coq names, and the seconds that each file took."""
    folder.mkdir(parents=True, exist_ok=True)
    alone(folder, "Fedproof", prelude())
    waiting, done = [*collection.files], dict[str, float]()
    running: dict[Future[float], str] = {}
    with ThreadPoolExecutor(workers) as pool:
        while waiting or running:
            for name in _ready(collection, waiting, done):
                waiting.remove(name)
                running[pool.submit(accepted, folder, collection, name)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                seconds = future.result()
                done[running.pop(future)] = seconds
    return axioms(alone(folder, "Every", collection.every())), done


def _ready(collection: Collection, waiting: Sequence[str], done: Mapping[str, float]) -> list[str]:
    """Files all of whose needed files are compiled."""
    return [n for n in waiting if collection.needed(n) <= {*done}]
