"""What a host can watch, in the form of Prometheus. It has a port of its own, so that strangers do not see it.

Counters belong to the process; what there is now is looked up when somebody asks.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client import generate_latest as written
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dizhu.protocol import RefusedMessage, command_type

if TYPE_CHECKING:
    from dizhu.server.connection import Connection
    from dizhu.server.lobby import Lobby
    from dizhu.server.store.writer import Writer

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

registry = CollectorRegistry()
ProcessCollector(registry=registry)

_commands = Counter(
    "dizhu_commands",
    "Commands of clients, by type, and by what they were answered.",
    ["type", "result"],
    registry=registry,
)
_command_seconds = Histogram(
    "dizhu_command_seconds", "Time from a command to its answer.", buckets=_SECONDS, registry=registry
)
_commit_seconds = Histogram(
    "dizhu_commit_seconds", "Time for a commit of the database.", buckets=_SECONDS, registry=registry
)
_commit_writes = Histogram(
    "dizhu_commit_writes",
    "Writes that were committed together.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
    registry=registry,
)
_commits_failed = Counter("dizhu_commits_failed", "Commits that the database did not take.", registry=registry)
_hands = Counter("dizhu_hands_finished", "Hands that were played to their end.", registry=registry)
_turned_away = Counter(
    "dizhu_sockets_refused", "WebSockets that were not opened: limit or origin.", ["why"], registry=registry
)


@contextmanager
def commanded(text: str, connection: Connection) -> Generator[None]:
    """Count a command by its answer, which is the last one that the connection has had at the end."""
    begun = perf_counter()
    yield
    answer = connection.answer
    result = answer.code if isinstance(answer, RefusedMessage) else "done"
    _commands.labels(command_type(text), result).inc()
    _command_seconds.observe(perf_counter() - begun)


@contextmanager
def committing(writes: int) -> Generator[None]:
    """Count a commit of so many writes, and how long it took or that it failed."""
    begun = perf_counter()
    try:
        yield
    except Exception:
        _commits_failed.inc()
        raise
    _commit_writes.observe(writes)
    _commit_seconds.observe(perf_counter() - begun)


def hand_finished() -> None:
    """Count a hand."""
    _hands.inc()


def turned_away(why: str) -> None:
    """Count a socket that was not opened."""
    _turned_away.labels(why).inc()


class Present(Collector):
    """What there is at a server now."""

    def __init__(self, lobby: Lobby, writer: Writer) -> None:
        self._lobby = lobby
        self._writer = writer

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Look it up."""
        lobby = self._lobby
        waiting = sum(lobby.seeking.waits(account) for account in lobby.connections)
        yield GaugeMetricFamily("dizhu_sockets", "WebSockets that are open.", lobby.sockets.total())
        yield GaugeMetricFamily("dizhu_people_connected", "People who are connected.", len(lobby.connections))
        yield GaugeMetricFamily("dizhu_people_at_tables", "People who sit or look on.", lobby.tables.people)
        yield GaugeMetricFamily("dizhu_people_waiting", "People who look for a table.", waiting)
        yield GaugeMetricFamily("dizhu_writes_waiting", "Writes that wait for a commit.", self._writer.waiting)
        yield GaugeMetricFamily("dizhu_tables", "Tables that are open.", len(lobby.tables))


def metrics_app(served: Starlette) -> Starlette:
    """Make the application that tells the metrics of a server at `/metrics`."""

    async def metrics(_: Request) -> Response:
        now = CollectorRegistry()
        now.register(Present(served.state.lobby, served.state.database.writer))
        return Response(written(registry) + written(now), headers={"content-type": CONTENT_TYPE_LATEST})

    return Starlette(routes=[Route("/metrics", metrics)])
