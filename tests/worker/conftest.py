import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import fakeredis
import pytest
from sqlalchemy import Engine

from storage.batches import Batch
from storage.database import open_database
from storage.location import database_url
from tests import databases
from worker import lasting, outages
from worker.formats.source import open_source
from worker.intake import chunks
from worker.intake.spool import PORTION_PUZZLES, Spool
from worker.intake.submit import store
from worker.multiplicity.solve import warm_up as warm_up_multiplicities
from worker.options import Options
from worker.proof.write import warm_up as warm_up_proofs
from worker.queue import pool
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox
from worker.queue.message import WorkerInfo, requested_chunk
from worker.set_cover.solve import warm_up as warm_up_set_covers
from worker.settings import Settings
from worker.solve import warm_up, warm_up_covers, warm_up_grids

QUEUE = "queue"


@pytest.fixture(scope="session")
def warm() -> None:
    """Compiles the kernel before a test that measures time."""
    warm_up()
    warm_up_grids()
    warm_up_covers()


@pytest.fixture(scope="session")
def warm_set_cover() -> None:
    """Compiles the kernel of set covers before a test that measures time."""
    warm_up_set_covers()


@pytest.fixture
def rounds_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets searches for the best score be divided that other searches would end first."""
    monkeypatch.setattr(lasting, "_others", lambda *_: [])


@pytest.fixture(scope="session")
def warm_multiplicity() -> None:
    """Compiles the kernel of multiplicities before a test that measures time."""
    warm_up_multiplicities()


@pytest.fixture(scope="session")
def warm_proofs() -> None:
    """Compiles the search for proofs before a test that measures time."""
    warm_up_proofs()


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few puzzles fill several chunks, as many do otherwise."""
    monkeypatch.setattr(chunks, "LEAST_CHUNK_MS", 0.0)


@pytest.fixture(autouse=True)
def no_outage() -> Iterator[None]:
    """No worker of an earlier test in this process reports outages."""
    yield
    outages.shared[:] = bytes(len(outages.shared))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url(str(tmp_path / "bullseye.db")), queue=QUEUE)


@pytest.fixture
def engine(settings: Settings, tmp_path: Path) -> Iterator[Engine]:
    databases.create_file(tmp_path / "bullseye.db")
    engine = open_database(settings.database_url)
    yield engine
    engine.dispose()


@pytest.fixture(autouse=True)
def no_shutdown() -> Iterator[None]:
    """Clears the flags of a shutdown before and after the test."""
    pool.reset()
    yield
    pool.reset()


@pytest.fixture
def collector() -> Iterator[None]:
    """Restores the settings of the garbage collector after the test."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@dataclass
class Post:
    """The messages in the queue."""

    carrier: Carrier

    @property
    def sent(self) -> list[int]:
        """The chunks that they request, in the order in which they are delivered."""
        client, lists = self.carrier.client, self.carrier.lists
        lines = [line for name in lists for line in reversed(client.lrange(name, 0, -1))]
        return [chunk for line in lines if (chunk := requested_chunk(line))]


@pytest.fixture
def post() -> Post:
    carrier = Carrier(fakeredis.FakeRedis(decode_responses=True), QUEUE)
    carrier.beat("worker@host", WorkerInfo(processes=4))
    return Post(carrier)


@pytest.fixture
def outbox(engine: Engine, settings: Settings, post: Post) -> Outbox:
    return Outbox(engine, post.carrier, settings)


def submit(
    engine: Engine,
    lines: str | Sequence[str],
    tmp_path: Path,
    options: Options | None = None,
    *,
    reuse: bool = False,
    portion_puzzles: int = PORTION_PUZZLES,
) -> Batch:
    """Store a batch of the puzzles in one file or in several, as `bullseye submit` does."""
    with Spool(portion_puzzles) as spool:
        for content in [lines] if isinstance(lines, str) else lines:
            add_file(spool, content, tmp_path)
        return store(engine, spool, options or Options(), name=None, queue=QUEUE, reuse=reuse)


def add_file(spool: Spool, content: str, tmp_path: Path) -> None:
    """Write a file and spool its puzzles."""
    file = tmp_path / "puzzles.txt"
    file.write_text(content)
    with open_source(str(file)) as source:
        spool.add(source)
