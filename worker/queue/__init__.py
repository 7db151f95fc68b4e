"""From the outbox to Redis and back to the database: at-least-once delivery, exactly-once answers.

Read in this order: dispatch, carrier, presence, message, monitoring, inbox, solving; then what
handles failures: consumer, consumption, alarm, sweeper, backoff, notices, shutdown, garbage.
"""
