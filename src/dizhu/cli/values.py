"""What commands are declared with, above all what their options may be.

Each function reads the value of an option, or says in a sentence what is wrong with it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

Add = Callable[..., argparse.ArgumentParser]
"""Adds a command, by its name and `help`."""

_LONGEST_TURN = 60
_USUAL_PORTS = {"http": 80, "https": 443}
_MOST_DAYS = 36_500


def number(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, or too long a one") from None


def positive(text: str) -> int:
    """Read a whole number from 1 up."""
    if not (text.isascii() and text.isdigit() and number(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)


def part(text: str) -> float:
    """Read a number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no part: give a number from 0 to 1")
    return value


def seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= _LONGEST_TURN:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0, up to {_LONGEST_TURN}")
    return value


def days(text: str) -> int:
    """Read a whole number of days."""
    if not (text.isascii() and text.isdigit() and int(text) <= _MOST_DAYS):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days from 0 to {_MOST_DAYS}")
    return int(text)


def port(text: str) -> int:
    """Read the number of a port."""
    if not (text.isascii() and text.isdigit() and number(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 0 to 65535")
    return int(text)


def origin(text: str) -> str:
    """Read the origin of a page, and write it as browsers do."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or parts.path not in ("", "/") or "@" in parts.netloc:
        raise argparse.ArgumentTypeError(f"{text!r} is no origin, as https://dizhu.example")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    # As browsers say it: small letters, and without the usual port.
    return f"{parts.scheme}://{host}" + ("" if port in (None, _USUAL_PORTS[parts.scheme]) else f":{port}")


def network(text: str) -> str:
    """Read an address, or a network of them."""
    from ipaddress import ip_network

    try:
        return str(ip_network(text)) if "/" in text else str(ip_network(text).network_address)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no address and no network, as 10.0.0.0/8") from None
