"""Opens files by their addresses, such as `https://` or `s3://`, with fsspec."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from worker.formats.errors import FormatError, excerpt
from worker.formats.files.text import pieces_of, stream_of

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
#: how to install what opens addresses
INSTALL = "pip install 'bullseye[remote]'"


def is_address(name: str) -> bool:
    """Return whether an input is named by an address.

    >>> is_address("https://a.example/b.csv"), is_address("C:/b.csv"), is_address("53..7")
    (True, False, False)
    """
    return _SCHEME.match(name) is not None


def without_secrets(address: str) -> str:
    """Return an address without user, password, and what follows its path, such as a signature.

    >>> without_secrets("https://me:pw@a.example:8443/b.csv?signature=x")
    'https://a.example:8443/b.csv'
    """
    scheme, _, rest = address.partition("://")
    host, slash, path = re.split("[?#]", rest, maxsplit=1)[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def open_address(address: str) -> BinaryIO:
    """Open a file for reading; raise FormatError if that fails."""
    try:
        import fsspec  # noqa: PLC0415 # optional
    except ImportError as error:
        raise FormatError("is an address, which needs fsspec", remedy=INSTALL) from error
    try:
        return stream_of(_pieces(fsspec.open(address, "rb").open()))
    except ImportError as error:
        what = f"is an address that needs another package ({excerpt(str(error))})"
        raise FormatError(what, remedy="install it with pip") from error
    except Exception as error:  # each kind of storage has errors of its own
        raise _failed(error) from error


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        try:
            yield from pieces_of(file)
        except Exception as error:  # as above
            raise _failed(error) from error


def _failed(error: Exception) -> FormatError:
    """Return the error for a file that cannot be opened or read any further."""
    reason: BaseException = error
    while below := reason.__cause__ or reason.__context__:
        reason = below
    is_unreachable = isinstance(reason, OSError) and not isinstance(reason, FileNotFoundError)
    if isinstance(error, FileNotFoundError) and not is_unreachable:
        return FormatError("no such file", remedy="check the address")
    said = str(reason).partition("\n")[0]
    what = excerpt(said) if said and "://" not in said else type(reason).__name__
    return FormatError(f"cannot be read ({what})", remedy="check the address and the connection")
