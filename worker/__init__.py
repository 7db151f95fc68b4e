"""Solves puzzles when Celery asks.

The way of a chunk: `submit` stores it, `dispatch` publishes it to Redis, `tasks` hears of
it, `attempt` takes it, `chunk` runs it, `puzzles` says what its puzzles mean, `exact_cover`
finds the answers, and `attempt` stores them in one transaction before the message is
acknowledged.

Read in this order: settings, submit, carrier, dispatch, chunk, attempt, tasks, app, local.
"""
