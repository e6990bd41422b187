"""What stands in the package as its long description: the README, with no link that leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)]+)\)")


def described(readme: str, source: str | None) -> str:
    """The README as an index of packages shows it, away from the files that it links to.

    Arguments:
        readme: its text, whose links are relative to the checkout.
        source: the address under which the files stand, where the project has one; without it a link to a
            file is the file's name, which the source distribution has, and a picture its caption.

    >>> described("see [proofs](docs/proofs.md) and ![a picture](a.png)", None)
    'see proofs (docs/proofs.md) and *a picture*'
    >>> described("see [docs/proofs.md](docs/proofs.md), [PEP](https://peps.python.org)", "https://host/tree")
    'see [docs/proofs.md](https://host/tree/docs/proofs.md), [PEP](https://peps.python.org)'
    """

    def mended(link: re.Match[str]) -> str:
        image, text, target = link["image"], link["text"], link["target"]
        if "://" in target or target.startswith("#"):
            return link[0]
        if source is not None:
            return f"{image}[{text}]({source.rstrip('/')}/{target})"
        if image:
            return f"*{text}*"
        return text if text.strip("`") == target else f"{text} ({target})"

    return _LINK.sub(mended, readme)


class CustomMetadataHook(MetadataHookInterface):
    """Hatchling asks it for the long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the README with its links mended into the metadata."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(text, source)}
