"""Runs the program: `bullseye` or `python -m bullseye`."""

import signal

# There is nothing to undo before `main`, so Ctrl-C ends the program without a traceback.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from cli.main import main

if __name__ == "__main__":
    main()
