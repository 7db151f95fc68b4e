"""Imports `cli`, `worker` and `storage` from the folder that holds `bullseye`.

The folder of a program comes first in `sys.path`, and so does the current folder under `celery -A`;
the user's own `storage.py` there would be imported in place of ours.
"""

import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMES = ("cli", "worker", "storage")


def import_ours(name: str) -> None:
    """Import a package from ROOT; raises ImportError if another module has its name already."""
    sys.path.insert(0, str(ROOT))
    try:
        found = Path(import_module(name).__file__ or name)
    finally:
        sys.path.remove(str(ROOT))
    if found != ROOT / name / "__init__.py":
        raise ImportError(f"{found} hides the package {name!r} of Bullseye: rename it")


for package in NAMES:
    import_ours(package)
