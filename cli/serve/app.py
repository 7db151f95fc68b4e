"""The addresses of the pages, the token that changes need, and errors as pages."""

from hmac import compare_digest

from flask import Flask, Response, redirect, request
from sqlalchemy import Engine
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from cli.again import solve_again
from cli.serve import pages
from cli.serve.pages import ACTIONS, Filters, Reports
from storage import batches
from storage.database import read, write
from storage.driver_errors import display_name
from storage.errors import BadQuery, NoSuchBatch, NoSuchPuzzle, StorageError
from storage.outbox import steering

#: the cookie with the token
COOKIE = "bullseye"
#: names of this machine: another one in a request is that of a page elsewhere
HOSTS = {"127.0.0.1", "localhost", "[::1]"}
#: headers of all pages; the token is in an address once
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
#: the greatest offset of a page of answers
MAX_OFFSET = 10**9


def create_app(engine: Engine, queue: str, token: str) -> Flask:
    """Return the pages of a database; `queue` is that of its workers."""
    app = Flask("bullseye", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 4096
    _add_guard(app)
    _add_pages(app, engine, queue, token)
    _add_actions(app, engine, queue, token)
    _add_errors(app)
    return app


def _add_guard(app: Flask) -> None:
    @app.before_request
    def check_host() -> tuple[str, int] | None:
        host = request.host.rpartition(":")[0] if ":" in request.host else request.host
        if host not in HOSTS:
            return pages.error("This page is for this machine only", "open it by 127.0.0.1"), 403
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response


def _add_pages(app: Flask, engine: Engine, queue: str, token: str) -> None:
    location, reports = display_name(engine.url), Reports()

    @app.get("/")
    def index() -> str | AnyResponse:
        if "token" in request.args:
            answer = redirect("/")
            if _is(token, request.args["token"]):
                answer.set_cookie(COOKIE, token, httponly=True, samesite="Strict")
            return answer
        with read(engine, archived=True) as connection:
            return pages.index(connection, queue, location)

    @app.get("/batch/<int:number>")
    def batch(number: int) -> str:
        given = request.args
        filters = Filters(
            given.get("status", "").strip(),
            given.get("where", "").strip(),
            given.get("sort", "").strip(),
            max(0, min(given.get("offset", 0, int), MAX_OFFSET)),
        )
        with read(engine, archived=True) as connection:
            return pages.of_one_batch(connection, number, filters, reports)

    @app.get("/puzzle/<int:number>")
    def puzzle(number: int) -> str:
        with read(engine, archived=True) as connection:
            return pages.of_one_puzzle(connection, number)


def _add_actions(app: Flask, engine: Engine, queue: str, token: str) -> None:
    named = f"/batch/<int:number>/<any({','.join(ACTIONS)}):action>"

    @app.get(named)
    def ask(number: int, action: str) -> str:
        known = token if _is(token, request.cookies.get(COOKIE, "")) else None
        with read(engine) as connection:
            return pages.confirmation(batches.find(connection, number), action, known)

    @app.post(named)
    def act(number: int, action: str) -> tuple[str, int] | AnyResponse:
        if not _is(token, request.form.get("token", "")):
            return pages.error(
                "This is not the token", "bullseye serve prints it at its start"
            ), 403
        if action == "retry":
            solve_again(engine, number, queue)
        else:
            _change(engine, number, action)
        return redirect(f"/batch/{number}", 303)


def _is(token: str, given: str) -> bool:
    return compare_digest(token.encode(), given.encode(errors="replace"))


def _change(engine: Engine, number: int, action: str) -> None:
    """Pause, resume or cancel a batch; raise NoSuchBatch."""
    change = {"pause": steering.pause, "resume": steering.resume, "cancel": batches.cancel}[action]
    with write(engine) as connection:
        batches.find(connection, number)
        change(connection, number)


def _add_errors(app: Flask) -> None:
    @app.errorhandler(StorageError)
    def of_storage(error: StorageError) -> tuple[str, int]:
        codes = {NoSuchBatch: 404, NoSuchPuzzle: 404, BadQuery: 400}
        return pages.error(error.problem, error.remedy), codes.get(type(error), 503)

    @app.errorhandler(HTTPException)
    def of_http(error: HTTPException) -> tuple[str, int]:
        return pages.error(error.name, ""), error.code or 500
