"""Why Redis does not answer or refuses a command, in one sentence with a remedy."""

import os
import ssl

import redis

from worker.errors import RedisRefused, RedisUnreachable, reason_of

#: the parameters of a URL that name files
TLS_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
#: the codes of OpenSSL for a server that wants another certificate of the client, or any
_CERTIFICATE_WANTED = {
    "TLSV13_ALERT_CERTIFICATE_REQUIRED",
    "SSLV3_ALERT_HANDSHAKE_FAILURE",
    "TLSV1_ALERT_UNKNOWN_CA",
}


def fault_of(client: redis.Redis, error: redis.RedisError) -> RedisUnreachable:
    """Return an error with the address of the server and, where known, a remedy."""
    known = client.connection_pool.connection_kwargs
    where = known.get("path") or f"{known.get('host')}:{known.get('port')}"
    for name in TLS_FILES:
        if (file := known.get(name)) and not os.access(file, os.R_OK):
            return RedisUnreachable(f"cannot read {file}, the {name} of Redis", "correct its path")
    if isinstance(error, redis.ResponseError | redis.AuthenticationError):
        return _refused(where, error)
    cause = error.__cause__ or error.__context__
    if isinstance(cause, ssl.SSLError):
        return _not_encrypted(where, cause)
    remedy = "start it, or solve without it: bullseye solve"
    has_tls = issubclass(client.connection_pool.connection_class, redis.SSLConnection)
    if isinstance(cause, ConnectionResetError) and not has_tls:
        remedy = "if it expects TLS, write rediss:// in its URL"
    elif isinstance(error, redis.TimeoutError) and has_tls:
        remedy = "start it; if it runs without TLS, write redis:// in its URL"
    return RedisUnreachable(f"cannot reach Redis at {where} ({reason_of(error)})", remedy)


def _refused(where: str, error: redis.RedisError) -> RedisRefused:
    if isinstance(error, redis.AuthenticationError):
        return RedisRefused(
            f"Redis at {where} rejected the password",
            "give the right one in --redis or BULLSEYE_REDIS_URL",
        )
    if isinstance(error, redis.OutOfMemoryError):
        return RedisRefused(
            f"Redis at {where} is full (it has reached its maxmemory)",
            "raise that, or remove what other programs store there",
        )
    return RedisRefused(f"Redis at {where} rejected a command: {reason_of(error)}")


def _not_encrypted(where: str, error: ssl.SSLError) -> RedisUnreachable:
    """Return why no connection with TLS was made."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return RedisUnreachable(
            f"the certificate of Redis at {where} is not trusted "
            f"({error.verify_message.rstrip('.')})",
            "give the file of its authority, rediss://...?ssl_ca_certs=FILE, and the host's name",
        )
    # A client that is still writing learns that the server has ended the connection, not why.
    if error.reason in _CERTIFICATE_WANTED or isinstance(error, ssl.SSLEOFError):
        return RedisUnreachable(
            f"Redis at {where} wants a certificate of the client, or another one",
            "give it: rediss://...?ssl_certfile=FILE&ssl_keyfile=FILE",
        )
    reason = (error.reason or "a certificate or a key is missing or damaged").replace("_", " ")
    return RedisUnreachable(
        f"no TLS connection with Redis at {where} ({reason.lower()})",
        f"check the files {', '.join(TLS_FILES)} in its URL",
    )
