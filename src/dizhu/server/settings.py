"""What a host may set. Times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

BUNDLE = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: so many at once, and so many a second in the long run."""

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a server.

    play, question, offer: the time for a play, for a question put to one seat, and for one put to several at once.
    bot_pause: an automatic action comes after a random time in this range, so that its speed tells nothing.
    redeal: how long "nobody wants to be landlord" stands before the cards are dealt again.
    empty: a table that nobody is connected to is closed after this time, once its hand is over.
    absent: between hands, a seat whose player is not connected is kept for him this long.
    grace, grace_back: how far past the end of his time a player is heard, in all, for the way of his messages; and how
        much of it comes back with each answer.
    retry: what could not be saved is tried again after this time.
    back: when clients are told to come back after a stop.
    talk: how much one player may say.
    sessions: how often it is looked whether a session has ended, or the host has closed a table.
    request: a request over HTTP has to be whole within this time.
    hello: a connection has to say hello within this time.
    closing: how long a closing connection may take its last messages.
    outbox_messages, outbox_bytes: what may wait for a slow reader before its connection is closed.
    stand_in: the bot that plays a person's seat when he does not.
    origins: of the pages that may ask, as `https://example.org`; if there are none, those of the host that is asked.
    proxies: addresses and networks that are believed when they say for whom, and how, they ask.
    metrics_port: where metrics are told, on the same host.
    reads, writes, passwords: requests of the API by one account, by what they cost; `passwords` hash one.
    crowd: how many times as much the accounts of one address may do together.
    guests: new guests of one address. opened: tables that one account opens.
    failed_logins, address_failed_logins: with one name, and from one address.
    """

    play: float = 20
    question: float = 15
    offer: float = 10
    bot_pause: tuple[float, float] = (0.8, 2.4)
    redeal: float = 2.5
    empty: float = 180
    absent: float = 30
    grace: float = 1.5
    grace_back: float = 0.25
    retry: float = 1
    back: float = 3
    talk: Rate = field(default=Rate(burst=4, per_second=0.5))
    sessions: float = 5
    request: float = 15
    hello: float = 10
    closing: float = 2
    outbox_messages: int = 64
    outbox_bytes: int = 256 * 1024
    commands: Rate = field(default=Rate(burst=40, per_second=10))
    address_commands: Rate = field(default=Rate(burst=800, per_second=200))
    address_connects: Rate = field(default=Rate(burst=60, per_second=2))
    address_connections: int = 200
    reads: Rate = field(default=Rate(burst=60, per_second=5))
    writes: Rate = field(default=Rate(burst=20, per_second=0.5))
    passwords: Rate = field(default=Rate(burst=6, per_second=0.05))
    crowd: float = 20
    guests: Rate = field(default=Rate(burst=30, per_second=1 / 30))
    opened: Rate = field(default=Rate(burst=12, per_second=0.1))
    failed_logins: Rate = field(default=Rate(burst=8, per_second=1 / 60))
    address_failed_logins: Rate = field(default=Rate(burst=40, per_second=1 / 20))
    tables: int = 5_000
    stand_in: str = "rule"
    origins: frozenset[str] = frozenset()
    proxies: frozenset[str] = frozenset()
    metrics_port: int | None = None
    bundle: Path | None = BUNDLE
