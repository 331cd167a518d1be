"""The rooms of a server: which games are played in them, for what, and at what pace. They are declared in TOML.

    [classic-beginner]           the room's id: small letters, digits and hyphens
    variant = "classic"          one of the games
    kind = "beans"               "points": a hand counts for the ladder; "beans": they are won and lost
    level = "beginner"           of a bean room: "beginner", "middle" or "high"; the client names the room by it
    name = "Tea House"           a name of the host's own, shown instead in every language (default: none)
    coefficient = 10             beans for a point
    fee = 5                      beans that every player pays the house for a hand
    need = 100                   beans without which nobody enters, nor stays for another hand
    threshold = 500              beans from which players may double, in the game `happy`
    play = 20                    seconds for a play
    question = 15                seconds for a question put to one seat
    offer = 10                   seconds for a question put to several seats at once
    redeal = "first"             after three deals that nobody wanted: "deal" on, or the "first" asked is landlord
    fill = 5                     seconds after which bots take the seats that are still empty
    bot = "rule"                 which bot that is (default: one for the room's level, where the game has such bots)
    options = { cap = 16 }       options of the game (see `dizhu.variant`); among them the cap on the multiplier

`variant` and `kind` must be there. `level`, which must be there then, `coefficient`, `fee`, `need` and `threshold` are
for beans only, and `threshold` for games with such a condition.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from dizhu.errors import DizhuError
from dizhu.game.phases.double import Double
from dizhu.game.variant import Variant
from dizhu.server.players import USUAL, playable, usual
from dizhu.variants import variant

ROOMS = Path(__file__).parent / "rooms.toml"
"""The rooms of a server whose host has no file of his own."""

LEVELS = ("beginner", "middle", "high")

_BOTS: dict[str | None, str] = {"beginner": "easy", "middle": "normal", "high": "hard"}
_BEANS_ONLY = ("level", "coefficient", "fee", "need", "threshold")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 40
_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Room:
    """A room; the docstring of the module says what its fields mean.

    game: the variant with its options. level: None in a room for points.
    """

    id: str
    game: Variant
    kind: Literal["points", "beans"]
    level: str | None
    name: str | None
    coefficient: int
    fee: int
    need: int
    threshold: int
    play: float
    question: float
    offer: float
    redeal: Literal["deal", "first"]
    fill: float
    bot: str


def read_rooms(path: Path = ROOMS) -> dict[str, Room]:
    """Read a file of rooms, by id in the order of the file.

    Raises DizhuError `bad_rooms`, which names the file, the room, the key, and what is allowed.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DizhuError("bad_rooms", f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DizhuError("bad_rooms", f"{path}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise DizhuError("bad_rooms", f"{path}: is not TOML: {error}") from None
    if not tables:
        raise DizhuError("bad_rooms", f"{path}: there is no room in it; a room is a table, as [classic-beginner]")
    return {name: _Reader(path, name, table).room() for name, table in tables.items()}


def lowest_need(rooms: Mapping[str, Room]) -> int:
    """The beans that open the first door: what the bean room that asks least needs, 0 if there is none."""
    return min((room.need for room in rooms.values() if room.kind == "beans"), default=0)


class _Reader:
    """Takes the keys of one room out of its table; what is left at the end should not have been there."""

    def __init__(self, path: Path, room: str, table: object) -> None:
        self._where = f"{path}: room {room!r:.60}"
        self._id = room
        if not isinstance(table, dict):
            raise DizhuError(
                "bad_rooms", f"{path}: {room!r:.60} belongs to no room; a room is a table, as [classic-points]"
            )
        self._table = dict(cast("dict[str, object]", table))

    def room(self) -> Room:
        """Read the whole table."""
        if _ID.fullmatch(self._id) is None or len(self._id) > _LONGEST:
            raise self._wrong(f"its id must be small letters, digits and hyphens, at most {_LONGEST}")
        kind = self._one_of("kind", ("points", "beans"))
        if kind == "points" and (misplaced := [key for key in _BEANS_ONLY if key in self._table]):
            raise self._wrong(f"{misplaced[0]!r} is for rooms with kind = 'beans'")
        for_beans = kind == "beans"
        game, level = self._game(), self._one_of("level", LEVELS) if for_beans else None
        room = Room(
            id=self._id,
            game=game,
            kind=cast("Literal['points', 'beans']", kind),
            level=level,
            name=self._name(),
            coefficient=self._whole("coefficient", 1, range(1, 1_000_001)) if for_beans else 0,
            fee=self._whole("fee", 0, range(1_000_000_001)) if for_beans else 0,
            need=self._whole("need", 1, range(1, 1_000_000_000_001)) if for_beans else 0,
            threshold=self._whole("threshold", 0, range(1_000_000_000_001)) if for_beans else 0,
            play=self._seconds("play", 20, 1, 600),
            question=self._seconds("question", 15, 1, 600),
            offer=self._seconds("offer", 10, 1, 600),
            redeal=cast("Literal['deal', 'first']", self._one_of("redeal", ("deal", "first"), "deal")),
            fill=self._seconds("fill", 5, 0, 3600),
            bot=self._bot(game, level),
        )
        self._check(room)
        return room

    def _bot(self, game: Variant, level: str | None) -> str:
        return self._one_of("bot", playable(game), usual(game, _BOTS.get(level, USUAL)))

    def _check(self, room: Room) -> None:
        """Look at what hangs together, and for what is left."""
        if room.need < room.fee:
            raise self._wrong(f"'need' is {room.need}; it must be at least the fee, {room.fee}")
        if room.threshold and not any(isinstance(phase, Double) and phase.for_beans for phase in room.game.phases):
            raise self._wrong(f"'threshold' means nothing in {room.game.name}, where everybody may double or nobody")
        if room.redeal == "first" and all(option.name != "nobody" for option in room.game.options):
            raise self._wrong(f"'redeal' must be 'deal': in {room.game.name} there is always a landlord")
        if self._table:
            keys = ", ".join(_KEYS)
            raise self._wrong(f"there is no key {next(iter(self._table))!r:.60}; the keys are {keys}")

    def _game(self) -> Variant:
        name, options = self._take("variant", _REQUIRED), self._take("options", {})
        if not isinstance(name, str):
            raise self._wrong(f"'variant' is {name!r:.60}; it must be the name of a game")
        if not isinstance(options, dict):
            raise self._wrong(f"'options' is {options!r:.60}; it must be a table, as {{ cap = 16 }}")
        try:
            return variant(name).with_options(cast("dict[str, object]", options))
        except DizhuError as error:
            raise self._wrong(str(error)) from None

    def _name(self) -> str | None:
        name = self._take("name", None)
        if name is None:
            return None
        if not isinstance(name, str) or not name.isprintable() or not 0 < len(name.strip()) <= _LONGEST:
            raise self._wrong(f"'name' is {name!r:.60}; it must be text of 1 to {_LONGEST} characters")
        return name.strip()

    def _one_of(self, key: str, allowed: tuple[str, ...], default: object = _REQUIRED) -> str:
        value = self._take(key, default)
        if not isinstance(value, str) or value not in allowed:
            raise self._wrong(f"{key!r} is {value!r:.60}; it must be {' or '.join(map(repr, allowed))}")
        return value

    def _whole(self, key: str, default: int, allowed: range) -> int:
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
            raise self._wrong(f"{key!r} is {value!r:.60}; it must be a whole number from {allowed[0]} to {allowed[-1]}")
        return value

    def _seconds(self, key: str, default: float, least: float, most: float) -> float:
        value = self._take(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong(f"{key!r} is {value!r:.60}; it must be seconds, from {least} to {most}")
        return value

    def _take(self, key: str, default: object) -> object:
        value = self._table.pop(key, default)
        if value is _REQUIRED:
            raise self._wrong(f"{key!r} is missing")
        return value

    def _wrong(self, problem: str) -> DizhuError:
        return DizhuError("bad_rooms", f"{self._where}: {problem}")


_KEYS = ("variant", "name", "options", *(key for key in Room.__dataclass_fields__ if key not in ("id", "game", "name")))
