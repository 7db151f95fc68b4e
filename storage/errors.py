"""What can go wrong with the database, each said in one sentence."""


class StorageError(Exception):
    """The database refuses."""


class DatabaseUnreachable(StorageError):
    """There is no way to the database."""


class DatabaseMissing(StorageError):
    """There is no database yet."""


class DatabaseOutdated(StorageError):
    """The database's tables are of another version of the program."""


class DatabaseBusy(StorageError):
    """Another program holds the database's lock."""


class NoSuchBatch(StorageError):
    """No batch has this number."""


class NoSuchPuzzle(StorageError):
    """No answered puzzle has this number."""


class BadQuery(StorageError):
    """The database does not understand a query."""
