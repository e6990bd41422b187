"""Files appear whole; folders are made."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import folder_for, write_whole


def test_a_write_that_fails_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the last step fails, the file is as it was and no temporary file stays."""

    def broken(*names: Any) -> None:
        raise OSError("no space")

    target = write_whole(tmp_path / "a", b"old")
    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="no space"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("below", ["", "b"])
def test_a_file_in_place_of_a_folder_is_refused_by_the_argument_that_named_it(
    below: str, tmp_path: Path
) -> None:
    """A missing folder is made with its parents; a file there, or above, is named in one line."""
    assert folder_for(tmp_path / "new" / "folder").is_dir()
    file = write_whole(tmp_path / "a", b"")
    with pytest.raises(InputError, match=r"^folder: got .*, expected a folder; choose a path") as caught:
        folder_for(file / below, "folder")
    assert "\n" not in str(caught.value)
