"""The checks behind `bullseye doctor`."""
