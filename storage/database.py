"""Opens the database and runs transactions; errors of the driver leave as StorageError."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from functools import lru_cache, partial
from itertools import count
from typing import Any, cast

from sqlalchemy import ClauseElement, Connection, Dialect, Engine, Executable, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.sql.compiler import SQLCompiler

from storage import driver_errors, tables
from storage.engine import STANDBY, create_engine, enable_wal, parse, set_transaction
from storage.errors import DatabaseMissing, DatabaseOutdated, DatabaseTooNew, StorageError
from storage.signals import check, deferred
from storage.values import UpgradeProgress

#: rows of a large result that are fetched at a time
ROWS_PER_FETCH = 1000
_numbers = count()  # of the cursors of this process

#: a statement, and the values of its parameters
Step = tuple[Executable, Mapping[str, Any]]


def open_database(
    url: str,
    *,
    migrate: bool = False,
    pool: bool = True,
    busy_seconds: float = 30.0,
    progress: UpgradeProgress | None = None,
) -> Engine:
    """Return an engine on a database whose tables have this program's version.

    With `migrate`, the database is created or upgraded if needed, and `progress` is called with the
    number of steps that this has taken so far, and that of all; without, DatabaseMissing or
    DatabaseOutdated is raised.  Also raises DatabaseTooNew, DatabaseUnreachable and
    InvalidDatabaseUrl.  Statements wait for locks for `busy_seconds`, then raise DatabaseBusy.
    Do not use the engine after a fork.
    """
    engine = create_engine(parse(url), create=migrate, pool=pool, busy_seconds=busy_seconds)
    try:
        _check_schema(engine, migrate, progress)
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def opened(
    url: str, *, migrate: bool = False, progress: UpgradeProgress | None = None
) -> Iterator[Engine]:
    """Yield the engine that `open_database` returns, and close its connections afterwards."""
    engine = open_database(url, migrate=migrate, progress=progress)
    try:
        yield engine
    finally:
        engine.dispose()


def display_name(url: str) -> str:
    """Return a database's name for messages: SQLite's path, or the URL without its passwords."""
    return driver_errors.display_name(parse(url))


@contextmanager
def write(engine: Engine, *, single: bool = False, pipelined: bool = False) -> Iterator[Connection]:
    """Run one write transaction; on SQLite it holds the write lock from its beginning.

    Signals that end the program wait for its end.

    With `single`, each statement is a transaction of its own on PostgreSQL: a block of one
    statement then takes one round trip instead of three.

    With `pipelined`, PostgreSQL is waited for only by `together` and at the end of the block, where
    errors of the statements since then are raised.  BEGIN and COMMIT take no round trips of their
    own.  Only `together` returns rows.
    """
    with deferred(), translated_errors(engine), engine.connect() as connection:
        connection.execution_options(write=True)
        postgresql = engine.dialect.name == "postgresql"
        if postgresql and connection.info[STANDBY]:
            raise driver_errors.read_only(engine.url)
        if postgresql and (single or pipelined):
            connection.execution_options(isolation_level="AUTOCOMMIT")
        sent = _pipeline(connection) if postgresql and pipelined else nullcontext()
        try:
            with connection.begin(), sent:
                yield connection
        except DBAPIError:
            # A connection to a read-only SQLite file stays read-only after the file has become
            # writable, so it must not return to the pool.
            connection.invalidate()
            raise


@contextmanager
def read(engine: Engine, *, single: bool = False, archived: bool = False) -> Iterator[Connection]:
    """Run one read transaction: all its queries see the same snapshot.

    With `single`, each query is a transaction of its own on PostgreSQL, as in `write`.  PostgreSQL
    rejects every write in a read transaction, and so the temporary tables for archived answers,
    unless these may be read (`archived`) and the server is no standby.
    """
    with translated_errors(engine), ExitStack() as stack:
        with deferred():
            connection = engine.connect()
            stack.push(partial(_close, connection))
            postgresql = engine.dialect.name == "postgresql"
            if postgresql and single:
                connection.execution_options(isolation_level="AUTOCOMMIT")
            elif postgresql:
                is_standby = connection.info[STANDBY]
                connection.execution_options(
                    isolation_level="REPEATABLE READ",
                    postgresql_readonly=is_standby or not archived,
                )
            connection.begin()
            if postgresql and not single:
                # It holds no lock, and a user may keep it open for hours in a pager.
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield connection


def _close(connection: Connection, kind: type[BaseException] | None, *_: object) -> None:
    with deferred():  # SQLAlchemy's objects would not fit each other any more
        if kind in {KeyboardInterrupt, SystemExit}:  # psycopg may not have awaited a result
            connection.invalidate()
        connection.close()


@contextmanager
def _pipeline(connection: Connection) -> Iterator[None]:
    """Send the statements of a transaction without waiting for the result of each."""
    driver: Any = connection.connection.dbapi_connection  # psycopg's
    with driver.pipeline() as pipeline:
        connection.execution_options(pipeline=pipeline)
        # psycopg waits for its own BEGIN and COMMIT, which it leaves out here: it autocommits.
        driver.execute("BEGIN")
        set_transaction(connection)
        yield
        driver.execute("COMMIT")


def avoid_sorting(connection: Connection) -> None:
    """Let the transaction read rows in the order of an index, even if sorting them seems faster.

    PostgreSQL would write millions of rows to temporary files before it returns the first one.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL enable_sort = off")


