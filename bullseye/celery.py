"""The app for Celery's own command: `celery -A bullseye worker`, `celery -A bullseye flower`."""

from typing import Any

from worker import app as celery_app


def __getattr__(name: str) -> Any:
    """Return `app`, which is made when it is first used."""
    return getattr(celery_app, name)
