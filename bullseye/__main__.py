"""Runs the program: `bullseye` or `python -m bullseye`."""

import signal

# There is nothing to undo before `main`, so Ctrl-C ends the program without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()
