"""`dizhu admin` through the command line, on a database that a server has used."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import stat
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.cli import main
from dizhu.errors import DizhuError
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.economy.grants import BEGIN_WITH
from dizhu.server.store import schema
from dizhu.server.store.database import Database, opened
from dizhu.server.store.log import Deal, Log, Seats, Seed, Sitting, TableRow, Written
from server.economy.bank import NOON, Bank, ended, lost, opened_bank, room

PASSWORD = "correct horse"


def with_bank(url: str, work: Callable[[Bank], Coroutine[Any, Any, Any]], beans: int = 0) -> Any:
    async def run() -> Any:
        async with opened_bank(url, beans) as bank:
            return await work(bank)

    return asyncio.run(run())


def with_database(url: str, work: Callable[[Database], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        async with opened(url) as database:
            return await work(database)

    return asyncio.run(run())


async def nothing(_: Bank) -> None:
    pass


class Said:
    """How an `admin` command ended, and what it wrote."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def refused(self) -> str:
        """The one line of a refusal."""
        assert (self.status, self.out) == (2, "")
        assert self.err.startswith("dizhu: ")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("dizhu: ").rstrip()

    def done(self) -> str:
        assert (self.status, self.err) == (0, "")
        return self.out


@pytest.fixture
def admin(database_url: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command of `dizhu admin` on the database."""

    def run(*arguments: str, url: str = database_url) -> Said:
        status = main(["admin", *arguments, "--db", url])
        out, err = capsys.readouterr()
        return Said(status, out, err)

    return run


Admin = Callable[..., Said]


# --- the ledger ------------------------------------------------------------------------------------------------------


def test_check_says_in_one_line_that_all_is_in_order(database_url: str, admin: Admin):
    with_bank(database_url, lambda bank: bank.finish(ended(lost(), room(fee=5))), beans=1000)
    assert admin("check").done() == ("6 transfers with 14 entries, 1 hands settled, 4985 beans owned by players\n")


def test_check_names_each_fault_and_fails(database_url: str, admin: Admin):
    async def damage(bank: Bank) -> None:
        async def job(connection: AsyncConnection) -> None:
            await connection.execute(text("UPDATE balance SET amount = 7 WHERE account_id IN (1, 2)"))

        await bank.run(job)

    with_bank(database_url, damage, beans=50)
    said = admin("check")
    assert (said.status, said.err) == (1, "")
    assert said.out.splitlines() == [
        "account 1: its balance in beans is 7, its entries sum to 50",
        "account 2: its balance in beans is 7, its entries sum to 50",
    ]


# --- accounts --------------------------------------------------------------------------------------------------------


async def claim(bank: Bank) -> int:
    """An account that has a name and a password."""
    accounts = DatabaseAccounts(bank.database, passwords=Passwords(rounds=1, memory_kib=8))
    guest, _ = await accounts.guest()
    await accounts.claim(guest.id, "Li Na", PASSWORD)
    return guest.id


def test_grant_by_number_and_by_name(database_url: str, admin: Admin):
    number = with_bank(database_url, claim)
    assert (
        admin("grant", "1", "250", "--why", "lost by a fault").done() == f"account 1 has {BEGIN_WITH + 250} beans now\n"
    )
    assert (
        admin("grant", "li na", "5", "--why", "thanks").done() == f"account {number} has {BEGIN_WITH + 5} beans now\n"
    )
    assert admin("grant", "1", "-250", "--why", "twice").done() == f"account 1 has {BEGIN_WITH} beans now\n"
    assert admin("check").done().startswith("5 transfers")

    async def reasons(database: Database) -> list[str]:
        async with database.reading() as connection:
            keys = select(schema.transfer.c.key).where(schema.transfer.c.kind == "gift").order_by(schema.transfer.c.id)
            return [key.partition(": ")[2] for key in (await connection.execute(keys)).scalars()]

    assert with_database(database_url, reasons) == ["lost by a fault", "thanks", "twice"]


def test_grants_that_cannot_be(database_url: str, admin: Admin):
    with_bank(database_url, nothing)
    assert admin("grant", "99", "5", "--why", "x").refused() == "there is no account 99"
    assert admin("grant", "0", "5", "--why", "x").refused() == "there is no account 0"
    assert admin("grant", "9" * 30, "5", "--why", "x").refused() == f"there is no account {'9' * 30}"
    assert (
        admin("grant", "nobody", "5", "--why", "x").refused().startswith("there is no account with the name 'nobody'")
    )
    assert admin("grant", "1", "0", "--why", "x").refused().startswith("0 is no number of beans to give")
    assert admin("grant", "1", "5", "--why", " ").refused().startswith("the reason must be one line")
    assert admin("grant", "1", "5", "--why", "a\nb").refused().startswith("the reason must be one line")
    message = f"account 1 has {BEGIN_WITH} beans, which is less than {BEGIN_WITH + 1}"
    assert admin("grant", "1", f"-{BEGIN_WITH + 1}", "--why", "x").refused() == message
    assert admin("check").done().startswith("0 transfers")


def test_suspend_and_let_play_again(database_url: str, admin: Admin):
    async def begin(bank: Bank) -> tuple[int, str]:
        guest, token = await DatabaseAccounts(bank.database).guest()
        return guest.id, token

    number, token = with_bank(database_url, begin)

    async def found(database: Database) -> str | None:
        try:
            return str(await DatabaseAccounts(database).find(token))
        except DizhuError as error:
            return error.code

    assert with_database(database_url, found) != "suspended"
    said = admin("suspend", str(number), "--days", "3", "--why", "played two seats").done()
    assert said.startswith(f"account {number} is suspended until ")
    assert said.endswith(" UTC\n")
    assert with_database(database_url, found) == "suspended"
    assert json.loads(admin("export", str(number)).done())["account"]["suspended_because"] == "played two seats"
    assert admin("suspend", str(number), "--days", "0", "--why", "a mistake").done() == (
        f"account {number} may play again\n"
    )
    assert with_database(database_url, found) != "suspended"
    assert admin("suspend", "99", "--days", "1", "--why", "x").refused() == "there is no account 99"


def test_a_forgotten_password_is_replaced_and_all_sessions_end(database_url: str, admin: Admin):
    async def begin(bank: Bank) -> tuple[int, int, str]:
        number = await claim(bank)
        _, token = await DatabaseAccounts(bank.database).log_in("Li Na", PASSWORD)
        guest, _ = await DatabaseAccounts(bank.database).guest()
        return number, guest.id, token

    number, guest, token = with_bank(database_url, begin)
    said = re.fullmatch(
        r"account (\d+) has the password (\S{16}) now; its sessions have ended\n", admin("password", "li na").done()
    )
    assert said is not None
    assert int(said[1]) == number

    async def log_in(database: Database) -> list[str]:
        accounts, told = DatabaseAccounts(database), []
        assert await accounts.find(token) is None
        for password in (PASSWORD, said[2]):
            try:
                told.append((await accounts.log_in("Li Na", password))[0].name)
            except DizhuError as error:
                told.append(error.code)
        return told

    assert with_database(database_url, log_in) == ["wrong_login", "Li Na"]
    assert admin("password", str(guest)).refused() == "a guest has no password"
    assert admin("password", "99").refused() == "there is no account 99"


@pytest.mark.parametrize("days", ["-1", "1.5", "36501", "x", ""])
def test_days_are_whole_and_not_too_many(days: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main(["admin", "suspend", "1", f"--days={days}", "--why", "x"])
    assert stop.value.code == 2
    assert "is no number of days from 0 to 36500" in capsys.readouterr().err


def test_export_is_json_without_secrets(database_url: str, admin: Admin):
    async def plays(bank: Bank) -> int:
        number = await claim(bank)
        await bank.give(number, 1000)
        await bank.finish(ended(lost(), room(coefficient=10, fee=5), (number, 2, 3)))
        return number

    number = with_bank(database_url, plays)
    said = admin("export", "Li Na").done()
    kept = json.loads(said)
    assert kept["account"]["id"] == number
    assert [hand["beans"] for hand in kept["hands"]] == [-125]
    assert [entry["amount"] for entry in kept["entries"]] == [1000, -125]
    assert "argon2" not in said
    assert admin("export", "99").refused() == "there is no account 99"


def test_delete_leaves_hands_without_a_name_and_beans_to_the_house(database_url: str, admin: Admin):
    async def plays(bank: Bank) -> int:
        number = await claim(bank)
        await bank.give(number, 1000)
        await bank.finish(ended(lost(), room(), (number, 2, 3)))
        return number

    number = with_bank(database_url, plays)
    assert admin("delete", "LI NA").done() == f"account {number} is deleted\n"
    kept = json.loads(admin("export", str(number)).done())
    assert (kept["account"]["name"], kept["sessions"]) == ("Deleted", [])
    assert {balance["amount"] for balance in kept["balances"]} == {0}
    assert len(kept["hands"]) == 1
    assert admin("check").status == 0
    assert admin("delete", str(number)).refused() == f"there is no account {number}"
    assert admin("delete", "0").refused() == "there is no account 0"


# --- tables ----------------------------------------------------------------------------------------------------------


def test_tables_are_listed_and_closed(database_url: str, admin: Admin):
    async def open_two(bank: Bank) -> None:
        log = Log(bank.database)
        li, robot = Sitting("Li Na", 1, None, 0), Sitting("Bot", None, "rule", 0)
        seats, seed = Seats((li, robot, None)), Seed(1, "00" * 32)
        private = TableRow("abc", None, "classic", {"cap": 16}, "CODE2345")
        await log.open(private, [Written(1, NOON, seats), Written(2, NOON, seed)])
        deal = Deal(1, "00" * 32, (), 0, None, 0, 1)
        public = TableRow("def", "happy-points", "happy", {}, None)
        await log.open(public, [Written(1, NOON + 1, Seats((robot, li, robot))), Written(2, NOON + 1, deal)])
        await log.close("t", NOON)

    with_bank(database_url, open_two)
    assert admin("tables").done().splitlines() == [
        "abc  classic  private CODE2345  2023-11-15 12:00 UTC  hand 0  Li Na (1), bot Bot, nobody",
        "def  happy  happy-points  2023-11-15 12:00 UTC  hand 1  bot Bot, Li Na (1), bot Bot",
    ]

    assert admin("close", "code2345").done() == "table abc is closed\n"
    assert admin("close", "abc").refused() == "no table 'abc' is open"
    assert admin("close", "def").done() == "table def is closed\n"
    assert admin("close", "t").refused() == "no table 't' is open"
    assert admin("tables").done() == "no table is open\n"


# --- secrets and backups ---------------------------------------------------------------------------------------------


def test_new_secrets_end_all_sessions_if_that_is_meant(database_url: str, admin: Admin):
    async def begin(bank: Bank) -> str:
        return (await DatabaseAccounts(bank.database).guest())[1]

    token = with_bank(database_url, begin)

    async def found(database: Database) -> bool:
        return await DatabaseAccounts(database).find(token) is not None

    assert "say --yes" in admin("rotate-secrets").refused()
    assert with_database(database_url, found)
    assert admin("rotate-secrets", "--yes").done() == "there are new secrets; all sessions have ended\n"
    assert not with_database(database_url, found)


def test_backup_of_sqlite_and_a_sentence_for_postgresql(database_url: str, admin: Admin, tmp_path: Path):
    with_bank(database_url, lambda bank: bank.finish(ended(lost(), room())), beans=1000)
    copy = tmp_path / "copy.sqlite3"
    if database_url.startswith("postgresql"):
        assert "pg_dump --format=custom" in admin("backup", str(copy)).refused()
        assert not copy.exists()
        return
    assert admin("backup", str(copy)).done() == f"{copy}: {copy.stat().st_size} bytes\n"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.sqlite3"]
    assert admin("check", url=f"sqlite:///{copy}").done() == admin("check").done()
    assert admin("backup", str(copy)).refused() == f"{copy}: File exists"
    assert admin("backup", str(tmp_path / "no" / "copy")).refused().endswith("No such file or directory")


def test_a_backup_of_a_database_in_use_is_one_moment_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    url = f"sqlite:///{tmp_path / 'dizhu.sqlite3'}"
    with_bank(url, nothing, beans=10**6)
    stop = threading.Event()

    async def write(database: Database) -> int:
        number = 0
        while not stop.is_set():
            hands = (ended(lost(), room(), number=number + one) for one in range(1, 9))
            await asyncio.gather(*(Bank(database).finish(hand) for hand in hands))
            number += 8
        return number

    written: list[int] = []
    server = threading.Thread(target=lambda: written.append(with_database(url, write)))
    server.start()
    counts: list[int] = []
    try:
        for number in range(5):
            copy = tmp_path / f"copy{number}"
            assert main(["admin", "backup", str(copy), "--db", url]) == 0
            with closing(sqlite3.connect(copy)) as connection:
                (hands,) = connection.execute("SELECT count(*) FROM hand").fetchone()
            counts.append(hands)
            capsys.readouterr()
            assert main(["admin", "check", "--db", f"sqlite:///{copy}"]) == 0
            assert f", {hands} hands settled, " in capsys.readouterr().out
    finally:
        stop.set()
        server.join()
    assert counts == sorted(counts)
    assert written
    assert counts[-1] <= written[0]


def test_a_damaged_database_is_not_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    database, copy = tmp_path / "dizhu.sqlite3", tmp_path / "copy"
    database.write_bytes(b"no database at all" * 100)
    assert main(["admin", "backup", str(copy), "--db", f"sqlite:///{database}"]) == 2
    assert capsys.readouterr().err == "dizhu: the copy was not made: file is not a database\n"
    assert not copy.exists()


# --- which database --------------------------------------------------------------------------------------------------


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    missing = tmp_path / "none.sqlite3"
    for work in (["check"], ["tables"], ["backup", str(tmp_path / "copy")]):
        assert main(["admin", *work, "--db", f"sqlite:///{missing}"]) == 2
        assert capsys.readouterr().err == f"dizhu: there is no database {missing}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_usual_database_is_that_of_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_DATA_HOME", os.fspath(tmp_path))
    assert main(["admin", "check"]) == 2
    assert capsys.readouterr().err == f"dizhu: there is no database {tmp_path}/dizhu/dizhu.sqlite3\n"
    with_bank(f"sqlite:///{tmp_path}/dizhu/dizhu.sqlite3", nothing)
    assert main(["admin", "check"]) == 0


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite://", ""])
def test_what_names_no_database(url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/nonexistent")
    assert main(["admin", "check", "--db", url]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("dizhu: ")


def test_a_file_that_is_no_database_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "dizhu.sqlite3"
    file.write_bytes(b"no database at all" * 100)
    assert main(["admin", "check", "--db", f"sqlite:///{file}"]) == 2
    assert capsys.readouterr().err == f"dizhu: {file}: file is not a database\n"


def test_a_work_is_needed(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main(["admin"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("dizhu admin: the following arguments are required: WORK")
