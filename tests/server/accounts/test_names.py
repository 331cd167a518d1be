"""Which names are good, and which look so much alike that they are one."""

from __future__ import annotations

import unicodedata
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu.errors import DizhuError
from dizhu.server.accounts.names import DELETED, LONGEST, good_name, guest_name, name_key

GOOD = {
    "Ivan": "Ivan",
    "  Li   Na ": "Li Na",
    "李娜": "李娜",
    "斗地主之王者归来了吗": "斗地主之王者归来了吗",
    "श्रीकृष्ण": "श्रीकृष्ण",
    "ज़मींदार ३": "ज़मींदार ३",
    "Ольга": "Ольга",
    "Ελένη": "Ελένη",
    "José Peña": "José Peña",
    "Nguyễn": "Nguyễn",
    "Ｂｏｂ\u3000７": "Bob 7",
    "محمد": "محمد",
    "ﬁn": "fin",
    "たろう": "たろう",
    "김민준": "김민준",
    "16 characters ok": "16 characters ok",
    "कि" * LONGEST: "कि" * LONGEST,
}

BAD = {
    "": "too_short",
    "a": "too_short",
    "   a   ": "too_short",
    "x\u0316": "too_short",
    "a" * 17: "too_long",
    "a" * 1_000_000: "too_long",
    "ﷺ": "too_long",  # it stands for eighteen
    "a\u200bb": "bad_character",  # a space without width
    "a\u200db": "bad_character",  # a joiner
    "ab\u202e": "bad_character",  # from here on, read from right to left
    "ab\u2066": "bad_character",
    "ab\n": "bad_character",
    "a\tb": "bad_character",
    "ab\x00": "bad_character",
    "ab\ud800": "bad_character",
    "a\u3164b": "bad_character",  # a letter that is not seen
    "a\u115fb": "bad_character",
    "ab\ufe0f": "bad_character",
    "a\u034fb": "bad_character",
    "م\u0640د": "bad_character",  # a stroke that stretches a word
    "\u0316ab": "bad_character",
    "a \u0316b": "bad_character",
    "ab" + "\u0316" * 4: "bad_character",
    "a_b": "bad_character",
    "a.b": "bad_character",
    "O'Neil": "bad_character",
    "<b>": "bad_character",
    "👍👍": "bad_character",
    "ab\ue000": "bad_character",
    "\u0430dam": "mixed_alphabets",  # Cyrillic
    "\u0391dam": "mixed_alphabets",  # Greek
    "B\u043et 2": "mixed_alphabets",
    "admin": "reserved",
    "Adm1n": "reserved",
    "a d m i n": "reserved",
    "\u0430\u0501\u043c\u0456\u043f": "reserved",  # all of it Cyrillic
    "House": "reserved",
    "SYSTEM": "reserved",
    "D\u00edzhu": "reserved",
    DELETED: "reserved",
    "Bot 1": "reserved",
    "b0t": "reserved",
    "Guest 1234": "reserved",
    "guest l234": "reserved",
    "Ｇｕｅｓｔ９９": "reserved",
    "游客 1234": "reserved",
    "机器人 2": "reserved",
    "बॉट 1": "reserved",
    "मेहमान ४": "reserved",
    "Invitado 1000": "reserved",
}

ALIKE = (
    ("Ivan", "ivan", "IVAN", "lvan", "1van", "Ｉｖａｎ", "Iván", "I van"),
    ("casa", "CASA", "\u0441\u0430\u0455\u0430"),  # Cyrillic
    ("KOMA", "k0ma", "\u041a\u041e\u041c\u0410", "\u039a\u039f\u039c\u0391"),  # Cyrillic, Greek
    ("OO1", "00l", "\u043e\u041eI", "\u03bfO1", "۰0۱"),
    ("modern", "modem"),
    ("vvill", "will"),
    ("ёлка", "елка", "ЕЛКА"),
    ("Straße", "strasse"),
    ("३ राम", "3राम"),
    ("力 13", "カ l3"),
    ("Źródło", "zrodlo"),
)

DIFFERENT = (
    ("Ana", "Anna"),
    ("राम", "रमा"),
    ("राम", "रोम"),
    ("कि", "की"),
    ("李明", "李鸣"),
    ("李", "季"),
    ("Иван", "Ivan"),
    ("Li Na", "Li Ma"),
    ("21", "22"),
    ("ab", "ba"),
    ("はる", "ばる"),
    ("김민준", "김민전"),
)


def why(text: str) -> str | None:
    """Say why a name is refused, if it is."""
    try:
        good_name(text)
    except DizhuError as error:
        return f"{error.code}: {error.detail['why']}"
    return None


@pytest.mark.parametrize(("text", "shown"), GOOD.items(), ids=ascii)
def test_a_good_name_is_shown_so(text: str, shown: str):
    assert good_name(text) == shown


@pytest.mark.parametrize(("text", "reason"), BAD.items(), ids=lambda value: ascii(value)[:40])
def test_a_bad_name_is_refused_for(text: str, reason: str):
    assert why(text) == f"bad_name: {reason}"


@pytest.mark.parametrize(("one", "other"), [pair for group in ALIKE for pair in pairwise(group)], ids=ascii)
def test_names_that_look_alike_have_one_key(one: str, other: str):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=ascii)
def test_names_that_differ_have_two_keys(one: str, other: str):
    assert name_key(one) != name_key(other)


def test_no_two_of_the_good_names_are_one():
    assert all(name_key(one) != name_key(other) for one, other in combinations(GOOD, 2))


def test_a_guest_has_a_name_that_nobody_can_take():
    assert why(guest_name()) == "bad_name: reserved"


# Letters whose neighbours look like them come up more often than among all characters.
SPECIAL = st.sampled_from("aаα0oоΟI1lіß गि好")
LETTERS = SPECIAL | st.characters(categories=["L", "Nd"])
TEXTS = st.text(st.characters() | SPECIAL | st.sampled_from("\u200b\u202e\u0301"), max_size=80) | st.text(LETTERS)


@given(TEXTS)
def test_every_text_is_a_name_or_refused(text: str):
    if why(text) is not None:
        return
    name = good_name(text)
    assert good_name(name) == name
    assert name_key(name) == name_key(text)
    assert name_key(name)
    assert name == " ".join(name.split())
    assert not {unicodedata.category(character)[0] for character in name} - set("LMNZ")
    assert len(name) <= 4 * LONGEST


@given(st.text(LETTERS, min_size=2, max_size=16))
def test_a_name_is_the_same_in_capitals_and_without_spaces(text: str):
    key = name_key(text)
    assert name_key(text.lower()) == name_key(text.upper()) == key
    assert name_key(text.replace(" ", "")) == key
