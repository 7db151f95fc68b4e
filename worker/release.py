"""The release of this installation."""

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from storage.tables import REVISION


@lru_cache(maxsize=1)
def release() -> str:
    """Return version and schema revision, such as `0.1.0, schema 0001`."""
    try:
        number = version("bullseye")
    except PackageNotFoundError:
        number = "of a checkout"
    return f"{number}, schema {REVISION}"