def together(connection: Connection, *steps: Step) -> list[Sequence[tuple[Any, ...]]]:
    """Execute statements, each with its parameters, in their order; return the rows of each.

    In a pipelined transaction they take one round trip.
    """
    pipeline = connection.get_execution_options().get("pipeline")
    if pipeline is None:
        results = [connection.execute(*step) for step in steps]
        return [result.all() if result.returns_rows else [] for result in results]
    driver: Any = connection.connection.dbapi_connection
    cursors = [driver.execute(*_rendered(connection.dialect, *step)) for step in steps]
    pipeline.sync()
    return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


def stream(connection: Connection, query: str) -> Generator[tuple[Any, ...]]:
    """Yield the rows of a query without parameters, of which some are in memory at a time.

    Bypasses SQLAlchemy, which takes 0.2 us for a row of one column.
    """
    driver: Any = connection.connection.dbapi_connection
    # psycopg fetches all rows at once unless its cursor has a name.
    name = [f"stream_{next(_numbers)}"] if connection.dialect.name == "postgresql" else []
    with closing(driver.cursor(*name)) as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(ROWS_PER_FETCH):
            yield from rows


def _rendered(
    dialect: Dialect, statement: Executable, values: Mapping[str, Any]
) -> tuple[str, Any]:
    """Return the SQL text of a statement and all its parameters, as psycopg takes them."""
    state = _compiled(dialect, statement).construct_expanded_state(dict(values))
    return state.statement, state.parameters


@lru_cache(maxsize=64)
def _compiled(dialect: Dialect, statement: Executable) -> SQLCompiler:
    return cast(SQLCompiler, cast(ClauseElement, statement).compile(dialect=dialect))


def database_id(connection: Connection) -> str:
    """Return the random id that the database got when it was created."""
    wanted = select(tables.meta.c.value).where(tables.meta.c.key == "id")
    return str(connection.execute(wanted).scalar_one())


@contextmanager
def translated_errors(engine: Engine) -> Iterator[None]:
    """Raise errors of SQLAlchemy and of the driver as StorageError."""
    try:
        yield
    except DBAPIError as error:
        raise driver_errors.translate(error.orig or error, engine) from error
    except engine.dialect.loaded_dbapi.Error as error:  # where the driver is used directly
        raise driver_errors.translate(error, engine) from error
    except SQLAlchemyError as error:
        raise StorageError(f"{driver_errors.display_name(engine.url)}: {error}") from error


def _check_schema(engine: Engine, migrate: bool, progress: UpgradeProgress | None) -> None:
    found = _revision(engine)
    if found == tables.REVISION:
        return
    name = driver_errors.display_name(engine.url)
    if found is not None and found > tables.REVISION:
        raise DatabaseTooNew(
            f"{name} was written by a newer Bullseye (schema {found}, this version supports "
            f"{tables.REVISION})",
            "upgrade Bullseye",
        )
    if migrate:
        _upgrade(engine, progress)
    elif found is None:
        problem, remedy = driver_errors.NO_TABLES
        raise DatabaseMissing(problem.format(name=name), remedy)
    else:
        raise DatabaseOutdated(
            f"{name} was written by an older Bullseye (schema {found})",
            "the next solve, submit or worker upgrades it",
        )


def _revision(engine: Engine) -> str | None:
    with translated_errors(engine), engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return cast(str | None, found)


def _upgrade(engine: Engine, progress: UpgradeProgress | None) -> None:
    from storage.migrations.upgrade import upgrade  # noqa: PLC0415 # importing alembic takes 0.3 s

    if engine.dialect.name == "sqlite":
        with translated_errors(engine):
            enable_wal(engine)

    def report(done: int, steps: int) -> None:
        check()
        if progress is not None:
            progress(done, steps)

    with write(engine.execution_options(upgrade=True)) as connection:
        upgrade(connection, report)
    engine.dispose()  # in SQLite, this connection does not check foreign keys
