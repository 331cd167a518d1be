'''The HTTP API under `/api`: endpoints declared as data, from which the routes and their description are made.

To add one, write a module beside `account.py`:

    class Top(Request, frozen=True):
        """How many to list."""

        count: Annotated[int, Meta(ge=1, le=100)] = 20

    class Leaders(Answer, frozen=True):
        """The players with most beans, the richest first."""

        names: tuple[str, ...]

    async def leaders(call: Call[Top]) -> Leaders:
        async with call.database.reading() as connection:
            ...

    ENDPOINTS = (
        Endpoint("GET", "/api/leaders", leaders, Top, Leaders, who="anyone", codes=("no_season",)),
    )

and add its ENDPOINTS to the list in `endpoints.py`, and a new code to `codes.py`.

- The fields of the request come from the path and the query of a GET, from the JSON object in the body of all others;
  what does not fit is refused before the handler is called. Bound every number (`Id` for those of rows) and text.
- A handler refuses with a DizhuError whose code it has declared. What it answers is written as JSON.
- `who="session"`: there is a `call.account`. `who="anyone"`: there may be a `call.visitor`.
- The summary in the description is the first line of the handler's docstring.
'''

from __future__ import annotations

from dizhu.server.api.endpoint import Answer, Call, Done, Endpoint, Id, Nothing, Request
from dizhu.server.api.endpoints import ENDPOINTS
from dizhu.server.api.openapi import document
from dizhu.server.api.routing import routes

__all__ = ["ENDPOINTS", "Answer", "Call", "Done", "Endpoint", "Id", "Nothing", "Request", "document", "routes"]
