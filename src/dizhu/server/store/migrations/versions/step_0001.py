"""The first schema: accounts, tables and their events, hands, and the ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables, and the account of the house."""
    op.create_table(
        "account",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created_at", LONG, nullable=False),
        sa.Column("seen_at", LONG, nullable=False),
        sa.Column("granted_at", LONG, nullable=True),
        sa.Column("suspended_until", LONG, nullable=True),
        sa.Column("suspended_because", sa.Text(), nullable=True),
        sa.Column("deleted_at", LONG, nullable=True),
        sa.CheckConstraint("(name_key IS NULL) = (password IS NULL)", name=op.f("ck_account_claimed")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name_key", name=op.f("uq_account_name_key")),
        sqlite_strict=True,
    )
    op.create_table(
        "game_table",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=True),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("created_at", LONG, nullable=False),
        sa.Column("closed_at", LONG, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
        sa.UniqueConstraint("code", name=op.f("uq_game_table_code")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_game_table_open",
        "game_table",
        ["id"],
        unique=False,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", LONG, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret")),
        sqlite_strict=True,
    )
    op.create_table(
        "balance",
        sa.Column("account_id", LONG, nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("amount", LONG, nullable=False),
        sa.CheckConstraint(
            "amount >= 0 OR account_id = 0 OR currency <> 'beans'", name=op.f("ck_balance_not_below_zero")
        ),
        sa.CheckConstraint("currency IN ('beans', 'three_player', 'five_player')", name=op.f("ck_balance_currency")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_balance_account_id")),
        sa.PrimaryKeyConstraint("account_id", "currency", name=op.f("pk_balance")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_balance_currency_amount"), "balance", ["currency", "amount"], unique=False)
    op.create_table(
        "block",
        sa.Column("account_id", LONG, nullable=False),
        sa.Column("other_id", LONG, nullable=False),
        sa.Column("at", LONG, nullable=False),
        sa.CheckConstraint("account_id <> other_id", name=op.f("ck_block_other")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_block_account_id")),
        sa.ForeignKeyConstraint(["other_id"], ["account.id"], name=op.f("fk_block_other_id")),
        sa.PrimaryKeyConstraint("account_id", "other_id", name=op.f("pk_block")),
        sqlite_strict=True,
    )
    op.create_table(
        "event",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", LONG, nullable=False),
        sa.Column("at", LONG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('deal', 'act', 'seats', 'seed')", name=op.f("ck_event_kind")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_event_table_id")),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_event")),
        sqlite_strict=True,
    )
    op.create_table(
        "hand",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("share", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=True),
        sa.Column("ended_at", LONG, nullable=False),
        sa.Column("multiplier", LONG, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_hand_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hand")),
        sa.UniqueConstraint("share", name=op.f("uq_hand_share")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_hand_table_id_number")),
        sqlite_strict=True,
    )
    op.create_table(
        "report",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("account_id", LONG, nullable=False),
        sa.Column("other_id", LONG, nullable=False),
        sa.Column("at", LONG, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_report_account_id")),
        sa.ForeignKeyConstraint(["other_id"], ["account.id"], name=op.f("fk_report_other_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sqlite_strict=True,
    )
    op.create_table(
        "session",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", LONG, nullable=False),
        sa.Column("created_at", LONG, nullable=False),
        sa.Column("used_at", LONG, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_session_account_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_session")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_session_account_id"), "session", ["account_id"], unique=False)
    op.create_table(
        "hand_seat",
        sa.Column("hand_id", LONG, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", LONG, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("points", LONG, nullable=False),
        sa.Column("beans", LONG, nullable=False),
        sa.CheckConstraint("role IN ('landlord', 'farmer', 'none')", name=op.f("ck_hand_seat_role")),
        sa.CheckConstraint("won IN (0, 1)", name=op.f("ck_hand_seat_won")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_hand_seat_account_id")),
        sa.ForeignKeyConstraint(["hand_id"], ["hand.id"], name=op.f("fk_hand_seat_hand_id")),
        sa.PrimaryKeyConstraint("hand_id", "seat", name=op.f("pk_hand_seat")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_hand_seat_account_id_hand_id"), "hand_seat", ["account_id", "hand_id"], unique=False)
    op.create_table(
        "transfer",
        sa.Column("id", LONG, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("hand_id", LONG, nullable=True),
        sa.Column("at", LONG, nullable=False),
        sa.CheckConstraint("kind IN ('settlement', 'grant', 'gift', 'closing')", name=op.f("ck_transfer_kind")),
        sa.ForeignKeyConstraint(["hand_id"], ["hand.id"], name=op.f("fk_transfer_hand_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfer")),
        sa.UniqueConstraint("key", name=op.f("uq_transfer_key")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_transfer_at"), "transfer", ["at"], unique=False)
    op.create_table(
        "entry",
        sa.Column("transfer_id", LONG, nullable=False),
        sa.Column("account_id", LONG, nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("amount", LONG, nullable=False),
        sa.CheckConstraint("currency IN ('beans', 'three_player', 'five_player')", name=op.f("ck_entry_currency")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_entry_account_id")),
        sa.ForeignKeyConstraint(["transfer_id"], ["transfer.id"], name=op.f("fk_entry_transfer_id")),
        sa.PrimaryKeyConstraint("transfer_id", "account_id", "currency", name=op.f("pk_entry")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_entry_account_id_currency_transfer_id"),
        "entry",
        ["account_id", "currency", "transfer_id"],
        unique=False,
    )
    op.execute("INSERT INTO account (id, name, created_at, seen_at) VALUES (0, 'house', 0, 0)")
