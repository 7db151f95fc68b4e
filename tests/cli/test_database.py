"""An upgrade of a filled database is shown."""

from pathlib import Path

import pytest
from sqlalchemy import create_engine

from cli.database import upgrade_display
from storage.database import open_database
from storage.location import database_url
from tests import schemas


def test_a_log_says_once_that_a_filled_database_is_upgraded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = database_url(str(tmp_path / "old.db"))
    schemas.load(tmp_path / "old.db", "0001")
    engine = create_engine(url)
    with engine.begin() as connection:
        schemas.fill(connection, 10_000)
    engine.dispose()
    for expected in ("upgrading the database\n", ""):
        with upgrade_display() as progress:
            open_database(url, migrate=True, progress=progress).dispose()
        assert capsys.readouterr().err == expected
