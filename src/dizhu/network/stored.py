"""The file of a game's networks: whole numbers, so that every machine computes the same values from them.

The first line is a JSON object: `format` 1, `game` (the variant they were trained for), `facts`, `roles`, and `layers`,
the sizes of what lies between. Then, for each role, all little-endian: as 16-bit numbers the weights of the first layer
(a row of 256 for each fact), of the second (for each of 128 outputs, its 256 inputs), the third (64 of 128) and the
heads (2 of 64, winning and points); as 32-bit numbers the biases of the four. A weight of the first layer of 1 is
2^10, of a later one 2^12; biases of the later layers and values of 1 are 2^22. Activations of 16 bits come between:
1 is 2^10 in the first layer, and 2^8 in the later ones, which would not hold their largest otherwise.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dizhu.errors import ParseError

WIDE, MIDDLE, NARROW, HEADS = 256, 128, 64, 2
UNIT_BITS, FINE_BITS, COARSE_BITS = 10, 12, 2
VALUE = 1 << UNIT_BITS + FINE_BITS
"""What a value of 1 is: a hand surely won."""

_LANES = 8
_FORMAT = 1


@dataclass(frozen=True)
class Stored:
    """Networks of a game: `numbers` are those of all roles, one after the other."""

    game: str
    facts: int
    roles: int
    numbers: bytes


def role_size(facts: int) -> int:
    """Count the bytes of one role's numbers."""
    weights = facts * WIDE + WIDE * MIDDLE + MIDDLE * NARROW + NARROW * HEADS
    return 2 * weights + 4 * (WIDE + MIDDLE + NARROW + HEADS)


def write(path: Path, stored: Stored) -> None:
    """Write a file of networks."""
    head = {
        "format": _FORMAT,
        "game": stored.game,
        "facts": stored.facts,
        "roles": stored.roles,
        "layers": [WIDE, MIDDLE, NARROW, HEADS],
    }
    path.write_bytes(json.dumps(head).encode() + b"\n" + stored.numbers)


def read(path: Path) -> Stored:
    """Read a file of networks; raises ParseError `bad_networks` if it is none."""
    head, _, numbers = path.read_bytes().partition(b"\n")
    try:
        fields = json.loads(head)
        stored = Stored(str(fields["game"]), int(fields["facts"]), int(fields["roles"]), numbers)
        good = fields["format"] == _FORMAT and fields["layers"] == [WIDE, MIDDLE, NARROW, HEADS]
    except (ValueError, KeyError, TypeError):
        raise ParseError("bad_networks", f"{path} is no file of networks") from None
    if not good or len(numbers) != role_size(stored.facts) * stored.roles:
        raise ParseError("bad_networks", f"{path} is damaged, or of another version of dizhu")
    return stored


def quantised(game: str, facts: int, roles: int, weights: bytes) -> Stored:
    """Round the floats of a learner (`Learner.weights`) to whole numbers."""
    floats = array("f")
    floats.frombytes(weights)
    each = len(floats) // roles
    return Stored(
        game, facts, roles, b"".join(_role(floats[at : at + each], facts) for at in range(0, len(floats), each))
    )


def floats(stored: Stored) -> list[bytes]:
    """Give each role's weights as a learner keeps them, as far as the whole numbers tell them."""
    size = role_size(stored.facts)
    return [_floats(stored.numbers[at : at + size], stored.facts) for at in range(0, len(stored.numbers), size)]


def _floats(numbers: bytes, facts: int) -> bytes:
    at = 0

    def take(kind: str, count: int, bits: int) -> array[float]:
        nonlocal at
        whole: array[int] = array(kind)
        size = count * whole.itemsize
        whole.frombytes(numbers[at : at + size])
        if sys.byteorder == "big":
            whole.byteswap()
        at += size
        return array("f", (number / (1 << bits) for number in whole))

    first = take("h", facts * WIDE, UNIT_BITS)
    second = array("f", _turned(take("h", WIDE * MIDDLE, FINE_BITS), WIDE))
    third = array("f", _turned(take("h", MIDDLE * NARROW, FINE_BITS), MIDDLE))
    heads = take("h", HEADS * NARROW, FINE_BITS)
    first_bias = take("i", WIDE, UNIT_BITS)
    second_bias, third_bias, heads_bias = (take("i", count, UNIT_BITS + FINE_BITS) for count in (MIDDLE, NARROW, HEADS))
    heads_bias.extend([0.0] * (_LANES - HEADS))
    parts = (first, first_bias, second, second_bias, third, third_bias, heads, heads_bias)
    return b"".join(part.tobytes() for part in parts)


def _role(floats: array[float], facts: int) -> bytes:
    """Round one network; a learner keeps the later layers by input, the file keeps them by output."""
    at = 0

    def take(count: int) -> array[float]:
        nonlocal at
        at += count
        return floats[at - count : at]

    first, first_bias = take(facts * WIDE), take(WIDE)
    second, second_bias = take(WIDE * MIDDLE), take(MIDDLE)
    third, third_bias = take(MIDDLE * NARROW), take(NARROW)
    heads, heads_bias = take(HEADS * NARROW), take(_LANES)[:HEADS]
    weights = [
        _rounded("h", first, UNIT_BITS),
        _rounded("h", _turned(second, MIDDLE), FINE_BITS),
        _rounded("h", _turned(third, NARROW), FINE_BITS),
        _rounded("h", heads, FINE_BITS),
        _rounded("i", first_bias, UNIT_BITS),
        _rounded("i", second_bias, UNIT_BITS + FINE_BITS),
        _rounded("i", third_bias, UNIT_BITS + FINE_BITS),
        _rounded("i", heads_bias, UNIT_BITS + FINE_BITS),
    ]
    return b"".join(weights)


def _turned(weights: array[float], outputs: int) -> Iterable[float]:
    return (weight for output in range(outputs) for weight in weights[output::outputs])


def _rounded(kind: str, values: Iterable[float], bits: int) -> bytes:
    most = (1 << 8 * array(kind).itemsize - 1) - 1
    numbers = array(kind, (max(-most, min(most, round(value * (1 << bits)))) for value in values))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
