"""Names of players: which are good, and which look so much alike that only one player may have them."""

from __future__ import annotations

import re
import secrets
import unicodedata

from dizhu.errors import DizhuError

SHORTEST, LONGEST = 2, 16
"""How many characters a name has; a letter counts as one together with its accents or vowel signs."""

DELETED = "Deleted"
"""The name of all whose accounts are deleted."""

_LONGEST_TEXT = 4 * LONGEST
_MOST_MARKS = 3
# Letters and marks that are not seen or only stretch a word: joiners, fillers, selectors of variants, tatweel.
_UNSEEN = re.compile(
    "[\u034f\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U000e0000-\U000e0fff]"
)
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC")

# The second of a pair looks like the first, as it is or as a capital: case makes no difference.
_LOOK_ALIKES = (
    "o0 l1 li lı jȷ lɩ lǀ aɑ gɡ vʋ oø lł dđ hħ tŧ bƅ eɛ "
    "aᴀ bʙ cᴄ dᴅ eᴇ fꜰ gɢ hʜ lɪ jᴊ kᴋ lʟ mᴍ nɴ oᴏ pᴘ rʀ sꜱ tᴛ uᴜ vᴠ wᴡ yʏ zᴢ "
    "aα bβ yγ eε zζ hη oθ lι kκ mμ nν oο pρ tτ yυ xχ wω "
    "aа bв rг eе 3з kк mм hн oо nп pр cс tт yу xх bь sѕ lі jј fғ kқ kҡ xҳ yү yұ hң oө hһ eҽ lӏ dԁ gԍ qԛ wԝ 6б "
    "カ力 ロ口 ニ二 ハ八 タ夕 エ工 ト卜 ー一"
)
_SKELETON = str.maketrans({pair[1]: pair[0] for pair in _LOOK_ALIKES.split()})


def guest_name() -> str:
    """Make a name for a guest; nobody can choose one like it."""
    return f"Guest {1000 + secrets.randbelow(9000)}"


def good_name(text: str) -> str:
    """Bring a name into the form in which it is shown.

    Raises DizhuError `bad_name` with `why`: too_short, too_long, bad_character, mixed_alphabets or reserved.
    """
    if len(text) > _LONGEST_TEXT:
        raise _bad("too_long")
    name = " ".join(filter(None, unicodedata.normalize("NFKC", text).split(" ")))
    # Characters as they are seen: L a letter, N a digit, M a mark on the one before.
    kinds = "".join(map(_kind, name))
    if not re.fullmatch(rf"([LN]M{{0,{_MOST_MARKS}}}| )*", kinds):
        raise _bad("bad_character")
    seen = len(kinds) - kinds.count("M")
    if not SHORTEST <= seen <= LONGEST:
        raise _bad("too_short" if seen < SHORTEST else "too_long")
    if len({alphabet for alphabet in map(_alphabet, name) if alphabet}) > 1:
        raise _bad("mixed_alphabets")
    if _RESERVED.fullmatch(name_key(name)):
        raise _bad("reserved")
    return name


def name_key(name: str) -> str:
    """Reduce a name to what it is compared by: two names with one key look alike. Any text has a key.

    >>> name_key("Ivan 01") == name_key("lvаnoI")  # its `а` is Cyrillic
    True
    """
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    letters: list[str] = []
    accents_tell = False
    for character in text:
        kind = _kind(character)
        if kind in "LN":
            accents_tell = _alphabet(character) is None
            letters.append(_digit(character))
        elif kind == "M" and accents_tell:
            letters.append(character)
    skeleton = "".join(letters).translate(_SKELETON)
    return skeleton.replace("rn", "m").replace("vv", "w")


def _kind(character: str) -> str:
    """Tell what a character is: a letter L, a digit N, a mark M, a space; or what no name may have."""
    category = unicodedata.category(character)
    if character == " ":
        return character
    return "?" if _UNSEEN.match(character) else "N" if category == "Nd" else category[0] if category[0] in "LM" else "?"


def _alphabet(character: str) -> str | None:
    """Tell the alphabet of a letter, if it is one of those whose letters look like those of the others."""
    alphabet = unicodedata.name(character, "").partition(" ")[0]
    return alphabet if alphabet in _ALPHABETS else None


def _digit(character: str) -> str:
    """Write a digit of any script as 0 to 9."""
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def _bad(why: str) -> DizhuError:
    return DizhuError("bad_name", f"the name cannot be taken: {why}", why=why)


_RESERVED = re.compile(
    "|".join(map(name_key, ("admin", "administrator", "deleted", "dizhu", "house", "moderator", "system")))
    # Those that the server gives, in the languages in which they are shown.
    + f"|({'|'.join(map(name_key, ('bot', 'guest', 'invitado', '机器人', '游客', 'बॉट', 'मेहमान')))})[ol2-9]*"
)
