"""The compiled networks as they are shipped."""

from collections.abc import Sequence
from typing import final

@final
class Judge:
    def __new__(
        cls, family: str, seats: int, deal: int, bottom: int, deck: int, marked: bool, numbers: bytes
    ) -> Judge: ...
    def values(
        self, role: int, facts: Sequence[int], unseen: int, left: Sequence[int], hand: int, moves: Sequence[int], /
    ) -> list[tuple[int, int]]: ...
    def look_ahead(self, spot: tuple[object, ...], how: tuple[object, ...], /) -> list[tuple[int, int]]: ...
    def facts(self, spot: tuple[object, ...], /) -> list[int]: ...
