"""`bullseye metrics`: figures for monitoring."""

import click

from cli.options import command, database_option, redis_option
from cli.parameters import ADDRESS, Address
from cli.streams import notify


@command
@click.option(
    "--listen",
    "address",
    type=ADDRESS,
    metavar="[HOST:]PORT",
    help="Serve the metrics at http://HOST:PORT/metrics.  [default of HOST: 127.0.0.1]",
)
@database_option
@redis_option
def metrics(*, address: Address | None, database: str | None, redis: str | None) -> None:
    """Print metrics in the OpenMetrics format, or serve them to Prometheus.

    They cover the batches and answers of the database, what waits in its queue,
    and the workers. With --listen, each request reads them again, and the
    command runs until it is interrupted.

    \b
    Examples:
      bullseye metrics
      bullseye metrics --listen 9464
    """
    from contextlib import closing

    from cli.database import connect
    from cli.output.destination import require

    require(("prometheus_client",), "metrics")
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.exposition import choose_encoder

    from cli.progress.metrics import Metrics
    from worker.errors import BadUsage
    from worker.queue.carrier import Carrier
    from worker.queue.dispatch import queue_of

    registry = CollectorRegistry()
    with connect(database, redis) as (settings, engine):
        queue = queue_of(settings, engine)
        with closing(Carrier.connect(settings.redis_url, queue)) as carrier:
            registry.register(Metrics(settings, engine, carrier, tolerant=address is not None))
            if address is None:
                encode, _ = choose_encoder("application/openmetrics-text")
                click.echo(encode(registry), nl=False)
                return
            try:
                server, thread = start_http_server(address.port, address.host, registry)
            except OSError as error:
                raise BadUsage(f"cannot listen on {address} ({error.strerror})") from error
            notify(f"metrics at http://{address._replace(port=server.server_port)}/metrics")
            thread.join()
