"""Runs the program: `bullseye` or `python -m bullseye`."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run `bullseye` with this process's arguments and exit."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # There is nothing to undo so far, so Ctrl-C ends the program without a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.main import main as run  # noqa: PLC0415 # after this

    run()


if __name__ == "__main__":
    main()
