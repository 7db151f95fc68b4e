"""`bullseye serve`: pages for a browser on this machine."""

import click

from cli.options import command, database_option
from cli.parameters import Integer
from cli.streams import notify

#: the greatest number of a port
MAX_PORT = 65_535


@command
@click.option(
    "--port",
    type=Integer(0, MAX_PORT),
    default=0,
    metavar="N",
    help="Listen on this port of 127.0.0.1.  [default: any that is free]",
)
@database_option
def serve(*, port: int, database: str | None) -> None:
    """Show batches, answers and workers in a browser on this machine.

    Prints the address to open, and runs until it is interrupted. The pages read
    the database only. Pausing, cancelling and retrying batches ask first, and
    need the token in the printed address.

    \b
    Examples:
      bullseye serve
      bullseye serve --port 8000
    """
    from cli.database import connect
    from cli.output.destination import require

    require(("flask",), "serve")
    import logging
    from secrets import token_urlsafe
    from threading import Thread

    from werkzeug.serving import make_server

    from cli.serve.app import create_app
    from worker.errors import BadUsage
    from worker.queue.dispatch import queue_of

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # else a line for each request
    token = token_urlsafe(16)
    with connect(database) as (settings, engine):
        app = create_app(engine, queue_of(settings, engine), token)
        try:
            server = make_server("127.0.0.1", port, app, threaded=True)
        except OSError as error:
            raise BadUsage(f"cannot listen on port {port} ({error.strerror})") from error
        notify(f"open http://127.0.0.1:{server.server_port}/?token={token}")
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        thread.join()
