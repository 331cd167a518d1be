"""`dizhu serve`, as a person starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from dizhu.errors import DizhuError
from dizhu.server import Settings, run
from dizhu.server.listen import listen

SERVE = """
import sys
from pathlib import Path
from dizhu.server import Settings, run
sys.exit(run(port=0, settings=Settings(bundle=Path(sys.argv[1]))))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_address_is_told_once_it_answers_and_a_signal_ends_it(tmp_path: Path, number: int):
    (tmp_path / "index.html").write_text("<!doctype html>")
    command = [sys.executable, "-c", SERVE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert address, line
        with urllib.request.urlopen(address.group(), timeout=5) as response:
            assert response.status == 200
        os.kill(process.pid, number)
        status = process.wait(10)
        assert "Traceback" not in process.stderr.read()
        assert status in (0, -number)


def test_no_message_waits_for_the_acknowledgement_of_another():
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_in_use_is_said_in_one_line():
    with socket.create_server(("127.0.0.1", 0)) as other:
        with pytest.raises(DizhuError) as error:
            listen("127.0.0.1", other.getsockname()[1])
    assert error.value.code == "port_in_use"
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("host", ["203.0.113.1", "no.such.host.invalid", "..", "a" * 300])
def test_a_host_that_is_not_here_is_said_in_one_line(host: str):
    with pytest.raises(DizhuError) as error:
        listen(host, 0)
    assert error.value.code == "cannot_listen"


def test_a_missing_bundle_is_said_in_one_line(tmp_path: Path):
    with pytest.raises(DizhuError) as error:
        run(port=0, settings=Settings(bundle=tmp_path))
    assert error.value.code == "no_bundle"
