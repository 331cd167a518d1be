"""The codes the server refuses with. They are part of the protocol; sentences for people are the client's.

A code of the rules (`IllegalAction`, `ParseError`, `UnknownName` of `dizhu.errors`) goes to the client as it is.
"""

from __future__ import annotations

REFUSAL_CODES: dict[str, str] = {
    "bad_message": "The text is not a command: broken JSON, an unknown type or field, a wrong type, out of bounds.",
    "wrong_protocol": "The client speaks another version of the protocol; `detail.protocol` is the server's.",
    "unknown_token": "No session has this token; say hello with null to become a new guest.",
    "hello_first": "The first command of a connection has to be `hello`.",
    "already_greeted": "This connection has said `hello` before.",
    "too_fast": "Too many commands in a short time; nothing was done.",
    "too_many_guests": "Too many new guests came from this address; the next may in `detail.seconds`.",
    "too_many_tables": "Too many tables were opened in a short time; the next may in `detail.seconds`.",
    "server_full": "No more tables can be opened now.",
    "stopping": "The server is about to stop; no new hand begins.",
    "store_failed": "The server cannot save anything at the moment, so nothing was done; try again.",
    "suspended": "The account may not play until `detail.until` (milliseconds since 1970).",
    "unknown_variant": "There is no game of this name.",
    "unknown_option": "The game has no option of this name.",
    "bad_option": "The option cannot have this value.",
    "unknown_bot": "There is no bot of this name.",
    "unknown_room": "There is no room of this name.",
    "unknown_table": "There is no table of this id or code.",
    "unknown_seat": "Nobody who could be meant sits on this seat.",
    "already_seated": "The player sits at a table.",
    "already_waiting": "The player is looking for a table.",
    "not_waiting": "The player is not looking for a table.",
    "not_seated": "The player does not sit at a table.",
    "too_poor": "The room asks for `detail.needed` beans; the player has `detail.beans`.",
    "table_full": "All seats of the table are taken.",
    "hand_running": "A hand is being played; sit down when it is over.",
    "not_host": "Only the host of the table may do this.",
    "not_private": "This is for private tables only.",
    "may_not_watch": "Somebody who plays there is connected from the same place.",
    "too_much_talk": "Too much was said in a short time.",
    "stale": "The command answers an older question than the one that is open.",
    "not_your_turn": "The seat is not asked anything now.",
    "not_allowed": "This answer is not open now.",
    "not_over": "The hand is still being played.",
    "hand_over": "The hand has ended.",
    "may_not_leave": "Leaving is no action of this game, or not now.",
    "malformed_action": "The action is not one of the words of the game.",
    "malformed_cards": "The cards cannot be read.",
    "cards_not_held": "The seat does not hold these cards.",
    "not_a_combination": "The cards make no combination of this game.",
    "does_not_beat": "The combination does not beat the one on the table.",
    "must_play": "Who leads cannot pass.",
}

CLOSED_CODES: dict[str, str] = {
    "left": "The player has stood up; the connection stays open.",
    "idle": "The table was closed because nobody was connected to it for too long; the connection stays open.",
    "closed": "The host of the server has closed the table; its hand counts for nothing. The connection stays open.",
    "failed": "The table had to be given up after a fault of the server; the connection stays open.",
    "replaced": "The player has connected from elsewhere; this connection ends.",
    "slow": "The client read too slowly; this connection ends, the player may connect again.",
    "poor": "The player has not enough beans for another hand in this room; the connection stays open.",
    "suspended": "The account has been suspended; this connection ends.",
    "logged_out": "The session has ended; this connection ends.",
    "shutdown": "The server stops; this connection ends. The table is kept and goes on when the server is back.",
}
