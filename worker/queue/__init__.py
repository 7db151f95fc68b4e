"""From the outbox to Redis and back to the database: at-least-once delivery, exactly-once answers.

Read in this order: dispatch, carrier, message, monitoring, inbox, solving; then what handles
failures: consumer, consumption, alarm, sweeper, outage, backoff, notices, shutdown, garbage.
"""
