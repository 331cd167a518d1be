"""Bots measured against each other on the same deals with the seats swapped: the command `dizhu arena`.

Each deal is played several times, once for each line-up of the two bots, so that luck of the cards cancels out:

- Where the cards decide who is landlord (`five_player`), or the landlord is fixed, twice: the first bot plays all
  landlords, then all farmers.
- Else once for every seat that the first bot holds alone against the second on all other seats, and once for every
  seat that the second holds alone: six times with three seats, twice with two. Roles come out of the bidding.

Of each game we note `won`, the mean of the part of the first bot's seats that won and the part of the second bot's
seats that lost (1 or 0 where each bot plays one side; equal bots reach 0.5 together), and the points that the first
bot's seats took from the second's. `wp` and `adp` are their means. Intervals are for 95 %; their unit is the deal with
all its games.

A deal that nobody wants to be landlord of is replaced by the next shuffle of the same deal's chain of seeds.
Results depend on the seed alone, not on the number of processes.

With the landlord fixed nobody is asked anything before the play, and a hand counts as in DouZero's evaluation: the base
score times 2 for each bomb and each rocket, no spring, no cap. With three seats, seat 0 is landlord and the base score
1, so a landlord wins or loses 2 and each farmer 1, times 2 to the bombs. `two_player`: seat 0 is landlord, and the let
cards, which the bidding would have brought, are drawn from the seed. `five_player`: the cards name the landlords.
"""

from dizhu.bots.arena.command import command
from dizhu.bots.arena.match import Hand, Match, Outcome, play_deal
from dizhu.bots.arena.pool import run, run_all
from dizhu.bots.arena.report import Mean, Report
from dizhu.bots.arena.standings import Standings

__all__ = ["Hand", "Match", "Mean", "Outcome", "Report", "Standings", "command", "play_deal", "run", "run_all"]
