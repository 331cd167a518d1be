"""What the database holds. The migrations build it; a test compares the two.

Times are milliseconds since 1970 (UTC). Texts of the columns `data`, `options` and `record` are JSON. Everything runs
on SQLite and on PostgreSQL alike.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import SchemaItem

HOUSE = 0
"""The account of the house: the other side of fees, grants and penalties, and of what bots win and lose."""

CURRENCIES = ("beans", "three_player", "five_player")
"""Beans, and the points of the two ladders."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# 64 bits in both: in SQLite this is what INTEGER means, and STRICT tables know no BIGINT.
_LONG = BigInteger().with_variant(Integer(), "sqlite")
_OPEN = text("closed_at IS NULL")


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True)


def _number() -> Column[int]:
    return Column("id", _LONG, primary_key=True, autoincrement=True)


def _account(name: str = "account_id", *, primary_key: bool = False, nullable: bool = False) -> Column[int]:
    return Column(name, _LONG, ForeignKey("account.id"), primary_key=primary_key, nullable=nullable)


# --- who plays -------------------------------------------------------------------------------------------------------

account = _table(
    "account",
    _number(),
    Column("name", Text, nullable=False),
    # What a name is compared by, so that look-alikes are the same; null: a guest, or deleted.
    Column("name_key", Text, unique=True),
    Column("password", Text),
    Column("created_at", _LONG, nullable=False),
    Column("seen_at", _LONG, nullable=False),
    Column("granted_at", _LONG),
    Column("suspended_until", _LONG),
    Column("suspended_because", Text),
    Column("deleted_at", _LONG),
    CheckConstraint("(name_key IS NULL) = (password IS NULL)", name="claimed"),
)

session = _table(
    "session",
    Column("hash", LargeBinary, primary_key=True),
    _account(),
    Column("created_at", _LONG, nullable=False),
    Column("used_at", _LONG, nullable=False),
    Index(None, "account_id"),
)

secret = _table(
    "secret",
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    Column("created_at", _LONG, nullable=False),
)

block = _table(
    "block",
    _account(primary_key=True),
    _account("other_id", primary_key=True),
    Column("at", _LONG, nullable=False),
    CheckConstraint("account_id <> other_id", name="other"),
)

report = _table(
    "report",
    _number(),
    _account(),
    _account("other_id"),
    Column("at", _LONG, nullable=False),
    Column("table_id", Text),
    Column("reason", Text, nullable=False),
    Column("words", Text, nullable=False),
)

# --- what is played --------------------------------------------------------------------------------------------------

table = _table(
    "game_table",
    Column("id", Text, primary_key=True),
    # Null: a private table.
    Column("room", Text),
    Column("variant", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("code", Text, unique=True),
    Column("created_at", _LONG, nullable=False),
    Column("closed_at", _LONG),
    Index("ix_game_table_open", "id", sqlite_where=_OPEN, postgresql_where=_OPEN),
)

event = _table(
    "event",
    Column("table_id", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("seq", _LONG, primary_key=True),
    Column("at", _LONG, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    CheckConstraint("kind IN ('deal', 'act', 'seats', 'seed')", name="kind"),
)

hand = _table(
    "hand",
    _number(),
    Column("share", Text, nullable=False, unique=True),
    Column("table_id", Text, ForeignKey("game_table.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("variant", Text, nullable=False),
    Column("room", Text),
    Column("ended_at", _LONG, nullable=False),
    Column("multiplier", _LONG, nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("table_id", "number"),
)

hand_seat = _table(
    "hand_seat",
    Column("hand_id", _LONG, ForeignKey("hand.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    # Null: a bot.
    _account(nullable=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("won", Integer, nullable=False),
    Column("points", _LONG, nullable=False),
    Column("beans", _LONG, nullable=False),
    Index(None, "account_id", "hand_id"),
    CheckConstraint("role IN ('landlord', 'farmer', 'none')", name="role"),
    CheckConstraint("won IN (0, 1)", name="won"),
)

# --- beans and points ------------------------------------------------------------------------------------------------

transfer = _table(
    "transfer",
    _number(),
    # What it is for, so that nothing is booked twice.
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("hand_id", _LONG, ForeignKey("hand.id")),
    Column("at", _LONG, nullable=False),
    CheckConstraint("kind IN ('settlement', 'grant', 'gift', 'closing')", name="kind"),
    Index(None, "at"),
)

_CURRENCY = f"currency IN {CURRENCIES}"

entry = _table(
    "entry",
    Column("transfer_id", _LONG, ForeignKey("transfer.id"), primary_key=True),
    _account(primary_key=True),
    Column("currency", Text, primary_key=True),
    Column("amount", _LONG, nullable=False),
    CheckConstraint(_CURRENCY, name="currency"),
    Index(None, "account_id", "currency", "transfer_id"),
)

balance = _table(
    "balance",
    _account(primary_key=True),
    Column("currency", Text, primary_key=True),
    Column("amount", _LONG, nullable=False),
    CheckConstraint(_CURRENCY, name="currency"),
    CheckConstraint(f"amount >= 0 OR account_id = {HOUSE} OR currency <> 'beans'", name="not_below_zero"),
    Index(None, "currency", "amount"),
)
