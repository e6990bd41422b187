"""What MkDocs asks for when it builds the site: pages that are written then, formulas, links out of docs/."""

from __future__ import annotations

import re
import sys
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import notebooks
import papers
import reference

from fedproof.algebra.mathml import mathml
from fedproof.vocabulary.schema import COMMANDS

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$|`[^`\n]+`", re.M | re.S)
_QUOTED = re.compile(r"\$`([^`\n]+)`\$")
_MATHS = re.compile(r"(?<![\w\\$`])\$([^$`\n]+)\$(?![\w`])")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+([^)]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of papers, reference, notebooks, changes and contributing, and the schemas."""
    made: dict[str, str | bytes] = {**papers.pages(), **reference.pages(), **notebooks.pages()}
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        made[name.lower()] = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
    schemas = resources("fedproof.vocabulary") / "schemas"
    for name in set(COMMANDS.values()):
        made[f"schemas/{name}.json"] = (schemas / f"{name}.json").read_text(encoding="utf-8")
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Formulas become MathML; a link to a file of the checkout becomes its name, or the page made of it."""
    markdown = re.sub(r"\]\(\.\./(CHANGELOG|CONTRIBUTING)\.md", lambda m: f"]({m[1].lower()}.md", markdown)
    markdown = _OUTSIDE.sub(_unlinked, markdown) if "/" not in page.file.src_uri else markdown
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    apart = _FENCE.sub(keep, _QUOTED.sub(_drawn, markdown))
    return re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], _MATHS.sub(_drawn, apart))


def _drawn(formula: re.Match[str]) -> str:
    return str(mathml(formula[1], small=True))


def _unlinked(link: re.Match[str]) -> str:
    text, target = link[1], link[2]
    return text if target in text else f"{text} (`{target}`)"
