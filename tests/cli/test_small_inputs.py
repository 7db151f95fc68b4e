import os
from pathlib import Path

from cli.input.request import SMALL_BYTES, Request
from worker.options import Options


def is_small(*files: str) -> bool:
    request = Request(files, None, False, False, False, None, Options())
    return request.is_small


def test_puzzles_on_the_command_line_are_small() -> None:
    assert is_small("." * 81, "." * 256)


def test_files_are_small_if_all_of_them_together_are(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_bytes(b"." * (SMALL_BYTES // 2))
    assert is_small(str(file), str(file))
    assert not is_small(str(file), str(file), "." * 81)


def test_inputs_of_unknown_size_are_not_small(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert not is_small(str(pipe))
    assert not is_small("-")
