"""The checks of `bullseye doctor`: finding (the result of one), database_checks, redis_checks."""
