"""Runs the program: `python -m bullseye`."""

from cli.main import main

if __name__ == "__main__":
    main()
