"""What the browser tests take for a fault of a page."""

from __future__ import annotations

import pytest

from browser.visits import Visits
from server.harness import dealing

pytestmark = pytest.mark.browser

DEALER = dealing("3399", "44", "55")


def test_a_page_may_be_left_before_its_icon_came(visits: Visits):
    table = visits.open(DEALER, {})
    table.page.route("**/icon.svg", lambda _: None)
    with table.page.expect_request("**/icon.svg"):
        table.page.reload()
    table.page.reload()
    table.root('[data-status="open"]')
    visits.check()


@pytest.mark.parametrize(
    "fault",
    ["fetch('/nothing')", "fetch('http://127.0.0.1:9')", "console.error('odd')", "setTimeout(() => { throw 1 })"],
)
def test_faults_are_seen(visits: Visits, fault: str):
    table = visits.open(DEALER, {})
    table.page.evaluate(f"() => {{ {fault} }}")
    table.page.wait_for_timeout(200)
    with pytest.raises(AssertionError):
        visits.check()
    table.faults.clear()
