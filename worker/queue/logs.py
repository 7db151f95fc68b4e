"""What a worker logs: a line for each event, and nothing that could steer a terminal."""

import json
import logging
from datetime import UTC, datetime

from billiard.exceptions import WorkerLostError
from celery.exceptions import Reject
from kombu.exceptions import OperationalError
from redis import RedisError

from storage.values import printable

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
#: libraries whose records about errors of Redis are left out: a traceback for each attempt
LIBRARIES = ("celery", "kombu")
#: Celery's loggers that write several lines per message; Bullseye logs one line per chunk instead
VERBOSE_LOGGERS = ("celery.app.trace", "celery.worker.strategy")
#: kombu's logger of what it does about a connection that is lost, which Bullseye reports
REDIS_LOGGER = "kombu.transport.redis"
#: logs what is to be seen at every log level
always = logging.getLogger(f"{__name__}.always")
always.setLevel(logging.INFO)


class JsonFormatter(logging.Formatter):
    """Writes a record as an object on one line, with the traceback of an error if it has one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["traceback"] = record.exc_text or self.formatException(record.exc_info)
        return json.dumps(fields)


def prepare(logger: logging.Logger, *, as_json: bool) -> None:
    """Filter and format what the handlers of Celery write, which are those of all loggers."""
    for name in VERBOSE_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger(REDIS_LOGGER).setLevel(logging.ERROR)
    for handler in logger.handlers:
        handler.addFilter(is_news)
        handler.addFilter(make_printable)
        if as_json:
            handler.setFormatter(JsonFormatter())


def is_news(record: logging.LogRecord) -> bool:
    """Return False for what LIBRARIES log about an error of Redis, with a traceback about a chunk
    that goes back to the queue in a shutdown, or a second time about a killed process.
    """
    if record.name.partition(".")[0] not in LIBRARIES:
        return True
    raised = record.exc_info[1] if record.exc_info else None
    raised = getattr(raised, "exc", raised)  # what billiard has wrapped, with a second traceback
    arguments = record.args if isinstance(record.args, tuple) else ()
    # Celery has logged one line, with the signal, when the process ended.
    return not isinstance(raised, WorkerLostError) and not any(
        isinstance(value, (RedisError, OperationalError, ConnectionError, TimeoutError, Reject))
        for value in (raised, *arguments)
    )


def make_printable(record: logging.LogRecord) -> bool:
    """Replace what could move the cursor of a terminal: a record may quote what others wrote."""
    record.msg, record.args = printable(record.getMessage(), keep="\n\t"), None
    if record.exc_info and not record.exc_text:
        text = logging.Formatter().formatException(record.exc_info)
        record.exc_text = printable(text, keep="\n\t")
    return True
