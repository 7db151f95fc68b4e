"""From the outbox to Redis and back to the database: at-least-once delivery, exactly-once answers.

Read in this order: dispatch, carrier, faults, message, monitoring, inbox; then what handles
failures: consumer, sweeper, pool, logs, notices; and distance.
"""
