"""From the outbox to Redis and back to the database: at-least-once delivery, exactly-once answers.

Read in this order: dispatch, carrier, inbox, attempt, chunk, then what guards them: sweeper,
shutdown, patience, quarantine, watchdog, garbage.
"""
