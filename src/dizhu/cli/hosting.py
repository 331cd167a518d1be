"""The commands for hosts: serve, admin."""

from __future__ import annotations

import argparse
from pathlib import Path

from dizhu.cli.values import Add, days, network, number, origin, port

_LOG_LEVELS = ("debug", "info", "warning", "error")


def add_commands(add: Add) -> None:
    """Declare them."""
    _add_serving(add("serve", help="start the game server and its page"))
    _add_works(add("admin", help="look after the database of a server"))


def _add_serving(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serve.add_argument("--port", type=port, default=8000, help="port to listen on, 0 for any (default: %(default)s)")
    serve.add_argument("--db", metavar="URL", help="sqlite:///PATH or postgresql://… (default: a file of the user's)")
    serve.add_argument("--rooms", type=Path, metavar="FILE", help="rooms, in TOML (default: dizhu's own)")
    _add_proxy_options(serve)
    serve.add_argument("--metrics-port", type=port, metavar="PORT", help="tell metrics there (default: nowhere)")
    serve.add_argument("--log-level", choices=_LOG_LEVELS, default="info", help="(default: %(default)s)")
    serve.set_defaults(run=_serve)


def _add_proxy_options(serve: argparse.ArgumentParser) -> None:
    serve.add_argument(
        "--origin",
        type=origin,
        action="append",
        default=[],
        metavar="URL",
        help="where the page is, as https://dizhu.example; more than once for more (default: the host that is asked)",
    )
    serve.add_argument(
        "--trust-proxy",
        type=network,
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy, or a network of them, that says in X-Forwarded-… who asks; more than once for more",
    )


def _serve(options: argparse.Namespace) -> int:
    from dizhu.server import Settings, run
    from dizhu.server.logs import configure
    from dizhu.server.rooms import read_rooms

    configure(options.log_level)
    settings = Settings(
        origins=frozenset(options.origin),
        proxies=frozenset(options.trust_proxy),
        metrics_port=options.metrics_port,
    )
    rooms = None if options.rooms is None else read_rooms(options.rooms)
    return run(options.host, options.port, settings, database=options.db, rooms=rooms)


def _add_works(admin: argparse.ArgumentParser) -> None:
    works = admin.add_subparsers(title="what to do", required=True, metavar="WORK", dest="work")

    def work(name: str, explained: str, *, account: bool = False) -> argparse.ArgumentParser:
        parser = works.add_parser(name, help=explained)
        parser.add_argument(
            "--db", metavar="URL", help="sqlite:///PATH or postgresql://… (default: a file of the user's)"
        )
        if account:
            parser.add_argument("account", metavar="ACCOUNT", help="its number, or its name if it has one of its own")
        parser.set_defaults(run=_admin)
        return parser

    work("check", "check the whole ledger")
    grant = work("grant", "give an account beans", account=True)
    grant.add_argument("beans", type=number, metavar="BEANS", help="how many; below zero: take some")
    grant.add_argument("--why", required=True, help="the reason, kept in the ledger")
    suspend = work("suspend", "keep an account from playing", account=True)
    suspend.add_argument("--days", type=days, required=True, metavar="N", help="for how long from now; 0: no longer")
    suspend.add_argument("--why", required=True, help="the reason, kept with the account")
    work("password", "give an account a new password, print it and end all sessions", account=True)
    work("export", "print all that is kept about an account, as JSON", account=True)
    work("delete", "delete an account", account=True)
    work("tables", "list the open tables")
    close = work("close", "close a table for good")
    close.add_argument("table", metavar="TABLE", help="its id, or the code of a private one")
    prune = work("prune", "forget how closed tables were played, and old sessions; hands and the ledger stay")
    prune.add_argument("--days", type=days, default=30, metavar="N", help="how old (default: %(default)s)")
    rotate = work("rotate-secrets", "make new secrets, which ends all sessions")
    rotate.add_argument("--yes", action="store_true", help="it is meant")
    backup = work("backup", "copy a SQLite database while it is in use")
    backup.add_argument("file", type=Path, metavar="FILE", help="where to; there must be no such file yet")


def _admin(options: argparse.Namespace) -> int:
    from dizhu.server.admin import admin

    said = admin(options)
    for line in said.lines:
        print(line)
    return said.status
