"""The codes the API refuses with: the HTTP status of each, and what it means.

They are part of the interface; sentences for people are the client's.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """What stands behind a code."""

    status: int
    meaning: str


CODES: dict[str, Code] = {
    "bad_request": Code(400, "A field is missing, unknown, of a wrong type or out of bounds; `detail.why` says which."),
    "no_session": Code(401, "There is no session, or it has ended."),
    "wrong_origin": Code(403, "The page does not come from this server."),
    "suspended": Code(403, "The account may not play until `detail.until` (milliseconds since 1970)."),
    "bad_name": Code(
        422,
        "The name cannot be taken; `detail.why`: too_short, too_long, bad_character, mixed_alphabets or reserved.",
    ),
    "bad_password": Code(422, "The password cannot be taken; `detail.why`: too_short or too_long."),
    "name_taken": Code(409, "Somebody has this name, or one that looks like it."),
    "already_claimed": Code(409, "The account has a name and a password."),
    "not_claimed": Code(409, "The account is a guest's: it has neither a name of its own nor a password."),
    "wrong_login": Code(403, "No account has this name and this password."),
    "wrong_password": Code(403, "This is not the password of the account."),
    "too_many_attempts": Code(429, "Too many wrong passwords; the next is checked in `detail.seconds`."),
    "too_many_guests": Code(429, "Too many new guests came from this address; the next may in `detail.seconds`."),
    "unknown_account": Code(404, "There is no such player."),
    "unknown_hand": Code(404, "There is no finished hand whose replay has this name."),
    "not_judged": Code(409, "Nothing here can judge the hand: it has no networks for its game, or other rules."),
    "not_broke": Code(409, "The player has beans enough for a room."),
    "granted_today": Code(409, "The player has had the grant of this day; the next comes at `detail.until`."),
    "busy": Code(503, "Too many passwords are being checked at the moment; try again."),
    "not_found": Code(404, "There is nothing at this address."),
    "wrong_method": Code(405, "The address does not answer this method."),
    "too_slow": Code(408, "The body did not come in time."),
    "too_large": Code(413, "The body is longer than `detail.bytes`."),
    "not_json": Code(415, "The body is not declared as `application/json`."),
    "too_fast": Code(429, "Too many requests; the next is answered in `detail.seconds`."),
    "internal": Code(500, "A fault of the server."),
    "store_failed": Code(503, "The server cannot save anything at the moment; try again."),
}

ALL = ("bad_request", "too_fast", "store_failed")
SESSION = ("no_session", "suspended")
BODY = ("wrong_origin", "too_slow", "too_large", "not_json")
