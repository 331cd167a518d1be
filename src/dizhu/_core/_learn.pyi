"""The compiled learner; weights and states are bytes, whose numbers are floats of the machine."""

from collections.abc import Sequence
from typing import final

@final
class Learner:
    def __new__(
        cls,
        family: str,
        seats: int,
        deal: int,
        bottom: int,
        deck: int,
        marked: bool,
        shown: int,
        beliefs: Sequence[float],
        seed: int,
        threads: int,
    ) -> Learner: ...
    @property
    def facts(self) -> int: ...
    @property
    def roles(self) -> int: ...
    def run(
        self, decisions: int, rate: float, explore: float, score: float, trust: float, rivalry: float, /
    ) -> tuple[int, int, int, tuple[float, ...]]: ...
    def match(self, whom: bytes | str | None, deals: int, seed: int, score: float, /) -> tuple[int, int, int]: ...
    def planned(
        self,
        hands: tuple[int, ...],
        landlords: int,
        shown: int,
        marked: int,
        let: int,
        revealed: int,
        turns: tuple[int, ...],
        /,
    ) -> list[int]: ...
    def weights(self) -> bytes: ...
    def state(self) -> bytes: ...
    def restore(self, state: bytes, /) -> None: ...
    def gradient(self, role: int, facts: Sequence[int], win: float, score: float, /) -> tuple[float, bytes]: ...
