"""Who asks: the origin, the address and the session of a request or a WebSocket."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.requests import HTTPConnection

COOKIE = "dizhu_session"
_YEAR = 365 * 24 * 60 * 60
_BEARER = "bearer "
_IPV6_HOME = 64


def allowed(connection: HTTPConnection, origins: frozenset[str]) -> bool:
    """A page may ask if it comes from one of the origins, or, if none are named, from the very host that is asked.

    Programs send no origin.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    host = connection.headers.get("host", "")
    return origin.lower() in (origins or {f"http://{host}".lower(), f"https://{host}".lower()})


def address(connection: HTTPConnection) -> str:
    """Tell where it comes from. All addresses of an IPv6 network of 64 bits, which one home has, count as one."""
    host = connection.client.host if connection.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Network((found, _IPV6_HOME), strict=False))
    return host


def token(connection: HTTPConnection) -> str | None:
    """Find the token of a session: a program says it in the header `Authorization`, a browser has a cookie."""
    return bearer(connection) or connection.cookies.get(COOKIE)


def bearer(connection: HTTPConnection) -> str | None:
    """Find the token that a program says."""
    words = connection.headers.get("authorization", "")
    return words[len(_BEARER) :].strip() if words.lower().startswith(_BEARER) else None


def cookie(connection: HTTPConnection, token: str) -> str:
    """Make the header `Set-Cookie` that gives a browser a session; without a token it takes the session away."""
    age = _YEAR if token else 0
    secure = "; Secure" if connection.url.scheme in ("https", "wss") else ""
    return f"{COOKIE}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
