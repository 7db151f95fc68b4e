"""The checks of `bullseye doctor`: checks (all of them), database_checks, finding (the result)."""
