"""Mutants of the source, known by content: files may move and be renamed, and the place is found again."""

from __future__ import annotations

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutant_edits import Edit, edits

PACKAGE = "fedproof"

#: A line of so many characters that lies in one place alone is known by itself.
LONG = 40


@dataclass(frozen=True)
class Mutant:
    """One line read differently; lines are without indentation, `before` and `after` are not blank."""

    room: str
    path: str
    function: str
    kind: str
    before: str
    line: str
    after: str
    mutated: str


@dataclass(frozen=True)
class Place:
    """Where a line lies: a path within the package, and its index."""

    path: str
    index: int


class Rooms:
    """The source of a tree's engine rooms, read once."""

    def __init__(self, tree: Path, without: Sequence[str]) -> None:
        """Read what lies in folders of the package, but for paths that start with one of `without`."""
        self.tree, root = tree, tree / PACKAGE
        paths = sorted(p.relative_to(root).as_posix() for p in root.glob("*/**/*.py"))
        wanted = [path for path in paths if not path.startswith(tuple(without))]
        self.lines = {path: (root / path).read_text().split("\n") for path in wanted}
        self.imports = {path: imported(self.parsed(path)) for path in wanted}
        self.functions = {path: _functions(self.parsed(path)) for path in wanted}
        self.places: dict[str, list[Place]] = defaultdict(list)
        for path, lines in self.lines.items():
            for index, line in enumerate(lines):
                self.places[line.strip()].append(Place(path, index))

    def parsed(self, path: str) -> ast.Module:
        """A file's syntax."""
        return ast.parse("\n".join(self.lines[path]))

    def function(self, place: Place) -> str:
        """The qualified name of the innermost function around a line; "" outside all."""
        around = [
            (end - start, name)
            for start, end, name in self.functions[place.path]
            if start <= place.index < end
        ]
        return min(around, default=(0, ""))[1]

    def neighbour(self, place: Place, step: int) -> str:
        """The next line that is not blank, before (-1) or after (+1)."""
        lines, index = self.lines[place.path], place.index + step
        while 0 <= index < len(lines) and not lines[index].strip():
            index += step
        return lines[index].strip() if 0 <= index < len(lines) else ""

    def importers(self, path: str) -> dict[str, int]:
        """The modules that need a file, by dotted names, and how many imports lead there; itself: 0."""
        distances = {dotted(path): 0}
        for name in (queue := [dotted(path)]):
            for other in self.lines:
                if name in self.imports[other] and dotted(other) not in distances:
                    distances[dotted(other)] = distances[name] + 1
                    queue.append(dotted(other))
        return distances

    def find(self, mutant: Mutant) -> Place | None:
        """The place of the line that is most like the mutant's in function, line before and line after.

        Two of the three must agree; where no other place has the line one, none if it is long. None if no
        place is most like it.
        """

        def likeness(place: Place) -> int:
            same_name = self.function(place).split(".")[-1] == mutant.function.split(".")[-1]
            same_before = self.neighbour(place, -1) == mutant.before
            return same_name + same_before + (self.neighbour(place, 1) == mutant.after)

        scores = {place: likeness(place) for place in self.places.get(mutant.line, ())}
        best = [place for place, score in scores.items() if score == max(scores.values())]
        enough = 2 if len(scores) > 1 else int(len(mutant.line) < LONG)
        return best[0] if len(best) == 1 and scores[best[0]] >= enough else None

    def mutated(self, place: Place, line: str) -> str:
        """The text of a file with another line at this place, indented as the one that lies there."""
        lines = self.lines[place.path]
        old = lines[place.index]
        new = old[: len(old) - len(old.lstrip())] + line
        return "\n".join([*lines[: place.index], new, *lines[place.index + 1 :]])

    def mutant(self, path: str, edit: Edit) -> Mutant | None:
        """The mutant that an edit makes; None if it changes nothing, does not parse or is not found again."""
        place, old = Place(path, edit.index), self.lines[path][edit.index]
        new = edit.applied(old)
        around = self.neighbour(place, -1), old.strip(), self.neighbour(place, 1)
        found = Mutant(path.split("/")[0], path, self.function(place), edit.kind, *around, new.strip())
        try:
            ast.parse(self.mutated(place, new.strip()))
        except SyntaxError:
            return None
        return found if new != old and self.find(found) == place else None

    def shares(self, count: int, least: int) -> dict[str, int]:
        """How many mutants each room has of `count`: by its lines, at least `least`."""
        sizes: Counter[str] = Counter()
        for path, lines in self.lines.items():
            sizes[path.split("/")[0]] += len(lines)
        shares = {room: max(least, count * size // sizes.total()) for room, size in sizes.items()}
        for room, _ in sizes.most_common(max(0, count - sum(shares.values()))):
            shares[room] += 1
        return shares

    def choose(self, room: str, count: int, seed: str, taken: Iterable[tuple[str, str]] = ()) -> list[Mutant]:
        """Some mutants of a room, all kinds in turn, no two of one function and none of one taken."""
        rng = random.Random(seed)
        by_kind: dict[str, list[tuple[str, Edit]]] = defaultdict(list)
        for path in self.lines:
            for edit in edits(self.parsed(path)) if path.split("/")[0] == room else ():
                by_kind[edit.kind].append((path, edit))
        turns = sorted(by_kind)
        rng.shuffle(turns)
        for kind in turns:
            rng.shuffle(by_kind[kind])
        used, chosen = set(taken), list[Mutant]()
        while len(chosen) < count and any(by_kind.values()):
            for kind in turns:
                while len(chosen) < count and by_kind[kind]:
                    found = self.mutant(*by_kind[kind].pop())
                    if found is not None and (found.path, found.function) not in used:
                        used.add((found.path, found.function))
                        chosen.append(found)
                        break
        return chosen


def dotted(path: str) -> str:
    """The name by which a file of the package is imported."""
    return f"{PACKAGE}/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(tree: ast.AST) -> set[str]:
    """What a file imports, by dotted names."""
    named = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    sources = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module]
    return (
        named | {n.module or "" for n in sources} | {f"{n.module}.{a.name}" for n in sources for a in n.names}
    )


def _functions(node: ast.AST, outer: tuple[str, ...] = ()) -> list[tuple[int, int, str]]:
    """First line, end and qualified name of every function below a node."""
    found = []
    for child in ast.iter_child_nodes(node):
        names = outer
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = (*outer, child.name)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append((child.lineno - 1, child.end_lineno or child.lineno, ".".join(names)))
        found += _functions(child, names)
    return found
