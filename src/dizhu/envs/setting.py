"""How a hand of the single-hand environments begins: dealt at random from a seed, or as the options say.

bidding=True    the whole hand of the game: every question before the play is put to the seats
bidding=False   the play only: a seat is landlord, takes the bottom cards and leads; nobody is asked anything before.
                The base score is the game's own (1; 2 in `five_player`), and nothing is doubled in advance

The options of `reset`, all of them left out by default:

deal       a `dizhu.Deal`
deck       the whole deck in dealing order, as a list or as text of cards parted by spaces: the hands of seat 0, 1, …
           one after the other, then the bottom cards, then those set aside
hands      a position of any size, a text for each seat (`["3345", "66", "7h 7d"]`); with `bottom` and `aside` if wanted
marked     the marked card of `five_player`, with `deck` or `hands`
first      the seat that is asked first: drawn if the cards are, else 0 (`five_player`: who holds the marked card)
landlord   the same seat where there is no bidding: it is landlord
roles      `landlord` or `farmer` for each seat, only without bidding; in `five_player` there may be two landlords, and
           cards are drawn until they make it so
let        cards left at which a farmer wins, 0 to 4, only without bidding
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from warnings import warn

import numpy as np

from dizhu.envs.features import MOST_LET
from dizhu.game.deal import Deal, position, shuffled
from dizhu.game.engine import Game
from dizhu.game.play_only import play_only
from dizhu.game.shuffle import SEED_BYTES
from dizhu.game.state import Seat
from dizhu.game.variant import Variant
from dizhu.variants import variant as find

Options = Mapping[str, Any]

_CARDS = ("deal", "deck", "hands")
_ONLY_WITHOUT_BIDDING = ("landlord", "roles", "let")
_KNOWN = (*_CARDS, "bottom", "aside", "marked", "first", *_ONLY_WITHOUT_BIDDING)
_LANDLORD, _FARMER = "landlord", "farmer"


@dataclass(frozen=True)
class Setting:
    """A game, and whether its hands begin with the bidding."""

    game: Variant
    bidding: bool = True

    @staticmethod
    def of(variant: str | Variant, *, bidding: bool) -> Setting:
        """Look the game up; raises UnknownName."""
        return Setting(find(variant) if isinstance(variant, str) else variant, bidding)

    def begin(self, draws: np.random.Generator, options: Options | None = None) -> Game:
        """Begin a hand; what the options leave open is drawn. Raises ValueError, InvalidDeal or ParseError."""
        given = dict(options or {})
        self._check(given)
        roles = _landlords_of(given["roles"], self.game) if "roles" in given else None
        first = given.get("first", given.get("landlord", min(roles) if roles and not self.game.marked else None))
        if first is not None and first not in range(self.game.seats):
            raise ValueError(f"there is no seat {first!r}: seats are 0 to {self.game.seats - 1}")
        cards_given = any(name in given for name in _CARDS)
        deal = self._given(given, first) if cards_given else self._drawn(draws, first, roles)
        hand = self.start(deal, given.get("let", 0))
        if roles and set(hand.state.all_landlords) != roles:
            raise ValueError(f"these cards make the seats {hand.state.all_landlords} landlords, not {sorted(roles)}")
        return hand

    def start(self, deal: Deal, let: int = 0) -> Game:
        """Begin the hand of a deal; let cards can only be given without bidding. Raises InvalidDeal."""
        return Game(self.game if self.bidding else play_only(self.game, let), deal)

    def _check(self, given: dict[str, Any]) -> None:
        for name in given:
            if name not in _KNOWN:
                # PettingZoo's own tests give options that no environment has.
                warn(f"there is no option {name!r}; there are {', '.join(_KNOWN)}", stacklevel=2)
            if self.bidding and name in _ONLY_WITHOUT_BIDDING:
                raise ValueError(f"with bidding, the landlord is found by the game: {name!r} needs bidding=False")
        if sum(name in given for name in _CARDS) > 1:
            raise ValueError(f"only one of {', '.join(_CARDS)} can say what the cards are")
        if not 0 <= given.get("let", 0) <= MOST_LET:
            raise ValueError(f"let must be from 0 to {MOST_LET}")

    def _given(self, given: dict[str, Any], first: Seat | None) -> Deal:
        """Read a deal that the options give."""
        if "deal" in given:
            deal: Deal = given["deal"]
            return deal if first is None else replace(deal, first=first)
        hands, bottom, aside = _dealt_out(self.game, given)
        marked = given.get("marked")
        if first is None:
            first = next((seat for seat, cards in enumerate(hands) if marked and marked in cards.split()), 0)
        return position(self.game, hands, bottom, first, marked, aside)

    def _drawn(self, draws: np.random.Generator, first: Seat | None, roles: set[Seat] | None) -> Deal:
        """Deal at random; where a marked card makes the landlords, hands change seats until they fit."""
        if not self.game.marked:
            return shuffled(self.game, draws.bytes(SEED_BYTES), first)
        while True:
            deal = shuffled(self.game, draws.bytes(SEED_BYTES))
            partner = self.start(deal).state.partner
            here = [deal.first] if partner is None else [deal.first, partner]
            if roles is None or len(roles) == len(here):
                return _seated(deal, here, _wanted(first, roles, draws))


def _dealt_out(game: Variant, given: dict[str, Any]) -> tuple[list[str], str, str]:
    """Give the hands, the bottom cards and those set aside as text."""
    if "hands" in given:
        return list(given["hands"]), given.get("bottom", ""), given.get("aside", "")
    deck = given["deck"]
    cards: list[str] = deck.split() if isinstance(deck, str) else list(deck)
    if len(cards) != len(game.deck.cards):
        raise ValueError(f"the deck of {game.name} has {len(game.deck.cards)} cards, not {len(cards)}")
    dealt = game.seats * game.deal
    hands = [" ".join(cards[seat * game.deal : (seat + 1) * game.deal]) for seat in range(game.seats)]
    return hands, " ".join(cards[dealt : dealt + game.bottom]), " ".join(cards[dealt + game.bottom :])


def _landlords_of(roles: Sequence[str], game: Variant) -> set[Seat]:
    most = 2 if game.marked else 1
    landlords = {seat for seat, role in enumerate(roles) if role == _LANDLORD}
    if len(roles) != game.seats or not set(roles) <= {_LANDLORD, _FARMER} or not 1 <= len(landlords) <= most:
        wanted = "one or two of them" if game.marked else "one of them"
        raise ValueError(f"roles must name {game.seats} times landlord or farmer, {wanted} landlord, not {roles!r}")
    return landlords


def _wanted(first: Seat | None, roles: set[Seat] | None, draws: np.random.Generator) -> list[Seat] | None:
    """Say which seats the landlords are to have, the open one first; None: those that they have."""
    if roles is None:
        return None if first is None else [first]
    seats = sorted(roles)
    if first is None:
        return [int(seat) for seat in draws.permutation(seats)]
    if first not in roles:
        raise ValueError(f"seat {first} cannot lead, for its role is {_FARMER}")
    return [first, *(seat for seat in seats if seat != first)]


def _seated(deal: Deal, here: list[Seat], wanted: list[Seat] | None) -> Deal:
    """Let hands change seats so that those of `here` come to `wanted`; such a deal comes from no seed."""
    if wanted is None or wanted == here:
        return deal
    hands = list(deal.hands)
    at = list(range(len(hands)))
    for seat, target in zip(here, wanted, strict=False):
        other = at.index(seat)
        hands[other], hands[target] = hands[target], hands[other]
        at[other], at[target] = at[target], at[other]
    return replace(deal, first=wanted[0], hands=tuple(hands), seed=None, entropy=())
