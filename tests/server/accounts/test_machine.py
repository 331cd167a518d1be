"""Accounts do what a few dictionaries do, whatever is done with them and in whichever order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import delete, select

from dizhu.errors import DizhuError
from dizhu.server.accounts import Account
from dizhu.server.store import schema
from server.accounts.harness import Kept, kept

KEYS = {
    "Ivan": "ivan",
    "IVAN": "ivan",
    "1van": "ivan",
    "Anna": "anna",
    "Ánna": "anna",
    "李娜": "李娜",
    "x": None,
    "Bot 2": None,
}
"""Names, and what they are compared by; None: nobody can have them."""
NAMES = st.sampled_from(sorted(KEYS))
PASSWORDS = st.sampled_from(["correct horse", "another horse", "short"])
WHICH = st.integers(0, 7)


@dataclass
class Person:
    """What should be so of an account."""

    id: int
    name: str
    key: str | None = None
    password: str | None = None
    deleted: bool = False
    until: int | None = None
    tokens: set[str] = field(default_factory=set)


class Machine(RuleBasedStateMachine):
    """Does the same with the accounts and with the model. `kept` and `run` are set for each database."""

    kept: Kept
    run: Callable[[Awaitable[Any]], Any]

    def __init__(self) -> None:
        super().__init__()
        self.people: list[Person] = []
        self.ended: set[str] = set()
        self.run(self.empty())
        self.accounts = self.kept.another()

    async def empty(self) -> None:
        async def job(connection: Any) -> None:
            await connection.execute(delete(schema.session))
            await connection.execute(delete(schema.account).where(schema.account.c.id != schema.HOUSE))

        await self.kept.database.writer.run(job)

    # --- what is done -----------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.people) < 8)
    @rule()
    def guest(self) -> None:
        account, token = self.run(self.accounts.guest())
        assert not account.claimed
        self.people.append(Person(account.id, account.name, tokens={token}))

    @rule(which=WHICH, name=NAMES, password=PASSWORDS)
    def claim(self, which: int, name: str, password: str) -> None:
        person = self.person(which)
        code = first(
            bad_name=KEYS[name] is None,
            bad_password=password == "short",
            already_claimed=person.key is not None or person.deleted,
            name_taken=self.owner(name) is not None,
        )
        answer = self.does(self.accounts.claim(person.id, name, password), code)
        if answer:
            self.begin_anew(person, answer)
            person.name, person.key, person.password = name, KEYS[name], password

    @rule(name=NAMES, password=PASSWORDS)
    def log_in(self, name: str, password: str) -> None:
        person = self.owner(name)
        right = person is not None and person.password == password
        code = first(wrong_login=not right, suspended=self.is_suspended(person))
        answer = self.does(self.accounts.log_in(name, password), code)
        if answer:
            assert person is not None
            assert answer[0] == Account(person.id, person.name)
            person.tokens.add(answer[1])

    @rule(which=WHICH)
    def log_out(self, which: int) -> None:
        person = self.person(which)
        if person.tokens:
            token = min(person.tokens)
            self.run(self.accounts.log_out(token))
            person.tokens.remove(token)
            self.ended.add(token)

    @rule(which=WHICH)
    def log_out_everywhere(self, which: int) -> None:
        person = self.person(which)
        self.run(self.accounts.log_out_everywhere(person.id))
        self.end_all(person)

    @rule(which=WHICH, name=NAMES)
    def rename(self, which: int, name: str) -> None:
        person = self.person(which)
        code = first(
            bad_name=KEYS[name] is None,
            not_claimed=person.key is None,
            name_taken=self.owner(name) not in (None, person),
        )
        if self.does(self.accounts.rename(person.id, name), code):
            person.name, person.key = name, KEYS[name]

    @rule(which=WHICH, old=PASSWORDS, new=PASSWORDS)
    def change_password(self, which: int, old: str, new: str) -> None:
        person = self.person(which)
        code = first(
            not_claimed=person.key is None,
            wrong_password=old != person.password,
            bad_password=new == "short",
        )
        answer = self.does(self.accounts.change_password(person.id, old, new), code)
        if answer:
            self.begin_anew(person, answer)
            person.password = new

    @rule(which=WHICH, password=PASSWORDS | st.none())
    def delete(self, which: int, password: str | None) -> None:
        person = self.person(which)
        code = "wrong_password" if person.key and password != person.password else None
        self.does(self.accounts.delete(person.id, password), code)
        if code is None:
            self.end_all(person)
            person.deleted, person.key, person.password = True, None, None

    @rule(which=WHICH, seconds=st.none() | st.integers(0, 100))
    def suspend(self, which: int, seconds: int | None) -> None:
        person = self.person(which)
        until = self.kept.clock.wall() + seconds * 1000 if seconds is not None else None
        code = "unknown_account" if person.deleted else None
        work = self.accounts.reinstate(person.id) if until is None else self.accounts.suspend(person.id, "?", until)
        self.does(work, code)
        if code is None:
            person.until = until

    @rule()
    def rotate(self) -> None:
        self.run(self.accounts.rotate_secrets())
        for person in self.people:
            self.end_all(person)

    @rule(seconds=st.sampled_from([1, 10, 1000]))
    def wait(self, seconds: int) -> None:
        self.kept.clock.seconds += seconds

    @rule()
    def restart(self) -> None:
        self.accounts = self.kept.another()

    # --- what always holds ------------------------------------------------------------------------------------------

    @invariant()
    def tokens_resolve_to_their_accounts(self) -> None:
        for person in self.people:
            for token in person.tokens:
                account = self.does(self.accounts.find(token), "suspended" if self.is_suspended(person) else None)
                if account:
                    assert (account.id, account.name, account.claimed) == (person.id, person.name, bool(person.key))

    @invariant()
    def ended_tokens_never_resolve(self) -> None:
        for token in self.ended:
            assert self.run(self.accounts.find(token)) is None

    @invariant()
    def each_name_has_one_owner(self) -> None:
        column = schema.account.c
        rows = self.run(
            self.kept.rows(select(column.id, column.name, column.password.is_not(None)).order_by(column.id))
        )
        expected = [("Deleted" if person.deleted else person.name, bool(person.key)) for person in self.people]
        assert [(name, bool(claimed)) for _, name, claimed in rows[1:]] == expected
        for person in self.people:
            if person.key:
                assert self.run(self.accounts.named(person.name)).id == person.id

    # --- how --------------------------------------------------------------------------------------------------------

    def person(self, which: int) -> Person:
        if not self.people:
            self.guest()
        return self.people[which % len(self.people)]

    def owner(self, name: str) -> Person | None:
        key = KEYS[name]
        return next((person for person in self.people if key is not None and person.key == key), None)

    def is_suspended(self, person: Person | None) -> bool:
        return person is not None and person.until is not None and self.kept.clock.wall() < person.until

    def end_all(self, person: Person) -> None:
        self.ended |= person.tokens
        person.tokens = set()

    def begin_anew(self, person: Person, answer: tuple[Account, str]) -> None:
        self.end_all(person)
        person.tokens = {answer[1]}

    def does(self, work: Awaitable[Any], code: str | None) -> Any:
        """Do something that is refused with a code, or not."""
        answer, refused = None, None
        try:
            answer = self.run(work)
        except DizhuError as error:
            refused = error.code
        assert refused == code
        return answer


def first(**reasons: bool) -> str | None:
    """Tell the first of the codes whose reason holds."""
    return next((code for code, holds in reasons.items() if holds), None)


@pytest.mark.slow
def test_accounts_do_what_they_should(database_url: str):
    with asyncio.Runner() as runner:
        context = kept(database_url)
        Machine.kept = runner.run(context.__aenter__())
        Machine.run = staticmethod(lambda work: runner.run(as_coroutine(work)))
        limits = settings(max_examples=25, stateful_step_count=40, suppress_health_check=[HealthCheck.too_slow])
        run_state_machine_as_test(Machine, settings=limits)
        runner.run(context.__aexit__(None, None, None))


async def as_coroutine(work: Awaitable[Any]) -> Any:
    return await work
