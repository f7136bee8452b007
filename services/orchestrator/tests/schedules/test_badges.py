"""A badge shows the newest verdict to whoever has its address, until that ends."""

from __future__ import annotations

from xml.etree import ElementTree

from weir_testing.platform import Platform
from weir_testing.platform.nights import judged, night, schedule
from weir_testing.platform.results import Made, store


def test_a_badge_shows_the_newest_verdict(platform: Platform, before: Made, after: Made) -> None:
    client, anyone = platform.client("submit"), platform.client("nobody")
    nightly = schedule(platform, str(store(platform, before)), name='player <"main"> & co')
    where = f"/api/v1/schedules/{nightly['id']}"
    assert client.get(where).json()["badge"] is None
    address = client.post(f"{where}/badge").json()["path"]
    assert client.get(where).json()["badge"] == address

    def shown() -> str:
        answer = anyone.get(address)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "image/svg+xml"
        return ElementTree.fromstring(answer.text).attrib["aria-label"]

    name = nightly["name"]
    assert shown() == f"{name}: not judged"
    night(platform, nightly, before)
    judged(platform, nightly)
    assert shown() == f"{name}: same"
    night(platform, nightly, after, bitrate=0.5)
    worse = judged(platform, nightly)[0]["worse"]
    assert shown() == f"{name}: {worse} worse"
    other = client.post(f"{where}/badge").json()["path"]
    assert (other != address, anyone.get(address).status_code) == (True, 404)
    address = other
    assert shown() == f"{name}: {worse} worse"
    assert client.delete(f"{where}/badge").status_code == 204
    assert anyone.get(address).status_code == 404
