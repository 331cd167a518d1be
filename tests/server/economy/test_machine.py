"""Whatever is booked, in whatever order, the ledger stays in order: hands, grants, gifts and deletions at random."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import DizhuError
from dizhu.server.economy.check import check
from dizhu.server.economy.days import DAY
from dizhu.server.economy.grants import close, give, grant, welcome
from dizhu.server.economy.hands import FinishedHand, HandOutcome
from dizhu.server.economy.ledger import Entry, book
from dizhu.server.store import schema
from dizhu.server.store.schema import HOUSE
from server.databases import PostgreSQL
from server.economy.bank import NOON, PEOPLE, Bank, ended, left, lost, opened_bank, played, room, won

GAMES = [
    *(won(bid) for bid in (1, 2, 3)),
    *(lost(bid) for bid in (1, 2, 3)),
    *(left(seat) for seat in range(3)),
    played("classic", ["35", "6", "7"], "0 bid 1; 2 leave"),
    played("landlord_war", ["35", "6", "7"], "0 call; 1 no; 2 no; 0 double; 1 double; 2 no; 0 play 3; 1 play 6"),
]
ROOMS = [
    None,
    room("classic-points"),
    room(coefficient=1, fee=0),
    room(coefficient=100, fee=30),
    room(coefficient=5000, fee=999),
]
NEED = 200
SEATS = st.lists(st.sampled_from((*PEOPLE, None, None)), min_size=3, max_size=3).filter(
    lambda seats: len({seat for seat in seats if seat}) == sum(seat is not None for seat in seats)
)


class Economy(RuleBasedStateMachine):
    """Books at random, on databases that `fresh` makes; a model keeps what everybody has to own."""

    fresh: Callable[[], AbstractContextManager[str]]

    def __init__(self) -> None:
        super().__init__()
        self.place = self.fresh()
        url = self.place.__enter__()
        self.loop = asyncio.new_event_loop()
        self.stack = AsyncExitStack()
        self.bank: Bank = self.do(self.stack.enter_async_context(opened_bank(url)))
        self.at = NOON
        self.hands: list[tuple[FinishedHand, HandOutcome]] = []
        self.begun: set[int] = set()
        self.granted: set[tuple[int, int]] = set()
        self.gone: set[int] = set()
        self.owned: dict[int, int] = dict.fromkeys((HOUSE, *PEOPLE), 0)
        self.gifts = 0

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.do(self.stack.aclose())
        self.loop.close()
        self.place.__exit__(None, None, None)

    def attempt(self, work: Any) -> tuple[Any, str | None]:
        """What came of it, or the code with which it was refused."""
        try:
            return self.do(work), None
        except DizhuError as error:
            return None, error.code

    def move(self, account: int, amount: int) -> None:
        self.owned[account] += amount
        self.owned[HOUSE] -= amount

    @rule(account=st.sampled_from(PEOPLE))
    def come(self, account: int) -> None:
        if account in self.gone:
            return
        if account not in self.begun:
            self.begun.add(account)
            self.move(account, 3000)
        assert self.do(welcome(self.bank.database, account, self.at)).beans == self.owned[account]

    @rule(game=st.sampled_from(GAMES), place=st.sampled_from(ROOMS), seats=SEATS)
    def play(self, game: Any, place: Any, seats: list[int | None]) -> None:
        hand = ended(game, place, tuple(seats), len(self.hands) + 1, self.at)
        before = dict(self.owned)
        outcome = self.do(self.bank.finish(hand))
        self.hands.append((hand, outcome))
        if outcome.currency != "beans":
            return
        for account, seat in zip(seats, outcome.seats, strict=True):
            if account is not None and account not in self.gone:
                self.move(account, seat.change)
                assert seat.balance == self.owned[account] == before[account] + seat.change

    @rule(data=st.data())
    def play_again(self, data: st.DataObject) -> None:
        if self.hands:
            hand, outcome = data.draw(st.sampled_from(self.hands))
            assert self.do(self.bank.finish(hand)) == outcome

    @rule(account=st.sampled_from(PEOPLE))
    def ask_for_a_grant(self, account: int) -> None:
        if account in self.gone:
            return
        before = self.owned[account] + (0 if account in self.begun else 3000)
        given, refused = self.attempt(self.bank.run(grant, account, NEED, self.at))
        if before >= NEED:
            assert refused == "not_broke"
        elif refused:
            assert refused == "granted_today"
            assert (account, self.at // DAY) in self.granted
        else:
            self.granted.add((account, self.at // DAY))
            assert account in self.begun
            self.move(account, given)

    @rule(account=st.sampled_from(PEOPLE), beans=st.integers(-4000, 4000))
    def give(self, account: int, beans: int) -> None:
        self.gifts += 1
        before = self.owned[account] + (0 if account in self.begun else 3000)
        now, refused = self.attempt(self.bank.run(give, account, beans, self.at, f"gift:{self.gifts}"))
        if beans == 0:
            assert refused == "bad_amount"
        elif account in self.gone:
            assert refused == "unknown_account"
        elif before + beans < 0:
            # What is refused changes nothing, the first beans included.
            assert refused == "not_enough_beans"
        else:
            assert (now, refused) == (before + beans, None)
            if account not in self.begun:
                self.begun.add(account)
                self.move(account, 3000)
            self.move(account, beans)

    @rule(giver=st.sampled_from(PEOPLE), taker=st.sampled_from(PEOPLE), beans=st.integers(1, 3000))
    def transfer(self, giver: int, taker: int, beans: int) -> None:
        if {giver, taker} & self.gone or giver == taker:
            return
        self.gifts += 1
        entries = [Entry(giver, "beans", -beans), Entry(taker, "beans", beans)]
        _, refused = self.attempt(self.bank.run(book, f"transfer:{self.gifts}", "gift", entries, self.at))
        if self.owned[giver] < beans:
            assert refused == "not_enough_beans"
        else:
            assert refused is None
            self.move(giver, -beans)
            self.move(taker, beans)

    @rule(account=st.sampled_from(PEOPLE))
    def delete(self, account: int) -> None:
        async def both(connection: AsyncConnection) -> None:
            gone = update(schema.account).where(schema.account.c.id == account).values(deleted_at=self.at)
            await connection.execute(gone)
            await close(connection, account, self.at)

        self.do(self.bank.run(both))
        self.gone.add(account)
        self.move(account, -self.owned[account])

    @rule(days=st.integers(0, 2))
    def wait(self, days: int) -> None:
        self.at += days * DAY + 1

    @invariant()
    def the_ledger_is_in_order(self) -> None:
        async def audit() -> Any:
            async with self.bank.database.reading() as connection:
                return await check(connection)

        found = self.do(audit())
        assert found.faults == ()
        balances = self.do(self.bank.balances())
        assert {account: balances.get(account, 0) for account in self.owned} == self.owned
        assert sum(self.do(self.bank.balances("three_player")).values()) == 0


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/dizhu.sqlite3"


def run_machine(fresh: Callable[[], AbstractContextManager[str]], examples: int, steps: int) -> None:
    wanted = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(type("Machine", (Economy,), {"fresh": staticmethod(fresh)}), settings=wanted)


def test_on_sqlite():
    run_machine(sqlite, 6, 20)


@pytest.mark.slow
def test_on_sqlite_for_longer():
    run_machine(sqlite, 25, 40)


@pytest.mark.slow
def test_on_postgresql(postgresql: PostgreSQL):
    run_machine(postgresql.fresh, 4, 20)
