"""The name of a system as a form tells it."""

from __future__ import annotations

import pytest

from support.pasted import finding, told


def test_the_name_of_a_system_ends_where_a_sentence_begins():
    name = told("OS: Windows 7 ultimate, Python 3.5.4. TensorFlow came by pip.")["os.name"]
    assert name == "Windows 7 ultimate"
    assert told("OS: Ubuntu 20.04.6 LTS")["os.name"] == "Ubuntu 20.04.6 LTS"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Debian 12, NVIDIA GTX 1660 (driver 535), Python 3.11", "Debian 12"),
        ("Ubuntu 22.04, 2x RTX 4090, driver 550.54", "Ubuntu 22.04"),
        ("Windows 10 21H2, CUDA 11.6", "Windows 10 21H2"),
        ("Windows 11; GPU: RTX 3060", "Windows 11"),
        ("Ubuntu 22.04, kernel 6.5", "Ubuntu 22.04, kernel 6.5"),
        ("WSL2, Ubuntu 22.04", "WSL2, Ubuntu 22.04"),
    ],
)
def test_the_name_of_a_system_ends_where_its_card_or_driver_is_named(typed: str, name: str):
    assert told(f"OS: {typed}\n")["os.name"] == name


def test_a_mac_of_the_time_of_nvidias_driver_is_known_by_its_names() -> None:
    failed = (
        "OS: {}\ncuda runtime error (35) : CUDA driver version is insufficient for CUDA runtime"
    )
    assert finding(failed.format("OS X Yosemite 10.10.5")).title.startswith("The driver serves")
    assert finding(failed.format("macOS Sequoia 15.1")).title.startswith("CUDA does not run on mac")
