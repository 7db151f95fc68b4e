"""What `bullseye export` and `bullseye archive` print and need."""

import importlib.util

from rich.filesize import decimal as size

from cli.formatting import count
from storage.export.archiving import Exported
from worker.errors import BadUsage


def require(packages: tuple[str, ...], extra: str) -> None:
    """Raise BadUsage if a package is not installed, which an extra brings."""
    if absent := [name for name in packages if importlib.util.find_spec(name) is None]:
        raise BadUsage(f"this needs {' and '.join(absent)}: pip install 'bullseye[{extra}]'")


def described(found: Exported) -> str:
    """Return one line about the files of a batch."""
    batch = found.batch
    name = f" {batch.name}" if batch.name else ""
    number, total = len(found.files), sum(one.bytes for one in found.files)
    files = f"{count(number, 'file')}, {size(total)}"
    return f"batch {batch.id}{name} · {count(batch.puzzles, 'answer')} in {found.folder} ({files})"
