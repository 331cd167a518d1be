"""Hashes of passwords, and how many are made at a time."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from dizhu.errors import DizhuError
from dizhu.server.accounts.passwords import Passwords

CHEAP = {"rounds": 1, "memory_kib": 8}


def test_a_password_is_hashed_with_argon2id_and_matches_itself_alone():
    async def run():
        passwords = Passwords()
        hashed = await passwords.hash("correct horse")
        parameters = extract_parameters(hashed)
        assert parameters.type is Type.ID
        assert (parameters.memory_cost, parameters.time_cost) == (64 * 1024, 3)
        assert await passwords.verify(hashed, "correct horse")
        assert not await passwords.verify(hashed, "correct horsf")
        assert not await passwords.verify(hashed, "")
        assert not passwords.outdated(hashed)

    asyncio.run(run())


def test_the_same_letters_are_the_same_password_however_they_are_written():
    async def run():
        passwords = Passwords(**CHEAP)
        hashed = await passwords.hash("mañana 123")
        assert await passwords.verify(hashed, "man\u0303ana 123")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("password", "reason"),
    [("1234567", "too_short"), ("一二三四五六七", "too_short"), ("x" * 257, "too_long")],
)
def test_a_password_has_8_to_256_characters(password: str, reason: str):
    with pytest.raises(DizhuError) as refused:
        asyncio.run(Passwords(**CHEAP).hash(password))
    assert (refused.value.code, refused.value.detail) == ("bad_password", {"why": reason})


@pytest.mark.parametrize("password", ["12345678", "x" * 256, "一二三四五六七八", "pass\ud800word"])
def test_any_characters_will_do(password: str):
    async def run():
        passwords = Passwords(**CHEAP)
        assert await passwords.verify(await passwords.hash(password), password)
        assert not await passwords.verify(await passwords.hash(password), password + "x")

    asyncio.run(run())


def test_where_there_is_no_password_as_much_is_done(monkeypatch: pytest.MonkeyPatch):
    checked: list[str] = []
    verify = PasswordHasher.verify

    def counting(self: PasswordHasher, hashed: Any, password: Any) -> Any:
        checked.append(str(hashed))
        return verify(self, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting)

    async def run():
        passwords = Passwords(**CHEAP)
        await passwords.verify(await passwords.hash("password"), "passwore")
        assert not await passwords.verify(None, "password")
        one, other = map(extract_parameters, checked)
        assert one == other

    asyncio.run(run())


def test_a_hash_of_other_parameters_is_outdated_and_yet_good():
    async def run():
        hashed = await Passwords(rounds=1, memory_kib=16).hash("password")
        passwords = Passwords(**CHEAP)
        assert passwords.outdated(hashed)
        assert await passwords.verify(hashed, "password")

    asyncio.run(run())


def test_two_are_checked_at_a_time_few_wait_and_the_rest_is_refused(monkeypatch: pytest.MonkeyPatch):
    running, most, go = 0, 0, threading.Event()
    lock = threading.Lock()

    def slow(*_: Any) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        go.wait(10)
        with lock:
            running -= 1
        return True

    monkeypatch.setattr(PasswordHasher, "verify", slow)

    async def run():
        passwords = Passwords(**CHEAP)
        asked = [asyncio.create_task(passwords.verify(None, "password")) for _ in range(100)]
        await asyncio.sleep(0)
        asked[0].cancel()
        go.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        refused = [answer.code for answer in answers if isinstance(answer, DizhuError)]
        assert refused == ["busy"] * 66
        assert most <= 2
        assert await passwords.verify(None, "password"), "all places are free again"
        again = await asyncio.gather(*(passwords.verify(None, "password") for _ in range(34)))
        assert all(again)

    asyncio.run(run())
