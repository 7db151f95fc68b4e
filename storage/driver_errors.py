"""What drivers say, in our words: where, what, how to cure it."""

import shutil
from pathlib import Path

from sqlalchemy.engine import URL

from storage.errors import DatabaseBusy, DatabaseMissing, DatabaseUnreachable, StorageError

CANNOT_OPEN = "cannot open {place}: is its folder there, and yours to write?"
NO_SPACE = "no space is left for {place}: make room on its disk"
NO_TABLES = "{place} holds no Bullseye tables yet: solve or submit something first"
#: bytes free on a disk below which SQLite says no more than that it cannot open a file
LEAST_SPACE = 1 << 16

#: what drivers say -> our error and sentence; `{place}` and `{why}` are filled in
_SENTENCES: tuple[tuple[tuple[str, ...], type[StorageError], str], ...] = (
    (
        ("database is locked", "table is locked", "lock timeout", "deadlock"),
        DatabaseBusy,
        "{place} is locked by another program: try again when it is done",
    ),
    (
        ("file is not a database", "malformed"),
        DatabaseUnreachable,
        "{place} is no SQLite database (or a damaged one): name another",
    ),
    (("disk is full", "No space left", "DiskFull"), DatabaseUnreachable, NO_SPACE),
    (
        ("unable to open", "disk I/O"),
        DatabaseUnreachable,
        CANNOT_OPEN,
    ),
    (
        ("readonly", "read-only"),
        DatabaseUnreachable,
        "{place} cannot be written: it or its folder is read-only",
    ),
    (("no such table", "UndefinedTable"), DatabaseMissing, NO_TABLES),
    (
        ("already exists",),
        DatabaseUnreachable,
        "{place} belongs to another program ({why}): name another",
    ),
    (
        ("connection", "password", "timeout", "resolve", "SSL SYSCALL", 'database "'),
        DatabaseUnreachable,
        "cannot reach the database at {place} ({why})",
    ),
)


def translated(error: BaseException, url: URL) -> StorageError:
    """Our sentence for what a driver said."""
    place = shown(url)
    words = " ".join(str(error).partition("\nMultiple ")[0].split()).rstrip(".")
    searched = f"{type(error).__name__} {words}"
    for signs, kind, sentence in _SENTENCES:
        if any(sign in searched for sign in signs):
            if sentence is CANNOT_OPEN and _is_full(url):
                sentence = NO_SPACE  # noqa: PLW2901 # SQLite itself does not say why
            return kind(sentence.format(place=place, why=_last_clause(words)))
    return StorageError(f"{place}: {words}")


def shown(url: URL) -> str:
    """The place for messages: a path, or the URL without its password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def _is_full(url: URL) -> bool:
    """Is there no space left for SQLite's file?"""
    if url.get_backend_name() != "sqlite" or not url.database:
        return False
    try:
        return shutil.disk_usage(Path(url.database).absolute().parent).free < LEAST_SPACE
    except OSError:  # there is no such folder
        return False


def _last_clause(words: str) -> str:
    """libpq tells a story; the last clause of its first sentence is the reason."""
    reason = words.rsplit("failed: ", maxsplit=1)[-1].removeprefix("FATAL: ")
    return reason.partition(" Is the server running")[0].strip()
